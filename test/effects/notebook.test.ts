import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { aboutLine } from '../../src/domain/handover/notebook.ts';
import type { ViewStore } from '../../src/domain/handover/place.ts';
import { handOver } from '../../src/effects/handover.ts';
import {
  addEntry,
  addressesPath,
  changeEntry,
  notebookPath,
  readNotebook,
} from '../../src/effects/notebook.ts';
import { DISK, type Disk } from '../../src/files/durable-files.ts';
import { underLock } from '../../src/files/file-lock.ts';
import type { Action } from '../../src/state/messages.ts';
import { systemClock } from '../../src/time/clock.ts';
import { NOON } from '../support/state.ts';

const REAL = { clock: systemClock };

const run = promisify(execFile);

function directoryOf(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'edgescope-notebook-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'state', 'edgescope');
}

test('the first entry of a day makes its notebook, and later ones follow in it', async (t) => {
  const directory = directoryOf(t);
  const path = await addEntry(directory, '## one\n\n', NOON, REAL);
  await addEntry(directory, '## two\n\n', NOON + 1000, REAL);
  await addEntry(directory, '## tomorrow\n\n', NOON + 86_400_000, REAL);
  assert.equal(path, notebookPath(directory, NOON));
  const text = readFileSync(path, 'utf8');
  assert.match(text, /^# Incident notebook, 2026-11-20 \(UTC\)\n\n[^#]*\n\n## one\n\n## two\n\n$/);
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
  await addEntry(directory, '## 0\n', NOON, REAL);
  await Promise.all(Array.from({ length: 20 }, (_, n) => addEntry(directory, `## ${n + 1}\n`, NOON, REAL)));
  const titles = readFileSync(notebookPath(directory, NOON), 'utf8').match(/^## \d+$/gm) ?? [];
  assert.equal(new Set(titles).size, 21);
});

test('an entry that cannot be written whole is taken back', async (t) => {
  const directory = directoryOf(t);
  const path = await addEntry(directory, '## one\n\n', NOON, REAL);
  const before = readFileSync(path, 'utf8');
  const full = async (...args: Parameters<typeof open>) => {
    const handle = await open(...args);
    const write = handle.write.bind(handle) as (...args: unknown[]) => Promise<unknown>;
    let isFirst = true;
    return Object.assign(handle, {
      async write(data: Uint8Array, at: number, _length: number, position: number) {
        if (!isFirst) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
        isFirst = false;
        return write(data, at, 3, position);
      },
    });
  };
  await assert.rejects(
    addEntry(directory, '## two\n\n', NOON, { ...REAL, fs: { ...DISK, open: full as typeof open } }),
    /no space/,
  );
  assert.equal(readFileSync(path, 'utf8'), before);
});

test('a link in the place of the notebook is not followed', async (t) => {
  const directory = directoryOf(t);
  await mkdir(directory, { recursive: true });
  symlinkSync(join(directory, 'elsewhere'), notebookPath(directory, NOON));
  await assert.rejects(addEntry(directory, '## one\n', NOON, REAL), /ELOOP/);
  assert.deepEqual(readdirSync(directory), ['edgescope-notebook-2026-11-20.md', 'notebook.lock']);
});

/** An entry that the timeline can find. */
function findingOf(n: number, at = NOON): string {
  return `## 12:00:0${n % 10}Z \`finding ${n}\`\n\n${aboutLine({ from: at, to: null })}\n\nnote ${n} of 203.0.113.${n}\n\n| \`ip\` |\n\n`;
}

const timelineOf = (text: string) => text.slice(text.indexOf('<!-- timeline -->'));

test('the timeline ends the notebook and is made anew, and the findings stay as they were written', async (t) => {
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

test('where an entry fails, the timeline before it is there again', async (t) => {
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
    import { addEntry } from ${JSON.stringify(new URL('../../src/effects/notebook.ts', import.meta.url).href)};
    import { systemClock } from ${JSON.stringify(new URL('../../src/time/clock.ts', import.meta.url).href)};
    const [directory, entries] = JSON.parse(process.argv[1]);
    for (const entry of entries) await addEntry(directory, entry, ${NOON}, { isMasked: true, clock: systemClock });`;
  const writing = [0, 1, 2].map(async (writer) => {
    const entries = Array.from({ length: 8 }, (_, n) => findingOf(writer * 8 + n));
    await run(process.execPath, ['--input-type=module', '-e', program, JSON.stringify([directory, entries])]);
  });
  await Promise.all(writing);
  const text = readFileSync(notebookPath(directory, NOON), 'utf8');
  assert.equal(new Set(text.match(/^## 12.*finding \d+/gm)).size, 24);
  assert.equal(new Set(timelineOf(text).match(/finding \d+/g)).size, 24);
  assert.equal(text.split('<!-- timeline -->').length, 2);
  assert.doesNotMatch(text, /203\.0\.113\.\d/);
  const addresses: string[] = JSON.parse(readFileSync(addressesPath(directory, NOON), 'utf8'));
  assert.equal(new Set(addresses).size, 24);
  for (const [, n, ip] of text.matchAll(/^note (\d+) of ip-(\d+) /gm))
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
  assert.deepEqual(text.match(/^note \d of .*$/gm), [
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

const DAY = '2026-11-20';
const DAY_LONG = 86_400_000;
const STRIKE = { kind: 'strike' } as const;

async function blocksIn(directory: string) {
  return (await readNotebook(directory, DAY, REAL)).blocks ?? [];
}

/** Changes the n-th block as it is now. */
async function change(
  directory: string,
  n: number,
  what: Parameters<typeof changeEntry>[1]['change'],
  more: Partial<Parameters<typeof changeEntry>[2]> = {},
) {
  const block = (await blocksIn(directory))[n];
  assert.ok(block !== undefined);
  return changeEntry(directory, { day: DAY, block, change: what, at: NOON + 60_000 }, { ...REAL, ...more });
}

test('a notebook is read with the days beside it, and where there is none nothing is made', async (t) => {
  const directory = directoryOf(t);
  assert.deepEqual(await readNotebook(directory, DAY, REAL), { blocks: null, before: null, after: null });
  assert.throws(() => statSync(directory));
  for (const days of [-3, -1, 2]) await addEntry(directory, findingOf(1), NOON + days * DAY_LONG, REAL);
  assert.deepEqual(await readNotebook(directory, DAY, REAL), {
    blocks: null,
    before: '2026-11-19',
    after: '2026-11-22',
  });
  const { blocks, before } = await readNotebook(directory, '2026-11-19', REAL);
  assert.deepEqual([blocks?.length, before], [1, '2026-11-17']);
});

test('a strike is on the disk in the private file, and taken back it leaves the bytes as they were', async (t) => {
  const directory = directoryOf(t);
  const path = await addEntry(directory, findingOf(1), NOON, REAL);
  appendFileSync(path, Buffer.from([0x0a, 0xff, 0xfe, 0x00, 0x0a]));
  await addEntry(directory, findingOf(2), NOON, REAL);
  appendFileSync(path, Buffer.from([0xc3, 0x0a]));
  const before = readFileSync(path);
  assert.ok(before.includes(Buffer.from([0xff, 0xfe, 0x00])));
  assert.equal(await change(directory, 0, STRIKE), null);
  assert.match(readFileSync(path, 'latin1'), /~~12:00:01Z `finding 1`~~ struck 2026-11-20 12:01:00Z/);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(await change(directory, 0, STRIKE), null);
  assert.deepEqual(readFileSync(path), before);
});

test('an entry that another program changed since it was read is left alone', async (t) => {
  const directory = directoryOf(t);
  const path = await addEntry(directory, findingOf(1), NOON, REAL);
  const [block] = await blocksIn(directory);
  writeFileSync(path, readFileSync(path, 'utf8').replace('note 1', 'note one'));
  const theirs = readFileSync(path, 'utf8');
  assert.ok(block !== undefined);
  const order = { day: DAY, block, change: STRIKE, at: NOON };
  assert.equal(await changeEntry(directory, order, REAL), 'it was changed since it was read');
  assert.equal(readFileSync(path, 'utf8'), theirs);
  rmSync(path);
  await assert.rejects(changeEntry(directory, order, REAL), /ENOENT/);
});

test('what another program writes under the lock is waited for, and read whole', async (t) => {
  const directory = directoryOf(t);
  const path = await addEntry(directory, findingOf(1), NOON, REAL);
  const whole = readFileSync(path);
  const gate = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const writing = underLock(join(directory, 'notebook.lock'), systemClock, async () => {
    writeFileSync(path, whole.subarray(0, 100));
    held.resolve();
    await gate.promise;
    writeFileSync(path, whole);
  });
  await held.promise;
  const asked = Promise.withResolvers<void>();
  const clock = {
    ...systemClock,
    sleep: (...args: Parameters<typeof systemClock.sleep>) => {
      asked.resolve();
      return systemClock.sleep(...args);
    },
  };
  const reading = readNotebook(directory, DAY, { clock });
  await asked.promise;
  gate.resolve();
  await writing;
  assert.equal((await reading).blocks?.[0]?.entry?.head.title, '`finding 1`');
});

test('a change that cannot be written whole leaves the notebook as it was', async (t) => {
  const directory = directoryOf(t);
  const path = await addEntry(directory, findingOf(1), NOON, REAL);
  const before = readFileSync(path);
  const failing = async (...args: Parameters<typeof open>) => {
    const handle = await open(...args);
    const truncate = handle.truncate.bind(handle);
    let isFirst = true;
    return Object.assign(handle, {
      async truncate(length: number) {
        if (!isFirst) return truncate(length);
        isFirst = false;
        throw Object.assign(new Error('bad disk'), { code: 'EIO' });
      },
    });
  };
  await assert.rejects(
    change(directory, 0, STRIKE, { fs: { ...DISK, open: failing as typeof open } }),
    /bad disk/,
  );
  assert.deepEqual(readFileSync(path), before);
});

test('a notebook of 10 MB is read and changed, and one above 16 MB is told', async (t) => {
  const directory = directoryOf(t);
  const path = await addEntry(directory, findingOf(1), NOON, REAL);
  appendFileSync(path, `\n## theirs\n\n${'0123456789abcde\n'.repeat(655_360)}`);
  assert.equal(await change(directory, 0, STRIKE), null);
  const blocks = await blocksIn(directory);
  assert.equal(blocks[0]?.entry?.head.struck, '2026-11-20 12:01:00Z');
  assert.ok((blocks[1]?.text.length ?? 0) > 10_000_000);
  appendFileSync(path, 'x'.repeat(7_000_000));
  await assert.rejects(readNotebook(directory, DAY, REAL), /the notebook is too large/);
});

test('a note of an entry with pseudonyms is edited with the same ones', async (t) => {
  const directory = directoryOf(t);
  const path = await addEntry(directory, findingOf(7), NOON, { ...REAL, isMasked: true });
  const note = { kind: 'note', note: 'not 203.0.113.7 but 203.0.113.9' } as const;
  assert.equal(await change(directory, 0, note), null);
  const text = readFileSync(path, 'utf8');
  assert.match(text, /^not ip-1 \(203\.0\.113\.x\) but ip-2 \(203\.0\.113\.x\)$/m);
  assert.doesNotMatch(text, /203\.0\.113\.\d/);
  await addEntry(directory, findingOf(8), NOON, REAL);
  assert.equal(await change(directory, 1, note), null);
  assert.match(readFileSync(path, 'utf8'), /^not 203\.0\.113\.7 but/m);
});

test('what cannot be read or changed is told in words, with the notebook as it is', async (t) => {
  const directory = directoryOf(t);
  await addEntry(directory, findingOf(1), NOON, REAL);
  const [block] = await blocksIn(directory);
  assert.ok(block !== undefined);
  const unasked = () => assert.fail('nothing asks for a saved view');
  const views: ViewStore = { read: unasked, save: unasked, remove: unasked };
  const places = { copy: () => true, views, notebooks: directory, current: '/', home: '/' };
  const told = async (effect: Parameters<typeof handOver>[0], fs?: Disk) => {
    const actions: Action[] = [];
    await handOver(effect, { places, ...REAL, ...(fs ? { fs } : {}) }, (action) => actions.push(action));
    const [action] = actions;
    assert.ok(action?.type === 'notebookRead' && actions.length === 1);
    return action;
  };
  const forbidden: Disk = {
    ...DISK,
    mkdir,
    open: async () => {
      throw Object.assign(new Error('permission denied'), { code: 'EACCES' });
    },
  };
  const reading = { type: 'readNotebook', day: DAY } as const;
  const { notebook, trouble } = await told(reading, forbidden);
  assert.deepEqual([notebook, trouble], [null, 'it may not be read by you (EACCES)']);
  const strike = { type: 'changeEntry', day: DAY, block, change: STRIKE, at: NOON, done: 'struck' } as const;
  const refused = await told(strike, forbidden);
  assert.match(refused.failed ?? '', /no permission to write there/);
  const done = await told(strike);
  assert.deepEqual([done.done, done.failed], ['struck', null]);
  assert.equal(done.notebook?.blocks?.[0]?.entry?.head.struck, '2026-11-20 12:00:00Z');
  const again = await told(strike);
  assert.deepEqual([again.done, again.failed], [null, 'it was changed since it was read']);
  rmSync(notebookPath(directory, NOON));
  symlinkSync('/etc/hostname', notebookPath(directory, NOON));
  assert.match((await told(reading)).trouble ?? '', /symbolic link/);
});
