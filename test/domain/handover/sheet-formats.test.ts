import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { logSheet, shieldEventSheet } from '../../../src/domain/handover/sheet.ts';
import { type SheetFormat, sheetWriter } from '../../../src/domain/handover/sheet-formats.ts';
import { LogBook } from '../../../src/domain/logs/log-book.ts';
import { rowsOfEvents } from '../../../src/domain/shield/shield-rows.ts';
import { eventWith } from '../../support/rows.ts';
import { gapOf, NOON, recordOf } from '../../support/state.ts';

const HOSTILE = [
  ...(
    JSON.parse(readFileSync(join(import.meta.dirname, '../..', 'data', 'hostile-strings.json'), 'utf8')) as {
      input?: string;
    }[]
  ).flatMap(({ input }) => (input === undefined ? [] : [input])),
  '=HYPERLINK("https://evil.example")',
  '+cmd|/C calc',
  '-2+3',
  '@SUM(A1)',
  'a|b`c',
  '<img src=x onerror=alert(1)>',
  '"quoted", and\r\nbroken',
];

const SOURCE = { title: 'logs a`|<b>', command: "edgescope logs 1 'x'", at: NOON, notes: ['read to <noon>'] };

function writtenAs(format: SheetFormat): string {
  const book = new LogBook({ capacity: 1000 });
  book.append(
    HOSTILE.map((text, n) => ({
      record: recordOf(n, { userAgent: text, path: text, url: text, referer: text, host: text }),
      late: false,
    })),
  );
  book.setGaps([gapOf(1000, 1001)]);
  const sheet = logSheet(book, ['12 older rows were dropped']);
  const writer = sheetWriter(format, sheet, SOURCE);
  return writer.head + [...sheet.lines()].map(writer.line).join('') + writer.tail(HOSTILE.length);
}

test('NDJSON is ASCII, one object a line, and gives every string back', () => {
  const text = writtenAs('ndjson');
  assert.match(text, /^[\n -~]+$/);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.slice(0, HOSTILE.length).map((line) => line.userAgent),
    HOSTILE,
  );
  assert.equal(lines.at(-2)._gap.reason, 'failed');
  assert.deepEqual(lines.at(-1)._partial.why, ['12 older rows were dropped']);
});

test('CSV has as many quoted fields in every line, none of which a spreadsheet would run', () => {
  const lines = writtenAs('csv').trimEnd().split('\n');
  assert.equal(lines.length, HOSTILE.length + 3);
  for (const line of lines) {
    assert.match(line, /^("([ !#-~]|"")*",)*"([ !#-~]|"")*"$/);
    const fields = [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, field = '']) => field);
    assert.equal(fields.length, 22);
    for (const field of fields) assert.doesNotMatch(field, /^[=+\-@\t\r]/);
  }
});

test('Markdown has a row a line, in which untrusted text is code and nothing else', () => {
  const lines = writtenAs('markdown').split('\n');
  const rows = lines.filter((line) => line.startsWith('| '));
  assert.equal(rows.length, HOSTILE.length + 3);
  for (const row of rows) {
    assert.equal(row.split('|').length, 11, row);
    assert.doesNotMatch(row.replaceAll(/`[^`]*`/g, ''), /[<>`[\]\\]|http|www/);
  }
  assert.equal(lines[0], '# edgescope: `logs a\\x60\\x7c<b>`');
  assert.ok(lines.includes('**Not complete:** 12 older rows were dropped.'));
});

test('an event without an id of its own is printed without one, as in a pipe', () => {
  const event = eventWith({ timestamp: NOON, fields: { ip: '192.0.2.1' } });
  const sheet = shieldEventSheet(rowsOfEvents([event]));
  const writer = sheetWriter('ndjson', sheet, SOURCE);
  assert.deepEqual(
    [...sheet.lines()].map((line) => JSON.parse(writer.line(line))),
    [{ logId: null, timestamp: NOON, fields: { ip: '192.0.2.1' }, log: null }],
  );
});
