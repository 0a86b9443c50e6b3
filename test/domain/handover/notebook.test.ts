import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { codeSpan, proseLine } from '../../../src/domain/handover/line-formats.ts';
import {
  aboutLine,
  blocksOf,
  type EntryHead,
  headLines,
  NO_ENTRY,
  readEntry,
  withChange,
  withEntry,
} from '../../../src/domain/handover/notebook.ts';
import { fc } from '../../support/properties.ts';
import { NOON } from '../../support/state.ts';
import { oddText, RUNS } from '../query-cases.ts';

const MINUTE = 60_000;
const DAY = '2026-11-20';
const STRIKE = { kind: 'strike' } as const;

const HOSTILE = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../..', 'data', 'hostile-strings.json'), 'utf8')) as {
    input?: string;
  }[]
).flatMap(({ input }) => (input === undefined ? [] : [input]));

function entry(title: string, from: number, to: number | null, note = ''): string {
  const lines = [`## 12:00:05Z \`${title}\``, '', aboutLine({ from, to }), ''];
  return [...lines, ...(note === '' ? [] : [note, '']), '| `ip` |', '| --- |', '| `x` |', '', ''].join('\n');
}

function notebookOf(...entries: string[]): string {
  return entries.reduce((notebook, each) => withEntry(notebook, each, DAY), '');
}

/** The notebook after a change of the n-th of its blocks. */
function changed(notebook: string, n: number, change: Parameters<typeof withChange>[2], at = NOON): string {
  const block = blocksOf(notebook, DAY)[n];
  assert.ok(block !== undefined);
  const next = withChange(notebook, block, change, at);
  assert.ok(typeof next !== 'string', String(next));
  return next.notebook;
}

const timelineIn = (notebook: string) => notebook.slice(notebook.indexOf('<!-- timeline -->'));

const stampArb = fc
  .integer({ min: 0, max: 4e9 })
  .map((second) => `${new Date(second * 1000).toISOString().slice(0, 19).replace('T', ' ')}Z`);
const noteArb = fc.oneof(oddText, fc.constantFrom(...HOSTILE)).map(proseLine);
const plain = { noNullPrototype: true } as const;
const headArb: fc.Arbitrary<EntryHead> = fc.record(
  {
    noted: fc.constantFrom('00:00:00', '12:34:56'),
    title: fc.oneof(oddText, fc.constantFrom(...HOSTILE)).map((text) => codeSpan(text)),
    from: fc.integer({ min: 0, max: 4e12 }),
    to: fc.option(fc.integer({ min: 0, max: 4e12 })),
    note: noteArb,
    struck: fc.option(stampArb),
    edits: fc.array(fc.record({ note: noteArb.filter((note) => note !== ''), at: stampArb }, plain), {
      maxLength: 3,
    }),
  },
  plain,
);

test('the timeline has the findings in the order of what they are about, with their notes', () => {
  const notebook = notebookOf(
    entry('after', NOON, NOON + MINUTE, 'it is \\*over\\*'),
    entry('moment', NOON - MINUTE, null),
    entry('before', NOON - MINUTE, NOON, 'it begins'),
  );
  assert.deepEqual(timelineIn(notebook).split('\n').slice(6, -3), [
    '| 2026-11-20 11:59:00 | `moment` | - | 12:00:05Z |',
    '| 2026-11-20 11:59:00 to 2026-11-20 12:00:00 | `before` | it begins | 12:00:05Z |',
    '| 2026-11-20 12:00:00 to 2026-11-20 12:01:00 | `after` | it is \\*over\\* | 12:00:05Z |',
  ]);
  assert.match(notebook, /\n<!-- timeline -->\n[\s\S]*\n<!-- \/timeline -->\n$/);
});

test('what tells no time is no entry, and without any there is no timeline', () => {
  assert.doesNotMatch(notebookOf('## 12:00:05Z `old form`\n\n| `ip` |\n'), /timeline -->/);
  assert.equal(readEntry('## 12:00:05Z `x`\n\nAbout 2026-99-99T00:00:00.000Z.\n\n'), null);
});

test('any head is read as it was written, whatever evidence stands behind it', () => {
  const evidence = fc.constantFrom(
    '',
    '\nAll 0 rows.\n',
    '| `a` |\n',
    '`said`\n\n',
    '**`by ip`**\n\nprose\n\n',
  );
  fc.assert(
    fc.property(headArb, evidence, (head, rest) => {
      const text = headLines(head)
        .map((line) => `${line}\n`)
        .join('');
      assert.deepEqual(readEntry(text + rest), { head, rest });
    }),
    { numRuns: RUNS, seed: 17 },
  );
});

test('an entry is struck with the time, and the second strike gives back every byte', () => {
  const before = notebookOf(entry('one', NOON, null, 'it is over'), entry('two', NOON, null));
  const struck = changed(before, 0, STRIKE, NOON + MINUTE);
  assert.match(
    struck,
    /\n## ~~12:00:05Z `one`~~ struck 2026-11-20 12:01:00Z\n\n~~About 2026-11-20T12:00:00\.000Z\.~~\n\n~~it is over~~\n\n\| `ip` \|/,
  );
  assert.match(
    timelineIn(struck),
    /\| ~~2026-11-20 12:00:00~~ \| ~~`one`~~ \| ~~it is over~~ \| ~~12:00:05Z~~ struck 2026-11-20 12:01:00Z \|/,
  );
  assert.equal(changed(struck, 0, STRIKE), before);
});

test('a note that is edited stays, struck, below the new one, also where it is taken away', () => {
  const first = notebookOf(entry('one', NOON, null, 'two misses'));
  const second = changed(first, 0, { kind: 'note', note: 'three misses' });
  const third = changed(second, 0, { kind: 'note', note: '' }, NOON + MINUTE);
  const fourth = changed(third, 0, { kind: 'note', note: 'four' });
  assert.match(
    fourth,
    /\.000Z\.\n\nfour\n\n~~three misses~~ edited 2026-11-20 12:01:00Z\n\n~~two misses~~ edited 2026-11-20 12:00:00Z\n\n\| `ip` \|/,
  );
  assert.match(timelineIn(third), /\| `one` \| - \| 12:00:05Z \|/);
  assert.match(timelineIn(fourth), /\| `one` \| four \| 12:00:05Z \|/);
});

test('no change loses or moves a byte that somebody else wrote', () => {
  const bytes = fc
    .array(
      fc.constantFrom('\n', '## ', '~~', '`', '| ', 'x', '\r', '\xff', '\0', '<!-- timeline -->\n', 'About '),
      {
        maxLength: 30,
      },
    )
    .map((parts) => `${parts.join('')}\n`);
  fc.assert(
    fc.property(headArb, bytes, bytes, bytes, (head, before, between, after) => {
      const rawOf = (struck: string | null) =>
        Buffer.from(`${headLines({ ...head, struck }).join('\n')}\n| \`ip\` |\n\n`).toString('latin1');
      const made = withEntry(`${before}\n${rawOf(null)}${between}`, entry('last', NOON, null), DAY) + after;
      const at = blocksOf(made, DAY).findIndex((block) => block.entry?.head.title === head.title);
      const struck = changed(made, at, STRIKE);
      const untimed = (text: string) =>
        text.replace(/<!-- timeline -->\n\n[\s\S]*?<!-- \/timeline -->\n/, '');
      const wanted = untimed(made).replace(rawOf(null), () => rawOf('2026-11-20 12:00:00Z'));
      assert.equal(untimed(struck), wanted);
      assert.equal(changed(struck, at, STRIKE), made);
    }),
    { numRuns: RUNS, seed: 3 },
  );
});

test('a block that is not as it was read is not changed, and of twins the one that was meant', () => {
  const notebook = notebookOf(entry('one', NOON, null), entry('two', NOON, null), entry('one', NOON, null));
  const [one, , twin] = blocksOf(notebook, DAY);
  assert.ok(one !== undefined && twin !== undefined && one.raw === twin.raw);
  assert.match(changed(notebook, 2, STRIKE), /## 12[\s\S]*## 12[\s\S]*## ~~12/);
  assert.equal(
    withChange(notebook, { ...one, raw: `${one.raw}!` }, STRIKE, NOON),
    'it was changed since it was read',
  );
  const foreign = withEntry('## hello\n\n', entry('one', NOON, null), DAY);
  const [text] = blocksOf(foreign, DAY);
  assert.equal(text && withChange(foreign, text, STRIKE, NOON), NO_ENTRY);
});

test('a head that an editor made other than o writes it is no entry, and stays to the letter', () => {
  const notebook = notebookOf(entry('one', NOON, null, 'it is over'));
  for (const [from, to] of [
    ['About 2026-11-20T12:00:00.000Z.', '~~About 2026-11-20T12:00:00.000Z.~~'],
    ['About 2026-11-20T12:00:00.000Z.', 'About 2026-11-20T12:00Z.'],
    ['## 12:00:05Z `one`', '## ~~12:00:05Z `one`~~ struck 2026-11-20 12:00:00Z'],
  ] as const) {
    const theirs = notebook.replace(from, () => to);
    const [block] = blocksOf(theirs, DAY);
    assert.ok(block !== undefined && theirs !== notebook);
    assert.equal(block.entry, null, to);
    assert.equal(withChange(theirs, block, STRIKE, NOON), NO_ENTRY);
  }
});
