import { withHistory } from '../../api/history-client.ts';
import type { Failure } from '../../domain/failure.ts';
import type { RowsAsked, Stored, StoreRead } from '../../domain/logs/log-history.ts';
import type { Term } from '../../domain/query/query.ts';
import { printTerm } from '../../domain/query/term-text.ts';
import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import { logHistory } from '../../store/history-log.ts';
import { say } from '../../text/say.ts';
import { bytes, counted, isoSecond } from '../../text/units.ts';
import { createFailures, endOf, type Printer, type StoreOpener } from '../printer.ts';
import type { CountedRows } from './log-groups.ts';
import { nameAmong, type PrintedQuestion, type ZoneQuestion } from './log-question.ts';
import { ofZone } from './merged-parts.ts';

/** The configured store; null where there is none or it cannot be opened, which is said. */
export async function storeBehind(o: Pick<Printer, 'history' | 'stderr'>): Promise<StoreOpener | null> {
  const opener = (await o.history?.()) ?? null;
  if (opener?.ok === false) say(o.stderr, opener.error.message, opener.error.hint);
  return opener?.ok ? opener.value : null;
}

export type StoredPart = ReturnType<typeof storedPart>;

/**
 * The store behind a printed log: rows come through the client, each page of one source. A store that does not answer
 * leaves its time as a gap, and the platform is still asked for the rest.
 */
export function storedPart(
  o: Printer,
  reading: PrintedQuestion,
  terms: readonly Term[],
  range: TimeRange,
  open: StoreOpener,
) {
  const failures = createFailures(o);
  const spent = { rows: 0, bytes: 0, answers: 0, hidden: 0 };
  let here: Stored['here'] = [];
  let isSaid = false;
  const history = logHistory({
    engine: '',
    name: '',
    clock: o.clock,
    async open() {
      const engine = await open(false);
      const { store, place } = engine;
      if (!isSaid)
        say(
          o.stderr,
          `HISTORY ${place.dialect}: ${isoSecond(range.from)} to ${isoSecond(range.to)} comes from the store ${store}`,
        );
      isSaid = true;
      return engine;
    },
  });
  const failed = (failure: Failure) => failures.say([{ zone: null, failure }]);
  const spend = (read: StoreRead) => {
    spent.answers++;
    spent.rows += read?.rows ?? 0;
    spent.bytes += read?.bytes ?? 0;
  };
  const named = ({ zone: id, ...gap }: Gap): Gap => {
    const of = reading.zones.find(({ zone }) => zone.id === id);
    return of === undefined ? gap : ofZone(gap, nameAmong(reading, of.zone));
  };
  return {
    /** Reads the log of the platform and of the store as one. */
    printer: { ...o, client: withHistory(o.client, history, { clock: o.clock }) },
    terms,
    failed,
    /** Takes what a store says besides its rows. */
    answered(stored: Stored): void {
      if (stored.failure !== undefined) return;
      spend(stored.read);
      spent.hidden += stored.hidden;
      here = stored.here;
    },
    /**
     * Its largest groups, the number of others, and what it lacks; null: it cannot count them, but its rows can be
     * read.
     */
    async groups(by: readonly string[], most: number): Promise<CountedRows | null> {
      const { signal } = endOf(o);
      const asked: RowsAsked = { zones: waysOf(reading.zones), range, terms };
      const answer = await history.groups(asked, by, most, signal);
      if (!answer.ok) {
        failed(answer.failure);
        const missing = { id: 'store', ...range, reason: 'failed', rows: null } as const;
        return {
          groups: [],
          others: { groups: 0, rows: 0 },
          gaps: reading.zones.map(({ zone }) => named({ ...missing, zone: zone.id })),
        };
      }
      if (answer.value === null) return null;
      const { groups, total, rows, gaps, read } = answer.value;
      spend(read);
      const known = groups.reduce((sum, group) => sum + group.count, 0);
      return {
        groups,
        others: { groups: total - groups.length, rows: rows - known },
        gaps: gaps.map(named),
      };
    },
    /** Says what was read and what was decided here; returns the exit code. */
    async conclude(): Promise<number> {
      if (spent.hidden > 0) {
        const why = here.map(({ term, why }) => `${printTerm(term)} (${why})`).join(', ');
        say(o.stderr, `hidden here ${counted(spent.hidden, 'row')} of the store, by ${why}`);
      }
      if (spent.rows > 0)
        say(
          o.stderr,
          `the store read ${counted(spent.rows, 'row')}, ${bytes(spent.bytes)}, for ${counted(spent.answers, 'answer')}`,
        );
      await history.close();
      return failures.code;
    },
  };
}

/** Zones that truncate addresses alike are one part of a question. */
function waysOf(zones: readonly ZoneQuestion[]): RowsAsked['zones'] {
  const ways = Map.groupBy(zones, ({ zone }) => zone.anonymisation);
  return [...ways].map(([anonymisation, of]) => ({ ids: of.map(({ zone }) => zone.id), anonymisation }));
}
