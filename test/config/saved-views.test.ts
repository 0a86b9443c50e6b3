import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { viewStore } from '../../src/config/kept/saved-views.ts';
import type { SavedView } from '../../src/domain/handover/place.ts';
import { DISK } from '../../src/files/durable-files.ts';
import { systemClock } from '../../src/time/clock.ts';
import { ownFolder } from '../support/own-folder.ts';

const run = promisify(execFile);
const REAL = { clock: systemClock };

const VIEW: SavedView = {
  name: 'night 5xx',
  screen: 'logs',
  zone: '1',
  zoneName: 'shop',
  query: 'status:5xx last:15m',
  rows: false,
  savedAt: 1,
};

function directoryOf(t: TestContext, content?: string, mode = 0o600): string {
  const directory = ownFolder(t);
  if (content !== undefined) writeFileSync(join(directory, 'views.json'), content, { mode });
  return directory;
}

test('a view is kept in a file for its owner alone, and read again by another process', async (t) => {
  const directory = join(directoryOf(t), 'made', 'here');
  const saved = await viewStore(directory, REAL).save(VIEW);
  assert.deepEqual(saved, { views: [VIEW], trouble: null, failed: null });
  assert.equal(statSync(join(directory, 'views.json')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(directory), ['views.json', 'views.lock']);
  assert.deepEqual(JSON.parse(readFileSync(join(directory, 'views.json'), 'utf8')), {
    version: 1,
    views: [VIEW],
  });
  assert.deepEqual(await viewStore(directory, REAL).read(), { views: [VIEW], trouble: null });
});

test('a change keeps what another process saved meanwhile, and a name of theirs', async (t) => {
  const directory = directoryOf(t);
  const [ours, theirs] = [viewStore(directory, REAL), viewStore(directory, REAL)];
  await ours.read();
  await theirs.save({ ...VIEW, name: 'theirs' });
  const saved = await ours.save(VIEW);
  assert.deepEqual(
    saved.views.map((view) => view.name),
    ['theirs', 'night 5xx'],
  );
  const taken = await ours.save({ ...VIEW, name: 'theirs', query: '' });
  assert.match(taken.failed ?? '', /of this name/);
  const left = await theirs.remove('theirs');
  assert.deepEqual(
    left.views.map((view) => view.name),
    ['night 5xx'],
  );
});

test('views that several programs save at the same time are all there', async (t) => {
  const directory = directoryOf(t);
  const source = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);
  const program = `
    import { viewStore } from ${source('config/kept/saved-views.ts')};
    import { systemClock } from ${source('time/clock.ts')};
    const [directory, views] = JSON.parse(process.argv[1]);
    const store = viewStore(directory, { clock: systemClock });
    for (const view of views) {
      const { failed } = await store.save(view);
      if (failed !== null) throw new Error(failed);
    }`;
  const saving = Array.from({ length: 5 }, (_, session) => {
    const views = Array.from({ length: 4 }, (_, n) => ({ ...VIEW, name: `${session} ${n}` }));
    return run(process.execPath, ['--input-type=module', '-e', program, JSON.stringify([directory, views])]);
  });
  await Promise.all(saving);
  const { views } = await viewStore(directory, REAL).read();
  assert.equal(new Set(views.map((view) => view.name)).size, 20);
});

const UNREADABLE = {
  'broken JSON': '{"version":1,"views":[',
  'a newer version': '{"version":2,"views":[{"name":"x","hologram":true}]}',
  'another form': '{"version":1,"views":[{"name":"x"}]}',
  'no version': '{"views":[]}',
  'a list': '[]',
  'an unknown property': '{"version":1,"views":[],"colour":"red"}',
} as const;

for (const [what, content] of Object.entries(UNREADABLE)) {
  test(`a file with ${what} is said to be left alone, and is`, async (t) => {
    const directory = directoryOf(t, content);
    const store = viewStore(directory, REAL);
    const read = await store.read();
    assert.match(read.trouble ?? '', /left unchanged/);
    for (const change of [await store.save(VIEW), await store.remove('x')]) {
      assert.equal(change.failed, read.trouble);
    }
    assert.equal(readFileSync(join(directory, 'views.json'), 'utf8'), content);
    assert.deepEqual(readdirSync(directory), ['views.json', 'views.lock']);
  });
}

test('a file that others may write, or that is no file, is not trusted', async (t) => {
  const open = directoryOf(t, '{"version":1,"views":[]}', 0o666);
  assert.match((await viewStore(open, REAL).save(VIEW)).failed ?? '', /open to others/);
  const directory = directoryOf(t);
  mkdirSync(join(directory, 'views.json'));
  assert.match((await viewStore(directory, REAL).save(VIEW)).failed ?? '', /not a regular file/);
});

test('a disk that is full leaves the file as it was and nothing beside it', async (t) => {
  const directory = directoryOf(t);
  await viewStore(directory, REAL).save(VIEW);
  const before = readFileSync(join(directory, 'views.json'), 'utf8');
  const full = async (...args: Parameters<typeof open>) =>
    Object.assign(await open(...args), {
      async write() {
        throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      },
    });
  const store = viewStore(directory, {
    ...REAL,
    fs: { ...DISK, open: full as typeof open },
  });
  const failed = await store.save({ ...VIEW, name: 'second' });
  assert.match(failed.failed ?? '', /left as it was: the disk is full/);
  assert.deepEqual(failed.views, [VIEW]);
  assert.equal(readFileSync(join(directory, 'views.json'), 'utf8'), before);
  assert.deepEqual(readdirSync(directory), ['views.json', 'views.lock']);
});

test('views of a shared file are read beside one’s own, whoever may read it, and a mistake has its place', async (t) => {
  const directory = directoryOf(t);
  const path = join(directory, 'team.json');
  const read = async (content: string) => {
    writeFileSync(path, content, { mode: 0o644 });
    return (await viewStore(directory, { ...REAL, shared: path }).read()).shared;
  };
  const short = { name: 'night', screen: 'logs', zone: 'shop', query: '5xx' };
  assert.deepEqual(await read(JSON.stringify({ version: 1, views: [short] })), {
    views: [{ ...short, zoneName: 'shop', rows: false, savedAt: 0 }],
    trouble: null,
  });
  const place = async (content: string) => (await read(content))?.trouble?.replace(path, '');
  assert.equal(
    await place('{\n "version": 1,\n "views": [{ "name": 3 }] }'),
    ':3:22: this has the wrong form',
  );
  assert.match((await place('{\n "version": 1,,\n}')) ?? '', /^:2:15: /);
  assert.match(
    (await viewStore(directory, { ...REAL, shared: '/nowhere.json' }).read()).shared?.trouble ?? '',
    /no file/,
  );
});
