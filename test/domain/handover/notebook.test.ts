import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { codeSpan, linesOf, proseLine } from '../../../src/domain/handover/line-formats.ts';
import { type NotebookEntry, notebookEntry, withEntry } from '../../../src/domain/handover/notebook.ts';
import { fc } from '../../support/properties.ts';
import { NOON } from '../../support/state.ts';
import { oddText, RUNS } from '../query-cases.ts';

const MINUTE = 60_000;
const DAY = '2026-11-20';

const HOSTILE = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../..', 'data', 'hostile-strings.json'), 'utf8')) as {
    input?: string;
  }[]
).flatMap(({ input }) => (input === undefined ? [] : [input]));

function entry(title: string, from: number, to: number | null = null, note = ''): NotebookEntry {
  const said = ['all 3 rows', 'late rows may follow'];
  const head = { noted: '12:00:05', title: `\`${title}\``, from, to, note, said };
  return notebookEntry(head, ['| `ip` |', '| --- |', '| `x` |', '']);
}

/** The notebook with these entries more. */
function added(notebook: string, ...entries: NotebookEntry[]): string {
  let bytes: Buffer = Buffer.from(notebook, 'latin1');
  for (const each of entries) bytes = withEntry(bytes, each, DAY);
  return bytes.toString('latin1');
}

const timelineIn = (notebook: string) => notebook.slice(notebook.lastIndexOf('<!-- timeline -->'));
const rowsIn = (notebook: string) => timelineIn(notebook).match(/^\|.*\d.*$/gm) ?? [];
const titlesIn = (notebook: string) => rowsIn(notebook).map((row) => /`(.*)`/.exec(row)?.[1]);

test('an entry has its time, its note and its evidence, and the first one makes the header', () => {
  const notebook = added('', entry('one', NOON, NOON + MINUTE, 'it begins'), entry('two', NOON));
  assert.deepEqual(notebook.split('\n').slice(0, 20), [
    '# Incident notebook, 2026-11-20 (UTC)',
    '',
    'Findings with the commands that reproduce them, and at the end their timeline.',
    '',
    '## 12:00:05Z it begins',
    '',
    '`one`, 2026-11-20 12:00:00 to 2026-11-20 12:01:00 UTC. All 3 rows. Late rows may follow.',
    '',
    '| `ip` |',
    '| --- |',
    '| `x` |',
    '',
    '## 12:00:05Z `two`',
    '',
    '`two`, 2026-11-20 12:00:00 UTC. All 3 rows. Late rows may follow.',
    '',
    '| `ip` |',
    '| --- |',
    '| `x` |',
    '',
  ]);
});

test('the timeline has the findings in the order of what they are about, with their notes', () => {
  const notebook = added(
    '',
    entry('after', NOON, NOON + MINUTE, 'it is \\*over\\*'),
    entry('moment', NOON - MINUTE),
    entry('before', NOON - MINUTE, NOON, 'it begins'),
    entry('again', NOON - MINUTE),
  );
  assert.deepEqual(timelineIn(notebook).split('\n'), [
    '<!-- timeline -->',
    '',
    '## Timeline (UTC)',
    '',
    '| time | finding | note | noted |',
    '| --- | --- | --- | --- |',
    '| 2026-11-20 11:59:00 | `moment` | - | 12:00:05Z |',
    '| 2026-11-20 11:59:00 | `again` | - | 12:00:05Z |',
    '| 2026-11-20 11:59:00 to 2026-11-20 12:00:00 | `before` | it begins | 12:00:05Z |',
    '| 2026-11-20 12:00:00 to 2026-11-20 12:01:00 | `after` | it is \\*over\\* | 12:00:05Z |',
    '',
    '<!-- /timeline -->',
    '',
  ]);
});

test('whatever a finding says, its head is its own lines and its row has four cells', () => {
  const texts = fc.oneof(oddText, fc.constantFrom(...HOSTILE, '<!-- timeline -->', '<!-- /timeline -->'));
  fc.assert(
    fc.property(texts, texts, (title, note) => {
      const head = {
        noted: '12:00:05',
        title: codeSpan(title),
        from: NOON,
        to: null,
        note: proseLine(note),
        said: [],
      };
      const { lines, row } = notebookEntry(head, []);
      assert.equal(lines.length, 4);
      for (const line of [...lines, row]) assert.doesNotMatch(line, /\n|^<!--/);
      assert.equal(row.match(/(?<!\\)\|/g)?.length, 5, row);
    }),
    { numRuns: RUNS, seed: 17 },
  );
});

test('no byte of what somebody wrote is lost, and it stands before the next entry', () => {
  const parts = ['\n', '## ', '~~', '`', '| ', 'x', '\r', '\xff', '\0', '\n<!-- timeline -->\n', 'About '];
  const bytes = fc.array(fc.constantFrom(...parts), { maxLength: 30 }).map((each) => each.join(''));
  fc.assert(
    fc.property(bytes, bytes, (above, behind) => {
      const [one, two] = [entry('one', NOON), entry('two', NOON)];
      const notebook = added(`${added(`${above}\n`, one)}${behind}`, two);
      assert.ok(notebook.startsWith(above));
      assert.ok(notebook.includes(linesOf(one.lines)));
      const end = notebook.indexOf(linesOf(two.lines));
      assert.ok(
        notebook
          .slice(0, end)
          .replace(/\n*$/, '')
          .endsWith(behind.replace(/^\n|\n*$/g, '')),
      );
      assert.ok(notebook.slice(end).endsWith(timelineIn(notebook)));
    }),
    { numRuns: RUNS, seed: 3 },
  );
});

test('what an editor made of entries and rows stays, and rows find their place among them', () => {
  const notebook = added('', entry('first', NOON), entry('third', NOON + 2 * MINUTE, null, 'three misses'))
    .replace('`first`\n', '~~`first`~~\n')
    .replace('| 2026-11-20 12:00:00 | `first` |', '| ~~2026-11-20 12:00:00~~ |   `first`   |')
    .replaceAll('three', 'four');
  const next = added(notebook, entry('second', NOON + MINUTE), entry('before', NOON - MINUTE));
  assert.deepEqual(titlesIn(next), ['before', 'first', 'second', 'third']);
  assert.match(next, /## 12:00:05Z ~~`first`~~\n[\s\S]*\| ~~2026-11-20 12:00:00~~ \| {3}`first` {3}\|/);
  assert.equal(next.match(/four misses/g)?.length, 2);
});

test('a timeline that is no table any more is left alone, and another one begun', () => {
  const notebook = added('', entry('one', NOON));
  for (const theirs of [
    notebook.slice(0, notebook.indexOf('<!-- timeline -->')),
    notebook.replace('<!-- /timeline -->', ''),
    notebook.replace(/^\| (?:time|---|2026).*\n/gm, ''),
  ]) {
    const next = added(theirs, entry('two', NOON));
    assert.ok(next.startsWith(theirs));
    assert.deepEqual(titlesIn(next), ['two']);
    assert.deepEqual(titlesIn(added(next, entry('three', NOON))), ['two', 'three']);
  }
});

test('an editor that ends a file without a line break tears neither the timeline nor the next entry', () => {
  const notebook = added('', entry('one', NOON)).trimEnd();
  assert.deepEqual(titlesIn(added(notebook, entry('two', NOON))), ['one', 'two']);
  const called = added(`${notebook}\n\nCalled the origin team.`, entry('two', NOON));
  assert.match(called, /\n\nCalled the origin team\.\n\n## 12:00:05Z `two`/);
  assert.deepEqual(titlesIn(called), ['one', 'two']);
});
