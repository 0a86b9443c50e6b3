import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import { EMPTY_QUERY } from '../../src/domain/query/query.ts';
import { openCheckpoints } from '../../src/print/logs/resume.ts';
import { failed, type Printer } from '../../src/print/printer.ts';
import { printShield } from '../../src/print/shield-command.ts';
import { say, sayDefect } from '../../src/text/say.ts';
import { HOSTILE } from '../session/rewriting.ts';
import { ownFolder } from '../support/own-folder.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { programOf } from './support.ts';

/** Lines of text that act on nothing. */
const HARMLESS = /^(?:[^\p{C}\p{M}]*\n)*$/u;
const TEXTS = [
  ...HOSTILE.map(({ input }) => input),
  '\x1b]0;owned\x07',
  '\x9b31m',
  '\u202e',
  'a\nedgescope: forged',
];

/** Standard error as text. */
function heard() {
  const said = { text: '' };
  const stderr = {
    write(text: string) {
      said.text += text;
    },
  };
  return { said, stderr: stderr as unknown as Printer['stderr'] };
}

test('no text acts on the terminal that standard error is, nor begins a line of its own', () => {
  for (const text of TEXTS) {
    const { said, stderr } = heard();
    say(stderr, text, text);
    assert.match(said.text, HARMLESS);
    assert.equal(said.text.split('\n').length, 3);
  }
});

test('the last words of a defect act on nothing, whatever the error quotes', () => {
  for (const text of TEXTS) {
    const { said, stderr } = heard();
    sayDefect(stderr, new Error(text));
    sayDefect(stderr, text);
    assert.match(said.text, HARMLESS);
    assert.doesNotMatch(said.text, /^edgescope: forged/m);
  }
});

test('the name of a zone without Shield acts on nothing', async () => {
  for (const name of TEXTS) {
    const { said, stderr } = heard();
    const printer = {
      stderr,
      clock: new VirtualClock(),
      onEnd() {},
      client: {
        list: async () => ({
          ok: true,
          value: { items: [{ id: '7', name, hostnames: [] }], page: 1, total: 1, hasMore: false },
        }),
        shieldZoneOfPullZone: async () => ({ ok: true, value: null }),
      },
    } as unknown as Printer;
    const line = { zone: '7', limit: null } as Parameters<typeof printShield>[1];
    assert.equal(await printShield(printer, line, EMPTY_QUERY), 1);
    assert.match(said.text, / has no Shield zone/);
    assert.match(said.text, HARMLESS);
    assert.equal(said.text.split('\n').length, 2);
  }
});

test('the question of a resume file acts on nothing', async (t) => {
  const directory = ownFolder(t);
  const path = join(directory, 'place');
  const question = { zone: '7', query: '', format: 'ndjson', limit: null };
  const at = '2026-11-22T00:00:00.000Z';
  for (const text of TEXTS.filter(({ length }) => length < 4_000)) {
    const state = {
      edgescope: 'resume',
      version: 2,
      question: { ...question, zone: text, query: text, format: text },
      from: at,
      to: at,
      doneTo: at,
      rows: 0,
      bytes: 0,
      output: null,
      pending: null,
      isFinished: false,
    };
    writeFileSync(path, JSON.stringify(state), { mode: 0o600 });
    const { said, stderr } = heard();
    const opened = await openCheckpoints({ stderr, descriptor: null } as Printer, path, question, {
      from: 0,
      to: 1,
    });
    assert.equal(opened, 2);
    assert.match(said.text, / belongs to another question: zone /);
    assert.match(said.text, HARMLESS);
    assert.equal(said.text.split('\n').length, 3);
  }
});

test('the detail of a failure acts on nothing', () => {
  for (const detail of TEXTS) {
    const { said, stderr } = heard();
    failed({ stderr }, failureOf('serverError', { detail }));
    assert.match(said.text, HARMLESS);
  }
});

test('a command line that is refused is escaped, with the mark under the mistake', async (t) => {
  const { run } = programOf(t);
  const painted = '\x1b[31m\x1b]0;pwned\x07';
  const { code, stderr } = await run('shield', 'x', `ua:${painted}`, `last:${painted}x`);
  assert.equal(code, 2);
  assert.match(stderr, /^[\n -~]+$/);
  const [, query = '', mark = ''] = stderr.split('\n');
  assert.equal(query.slice(mark.indexOf('^'), mark.length), '\\x1b[31m\\x1b]0;pwned\\x07x', stderr);
  assert.match((await run(`--${painted}`)).stderr, /^[\n -~]+$/);
});
