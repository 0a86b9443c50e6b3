import { type FailureKind, failureOf, type Result } from '../domain/failure.ts';
import type { Counted, LogHistory, RowsAsked } from '../domain/logs/log-history.ts';
import { type Gap, isLacking, type TimeRange, without } from '../domain/tail/coverage.ts';
import type { Clock } from '../time/clock.ts';
import type { Engine } from './engines/engine.ts';
import { StoreFailure, type StoreFailureKind } from './engines/store-failure.ts';
import { type History, openHistory } from './history.ts';
import { notedGaps, notesOf } from './noted-coverage.ts';

/** A store that nobody has asked for so long is closed, ms: one that is a file cannot be written while it is open. */
const IDLE = 2_000;

/** What becomes of the failures of a store where those of the platform are told. */
const KINDS: Readonly<Record<StoreFailureKind, FailureKind>> = {
  away: 'storeAway',
  unsure: 'storeAway',
  busy: 'storeAway',
  locked: 'storeAway',
  slow: 'storeSlow',
  large: 'storeSlow',
  huge: 'storeSlow',
  refused: 'storeRefused',
  forbidden: 'storeRefused',
  missing: 'storeFailed',
  version: 'storeFailed',
  outdated: 'storeFailed',
  full: 'storeFailed',
  absent: 'storeFailed',
  untrusted: 'storeFailed',
  shared: 'storeFailed',
  other: 'storeFailed',
};

/** The store that `open` opens as a source of logs: opened by its first question, and closed once nobody asks it. */
export function logHistory(o: {
  engine: string;
  name: string;
  open: () => Promise<Engine>;
  clock: Clock;
}): LogHistory {
  let opening: Promise<History> | null = null;
  let asking = 0;
  let stopWaiting = () => {};

  function opened(): Promise<History> {
    opening ??= o.open().then(openHistory);
    return opening;
  }

  async function close(): Promise<void> {
    stopWaiting();
    const closing = opening;
    opening = null;
    const history = await closing?.catch(() => null);
    await history?.engine.close();
  }

  /** An answer of the store, or why there is none. */
  async function asked<T>(
    signal: AbortSignal | undefined,
    work: (history: History) => Promise<T>,
  ): Promise<Result<T>> {
    stopWaiting();
    asking += 1;
    try {
      signal?.throwIfAborted();
      return { ok: true, value: await work(await opened()) };
    } catch (error) {
      if (signal?.aborted) return { ok: false, failure: failureOf('cancelled', { host: o.name }) };
      if (!(error instanceof StoreFailure)) throw error;
      // What was opened may be what is broken.
      void close();
      const detail = `${error.message} ${error.next}`;
      return { ok: false, failure: failureOf(KINDS[error.kind], { host: o.name, detail }) };
    } finally {
      asking -= 1;
      if (asking === 0) stopWaiting = o.clock.after(IDLE, () => void close());
    }
  }

  return {
    engine: o.engine,
    name: o.name,
    page: (rows, page, signal) =>
      asked(signal, async (history) => {
        // Before the rows: what is noted as read is there by then.
        const gaps = await gapsIn(history.engine, rows, signal);
        const here = history.decidedHere(rows);
        return { gaps, here, ...(await history.page(rows, page, signal)) };
      }),
    groups: (rows, by, most, signal) =>
      asked(signal, async (history) => {
        const known = await knownPart(history.engine, rows, signal);
        const groups = await history.groups(known.rows, by, most, signal);
        return groups && { ...known.about, ...groups };
      }),
    values: (rows, fields, most, signal) =>
      asked(signal, async (history) => {
        const gaps = await gapsIn(history.engine, rows, signal);
        const of = { kind: 'values', fields, most, sums: false, mayLack: true } as const;
        const answer = await history.count(rows, of, signal);
        return answer?.counts.kind === 'values' ? { ...answer.counts, gaps, read: answer.read } : null;
      }),
    steps: (rows, steps, series, signal) =>
      asked(signal, async (history) => {
        const known = await knownPart(history.engine, rows, signal);
        const counted = await history.steps(known.rows, steps, series, signal);
        return counted && { ...known.about, ...counted };
      }),
    count: ({ pullZoneId, from, to, counts: { terms, anonymisation, of } }, signal) =>
      asked(signal, async (history) => {
        const rows = { zones: [{ ids: [pullZoneId], anonymisation }], range: { from, to }, terms };
        const refusal = history.refusal(rows, of);
        if (refusal !== null) return { refusal, read: null };
        const gaps = await gapsIn(history.engine, rows, signal);
        const but = fewer(gaps.filter(isLacking), GAPS_MOST);
        const answer = await history.count({ ...rows, but }, of, signal);
        if (answer === null) return { refusal: 'the engine cannot', read: null };
        const imported = gaps.filter((gap) => !isLacking(gap));
        return { ...answer, covered: but.reduce((left, gap) => without(left, gap), [rows.range]), imported };
      }),
    close,
  };
}

/** Gaps that one question leaves out; of more of them those that are nearest to each other count as one. */
const GAPS_MOST = 100;

function fewer(gaps: readonly TimeRange[], most: number): TimeRange[] {
  const between = gaps.slice(1).map(({ from }, at) => from - (gaps[at]?.to ?? from));
  const widest = new Set(
    between
      .map((length, at) => ({ length, at: at + 1 }))
      .sort((a, b) => b.length - a.length)
      .slice(0, most - 1)
      .map(({ at }) => at),
  );
  const merged: TimeRange[] = [];
  gaps.forEach(({ from, to }, at) => {
    const last = merged.at(-1);
    if (last === undefined || (widest.has(at) && from > last.to)) merged.push({ from, to });
    else last.to = Math.max(last.to, to);
  });
  return merged;
}

/** What is counted of a time, of which another source may have the rest: none of its rows is in both. */
async function knownPart(
  engine: Engine,
  rows: RowsAsked,
  signal?: AbortSignal,
): Promise<{ rows: RowsAsked; about: Pick<Counted, 'to' | 'gaps'> }> {
  const gaps = await gapsIn(engine, rows, signal);
  const { from, to: end } = rows.range;
  const to =
    rows.sharedFrom === undefined ? end : Math.max(rows.sharedFrom, wholeTo(gaps.filter(isLacking), end));
  const before = gaps.filter((gap) => gap.from < to).map((gap) => ({ ...gap, to: Math.min(gap.to, to) }));
  return { rows: { ...rows, range: { from, to } }, about: { to, gaps: before } };
}

/** Where the time begins of which the newest rows of a zone are not known to be there. */
function wholeTo(gaps: readonly Gap[], end: number): number {
  const zones = Map.groupBy(gaps, ({ zone }) => zone);
  const ends = [...zones.values()].map((own) =>
    own.toSorted((a, b) => b.to - a.to).reduce((to, gap) => (gap.to === to ? gap.from : to), end),
  );
  return Math.min(end, ...ends);
}

async function gapsIn(engine: Engine, { zones, range }: RowsAsked, signal?: AbortSignal): Promise<Gap[]> {
  const ids = zones.flatMap((each) => each.ids);
  const notes = await notesOf(engine, ids, range, signal);
  return notedGaps(notes, ids, range);
}
