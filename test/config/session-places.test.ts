import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type CommandLine, readCommandLine } from '../../src/config/command/command-line.ts';
import {
  claimPlace,
  findPlace,
  placeFile,
  resumedLine,
  tidyPlaces,
} from '../../src/config/kept/session-places.ts';
import type { SessionPlace } from '../../src/domain/handover/place.ts';
import { ownFolder } from '../support/own-folder.ts';
import { NOON } from '../support/state.ts';

const HOST = 'api.example.com';
const PLACE: SessionPlace = {
  words: ['logs', 'shop', 'from:2026-11-20T11:45:00Z -ip:192.0.2.7', '--profile', 'work'],
  utc: true,
  pausedAt: NOON - 1000,
  completeTo: NOON,
  highlights: [{ text: 'curl', colour: 'red' }],
};

function directoryOf(t: TestContext): string {
  const home = ownFolder(t);
  return join(home, 'state', 'sessions');
}

/** The number of a process that is gone. */
const gone = () => spawnSync('true').pid;

/** The place of a session that ended without a word. */
function lose(directory: string, at = NOON, place = PLACE): string {
  placeFile(directory, HOST).write(place, at);
  const [own = ''] = readdirSync(directory).filter((name) => name.startsWith(`${process.pid}-`));
  const path = join(directory, `${gone()}-${at}.json`);
  renameSync(join(directory, own), path);
  return path;
}

test('a place is kept in a private file that is replaced whole, and goes with a clean end', (t) => {
  const directory = directoryOf(t);
  const file = placeFile(directory, HOST);
  file.write(PLACE, NOON);
  file.write({ ...PLACE, pausedAt: null }, NOON + 1);
  const names = readdirSync(directory);
  assert.equal(names.length, 1);
  const path = join(directory, names[0] ?? '');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(directory).mode & 0o777, 0o700);
  assert.equal(JSON.parse(readFileSync(path, 'utf8')).pausedAt, null);
  file.clear();
  file.clear();
  assert.deepEqual(readdirSync(directory), []);
});

test('the newest place of a session that is gone is found, and none of a living one', async (t) => {
  const directory = directoryOf(t);
  assert.deepEqual(await findPlace(directory, NOON), { newest: null, unusable: [] });
  lose(directory, NOON - 5000);
  const newest = lose(directory, NOON - 1000);
  placeFile(directory, HOST).write(PLACE, NOON);
  const found = await findPlace(directory, NOON);
  assert.equal(found.newest?.path, newest);
  assert.deepEqual(found.newest?.place.words, PLACE.words);
  assert.deepEqual(found.newest?.place.highlights, PLACE.highlights);
});

test('a place that was kept before there were highlights is gone on with', async (t) => {
  const directory = directoryOf(t);
  const path = lose(directory);
  const { highlights: _, ...older } = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify(older));
  assert.deepEqual((await findPlace(directory, NOON)).newest?.place.highlights, []);
});

test('a place that is damaged, open to others, too old or of another machine is not gone on with, and why', async (t) => {
  const directory = directoryOf(t);
  writeFileSync(lose(directory, 1), '{"edgescope":"place","version":2}', { mode: 0o600 });
  chmodSync(lose(directory, 2 + NOON), 0o644);
  const other = lose(directory, 3 + NOON);
  writeFileSync(other, readFileSync(other, 'utf8').replace(/"machine":"[^"]*"/, '"machine":"elsewhere"'));
  lose(directory, NOON - 73 * 3_600_000);
  const { newest, unusable } = await findPlace(directory, NOON);
  assert.equal(newest, null);
  const why = unusable.join('\n');
  for (const each of [
    /damaged, or of another version/,
    /mode 0644/,
    /machine 'elsewhere'/,
    /older than logs/,
  ])
    assert.match(why, each);
});

test('a place is taken over by one start only', async (t) => {
  const directory = directoryOf(t);
  const path = lose(directory);
  assert.equal(claimPlace(directory, path), true);
  assert.equal(claimPlace(directory, path), false);
  assert.equal((await findPlace(directory, NOON)).newest, null, 'it belongs to a living process now');
});

test('what nobody can go on with any more is removed', (t) => {
  const directory = directoryOf(t);
  mkdirSync(directory, { recursive: true });
  const [old, young] = [lose(directory, 1), lose(directory, 2)];
  writeFileSync(join(directory, 'mine.txt'), '');
  const now = Date.now();
  utimesSync(old, (now - 73 * 3_600_000) / 1000, (now - 73 * 3_600_000) / 1000);
  tidyPlaces(directory, now);
  assert.deepEqual([existsSync(old), existsSync(young), readdirSync(directory).length], [false, true, 2]);
});

const PACKAGE = { name: 'edgescope', version: '0', description: '' };
const read = (words: readonly string[]) => readCommandLine(words, import.meta, PACKAGE);

function lineOf(...words: string[]): CommandLine {
  const usage = read(words);
  assert.ok(usage.ok, usage.ok ? '' : usage.message);
  return usage.value;
}

test('the command line of the lost session comes back with its account, and with the looks of this start', async (t) => {
  const directory = directoryOf(t);
  lose(directory);
  const resumed = await resumedLine(lineOf('--resume', '--ascii', '--local'), { directory, now: NOON, read });
  assert.ok(resumed.ok);
  const { command, zone, query, profile, ascii, utc, resume, write } = resumed.value.line;
  assert.deepEqual(
    { command, zone, query, profile, ascii, utc, resume, write },
    {
      command: 'logs',
      zone: 'shop',
      query: 'from:2026-11-20T11:45:00Z -ip:192.0.2.7',
      profile: 'work',
      ascii: true,
      utc: false,
      resume: null,
      write: false,
    },
  );
});

test('with nothing to go on with, or another profile, it is said', async (t) => {
  const directory = directoryOf(t);
  const none = await resumedLine(lineOf('--resume'), { directory, now: NOON, read });
  assert.match(none.ok ? '' : none.error.message, /nothing to resume/);
  lose(directory);
  const other = await resumedLine(lineOf('--resume', '--profile', 'home'), { directory, now: NOON, read });
  assert.match(other.ok ? '' : other.error.message, /with --profile work, not with --profile home/);
});
