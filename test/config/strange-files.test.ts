import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { saveResumeState } from '../../src/config/kept/resume-file.ts';
import { placeFile } from '../../src/config/kept/session-places.ts';
import { openTrace } from '../../src/config/trace.ts';
import { addEntry, addressesPath, notebookPath } from '../../src/effects/handover.ts';
import { openJournal } from '../../src/effects/journal.ts';
import { systemClock } from '../../src/time/clock.ts';
import { ownFolder } from '../support/own-folder.ts';

const NOON = Date.UTC(2026, 10, 22, 12);
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const onlyRoot = isRoot ? false : 'only root can make a file of another user';

/** A file that must stay as it is. */
function victimIn(folder: string): { path: string; isWhole: () => boolean } {
  const path = join(folder, 'victim');
  writeFileSync(path, 'as it was', { mode: 0o600 });
  return { path, isWhole: () => readFileSync(path, 'utf8') === 'as it was' };
}

const ENTRY = { lines: ['## x', '', '`192.0.2.7`'], row: '| x |' };

const STATE = {
  edgescope: 'resume',
  version: 2,
  question: { zone: '7', query: '', format: 'ndjson', limit: null },
  from: '2026-11-22T00:00:00.000Z',
  to: '2026-11-22T01:00:00.000Z',
  doneTo: '2026-11-22T00:00:00.000Z',
  rows: 0,
  bytes: 0,
  output: null,
  pending: null,
  isFinished: false,
} as const;

test('a trace is written to a new file, to one of the user that is closed to others, or to a device', (t) => {
  const folder = ownFolder(t);
  const path = join(folder, 'trace');
  for (const _ of ['new', 'there']) {
    const trace = openTrace(path, systemClock);
    assert.ok(trace);
    trace.write({ type: 'x' });
    trace.close();
  }
  assert.equal(readFileSync(path, 'utf8').split('\n').length, 3);
  assert.ok(openTrace('/dev/null', systemClock));
});

test('a trace goes to no link, no pipe, no folder and no file that others may read', (t) => {
  const folder = ownFolder(t);
  const victim = victimIn(folder);
  const link = join(folder, 'link');
  symlinkSync(victim.path, link);
  const pipe = join(folder, 'pipe');
  spawnSync('mkfifo', [pipe]);
  const open = join(folder, 'open');
  writeFileSync(open, '');
  chmodSync(open, 0o644);
  for (const path of [link, pipe, folder, open]) assert.equal(openTrace(path, systemClock), null, path);
  assert.ok(victim.isWhole());
});

test('nothing is written to a file of another user', { skip: onlyRoot }, async (t) => {
  const folder = ownFolder(t);
  const owned = (path: string, text = '') => {
    writeFileSync(path, text);
    chownSync(path, NOBODY, NOBODY);
    return () => assert.equal(readFileSync(path, 'utf8'), text, path);
  };
  const trace = join(folder, 'trace');
  const isTraceWhole = owned(trace);
  chmodSync(trace, 0o600);
  assert.equal(openTrace(trace, systemClock), null);
  isTraceWhole();

  const isNotebookWhole = owned(notebookPath(folder, NOON));
  await assert.rejects(addEntry(folder, ENTRY, NOON, { clock: systemClock }), /belongs to another user/);
  isNotebookWhole();

  const journal = openJournal({ directory: folder, host: 'api.example.com' });
  const isAuditWhole = owned(join(folder, 'audit.ndjson'));
  const closed = await journal.close('1', NOON, { verdict: 'applied', sideEffects: [], failure: null });
  assert.ok(!closed.ok && /belongs to another user/.test(closed.problem));
  isAuditWhole();
});

test('an audit file of another user opens no change again', { skip: onlyRoot }, async (t) => {
  const folder = ownFolder(t);
  const path = join(folder, 'audit.ndjson');
  const zone = { id: '7', name: 'x' };
  const at = new Date(NOON - 3_600_000).toISOString();
  const intent = { kind: 'intent', id: '1', at, pid: 999_999_999, host: 'api.example.com', zone, undo: 'u' };
  writeFileSync(path, `${JSON.stringify(intent)}\n`, { mode: 0o600 });
  const journal = openJournal({ directory: folder, host: 'api.example.com' });
  assert.equal((await journal.openIntents(NOON)).length, 1);
  chownSync(path, NOBODY, NOBODY);
  assert.equal((await journal.openIntents(NOON)).length, 0);
});

test('no link in the place of a temporary file is followed', async (t) => {
  const folder = ownFolder(t);
  const victim = victimIn(folder);
  const resume = join(folder, 'resume');
  symlinkSync(victim.path, `${resume}.${process.pid}.tmp`);
  saveResumeState(resume, STATE, false);

  const place = { words: ['logs', 'shop'], utc: true, pausedAt: null, completeTo: null, highlights: [] };
  const places = join(folder, 'sessions');
  placeFile(places, 'api.example.com').write(place, NOON);
  const [own = ''] = readdirSync(places);
  symlinkSync(victim.path, join(places, `${own}.new`));
  placeFile(places, 'api.example.com').write(place, NOON + 1);

  const addresses = addressesPath(folder, NOON);
  symlinkSync(victim.path, `${addresses}.${process.pid}.new`);
  const masked = { clock: systemClock, isMasked: true };
  await addEntry(folder, ENTRY, NOON, masked);

  assert.ok(victim.isWhole());
  for (const file of [resume, join(places, own), addresses]) assert.ok(existsSync(file), file);
});

test('a list of pseudonyms that is a link is not read', async (t) => {
  const folder = ownFolder(t);
  const other = join(folder, 'other');
  writeFileSync(other, '["192.0.2.7"]');
  symlinkSync(other, addressesPath(folder, NOON));
  await assert.rejects(addEntry(folder, ENTRY, NOON, { clock: systemClock, isMasked: true }));
});
