import { keptWords } from '../domain/kept.ts';
import type { LogRecord } from '../domain/log.ts';
import type { Gap, TimeRange } from '../domain/tail/coverage.ts';
import { readWindow, type WindowPart } from '../effects/read-window.ts';
import { serverClock } from '../effects/server-clock.ts';
import { say } from '../text/say.ts';
import { createSieve, type PartSource, type PrintedQuestion, sayComing, sayLimit } from './log-question.ts';
import type { LineFormat } from './printed-lines.ts';
import { endOf, failed, type Printer } from './printer.ts';
import { createProgressLine, progressText } from './progress.ts';
import type { Checkpoints } from './resume.ts';

/**
 * Slices in flight or held. The quota admits about two and a half requests a second, so that many keep it busy up to an
 * answer time of more than two seconds; each may hold an answer in memory.
 */
const SLICES_AT_ONCE = 5;

/** Rows that are handed to the reader in one piece; an interrupt ends between two of them. */
const PIECE = 1_000;

/** Prints a closed window in order of time; resolves to the exit code. */
export async function printWindow(
  o: Printer,
  reading: PrintedQuestion,
  lines: LineFormat,
  how: { source: PartSource; limit: number | null; resume: Checkpoints | null },
): Promise<number> {
  const { limit, resume } = how;
  const end = endOf(o);
  const sieve = createSieve(o, reading);
  let left = (limit ?? Number.POSITIVE_INFINITY) - (resume?.rows ?? 0);
  let printedTo = reading.range.from;

  async function put(text: string, to: number, rows: number): Promise<void> {
    if (resume === null) await o.write(text);
    else await resume.put(text, to, rows, o.write);
    printedTo = to;
  }

  /** The lines of a part, in pieces that end where no row of the same instant follows. */
  async function print(part: WindowPart, rows: readonly LogRecord[]): Promise<void> {
    let from = 0;
    for (const cut of [...cutsOf(rows, part.range), rows.length]) {
      if (end.signal.aborted) return;
      const piece = rows.slice(from, cut);
      const isLast = cut === rows.length;
      const gapText = isLast && part.gap !== null ? `${lines.gap(part.gap)}\n` : '';
      const text = piece.map((record) => `${lines.row(record)}\n`).join('');
      await put(
        text + gapText,
        isLast ? part.range.to : (rows[cut]?.timestamp ?? part.range.to),
        piece.length,
      );
      from = cut;
    }
  }

  const opening = [
    ...(lines.head === null ? [] : [lines.head]),
    ...(reading.gone === null ? [] : [lines.gap(reading.gone)]),
  ];
  if (!resume?.isGoingOn) await put(opening.map((text) => `${text}\n`).join(''), reading.range.from, 0);
  // One more than wanted tells whether there are more; what is decided here may need any number of rows.
  const most = limit === null || reading.hereText !== '' ? null : left + 1;
  for await (const part of how.source(most)) {
    if (end.signal.aborted) break;
    if (part.failure !== null) {
      if (resume === null) await o.write(part.gap === null ? '' : `${lines.gap(part.gap)}\n`);
      else resume.sayHow(part.range.from);
      return failed(o, part.failure);
    }
    const wanted = sieve.keep(part.records);
    if (wanted.length > left) {
      await print({ ...part, gap: null }, wanted.slice(0, left));
      resume?.finish();
      sayLimit(o, limit, 'row');
      return 0;
    }
    await print(part, wanted);
    left -= wanted.length;
    if (left === 0 && part.range.to < reading.range.to) {
      resume?.finish();
      sayLimit(o, limit, 'row', true);
      return 0;
    }
  }
  if (end.code !== null) {
    if (end.code !== 0) sayInterrupted(o, printedTo, resume);
    return end.code;
  }
  resume?.finish();
  sieve.say();
  if (reading.range.to > reading.range.from) sayComing(o, reading.range, serverClock(o, 'logging')());
  return 0;
}

/** A window of logs v2 as its parts, as wide as the quota allows, with progress where somebody watches. */
export function windowSource(o: Printer, reading: PrintedQuestion, range: TimeRange): PartSource {
  return async function* parts(most) {
    let requests = 0;
    let rows = 0;
    let readTo = range.from;
    let gone: Gap | null = null;
    const sayLost = () => {
      if (gone === null) return;
      progress.erase();
      sayGone(o, gone);
      gone = null;
    };
    const progress = createProgressLine(o, (times) =>
      progressText({ range, readTo, rows, requests, quota: o.client.logQuota(reading.zone.id), ...times }),
    );
    try {
      yield* watched(
        readWindow({
          pullZoneId: reading.zone.id,
          range,
          filter: reading.server,
          fetch: (request, { signal }) => o.client.logs(request, { priority: 'user', signal }),
          atOnce: most === null ? SLICES_AT_ONCE : 1,
          most,
          now: serverClock(o, 'logging'),
          onAnswer: () => {
            requests += 1;
          },
        }),
      );
    } finally {
      progress.end();
      sayLost();
    }

    async function* watched(read: AsyncIterable<WindowPart>): AsyncIterable<WindowPart> {
      for await (const part of read) {
        rows += part.records.length;
        readTo = part.range.to;
        // What became too old meanwhile may come in several parts, and is told once.
        if (part.gap?.reason === 'retention') gone = part.gap;
        else sayLost();
        // The message that follows a failure must not stand behind the line.
        if (part.failure === null) progress.show();
        else progress.erase();
        yield part;
      }
    }
  };
}

/** Says on standard error that a window reaches back further than is asked for; the gap itself is a line of the data. */
export function sayGone(o: Pick<Printer, 'stderr'>, gone: Gap): void {
  say(o.stderr, keptWords(gone.to, 'logs'));
}

/** Places where the rows may be cut so that time is cut there too; none when they are not in order of time. */
function cutsOf(rows: readonly LogRecord[], range: TimeRange): number[] {
  const cuts: number[] = [];
  let last = range.from;
  for (const [at, { timestamp }] of rows.entries()) {
    if (timestamp < last || timestamp >= range.to) return [];
    if (at - (cuts.at(-1) ?? 0) >= PIECE && timestamp > last) cuts.push(at);
    last = timestamp;
  }
  return cuts;
}

/** `printedTo`: Unix ms. */
export function sayInterrupted(
  o: Pick<Printer, 'stderr'>,
  printedTo: number,
  resume: Checkpoints | null = null,
): void {
  const to = new Date(printedTo).toISOString();
  say(o.stderr, `interrupted; everything before ${to} is printed`);
  resume?.sayHow(printedTo);
}
