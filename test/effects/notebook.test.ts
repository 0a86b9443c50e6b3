import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { linesOf } from '../../src/domain/handover/line-formats.ts';
import { type NotebookEntry, notebookEntry } from '../../src/domain/handover/notebook.ts';
import type { ViewStore } from '../../src/domain/handover/place.ts';
import { addEntry, addressesPath, handOver, notebookPath } from '../../src/effects/handover.ts';
import { DISK } from '../../src/files/durable-files.ts';
import type { Action } from '../../src/state/messages.ts';
import { systemClock } from '../../src/time/clock.ts';
import { ownFolder } from '../support/own-folder.ts';
import { NOON } from '../support/state.ts';

const REAL = { clock: systemClock };

const run = promisify(execFile);

function directoryOf(t: TestContext): string {
  const directory = ownFolder(t);
  return join(directory, 'state', 'edgescope');
}

function findingOf(n: number, from = NOON): NotebookEntry {
  const note = `note ${n} of 203.0.113.${n}`;
  const head = { noted: `12:00:0${n % 10}`, title: `\`finding ${n}\``, from, to: null, note, said: [] };
  return notebookEntry(head, ['| `ip` |', '']);
}

test('the first entry of a day makes its notebook, and later ones follow in it', async (t) => {
  const directory = directoryOf(t);
  const path = await addEntry(directory, findingOf(1), NOON, REAL);
  await addEntry(directory, findingOf(2), NOON + 1000, REAL);
  await addEntry(directory, findingOf(3), NOON + 86_400_000, REAL);
  assert.equal(path, notebookPath(directory, NOON));
  const text = readFileSync(path, 'utf8');
  const entries = linesOf([...findingOf(1).lines, ...findingOf(2).lines]);
  assert.match(text, /^# Incident notebook, 2026-11-20 \(UTC\)\n\n[^#]*\n\n## /);
  assert.ok(text.includes(`\n\n${entries}<!-- timeline -->\n`));
  assert.deepEqual(readdirSync(directory), [
    'edgescope-notebook-2026-11-20.md',
    'edgescope-notebook-2026-11-21.md',
    'notebook.lock',
  ]);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(directory).mode & 0o777, 0o700);
});

test('entries of several processes at once are all there', async (t) => {
  const directory = directoryOf(t);
  await addEntry(directory, findingOf(0), NOON, REAL);
  await Promise.all(Array.from({ length: 20 }, (_, n) => addEntry(directory, findingOf(n + 1), NOON, REAL)));
  const titles = readFileSync(notebookPath(directory, NOON), 'utf8').match(/^## .*$/gm) ?? [];
  assert.equal(new Set(titles).size, 22, 'the entries and the timeline');
});

test('an entry that cannot be written whole leaves the notebook as it was, and nothing beside it', async (t) => {
  const directory = directoryOf(t);
  const path = await addEntry(directory, findingOf(1), NOON, REAL);
  const before = readFileSync(path, 'utf8');
  const full = async (...args: Parameters<typeof open>) => {
    const handle = await open(...args);
    const write = handle.write.bind(handle) as (...args: unknown[]) => Promise<unknown>;
    let isFirst = true;
    return Object.assign(handle, {
      async write(data: Uint8Array, at: number) {
        if (!isFirst) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
        isFirst = false;
        return write(data, at, 3);
      },
    });
  };
  await assert.rejects(
    addEntry(directory, findingOf(2), NOON, { ...REAL, fs: { ...DISK, open: full as typeof open } }),
    /no space/,
  );
  assert.equal(readFileSync(path, 'utf8'), before);
  assert.deepEqual(readdirSync(directory), ['edgescope-notebook-2026-11-20.md', 'notebook.lock']);
});

test('a link in the place of the notebook is not followed', async (t) => {
  const directory = directoryOf(t);
  await mkdir(directory, { recursive: true });
  symlinkSync(join(directory, 'elsewhere'), notebookPath(directory, NOON));
  await assert.rejects(addEntry(directory, findingOf(1), NOON, REAL), /ELOOP/);
  assert.deepEqual(readdirSync(directory), ['edgescope-notebook-2026-11-20.md', 'notebook.lock']);
});

const timelineOf = (text: string) => text.slice(text.indexOf('<!-- timeline -->'));

test('the timeline ends the notebook, and the findings stay as they were written', async (t) => {
  const directory = directoryOf(t);
  const path = await addEntry(directory, findingOf(1, NOON), NOON, REAL);
  const first = readFileSync(path, 'utf8').split('<!-- timeline -->')[0] ?? '';
  await addEntry(directory, findingOf(2, NOON - 60_000), NOON, REAL);
  const text = readFileSync(path, 'utf8');
  assert.ok(text.startsWith(first));
  assert.equal(text.split('## Timeline').length, 2);
  assert.deepEqual(timelineOf(text).match(/finding \d/g), ['finding 2', 'finding 1']);
  assert.ok(text.endsWith('<!-- /timeline -->\n'));
});

test('what somebody wrote behind the timeline stays', async (t) => {
  const directory = directoryOf(t);
  const path = await addEntry(directory, findingOf(1), NOON, REAL);
  appendFileSync(path, '\nCalled the origin team.\n\n');
  await addEntry(directory, findingOf(2), NOON, REAL);
  const text = readFileSync(path, 'utf8');
  assert.match(text, /\n\| `ip` \|\n\nCalled the origin team\.\n\n## 12:00:02Z/);
  assert.equal(timelineOf(text).match(/finding \d/g)?.length, 2);
});

test('an entry that does not reach the disk is not in the notebook', async (t) => {
  const directory = directoryOf(t);
  const path = await addEntry(directory, findingOf(1), NOON, REAL);
  const before = readFileSync(path, 'utf8');
  const failing = async (...args: Parameters<typeof open>) => {
    const handle = await open(...args);
    const sync = async () => {
      throw Object.assign(new Error('bad disk'), { code: 'EIO' });
    };
    return Object.assign(handle, { sync });
  };
  const fs = { ...DISK, open: failing as typeof open };
  await assert.rejects(addEntry(directory, findingOf(2), NOON, { ...REAL, fs }), /bad disk/);
  assert.equal(readFileSync(path, 'utf8'), before);
});

test('programs that write at the same time lose no finding and make one timeline', async (t) => {
  const directory = directoryOf(t);
  const program = `
    import { addEntry } from ${JSON.stringify(new URL('../../src/effects/handover.ts', import.meta.url).href)};
    import { systemClock } from ${JSON.stringify(new URL('../../src/time/clock.ts', import.meta.url).href)};
    const [directory, entries] = JSON.parse(process.argv[1]);
    for (const entry of entries) await addEntry(directory, entry, ${NOON}, { isMasked: true, clock: systemClock });`;
  const writing = [0, 1, 2].map(async (writer) => {
    const entries = Array.from({ length: 8 }, (_, n) => findingOf(writer * 8 + n));
    await run(process.execPath, ['--input-type=module', '-e', program, JSON.stringify([directory, entries])]);
  });
  await Promise.all(writing);
  const text = readFileSync(notebookPath(directory, NOON), 'utf8');
  assert.equal(new Set(text.match(/^`finding \d+`/gm)).size, 24);
  assert.equal(new Set(timelineOf(text).match(/finding \d+/g)).size, 24);
  assert.equal(text.split('<!-- timeline -->').length, 2);
  assert.doesNotMatch(text, /203\.0\.113\.\d/);
  const addresses: string[] = JSON.parse(readFileSync(addressesPath(directory, NOON), 'utf8'));
  assert.equal(new Set(addresses).size, 24);
  for (const [, n, ip] of text.matchAll(/^## \S+ note (\d+) of ip-(\d+) /gm))
    assert.equal(addresses[Number(ip) - 1], `203.0.113.${n}`);
  assert.deepEqual(
    readdirSync(directory).filter((name) => !/\.(md|addresses\.json|lock)$/.test(name)),
    [],
  );
});

test('pseudonyms go on from one session to the next, in a private file beside the notebook', async (t) => {
  const directory = directoryOf(t);
  await addEntry(directory, findingOf(7), NOON, { ...REAL, isMasked: true });
  await addEntry(directory, findingOf(8), NOON, { ...REAL, isMasked: true });
  await addEntry(directory, findingOf(7), NOON, { ...REAL, isMasked: true });
  const text = readFileSync(notebookPath(directory, NOON), 'utf8');
  assert.deepEqual(text.match(/(?<=^## \S+ )note \d of .*$/gm), [
    'note 7 of ip-1 (203.0.113.x)',
    'note 8 of ip-2 (203.0.113.x)',
    'note 7 of ip-1 (203.0.113.x)',
  ]);
  assert.equal(statSync(addressesPath(directory, NOON)).mode & 0o777, 0o600);
  writeFileSync(addressesPath(directory, NOON), '{');
  await assert.rejects(
    addEntry(directory, findingOf(9), NOON, { ...REAL, isMasked: true }),
    /pseudonyms, is damaged/,
  );
  assert.equal(readFileSync(notebookPath(directory, NOON), 'utf8'), text);
});

test('a notebook of 10 MB takes an entry, and one above 16 MB is told and left alone', async (t) => {
  const directory = directoryOf(t);
  const path = await addEntry(directory, findingOf(1), NOON, REAL);
  appendFileSync(path, `\n## theirs\n\n${'0123456789abcde\n'.repeat(655_360)}`);
  await addEntry(directory, findingOf(2), NOON, REAL);
  assert.match(readFileSync(path, 'utf8').slice(-1000), /## 12:00:02Z[\s\S]*<!-- \/timeline -->\n$/);
  appendFileSync(path, 'x'.repeat(7_000_000));
  const before = statSync(path).size;
  await assert.rejects(addEntry(directory, findingOf(3), NOON, REAL), /the notebook is too large/);
  assert.equal(statSync(path).size, before);
});

test('bytes that are no UTF-8 stay as somebody wrote them', async (t) => {
  const directory = directoryOf(t);
  const path = await addEntry(directory, findingOf(1), NOON, REAL);
  const theirs = Buffer.from([0x0a, 0xff, 0xfe, 0x00, 0xc3, 0x0a]);
  appendFileSync(path, theirs);
  await addEntry(directory, findingOf(2), NOON, REAL);
  assert.ok(readFileSync(path).includes(theirs.subarray(1)));
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('where an entry is, or why it is not there, is told with the path of the notebook', async (t) => {
  const directory = directoryOf(t);
  const unasked = () => assert.fail('nothing asks for a saved view');
  const views: ViewStore = { read: unasked, save: unasked, remove: unasked };
  const places = { copy: () => true, views, notebooks: directory, current: '/', home: dirname(directory) };
  const told = async () => {
    const actions: Action[] = [];
    const effect = { type: 'addFinding', entry: findingOf(1), at: NOON, isMasked: false } as const;
    await handOver(effect, { places, ...REAL }, (action) => actions.push(action));
    return actions;
  };
  const path = notebookPath(directory, NOON).slice(1);
  assert.deepEqual(await told(), [{ type: 'findingAdded', path }]);
  rmSync(notebookPath(directory, NOON));
  symlinkSync('/etc/hostname', notebookPath(directory, NOON));
  const [failed] = await told();
  assert.ok(failed?.type === 'findingFailed' && failed.path === path);
  assert.match(failed.why, /symbolic link/);
});
