import type { LogRecord } from '../domain/log.ts';
import type { Gap } from '../domain/tail/coverage.ts';
import type { LineFormat } from './log-lines.ts';

/** Text that may wait for a slow reader, in characters; what comes beyond is dropped and told as a gap. */
const WAITING_MOST = 8_000_000;

/** Lines for a reader that may be slow: what cannot wait in memory is dropped, and a gap says so once there is room. */
export function createBoundedOutput(
  send: (text: string) => Promise<void>,
  lines: LineFormat,
  most = WAITING_MOST,
) {
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  let dropped: Gap | null = null;

  function write(text: string): void {
    if (text === '') return;
    waiting += text.length;
    last = send(text).then(() => {
      waiting -= text.length;
    });
  }
  function tellDropped(): void {
    if (dropped === null) return;
    write(`${lines.gap(dropped)}\n`);
    dropped = null;
  }
  const textOf = (records: readonly LogRecord[]) =>
    records.map((record) => `${lines.row(record)}\n`).join('');

  return {
    add(records: readonly LogRecord[]): void {
      if (records.length === 0) return;
      if (waiting <= most) {
        tellDropped();
        write(textOf(records));
        return;
      }
      for (const { timestamp } of records) {
        dropped = {
          id: 'slow reader',
          from: Math.min(dropped?.from ?? timestamp, timestamp),
          to: Math.max(dropped?.to ?? 0, timestamp + 1),
          reason: 'overload',
          rows: (dropped?.rows ?? 0) + 1,
        };
      }
    },
    /** Gaps are few and short, so they always find room. */
    addGaps(gaps: readonly Gap[]): void {
      write(gaps.map((gap) => `${lines.gap(gap)}\n`).join(''));
    },
    /** Waits until the reader has taken the rows. */
    flush: (records: readonly LogRecord[]): Promise<void> => send(textOf(records)),
    async done(): Promise<void> {
      tellDropped();
      await last;
    },
  };
}
