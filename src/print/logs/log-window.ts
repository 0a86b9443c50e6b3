import type { LogRecord } from '../../domain/log.ts';
import { keptSince, keptWords } from '../../domain/log-retention.ts';
import type { QuotaSnapshot } from '../../domain/request-event.ts';
import { storedCommand } from '../../domain/storage/log-parts.ts';
import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import type { PullZone } from '../../domain/zone.ts';
import { LARGEST_PAGE, readWindow, type WindowPart } from '../../effects/read-window.ts';
import { serverClock } from '../../effects/server-clock.ts';
import { say } from '../../text/say.ts';
import type { LineFormat } from '../printed-lines.ts';
import { createFailures, endOf, FAILED, type Printer, remark } from '../printer.ts';
import { createProgressLine, progressText } from '../progress.ts';
import {
  createSieve,
  goneGaps,
  isSettled,
  nameAmong,
  type PartSource,
  type PrintedQuestion,
  sayComing,
  sayLimit,
  type ZoneQuestion,
} from './log-question.ts';
import { mergedParts, type Patience, type PrintedPart, type ZoneParts } from './merged-parts.ts';
import type { Checkpoints } from './resume.ts';
import type { StoredPart } from './stored-window.ts';

/**
 * Slices of a zone in flight or held. The quota of a zone admits about two and a half requests a second, and this
 * many keep it busy up to answer times of more than two seconds.
 */
const SLICES_AT_ONCE = 5;

/** Rows of all slices in flight or held together, as long as each zone can ask for some at once. */
const ROWS_HELD = SLICES_AT_ONCE * LARGEST_PAGE;
const LEAST_PAGE = 500;

/** Rows written in one piece; an interrupt ends between two pieces. */
const PIECE = 1_000;

/** Prints a closed window in order of time; resolves to the exit code. */
export async function printWindow(
  o: Omit<Printer, 'client'>,
  reading: Omit<PrintedQuestion, 'zones'> & { zones: readonly ZoneQuestion[] },
  lines: LineFormat,
  how: {
    source: PartSource;
    limit: number | null;
    resume: Checkpoints | null;
    /** The server's time. */
    now: () => number;
    /** Whether the search for one more row may take for ever. */
    isEndless?: boolean;
    /** The parts come newest first, so that a limit is reached in time of which rows may still come. */
    isNewestFirst?: boolean;
    /** What an interrupt leaves undone, with the rows printed up to a time (Unix ms). */
    undone?: (printedTo: number) => string;
  },
): Promise<number> {
  const { limit, resume, isNewestFirst = false } = how;
  const undone = how.undone ?? (isNewestFirst ? newerWords : printedWords);
  const end = endOf(o);
  const sieve = createSieve(o, reading);
  const failures = createFailures(o);
  let left = (limit ?? Number.POSITIVE_INFINITY) - (resume?.rows ?? 0);
  let printedTo = isNewestFirst ? reading.range.to : reading.range.from;
  let given = 0;
  let gaps = 0;

  async function put(text: string, to: number, rows: number): Promise<void> {
    if (resume === null) await o.write(text);
    else await resume.put(text, to, rows, o.write);
    printedTo = to;
  }

  function told(isWhole: boolean): void {
    const { range } = reading;
    o.covered?.({ of: 'rows', range, read: sieve.read, total: null, given: given + gaps, gaps, isWhole });
  }

  /** The lines of a part, in pieces that end where no row of the same instant follows. */
  async function print(part: PrintedPart, rows: readonly LogRecord[]): Promise<void> {
    let from = 0;
    for (const cut of [...cutsOf(rows, part.range), rows.length]) {
      if (end.signal.aborted) return;
      const piece = rows.slice(from, cut);
      const isLast = cut === rows.length;
      const gapText = isLast ? part.gaps.map((gap) => `${lines.gap(gap)}\n`).join('') : '';
      const text = piece.map((record) => `${lines.row(record)}\n`).join('');
      await put(
        text + gapText,
        isNewestFirst ? part.range.from : isLast ? part.range.to : (rows[cut]?.timestamp ?? part.range.to),
        piece.length,
      );
      from = cut;
      given += piece.length;
      if (isLast) gaps += part.gaps.length;
      if (part.gaps.some(({ reason }) => reason === 'strays')) failures.add(FAILED);
    }
  }

  /** After as many rows as the limit allows. */
  function atLimit(more?: 'there may be more'): number {
    resume?.finish();
    sayLimit(o, limit, 'row', more);
    if (isNewestFirst) sayComing(o, reading.range, how.now());
    told(false);
    return failures.code;
  }

  const gone = goneGaps(reading);
  gaps += gone.length;
  const opening = [...(lines.head === null ? [] : [lines.head]), ...gone.map(lines.gap)];
  if (!resume?.isGoingOn) await put(opening.map((text) => `${text}\n`).join(''), reading.range.from, 0);
  // One more than wanted shows whether there are more; terms decided here may need any number of rows.
  const most = limit === null || reading.hereText !== '' ? null : left + 1;
  for await (const part of how.source(most)) {
    if (end.signal.aborted) break;
    const wanted = sieve.keep(part.records);
    if (wanted.length > left) {
      await print({ ...part, gaps: [] }, wanted.slice(0, left));
      return atLimit();
    }
    // What is resumed later has no gap where it stopped.
    const isStopped = resume !== null && part.failures.length > 0;
    await print(isStopped ? { ...part, gaps: [] } : part, wanted);
    if (isStopped) resume.sayHow();
    failures.say(part.failures);
    if (isStopped) return failures.code;
    left -= wanted.length;
    const isMore = isNewestFirst ? part.range.from > reading.range.from : part.range.to < reading.range.to;
    if (left === 0 && (how.isEndless || isMore)) return atLimit('there may be more');
  }
  const ended = end.told(`interrupted; ${undone(printedTo)}`);
  if (ended !== null) {
    if (ended !== 0) resume?.sayHow();
    return ended;
  }
  resume?.finish();
  sieve.say();
  if (failures.code === 0 && reading.range.to > reading.range.from) sayComing(o, reading.range, how.now());
  told(failures.code === 0 && gaps === 0 && isSettled(reading.range, how.now()));
  return failures.code;
}

/** How the parts of a zone are read, where something happens to them before they are merged. */
export type WindowHow = {
  patience?: Patience;
  through?: (zone: ZoneQuestion, parts: AsyncIterable<WindowPart>) => AsyncIterable<WindowPart>;
  /**
   * Set where a store has a part of the window, with whether a gap that continues from part to part is written as
   * one. That comes late, so not where the reading may stop in between.
   */
  stored?: (StoredPart & { isJoined: boolean }) | undefined;
};

/** A window of logs v2 in parts, as wide as the quota of each zone allows, with progress where somebody watches. */
export function windowSource(
  o: Printer,
  reading: PrintedQuestion,
  range: TimeRange,
  { patience, through = (_zone, parts) => parts, stored }: WindowHow = {},
): PartSource {
  return async function* parts(most) {
    let requests = 0;
    let rows = 0;
    let readTo = range.from;
    let gone: Gap | null = null;
    const sayLost = () => {
      if (gone === null) return;
      progress.erase();
      sayGone(o, reading, gone);
      gone = null;
    };
    const progress = createProgressLine(o, (times) =>
      progressText({ range, readTo, rows, requests, quota: quotaOf(o, reading), ...times }),
    );
    const page = Math.max(LEAST_PAGE, Math.floor(LARGEST_PAGE / reading.zones.length));
    const atOnce = Math.max(
      1,
      Math.min(SLICES_AT_ONCE, Math.floor(ROWS_HELD / (page * reading.zones.length))),
    );
    const zones = reading.zones.map((each): ZoneParts => {
      const { zone, server } = each;
      const read = readWindow({
        pullZoneId: zone.id,
        range,
        filter: server,
        fetch: (request, { signal }) =>
          o.client.logs(
            stored
              ? { ...request, history: { terms: stored.terms, anonymisation: zone.anonymisation } }
              : request,
            {
              priority: 'user',
              signal,
            },
          ),
        isStored: stored !== undefined,
        onStoreFailure: stored?.failed,
        atOnce: most === null ? atOnce : 1,
        page,
        most,
        now: serverClock(o, 'logging'),
        onAnswer: (_, answer) => {
          requests += 1;
          if (answer.stored !== undefined) stored?.answered(answer.stored);
        },
      });
      return { zone: nameAmong(reading, zone), parts: through(each, read) };
    });
    try {
      const merged = watched(mergedParts(zones, patience));
      yield* stored?.isJoined ? joinedGaps(merged) : merged;
    } finally {
      progress.end();
      sayLost();
    }

    async function* watched(read: AsyncIterable<PrintedPart>): AsyncIterable<PrintedPart> {
      for await (const part of read) {
        rows += part.records.length;
        readTo = Math.max(readTo, part.range.to);
        // What became too old meanwhile may come in several parts, and is reported once.
        const lost = stored ? undefined : part.gaps.find(({ reason }) => reason === 'retention');
        if (lost) gone = lost;
        else sayLost();
        // The message after a failure must not stand behind the line.
        if (part.failures.length === 0) progress.show();
        else progress.erase();
        yield part;
      }
    }
  };
}

/** The time read first, ms: where few rows are wanted it may be full of them. */
const FIRST_STEP = 60_000;
const FIRST_OF_FEW = 5_000;
/** Rows of a step, which are in memory. */
const ROWS_OF_STEP = 5_000;
const STEP_GROWTH = 8;

/**
 * A window newest first: in steps from its end, each read in order of time as ever, and turned round. After a failure the
 * older time is one gap of all zones, and the reading ends.
 */
export function newestFirst(reading: PrintedQuestion, source: (range: TimeRange) => PartSource): PartSource {
  const { range } = reading;
  return async function* parts(most) {
    let span = most === null ? FIRST_STEP : FIRST_OF_FEW;
    for (let { to } = range; to > range.from; ) {
      const step = { from: Math.max(range.from, to - span), to };
      const part = await turned(step, source(step)(null));
      const [gap] = part.failures.length === 0 ? [] : part.gaps;
      const older: Gap[] =
        gap === undefined || step.from === range.from
          ? []
          : goneGaps({ ...reading, gone: { ...gap, ...range, to: step.from, rows: null } });
      yield { ...part, gaps: [...part.gaps, ...older] };
      if (part.failures.length > 0) return;
      const wanted = (span * ROWS_OF_STEP) / Math.max(1, part.records.length);
      span = Math.max(1, Math.floor(Math.min(wanted, span * STEP_GROWTH)));
      to = step.from;
    }
  };
}

async function turned(range: TimeRange, parts: AsyncIterable<PrintedPart>): Promise<PrintedPart> {
  const all = (await Array.fromAsync(parts)).reverse();
  return {
    range,
    records: all.flatMap(({ records }) => records.toReversed()),
    gaps: all.flatMap(({ gaps }) => gaps.toReversed()),
    failures: all.flatMap(({ failures }) => failures),
  };
}

/** A gap that continues in the next part is written once, where it ends. */
async function* joinedGaps(parts: AsyncIterable<PrintedPart>): AsyncGenerator<PrintedPart> {
  let held: Gap[] = [];
  for await (const part of parts) {
    const over: Gap[] = [];
    const gaps = [...part.gaps];
    for (const gap of held) {
      const at = gaps.findIndex(
        ({ from, reason, zone }) => from === gap.to && reason === gap.reason && zone === gap.zone,
      );
      const next = gaps[at];
      if (next === undefined) over.push(gap);
      else gaps[at] = { ...next, from: gap.from, rows: null };
    }
    const { from, to } = part.range;
    if (over.length > 0) yield { range: { from, to: from }, records: [], gaps: over, failures: [] };
    const isLast = part.failures.length > 0;
    held = isLast ? [] : gaps.filter((gap) => gap.to === to);
    yield { ...part, gaps: gaps.filter((gap) => !held.includes(gap)) };
  }
  const end = held.at(-1)?.to ?? 0;
  if (held.length > 0) yield { range: { from: end, to: end }, records: [], gaps: held, failures: [] };
}

/** The quota that delays the reading longest. */
function quotaOf({ client }: Pick<Printer, 'client'>, { zones }: PrintedQuestion): QuotaSnapshot {
  const holdOf = (each: QuotaSnapshot) => each.frozenUntil ?? (each.isSpent ? each.used / each.cap : 0);
  const [first, ...others] = zones.map(({ zone }) => client.logQuota(zone.id)) as [QuotaSnapshot];
  return others.reduce((most, each) => (holdOf(each) > holdOf(most) ? each : most), first);
}

/** Says on standard error that a window reaches back further than is kept; the gap itself is a line of the data. */
export function sayGone(o: Pick<Printer, 'stderr'>, { zones }: PrintedQuestion, gone: TimeRange): void {
  const older = olderWords(
    zones.map(({ zone }) => zone),
    gone,
  );
  sayKept(o, keptWords(gone.to, 'logs'), older);
}

/** `older`: the command that loads what is no longer kept, naming zones. */
export function sayKept(
  o: Pick<Printer, 'stderr' | 'remarked'>,
  kept: string,
  older: readonly string[],
): void {
  if (older.length === 0) remark(o, kept);
  else say(o.stderr, kept, ...older);
}

/** Where the platform stores rows for good that the logging API no longer keeps. */
export function olderWords(zones: readonly PullZone[], gone: TimeRange): string[] {
  // A window of all that is kept begins a minute too early, and that minute is worth no word.
  const command = gone.from < keptSince(gone.to) ? storedCommand(zones, gone) : null;
  return command === null ? [] : [`older logs are in permanent storage; ${command} loads them into a store`];
}

/** The places where the rows may be cut so that time is cut there, too; none when they are out of order. */
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

function newerWords(printedTo: number): string {
  return `everything since ${new Date(printedTo).toISOString()} is printed`;
}

/** What an interrupt leaves printed. `printedTo`: Unix ms. */
export function printedWords(printedTo: number): string {
  return `everything before ${new Date(printedTo).toISOString()} is printed`;
}
