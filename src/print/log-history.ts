import type { LogRecord } from '../domain/log.ts';
import type { LogGroup } from '../domain/logs/groups/log-group.ts';
import type { RowPlace, RowsAsked } from '../domain/logs/log-history.ts';
import type { Query } from '../domain/query/query.ts';
import { printTerm } from '../domain/query/term-text.ts';
import { firstWhere } from '../domain/sorted.ts';
import type { Gap, TimeRange } from '../domain/tail/coverage.ts';
import type { Anonymisation } from '../domain/zone.ts';
import { LARGEST_PAGE } from '../effects/read-window.ts';
import { gapsOf, notesOf } from '../store/coverage.ts';
import { StoreFailure } from '../store/engines/store-failure.ts';
import { type History, openHistory } from '../store/history.ts';
import { say } from '../text/say.ts';
import { bytes, counted } from '../text/units.ts';
import { nameAmong, type PartSource, type PrintedQuestion, type ZoneQuestion } from './log-question.ts';
import { ofZone, type PrintedPart } from './merged-parts.ts';
import { endOf, type Printer, type StoreOpener } from './printer.ts';
import { createProgressLine, progressText } from './progress.ts';
import { sayFailure } from './store-guard.ts';

/** The part of a window that a store answers. */
export type StoredPart = {
  /** Its rows in order of time, in pieces that end between two instants. */
  source: (range: TimeRange) => PartSource;
  /** What is not known to be whole of it, of each zone. */
  gaps: readonly Gap[];
  /** Its groups, and how many rows are in none of those; null: they cannot be counted there, but its rows can be read. */
  groups: (by: readonly string[], most: number) => Promise<{ groups: LogGroup[]; others: number } | null>;
  /** Says what was read, and what was decided here; the exit code. */
  conclude: () => Promise<number>;
};

/** A store that does not answer leaves its time as a gap: the platform is asked for the rest all the same. */
export async function storedPart(
  o: Printer,
  reading: PrintedQuestion,
  { terms }: Query,
  { range, open }: { range: TimeRange; open: StoreOpener },
): Promise<StoredPart> {
  const { signal } = endOf(o);
  const asked: RowsAsked = { zones: waysOf(reading.zones), range, terms };
  const spent = { rows: 0, bytes: 0, answers: 0, hidden: 0, kept: 0 };
  let code = 0;
  const failed = (error: unknown) => {
    if (!(error instanceof StoreFailure)) throw error;
    code = sayFailure(o, error);
  };
  const spend = (read: { rows: number; bytes: number } | null) => {
    spent.answers++;
    spent.rows += read?.rows ?? 0;
    spent.bytes += read?.bytes ?? 0;
  };
  const missing = (from: number, to: number): Gap[] =>
    from >= to
      ? []
      : reading.zones.map(({ zone }) =>
          ofZone({ id: 'store', from, to, reason: 'failed', rows: null }, nameAmong(reading, zone)),
        );
  let history: History | null = null;
  let gaps: Gap[] = [];
  try {
    const engine = await open(false);
    history = await openHistory(engine, signal);
    const notes = await notesOf(
      engine,
      reading.zones.map(({ zone }) => zone.id),
      range,
      signal,
    );
    gaps = reading.zones.flatMap(({ zone }) =>
      gapsOf(notes, zone.id, range).map((gap) => ofZone(gap, nameAmong(reading, zone))),
    );
    say(
      o.stderr,
      `HISTORY ${engine.place.dialect}: ${iso(range.from)} to ${iso(range.to)} comes from the store ${engine.store}`,
    );
  } catch (error) {
    failed(error);
    gaps = missing(range.from, range.to);
  }

  async function* rows(part: TimeRange, most: number | null): AsyncGenerator<PrintedPart> {
    if (history === null) return;
    const within = { ...asked, range: part };
    const isShort = most !== null && most < LARGEST_PAGE;
    const limit = isShort ? Math.max(1, most) : LARGEST_PAGE;
    let after: RowPlace | null = null;
    let from = part.from;
    // Rows of the newest instant read: the next page may have more of them.
    let held: LogRecord[] = [];
    const progress = createProgressLine(o, (times) =>
      progressText({
        range: part,
        readTo: from,
        rows: spent.kept,
        requests: spent.answers,
        ...NO_QUOTA,
        ...times,
      }),
    );
    try {
      do {
        const page = await history.page(within, { order: 'oldest', after, limit }, signal);
        spend(page.read);
        spent.hidden += page.hidden;
        spent.kept += page.records.length;
        after = page.next;
        const all = [...held, ...page.records];
        const to = after === null ? part.to : after.timestamp;
        const cut = after === null ? all.length : all.findIndex(({ timestamp }) => timestamp >= to);
        const whole = cut < 0 ? all : all.slice(0, cut);
        held = cut < 0 ? [] : all.slice(cut);
        progress.show();
        yield { range: { from, to }, records: whole, gaps: [], failures: [] };
        from = to;
      } while (after !== null);
    } catch (error) {
      progress.end();
      if (signal.aborted) return;
      failed(error);
      yield { range: { from, to: part.to }, records: [], gaps: missing(from, part.to), failures: [] };
    } finally {
      progress.end();
    }
  }

  return {
    gaps,
    source: (part) => (most) => rows(part, most),
    async groups(by, most) {
      if (history === null) return { groups: [], others: 0 };
      try {
        const answer = await history.groups(asked, by, most, signal);
        if (answer === null) return null;
        spend(answer.read);
        const known = answer.groups.reduce((sum, group) => sum + group.count, 0);
        return { groups: answer.groups, others: answer.rows - known };
      } catch (error) {
        if (signal.aborted) return { groups: [], others: 0 };
        failed(error);
        return { groups: [], others: 0 };
      }
    },
    async conclude() {
      if (history === null) return code;
      const here = history.decidedHere(asked);
      if (spent.hidden > 0) {
        const why = here.map(({ term, why }) => `${printTerm(term)} (${why})`).join(', ');
        say(o.stderr, `hidden here ${counted(spent.hidden, 'row')} of the store, by ${why}`);
      }
      if (spent.rows > 0)
        say(
          o.stderr,
          `the store read ${counted(spent.rows, 'row')}, ${bytes(spent.bytes)}, for ${counted(spent.answers, 'answer')}`,
        );
      await history.engine.close();
      return code;
    },
  };
}

/** The store's part of a window before the platform's. */
export function joinedSource(
  stored: StoredPart,
  range: TimeRange,
  split: number,
  rest: (range: TimeRange) => PartSource,
): PartSource {
  return async function* parts(most) {
    let left = most;
    if (range.from < split) {
      const part = { from: range.from, to: Math.min(split, range.to) };
      for await (const each of withGaps(stored.source(part)(most), stored.gaps, part)) {
        if (left !== null) left = Math.max(0, left - each.records.length);
        yield each;
      }
    }
    if (range.to > split) yield* rest({ from: Math.max(range.from, split), to: range.to })(left);
  };
}

/** The parts, cut where a gap ends, so that it stands behind the rows of its time; what ended before was told before. */
async function* withGaps(
  parts: AsyncIterable<PrintedPart>,
  all: readonly Gap[],
  range: TimeRange,
): AsyncGenerator<PrintedPart> {
  const gaps = all.filter(({ to }) => to > range.from).sort((a, b) => a.to - b.to);
  let next = 0;
  let from = range.from;
  for await (const part of parts) {
    let at = 0;
    while (next < gaps.length && (gaps[next] as Gap).to <= part.range.to) {
      const { to } = gaps[next] as Gap;
      const here = gaps.slice(next).filter((gap) => gap.to === to);
      const end = firstWhere(at, part.records.length, (n) => (part.records[n]?.timestamp ?? 0) >= to);
      yield { range: { from, to }, records: part.records.slice(at, end), gaps: here, failures: [] };
      [at, from, next] = [end, to, next + here.length];
    }
    yield { ...part, range: { from, to: part.range.to }, records: part.records.slice(at) };
    from = part.range.to;
  }
  if (next < gaps.length)
    yield { range: { from, to: range.to }, records: [], gaps: gaps.slice(next), failures: [] };
}

/** Zones that cut addresses alike are one part of a question. */
function waysOf(zones: readonly ZoneQuestion[]): RowsAsked['zones'] {
  const ways = new Map<Anonymisation, string[]>();
  for (const { zone } of zones)
    ways.set(zone.anonymisation, [...(ways.get(zone.anonymisation) ?? []), zone.id]);
  return [...ways].map(([anonymisation, ids]) => ({ ids, anonymisation }));
}

const NO_QUOTA = { quota: { used: 0, cap: 0, isSpent: false, frozenUntil: null, degraded: false } } as const;

function iso(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
