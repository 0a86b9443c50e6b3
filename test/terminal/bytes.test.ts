import assert from 'node:assert/strict';
import test from 'node:test';
import { Painter } from '../../src/terminal/painter.ts';
import { gridOf, seeded } from './frames.ts';

const STATUS = [
  '\x1b[32mHIT\x1b[39m    ',
  '\x1b[31mMISS\x1b[39m   ',
  '\x1b[33mEXPIRED\x1b[39m',
  '\x1b[35mBYPASS\x1b[39m ',
];
const HOSTS = ['cdn.example.com', 'img.example.net', 'video-assets.example.org', 'static.shop.example'];

/** Rows as the log screen has them: coloured status, then text up to the edge less `margin`; all different. */
function logRows(count: number, columns: number, margin: number): string[] {
  const random = seeded(1);
  const hex = (length: number): string =>
    Array.from({ length }, () => '0123456789abcdef'[Math.floor(random() * 16)]).join('');
  return Array.from({ length: count }, (_, id) => {
    const status = STATUS[Math.floor(random() ** 3 * STATUS.length)];
    const text = `${hex(4)}|${id}|https://${HOSTS[Math.floor(random() * 4)]}/q${id}/${hex(8)}/${hex(24)}.jpg|Mozilla/5.0 (X11; ${hex(columns)})`;
    return `${status} ${text.slice(0, columns - 8 - margin)}`;
  });
}

function measure(columns: number, rows: number, margin: number) {
  const log = logRows(4000, columns, margin);
  const body = rows - 3;
  const painter = new Painter(columns, rows);
  const frame = (top: number, marked: number, style: 'inverse' | 'marker'): number => {
    const lines = log.slice(top, top + body).map((line, index) => {
      if (top + index !== marked) return style === 'marker' ? ` ${line}` : line;
      return style === 'marker' ? `\x1b[1m▌\x1b[22m${line}` : `\x1b[7m${line}`;
    });
    const status = `\x1b[2m${top + 1}-${top + body} of 4000\x1b[22m`;
    const wanted = gridOf([`\x1b[7m${' log'.padEnd(columns)}\x1b[27m`, ...lines, '', status], columns, rows);
    return Buffer.byteLength(painter.update(wanted, null));
  };
  const mean = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) / list.length;
  const run = (
    count: number,
    step: number,
    marked?: (top: number) => number,
    style: 'inverse' | 'marker' = 'inverse',
  ) => {
    frame(0, marked?.(0) ?? -1, style);
    const costs = Array.from({ length: count }, (_, index) => {
      const top = (index + 1) * step;
      return frame(top, marked?.(top) ?? -1, style);
    });
    return mean(costs);
  };
  const moveOnly = (style: 'inverse' | 'marker'): number => {
    frame(0, 0, style);
    return mean(Array.from({ length: body - 1 }, (_, index) => frame(0, index + 1, style)));
  };
  return { body, run, moveOnly };
}

test('scrolling by a row costs little more than the row', () => {
  const small = measure(120, 40, 2).run(60, 1);
  assert.ok(small <= 155, `${small} B at 120x40`);
  const large = measure(200, 60, 2).run(60, 1);
  assert.ok(large <= 235, `${large} B at 200x60`);
});

test('a new page costs little more than its text', () => {
  const { body, run } = measure(120, 40, 2);
  const page = run(20, body);
  const text = body * 118;
  assert.ok(page <= 1.05 * text, `${page} B for ${text} letters`);
});

test('following a log keeps to the budget at 10 and at 100 rows a second', () => {
  const { run } = measure(120, 40, 2);
  const slow = 10 * run(60, 1);
  assert.ok(slow <= 1745, `${slow} B/s at 10 rows/s`);
  const fast = 10 * run(60, 10);
  assert.ok(fast <= 13_670, `${fast} B/s at 100 rows/s`);
});

test('a marker beside the selected row costs a tenth of an inverse row', () => {
  const { moveOnly, run, body } = measure(120, 40, 2);
  const inverse = moveOnly('inverse');
  const marker = moveOnly('marker');
  assert.ok(marker <= 30, `${marker} B for a marker`);
  assert.ok(inverse <= 300, `${inverse} B for an inverse row`);
  const scrolled = run(60, 1, (top) => top + body - 1, 'marker');
  assert.ok(scrolled <= 175, `${scrolled} B to scroll with the marker at the edge`);
});

test('a row that comes in between others costs no more than itself', () => {
  const log = logRows(60, 120, 2);
  const painter = new Painter(120, 40);
  painter.update(gridOf(log.slice(0, 38), 120, 40), null);
  const late = [...log.slice(1, 20), log[50] ?? '', ...log.slice(20, 38)];
  const bytes = Buffer.byteLength(painter.update(gridOf(late, 120, 40), null));
  assert.ok(bytes <= 155, `${bytes} B`);
});

test('two lists that scroll apart both scroll', () => {
  const log = logRows(60, 120, 2);
  const painter = new Painter(120, 40);
  const two = (a: number, b: number) => [...log.slice(a, a + 15), '────', ...log.slice(b, b + 20)];
  painter.update(gridOf(two(0, 25), 120, 40), null);
  const bytes = Buffer.byteLength(painter.update(gridOf(two(1, 24), 120, 40), null));
  assert.ok(bytes <= 310, `${bytes} B`);
});
