import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '../support/own-folder.ts';
import type { Platform } from '../support/platform.ts';
import type { VirtualSession } from '../support/virtual-session.ts';
import { openSession, type Session, type SessionOptions } from './support.ts';

/** The zone that is changed: Standard, in DE, replicas NY and SG, no 404 path. */
const NAME = 'video-masters';
const ID = 605220;
/** Longer than the time in which Enter does not count yet, ms. */
const LOOK = 700;
/** Letters further apart are typed and not pasted, ms. */
const STROKE = 30;

const posts = (simulator: Platform) => Object.values(simulator.stats().posts).reduce((sum, n) => sum + n, 0);
const rewrite = (simulator: Platform) => simulator.storageZone(ID)?.read.Rewrite404To200;
const badge = (word: string) => (screen: readonly string[]) =>
  new RegExp(`${word}( \\d+s)?$`).test(screen[0] ?? '');

/** The settings of the zone, in a session that may write. */
async function openSettings(o: SessionOptions): Promise<Session> {
  const session = await openSession({ ...o, args: ['storage', NAME, '--write', ...(o.args ?? [])] });
  await session.terminal.waitFor(badge('WRITE'));
  return session;
}

/** The dialog that asks for the name, with the switch to be turned. */
async function openDialog(o: SessionOptions): Promise<Session> {
  const session = await openSettings(o);
  const { terminal } = session;
  await terminal.type('E');
  await terminal.waitFor(badge('EDITING'));
  await terminal.type('gg<Space>');
  await terminal.waitFor(/Rewrite404To200 +false -> true/);
  await terminal.type('P');
  await terminal.waitFor(badge('PREVIEW'));
  await terminal.type('<Enter>');
  await terminal.waitFor(badge('CONFIRM'));
  return session;
}

/** Types the name and, after a look, Enter. */
async function confirm(terminal: VirtualSession): Promise<void> {
  for (let length = 1; length <= NAME.length; length++) {
    await terminal.type(NAME.slice(length - 1, length));
    await terminal.waitFor(`name of the zone: ${NAME.slice(0, length)}`);
    await terminal.pass(STROKE);
  }
  await terminal.pass(LOOK);
  await terminal.type('<Enter>');
}

function written(terminal: VirtualSession): string {
  const directory = join(terminal.home, '.local/state/edgescope');
  const undo = join(directory, 'undo');
  const files = [join(directory, 'audit.ndjson'), ...readdirSync(undo).map((name) => join(undo, name))];
  for (const file of files) assert.equal(statSync(file).mode & 0o777, 0o600);
  return files.map((file) => readFileSync(file, 'utf8')).join('');
}

test('a change is sent once, taken back by one more, and tells no secret', async (t) => {
  const { terminal, simulator } = await openDialog({ t });
  await confirm(terminal);
  await terminal.waitFor(badge('APPLIED'));
  assert.match(terminal.text(), /U in the settings takes back: Rewrite404To200/);
  assert.equal(posts(simulator), 1);
  assert.equal(rewrite(simulator), true);
  await terminal.type('<Enter>');
  await terminal.waitFor(/Rewrite404To200 +true/);
  await terminal.type('U');
  await terminal.waitFor(/Rewrite404To200: true -> false/);
  await terminal.type('<Enter>');
  await terminal.waitFor(badge('CONFIRM'));
  await confirm(terminal);
  await terminal.waitFor(badge('APPLIED'));
  assert.equal(posts(simulator), 2);
  assert.equal(rewrite(simulator), false);
  const text = written(terminal) + terminal.output();
  assert.doesNotMatch(text, /canary/);
  for (const secret of simulator.secrets) assert.ok(!text.includes(secret));
});

async function enteredUntil(terminal: VirtualSession, words: string): Promise<void> {
  await terminal.pass(LOOK);
  await terminal.type('<Enter>');
  await terminal.waitFor(words);
}

test('a wrong name, a paste, keys typed ahead and one burst send nothing', async (t) => {
  const { terminal, simulator } = await openDialog({ t });
  await terminal.pass(LOOK);
  await terminal.type('video-master');
  await terminal.settled();
  await enteredUntil(terminal, 'that is not its name');
  await terminal.type('<C-u>');
  await terminal.paste(NAME);
  await terminal.waitFor('pasted text does not count');
  await enteredUntil(terminal, 'that is not its name');
  await terminal.type(`${NAME}<Enter>`);
  await terminal.waitFor('that Enter came too soon');
  await enteredUntil(terminal, 'faster than anyone types');
  // A paste may hold the sign of its own end.
  await terminal.type('<C-u>');
  await terminal.paste(`x\x1b[201~${NAME}`);
  await enteredUntil(terminal, 'faster than anyone types');
  await terminal.type('<Esc>');
  await terminal.waitFor(badge('PREVIEW'));
  // Everything at once, as somebody types who knows the way.
  await terminal.type(`<Enter>${NAME}<Enter>`);
  await terminal.waitFor('that Enter came too soon');
  await terminal.settled();
  assert.equal(posts(simulator), 0);
});

test('a change that nobody undoes is marked, an origin is unknown and not empty, and odd regions are warned of', async (t) => {
  const { terminal, simulator } = await openSettings({ t });
  assert.match(terminal.text(), /OriginUrl +unknown/);
  await terminal.type('E');
  await terminal.waitFor(badge('EDITING'));
  await terminal.type('Gk<Enter>');
  await terminal.waitFor('regions to add');
  await terminal.type('la xx<Enter>');
  await terminal.waitFor(/\[\+\] XX/);
  await terminal.type('gjj<Enter>');
  await terminal.waitFor('OriginUrl:');
  await terminal.type('https://origin.example/?token=canary-origin<Enter>');
  await terminal.waitFor(/unknown -> https:/);
  await terminal.type('P');
  await terminal.waitFor(badge('PREVIEW'));
  assert.match(
    terminal.text(),
    /ReplicationZones: NY SG -> NY SG XX LA|ReplicationZones: NY SG -> NY SG LA XX/,
  );
  assert.equal(terminal.text().match(/IRREVERSIBLE/g)?.length, 2);
  assert.match(terminal.text(), /XX is not among the regions known for Standard/);
  assert.match(terminal.text(), /OriginUrl: unknown -> https:\/\/origin.example\/\?token=\[masked\]/);
  await terminal.type('<Enter>');
  await terminal.waitFor(badge('CONFIRM'));
  await confirm(terminal);
  // The simulator refuses XX: its own words stand at the field.
  await terminal.waitFor(badge('NOT APPLIED'));
  assert.match(
    terminal.text().replace(/\s+/g, ' '),
    /ReplicationZones is NY SG, not .* The API: The region "XX"/,
  );
  assert.equal(posts(simulator), 1);
  await terminal.type('<Enter>');
  await terminal.waitFor(/\[\+\] XX +the API: The region "XX"/);
  assert.doesNotMatch(written(terminal), /canary/);
});

test('a zone that somebody else changed meanwhile is shown three ways, and not touched', async (t) => {
  const { terminal, simulator } = await openDialog({ t });
  simulator.changeStorageZone(ID, { Rewrite404To200: true, ReplicationZones: ['LA'] });
  await confirm(terminal);
  await terminal.waitFor('NOTHING WAS SENT');
  assert.match(terminal.text(), /ReplicationRegions\s+you saw +NY SG\s+now +LA NY SG\s+you want +as it is/);
  assert.match(terminal.text(), /Rewrite404To200\s+you saw +false\s+now +true\s+you want +true/);
  assert.equal(posts(simulator), 0);
});

test('a session without --write says how to get one, and cannot be made to write', async (t) => {
  const { terminal, simulator } = await openSession({ t, args: ['storage', NAME] });
  await terminal.waitFor(badge('READ-ONLY'));
  await terminal.type('E');
  await terminal.waitFor(/read-only: start edgescope with --write/);
  await terminal.type('<Enter>');
  await terminal.settled();
  assert.equal(posts(simulator), 0);
});

for (const [name, fault, word] of [
  ['is carried out and reset', 'resetAfter', 'APPLIED'],
  ['is reset before it is carried out', 'reset', 'UNKNOWN'],
  ['gets a 204 without effect', 'noContent', 'NOT APPLIED'],
] as const) {
  test(`a request that ${name} is ${word} on the screen, and is not sent again`, async (t) => {
    const { terminal, simulator } = await openDialog({ t });
    await simulator.setFaults([{ match: { method: 'POST' }, fault: { kind: fault } }]);
    await confirm(terminal);
    await terminal.waitFor(badge(word));
    assert.equal(posts(simulator), 1);
  });
}

/** No process has it: Linux and macOS number no more than 4,194,304. */
const DEAD = 4_194_305;

test('a change whose program was killed is told at the next start, and gets its verdict', async (t) => {
  const home = ownFolder(t);
  const { terminal, simulator } = await openDialog({ t, home });
  await confirm(terminal);
  await terminal.waitFor(badge('APPLIED'));
  // What is on the disk when a program is killed while its request is under way.
  const audit = join(home, '.local/state/edgescope/audit.ndjson');
  const [intent = ''] = readFileSync(audit, 'utf8').split('\n');
  writeFileSync(audit, `${intent.replace(/"pid":\d+/, `"pid":${DEAD}`)}\n`);
  const { terminal: next } = await openSession({ t, home, platform: simulator });
  await next.waitFor(/UNKNOWN: a change of video-masters was cut short; :storage, Enter there tells/);
  await next.type('<:storage>');
  await next.waitFor(/▌video-masters +605220/);
  await next.type('<Enter>');
  await next.waitFor(/APPLIED by the zone as it is now: the change cut short on 20/);
  assert.equal(posts(simulator), 1);
});
