import type { LogRecord } from '../../src/domain/log.ts';
import type { LogBook } from '../../src/domain/logs/log-book.ts';
import { createCoder } from '../support/coded.ts';
import { row } from './log-rows.ts';

export const codedOf = createCoder();

/** Some blocks of rows, most of them in order; each is named by its id. */
export function someRows(first: number, count: number, spread: number): LogRecord[] {
  return Array.from({ length: count }, (_, i) => {
    const n = first + i;
    const path = `/item/${(n * 7919) % 97}`;
    return row({
      timestamp: 10 * n - (n % 5 === 0 ? ((n * 31) % 97) * spread : 0),
      requestId: n.toString(16).padStart(32, '0'),
      cacheStatus: n % 3 === 0 ? 'HIT' : 'MISS',
      statusCode: n % 11 === 0 ? 503 : 200,
      ...{ scheme: 'https', host: 'a.example', path, url: `https://a.example${path}` },
    });
  });
}

/** In batches as large as the coder takes. */
export function fill(book: LogBook, count: number, spread: number, first = 0): void {
  for (let n = first; n < first + count; n += 1_000)
    book.append([{ coded: codedOf(someRows(n, 1_000, spread)), late: null }]);
}
