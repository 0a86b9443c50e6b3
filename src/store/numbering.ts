import type { LogRecord } from '../domain/log.ts';
import { rowHash, type StoredRow, storedRow, twinOf } from './sql/stored-row.ts';

/** Rows without an id that are remembered at least, some 100 MB: equal ones of a source that is in order of time are next to each other. */
const REMEMBERED = 1_000_000;

/**
 * Numbers equal rows of a source that have no request id, such as a file: there each is a request of its own, however far apart they
 * are. The n-th of one source is the n-th of another, so that none is stored twice where sources overlap or one is read again.
 * `onForgotten`: told once where rows come so far out of order that equal ones may no longer be known, and count as one.
 */
export function createNumbering(
  o: { remembered?: number; onForgotten?: () => void } = {},
): (record: LogRecord) => StoredRow {
  const { remembered = REMEMBERED, onForgotten = () => {} } = o;
  let [recent, before] = [new Map<number, number>(), new Map<number, number>()];
  /** The newest time of what is remembered in either, and of what no longer is. */
  let [recentTo, beforeTo, forgottenTo] = [0, 0, 0];
  let isTold = false;
  return (record) => {
    if ((record.requestId ?? '') !== '') return storedRow(record);
    const hash = rowHash(record);
    const key = Number.parseInt(hash.slice(0, DIGITS), 16);
    const known = recent.get(key) ?? before.get(key);
    if (known === undefined && record.timestamp <= forgottenTo && !isTold) {
      isTold = true;
      onForgotten();
    }
    recent.set(key, (known ?? 0) + 1);
    recentTo = Math.max(recentTo, record.timestamp);
    if (recent.size === remembered) {
      forgottenTo = Math.max(forgottenTo, beforeTo);
      [recent, before] = [new Map(), recent];
      [recentTo, beforeTo] = [0, recentTo];
    }
    return storedRow(record, twinOf(hash, known ?? 0));
  };
}

/** Hex digits of a hash that a number holds. */
const DIGITS = 13;
