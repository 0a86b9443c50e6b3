import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ZONE } from './log-screen.ts';
import { openSession } from './support.ts';

const isWhole = (screen: readonly string[]) => /COMPLETE$/.test(screen[0] ?? '');
const CLOSED = ['from:-20m', 'to:-12m'];

/** A log that was read whole, and its notebook with a finding for each note. */
async function noted(t: TestContext, notes: readonly string[]) {
  const { terminal } = await openSession({ t, args: ['logs', ZONE, 'status:5xx', ...CLOSED] });
  await terminal.waitFor(isWhole);
  for (const note of notes) {
    await terminal.type('o');
    await terminal.waitFor('INTO THE NOTEBOOK');
    for (const key of note) await typed(terminal, key);
    await typed(terminal, '<Enter>');
    await terminal.waitFor(/added to /);
  }
  const [name] = readdirSync(terminal.home, { recursive: true }).filter((each) =>
    String(each).endsWith('.md'),
  );
  return { terminal, path: join(terminal.home, String(name ?? '')) };
}

/** A key that comes by itself. */
async function typed(terminal: Awaited<ReturnType<typeof openSession>>['terminal'], key: string) {
  await terminal.settled();
  await terminal.type(key);
}

test('what o added is read with O, its note edited and struck, and taken back by a second x', async (t) => {
  const { terminal, path } = await noted(t, ['misses', 'origin down']);
  const before = readFileSync(path, 'utf8');
  await typed(terminal, 'O');
  await terminal.waitFor(/2 of 2/);
  await terminal.waitFor(/▌\d\d:\d\d:\d\dZ logs shop-frontend status:5xx\n {3}origin down\n/);
  await typed(terminal, 'E');
  await terminal.waitFor(/^ note: origin down/m);
  for (const key of [' ', '2', '<Enter>']) await typed(terminal, key);
  await terminal.waitFor(/note changed; the previous one stays, struck through/);
  await terminal.waitFor(/ {3}origin down 2\n {3}Until \d{4}-\d\d-\d\d [\d:]+Z: origin down\n/);
  await typed(terminal, 'x');
  await terminal.waitFor(/▌STRUCK [\s\S]*struck; x takes it back/);
  const text = readFileSync(path, 'utf8');
  assert.match(text, /\n~~origin down 2~~\n\n~~origin down~~ edited /);
  assert.match(text, /\| ~~origin down 2~~ \| ~~[\d:]+Z~~ struck /);
  // The finding before it is as it was.
  const first = before.slice(0, before.indexOf('\n## ', before.indexOf('\n## ') + 1));
  assert.ok(first.includes('misses') && text.startsWith(first));
  await typed(terminal, 'x');
  await terminal.waitFor(/the strike is taken back/);
  assert.doesNotMatch(readFileSync(path, 'utf8'), /struck/);
});

test('text that was meant for another program, and holds an x, strikes nothing before it is asked', async (t) => {
  const { terminal, path } = await noted(t, ['one']);
  const before = readFileSync(path, 'utf8');
  await typed(terminal, ':');
  await terminal.type('notebook<Enter>');
  await terminal.waitFor(/1 of 1/);
  await terminal.type('fix the box');
  await terminal.waitFor(/too fast to be typed/);
  await terminal.settled();
  assert.equal(readFileSync(path, 'utf8'), before);
  await terminal.settled();
  await terminal.type('x');
  await terminal.waitFor(/struck; x takes it back/);
});

test('an entry that another program changed meanwhile is not struck, and is shown as it is now', async (t) => {
  const { terminal, path } = await noted(t, ['one']);
  await typed(terminal, 'O');
  await terminal.waitFor(/ {3}one\n/);
  const theirs = readFileSync(path, 'utf8').replace('\none\n', '\ntwo\n');
  writeFileSync(path, theirs);
  await typed(terminal, 'x');
  await terminal.waitFor(/notebook not changed: it was changed since it was read/);
  await terminal.waitFor(/ {3}two\n/);
  assert.equal(readFileSync(path, 'utf8'), theirs);
});

test('Enter on an entry opens its view again, over the same time and with the same filter', async (t) => {
  const { terminal } = await noted(t, ['one']);
  const [, , query] = terminal.screen();
  await typed(terminal, '1');
  await terminal.waitFor(/WORST FIRST/);
  await typed(terminal, 'O');
  await terminal.waitFor(/ {3}one\n/);
  await typed(terminal, '<Enter>');
  await terminal.waitFor(isWhole);
  assert.match(query ?? '', /status:5xx/);
  const at = (text = '') => text.match(/from:(\S+:\d\d)/)?.[1];
  await terminal.waitFor((screen) => /status:5xx/.test(screen[2] ?? '') && at(screen[2]) === at(query));
});

test('[ and ] go to the notebooks of the days that have one, and / finds in them', async (t) => {
  const { terminal, path } = await noted(t, ['one', 'two']);
  const today = /(\d{4}-\d\d-\d\d)\.md$/.exec(path)?.[1] ?? '';
  const earlier = '2020-02-29';
  const theirs = join(dirname(path), `edgescope-notebook-${earlier}.md`);
  writeFileSync(theirs, '# by hand\n\n## first\n\nprobe\n\n## second\n\n\x1b[2Jodd\n', { mode: 0o600 });
  await typed(terminal, 'O');
  await terminal.waitFor(new RegExp(`\\[ ${earlier}`));
  await typed(terminal, '[');
  await terminal.waitFor(new RegExp(`notebook ${earlier}[\\s\\S]*\\] ${today}`));
  await terminal.waitFor(/▌## second\n {3}\\x1b\[2Jodd/);
  await typed(terminal, '/');
  await terminal.type('probe<Enter>');
  await terminal.waitFor(/▌## first[\s\S]*1 of 1 with 'probe'/);
  await typed(terminal, 'x');
  await terminal.waitFor(/this is no entry of edgescope: an editor changes it/);
  await typed(terminal, '[');
  await terminal.waitFor(/there is no notebook of a day before this one/);
  await typed(terminal, ']');
  await terminal.waitFor(new RegExp(`notebook ${today}`));
});

test('without a notebook O says what adds one, and its file is not made', async (t) => {
  const { terminal } = await openSession({ t });
  await terminal.waitFor(ZONE);
  await terminal.type('O');
  await terminal.waitFor('no notebook of today yet: o adds the first entry');
  const made = readdirSync(terminal.home, { recursive: true }).filter((name) =>
    /notebook/.test(String(name)),
  );
  assert.deepEqual(made, []);
  await terminal.type('<Esc>');
  await terminal.waitFor(ZONE);
});
