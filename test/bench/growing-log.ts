import { appendFileSync, writeFileSync } from 'node:fs';
import type { Terminal } from '../support/terminal.ts';

const FIRST_ROWS = 2000;
/** Rows are written this often, ms: as a server that flushes its log. */
const WRITE_EVERY = 20;

/** How a row tells its number, and the check of it. */
const TOLD = /\/row-(\d{7})-(\d\d)/g;
/** A row of the log, on a screen. */
export const ROW = /\/row-\d{7}-\d\d/;

/** The newest row on the screen, -1 = none. It may be half drawn: what was put together of two rows fails its check. */
export function newestRow(terminal: Terminal): number {
  let newest = -1;
  for (const [, number, check] of terminal.text().matchAll(TOLD)) {
    if (checkOf(Number(number)) === check) newest = Math.max(newest, Number(number));
  }
  return newest;
}

function checkOf(row: number): string {
  return String((row * 37) % 97).padStart(2, '0');
}

/** Lines of v1 that tell their own number, and when each of them was written. */
export class GrowingLog {
  readonly file: string;
  rows = 0;
  readonly #written: number[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(file: string) {
    this.file = file;
    writeFileSync(file, '');
    this.#append(FIRST_ROWS);
  }

  grow(rate: number): void {
    const from = performance.now();
    const before = this.rows;
    this.#timer = setInterval(() => {
      const due = before + Math.floor(((performance.now() - from) * rate) / 1000);
      this.#append(due - this.rows);
    }, WRITE_EVERY);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  writtenAt(row: number): number {
    return this.#written[row] ?? Number.NaN;
  }

  #append(count: number): void {
    const lines = Array.from({ length: count }, (_, i) => lineOf(this.rows + i));
    appendFileSync(this.file, lines.join(''));
    const now = performance.now();
    for (let i = 0; i < count; i += 1) this.#written.push(now);
    this.rows += count;
  }
}

function lineOf(row: number): string {
  const [cache, status] = row % 7 === 0 ? ['MISS', 502] : ['HIT', 200];
  const path = `/row-${String(row).padStart(7, '0')}-${checkOf(row)}`;
  const id = String(row).padStart(32, '0');
  const address = `192.0.2.${row % 250}`;
  return `${cache}|${status}|${Date.now()}|${1000 + (row % 900)}|7|${address}|-|https://shop.example${path}|WA|Mozilla/5.0 (X11; Linux x86_64)|${id}|DE\n`;
}
