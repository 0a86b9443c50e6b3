import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { logSheet } from '../../../src/domain/handover/sheet.ts';
import { type SheetFormat, sheetWriter } from '../../../src/domain/handover/sheet-formats.ts';
import { LogBook } from '../../../src/domain/logs/log-book.ts';
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
