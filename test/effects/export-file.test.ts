import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { link, open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { logSheet, type Sheet, shieldGroupSheet } from '../../src/domain/handover/sheet.ts';
import type { SheetFormat } from '../../src/domain/handover/sheet-formats.ts';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import { exportFile } from '../../src/effects/handover.ts';
import { DISK, type Disk } from '../../src/files/durable-files.ts';
import type { ExportJob } from '../../src/state/handover-model.ts';
import { systemClock } from '../../src/time/clock.ts';
import { ownFolder } from '../support/own-folder.ts';
import { groupOf } from '../support/shield.ts';
import { gapOf, NOON, recordOf, rowsOf } from '../support/state.ts';
import { clockWith } from '../support/virtual-clock.ts';

function bookOf(rows: number): LogBook {
  const book = new LogBook({ capacity: 200_000 });
  book.append(rowsOf(0, rows));
  return book;
}

function jobOf(sheet: Sheet, path = 'out', format: SheetFormat = 'ndjson'): ExportJob {
  const source = { title: 'logs shop', command: 'edgescope logs shop', at: NOON, notes: ['read to noon'] };
  return { id: 1, path, format, of: 'view', sheet, source, written: 0, since: NOON };
}

function run(job: ExportJob, directory: string, fs: Disk = DISK, signal = new AbortController().signal) {
  return exportFile(
    job,
    { current: directory, home: directory },
    { clock: systemClock, signal, advanced() {}, fs },
  );
}

/** The file system with every written byte refused, as by a full disk, after the first `room` of them. */
function fullAfter(room: number): Disk {
  let left = room;
  const opened = async (...args: Parameters<typeof open>) => {
    const handle = await open(...args);
    const write = handle.write.bind(handle) as (
      b: Uint8Array,
      at: number,
      n: number,
    ) => Promise<{ bytesWritten: number }>;
    Object.assign(handle, {
      async write(data: Uint8Array, at: number, length: number) {
        if (left === 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
        const { bytesWritten } = await write(data, at, Math.min(length, left));
        left -= bytesWritten;
        return { bytesWritten };
      },
    });
    return handle;
  };
  return { ...DISK, open: opened as typeof open };
}

test('rows written are rows selected, with the gaps between them, in a file for its owner alone', async (t) => {
  const directory = ownFolder(t);
  const book = bookOf(5000);
  book.setGaps([gapOf(100, 110), gapOf(9000, 9001)]);
  const outcome = await run(jobOf(logSheet(book, [])), directory);
  const text = readFileSync(join(directory, 'out'), 'latin1');
  assert.deepEqual(outcome, { kind: 'written', path: 'out', rows: 5000, gaps: 2, bytes: text.length });
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(lines.filter((line) => '_gap' in line).length, 2);
  assert.deepEqual(
    lines.filter((line) => 'path' in line).map((line) => line.path),
    Array.from({ length: 5000 }, (_, n) => `/p/${n}`),
  );
  assert.equal(statSync(join(directory, 'out')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(directory), ['out']);
});

test('the selection is what was in view at the order: what arrives or is filtered later changes nothing', async (t) => {
  const directory = ownFolder(t);
  const book = bookOf(5000);
  const ended = run(jobOf(logSheet(book, [])), directory);
  book.append([{ record: recordOf(2, { path: '/late' }), late: true }, ...rowsOf(5000, 6000)]);
  book.setFilter([{ kind: 'text', value: 'nothing holds this', negated: false }]);
  const outcome = await ended;
  assert.equal(outcome.kind === 'written' && outcome.rows, 5000);
  assert.doesNotMatch(readFileSync(join(directory, 'out'), 'utf8'), /late|\/p\/5000"/);
});

test('rows that are dropped from memory while the file is written are missing, and the file says so', async (t) => {
  const directory = ownFolder(t);
  const book = new LogBook({ capacity: 1000 });
  book.append(rowsOf(0, 1000));
  const ended = run(jobOf(logSheet(book, [])), directory);
  book.append(rowsOf(1000, 1400));
  const outcome = await ended;
  const rows = outcome.kind === 'written' ? outcome.rows : assert.fail();
  assert.ok(rows < 1000);
  const lines = readFileSync(join(directory, 'out'), 'utf8').trimEnd().split('\n');
  assert.equal(lines.length, rows + 1);
  assert.deepEqual(JSON.parse(lines.at(-1) ?? ''), {
    _partial: {
      rows,
      of: null,
      why: [`${1000 - rows} of 1000 rows were dropped from memory while this was written`],
    },
  });
});

test('a part of the groups says in every format that it is one', async (t) => {
  const directory = ownFolder(t);
  const groups = [groupOf({ ruleId: 'A' }, 5), groupOf({ ruleId: 'B' }, 3)];
  const sheet = shieldGroupSheet(['ruleId'], groups, { missing: ['2 of 826 groups were read'], of: 826 });
  for (const format of ['ndjson', 'csv', 'markdown'] as const) {
    const outcome = await run(jobOf(sheet, format, format), directory);
    assert.equal(outcome.kind === 'written' && outcome.rows, 2);
    assert.match(readFileSync(join(directory, format), 'utf8'), /2 of 826 groups were read/);
  }
  assert.match(readFileSync(join(directory, 'markdown'), 'utf8'), /```sh\nedgescope logs shop\n```/);
});

test('a file that exists is left alone, also as a link to nowhere, and a free name is offered', async (t) => {
  const directory = ownFolder(t);
  writeFileSync(join(directory, 'a.csv'), 'mine');
  symlinkSync(join(directory, 'nowhere'), join(directory, 'a-2.csv'));
  const outcome = await run(jobOf(logSheet(bookOf(3), []), 'a.csv'), directory);
  assert.deepEqual(outcome, { kind: 'exists', path: 'a.csv', free: 'a-3.csv' });
  assert.equal((await run(jobOf(logSheet(bookOf(3), []), 'a-2.csv'), directory)).kind, 'exists');
  assert.equal(readFileSync(join(directory, 'a.csv'), 'utf8'), 'mine');
  assert.deepEqual(readdirSync(directory).sort(), ['a-2.csv', 'a.csv']);
});

test('a name that is taken while the file is written is not taken over', async (t) => {
  const directory = ownFolder(t);
  const fs: Disk = {
    ...DISK,
    async link(from, to) {
      writeFileSync(to, 'theirs');
      return link(from, to);
    },
  };
  const outcome = await run(jobOf(logSheet(bookOf(3), [])), directory, fs);
  assert.equal(outcome.kind, 'exists');
  assert.equal(readFileSync(join(directory, 'out'), 'utf8'), 'theirs');
  assert.deepEqual(readdirSync(directory), ['out']);
});

test('a full disk leaves nothing behind and is said in words', async (t) => {
  for (const room of [0, 1, 100_000]) {
    const directory = ownFolder(t);
    const outcome = await run(jobOf(logSheet(bookOf(5000), [])), directory, fullAfter(room));
    assert.equal(outcome.kind, 'failed');
    assert.match(outcome.kind === 'failed' ? outcome.why : '', /the disk is full.*\(ENOSPC\)/);
    assert.deepEqual(readdirSync(directory), []);
  }
});

test('a write that takes less than it was given goes on', async (t) => {
  const directory = ownFolder(t);
  const opened = async (...args: Parameters<typeof open>) => {
    const handle = await open(...args);
    const write = handle.write.bind(handle) as (b: Uint8Array, at: number, n: number) => Promise<unknown>;
    const halves = (data: Uint8Array, at: number, length: number) => write(data, at, Math.ceil(length / 2));
    return Object.assign(handle, { write: halves });
  };
  const outcome = await run(jobOf(logSheet(bookOf(2000), [])), directory, {
    ...DISK,
    open: opened as typeof open,
  });
  assert.equal(outcome.kind, 'written');
  assert.equal(readFileSync(join(directory, 'out'), 'utf8').trimEnd().split('\n').length, 2000);
});

test('a file system without links takes the file too', async (t) => {
  const directory = ownFolder(t);
  const refused = async () => {
    throw Object.assign(new Error('no links'), { code: 'EPERM' });
  };
  assert.equal(
    (await run(jobOf(logSheet(bookOf(3), [])), directory, { ...DISK, link: refused })).kind,
    'written',
  );
  assert.deepEqual(readdirSync(directory), ['out']);
});

test('a directory that is not there, a path through a file and a directory as the file are refused in words', async (t) => {
  const directory = ownFolder(t);
  writeFileSync(join(directory, 'file'), '');
  const why = async (path: string) => {
    const outcome = await run(jobOf(logSheet(bookOf(3), []), path), directory);
    return outcome.kind === 'failed' ? outcome.why : outcome.kind;
  };
  assert.match(await why('no/such/out'), /the directory does not exist \(ENOENT\)/);
  assert.match(await why('file/out'), /not a directory \(ENOTDIR\)/);
  assert.equal(await why('.'), 'exists');
});

test('what an export that was killed left behind goes with the next one, and nothing else does', async (t) => {
  const directory = ownFolder(t);
  const made = (name: string, hours: number) => {
    const file = join(directory, name);
    writeFileSync(file, 'half');
    const then = Date.now() / 1000 - hours * 3_600;
    utimesSync(file, then, then);
  };
  made('.edgescope-0123456789ab.tmp', 2);
  made('.edgescope-ba9876543210.tmp', 0.5);
  made('.edgescope-0123456789ab.tmp.md', 2);
  made('.edgescope-notes.tmp', 2);
  await run(jobOf(logSheet(bookOf(3), [])), directory);
  assert.deepEqual(readdirSync(directory).toSorted(), [
    '.edgescope-0123456789ab.tmp.md',
    '.edgescope-ba9876543210.tmp',
    '.edgescope-notes.tmp',
    'out',
  ]);
});

test('stopping removes what was written at once', async (t) => {
  const directory = ownFolder(t);
  const stopper = new AbortController();
  const held = Promise.withResolvers<void>();
  const opened = async (...args: Parameters<typeof open>) => {
    const handle = await open(...args);
    held.resolve();
    return handle;
  };
  const ended = run(
    jobOf(logSheet(bookOf(50_000), [])),
    directory,
    { ...DISK, open: opened as typeof open },
    stopper.signal,
  );
  await held.promise;
  // The listener of the writer stands once its first turn is over.
  await new Promise(setImmediate);
  stopper.abort();
  assert.deepEqual(readdirSync(directory), []);
  assert.equal((await ended).kind, 'failed');
  assert.deepEqual(readdirSync(directory), []);
});

test('while many rows are written others get their turn after a slice of time, and hear how far it is', async (t) => {
  const directory = ownFolder(t);
  // On this clock a row takes a millisecond.
  let ms = 0;
  const turns: number[] = [];
  const clock = clockWith(systemClock, {
    monotonic: () => ms++,
    sleep: async () => {
      turns.push(ms);
    },
  });
  const reports: number[] = [];
  const outcome = await exportFile(
    jobOf(logSheet(bookOf(20_000), [])),
    { current: directory, home: directory },
    { clock, signal: new AbortController().signal, advanced: (written) => reports.push(written) },
  );
  assert.equal(outcome.kind === 'written' && outcome.rows, 20_000);
  assert.ok(turns.length > 1_000, `${turns.length} turns`);
  const longest = turns.reduce((most, at, n) => Math.max(most, at - (turns[n - 1] ?? 0)), 0);
  assert.ok(longest <= 20, `${longest} rows without a turn`);
  assert.ok(reports.length > 2 && reports.every((n, i) => n > (reports[i - 1] ?? 0)));
});
