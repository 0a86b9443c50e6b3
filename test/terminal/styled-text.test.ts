import assert from 'node:assert/strict';
import test from 'node:test';
import { codePointOf } from '../../src/terminal/cells.ts';
import { glyphCells, parseStyledLine } from '../../src/terminal/styled-text.ts';
import { feed, firstDifference, gridOf, newEmulator, seeded } from './frames.ts';

const text = (line: string): string =>
  Array.from(parseStyledLine(line), (cell) =>
    codePointOf(cell) === 0 ? '' : String.fromCodePoint(codePointOf(cell)),
  ).join('');

test('styled text means to the parser what it means to a terminal', async () => {
  const parameters = [
    ...[
      '',
      '0',
      '1',
      '2',
      '3',
      '4',
      '7',
      '9',
      '22',
      '23',
      '24',
      '27',
      '29',
      '39',
      '49',
      '30',
      '37',
      '90',
      '97',
    ],
    ...[
      '38;5;0',
      '38;5;9',
      '38;5;255',
      '38;2;0;0;0',
      '38;2;255;9;1',
      '1;31',
      '0;4;36',
      ';7',
      '38;5;12;1',
      '48;5;1;49',
      '41;49',
    ],
  ];
  const random = seeded(3);
  const emulator = newEmulator(60, 10);
  for (let run = 0; run < 60; run += 1) {
    const lines = Array.from({ length: 10 }, () => {
      let line = '';
      for (let part = 0; part < 8; part += 1) {
        line += `\x1b[${parameters[Math.floor(random() * parameters.length)]}m${['ab ', '日本', '─', ' x'][part % 4]}`;
      }
      return line;
    });
    const raw = lines.map((line, y) => `\x1b[${y + 1}H\x1b[m\x1b[2K${line}`).join('');
    await feed(emulator, raw);
    assert.equal(firstDifference(emulator, gridOf(lines, 60, 10)), null, `run ${run}`);
  }
  emulator.dispose();
});

test('backgrounds, blinking, hidden text and unknown parameters have no effect', () => {
  for (const parameters of [
    '41',
    '48;5;9',
    '48;2;1;2;3',
    '100',
    '5',
    '8',
    '21',
    '53',
    '10',
    '999',
    '38;5;256',
    '38',
  ]) {
    assert.deepEqual(parseStyledLine(`\x1b[${parameters}mx`), parseStyledLine('x'), parameters);
  }
});

test('whatever is not on the list shows as a question mark', () => {
  const refused = [
    '\x00',
    '\x07',
    '\b',
    '\t',
    '\n',
    '\r',
    '\x1b',
    '\x7f',
    '\x80',
    '\x85',
    '\x9b',
    '\xa0',
    '\xad',
  ];
  const invisible = [
    '\u061c',
    '\u200b',
    '\u200e',
    '\u2028',
    '\u202e',
    '\u2066',
    '\ufeff',
    '\u{e0041}',
    '\ud800',
    '\ue000',
    'א',
    'ع',
  ];
  for (const sign of [...refused, ...invisible]) {
    assert.equal(text(`a${sign}${sign}b`).replace(/^a?\?+b$/, 'refused'), 'refused', JSON.stringify(sign));
  }
  assert.equal(text('\x1b[2Jx'), '?[2Jx');
  assert.equal(text('e\u0301x'), '?x');
  assert.equal(text('👩‍💻x'), '??x');
  assert.equal(text('a\x1b]8;;http://evil\x07b\x1b]8;;\x07│'), '??│');
});

test('each code point on the list takes exactly its cells and joins no neighbour', async () => {
  const [columns, rows] = [600, 300];
  const emulator = newEmulator(columns, rows);
  const isSampled = (point: number): boolean =>
    !(point >= 0x3400 && point <= 0x9fff) && !(point >= 0xac00 && point <= 0xd7a3) ? true : point % 61 === 0;
  const points: number[] = [];
  for (let point = 0x20; point < 0x10000; point += 1)
    if (glyphCells(point) > 0 && isSampled(point)) points.push(point);
  for (let point = 0x20000; point < 0x32000; point += 997) if (glyphCells(point) > 0) points.push(point);
  const lines: string[] = [];
  for (let at = 0, line = '', used = 0; at < points.length; at += 1) {
    const point = points[at] ?? 0;
    line += `${String.fromCodePoint(point).repeat(2)}|`;
    used += 2 * glyphCells(point) + 1;
    if (used < columns - 5 && at < points.length - 1) continue;
    lines.push(line);
    line = '';
    used = 0;
  }
  assert.ok(
    points.length > 5000 && lines.length <= rows,
    `${points.length} code points, ${lines.length} lines`,
  );
  await feed(emulator, lines.map((line, y) => `\x1b[${y + 1}H${line}`).join(''));
  assert.equal(firstDifference(emulator, gridOf(lines, columns, rows)), null);
  emulator.dispose();
});

test('a line of a million signs costs no more than a screen', () => {
  assert.ok(parseStyledLine('x'.repeat(1_000_000)).length <= 4096);
  assert.ok(parseStyledLine(`\x07${'e\u0301'.repeat(100_000)}`).length <= 4096);
});
