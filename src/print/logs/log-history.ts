import { withHistory } from '../../api/history-client.ts';
import type { Failure } from '../../domain/failure.ts';
import type { LogGroup } from '../../domain/logs/groups/log-group.ts';
import type { LogHistory, RowsAsked, Stored, StoreRead } from '../../domain/logs/log-history.ts';
import type { Query } from '../../domain/query/query.ts';
import { printTerm } from '../../domain/query/term-text.ts';
import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import type { Anonymisation } from '../../domain/zone.ts';
import { nearestHistory } from '../../store/filled-history.ts';
import { logHistory } from '../../store/log-history.ts';
import { say } from '../../text/say.ts';
import { bytes, counted, isoSecond } from '../../text/units.ts';
import { endOf, type Printer, type StoreOpener } from '../printer.ts';
import { createFailures } from './failures.ts';
import type { PrintedFiles } from './log-archive.ts';
import { nameAmong, type PrintedQuestion, type ZoneQuestion } from './log-question.ts';
import { ofZone } from './merged-parts.ts';

/** The store behind a printed log, the platform's stored files, or both: rows come through the client, each page of one source. */
export type StoredPart = {
  /** Reads the log of the platform and of the store as one. */
  printer: Printer;
  /** Told what a store says beside its rows, and why it has none. */
  answered: (stored: Stored) => void;
  failed: (failure: Failure) => void;
  /** How much of stored files was read; null where none is. */
  progress: () => string | null;
  /** Its groups, how many rows are in none of those, and what it lacks; null: they cannot be counted there, but its rows can be read. */
  groups: (
    by: readonly string[],
    most: number,
  ) => Promise<{ groups: LogGroup[]; others: number; gaps: Gap[] } | null>;
  /** Says what was read, and what was decided here; the exit code. */
  conclude: () => Promise<number>;
};

/** A store that does not answer leaves its time as a gap: the platform is asked for the rest all the same. */
export function storedPart(
  o: Printer,
  reading: PrintedQuestion,
  { terms }: Query,
  { range, open, files }: { range: TimeRange; open: StoreOpener | null; files: PrintedFiles | null },
): StoredPart {
  const failures = createFailures(o);
  const spent = { rows: 0, bytes: 0, answers: 0, hidden: 0 };
  let here: Stored['here'] = [];
  let isSaid = false;
  const storeOf = (opener: StoreOpener): LogHistory =>
    logHistory({
      engine: '',
      name: '',
      clock: o.clock,
      async open() {
        const engine = await opener(false);
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
  const history = nearestHistory(open && storeOf(open), files?.history ?? null) as LogHistory;
  const failed = (failure: Failure) => {
    if (!files?.isSaid(failure)) failures.say([{ zone: null, failure }]);
  };
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
    printer: { ...o, client: withHistory(o.client, history, { clock: o.clock }) },
    failed,
    progress: () => files?.progress() ?? null,
    answered(stored) {
      if (stored.failure !== undefined) return;
      if (!stored.files) spend(stored.read);
      spent.hidden += stored.hidden;
      here = stored.here;
    },
    async groups(by, most) {
      const { signal } = endOf(o);
      const asked: RowsAsked = { zones: waysOf(reading.zones), range, terms };
      const answer = await history.groups(asked, by, most, signal);
      if (!answer.ok) {
        failed(answer.failure);
        const missing = (id: string): Gap => ({
          id: 'store',
          ...range,
          reason: 'failed',
          rows: null,
          zone: id,
        });
        return { groups: [], others: 0, gaps: reading.zones.map(({ zone }) => named(missing(zone.id))) };
      }
      if (answer.value === null) return null;
      const { groups, rows, gaps, read } = answer.value;
      spend(read);
      const known = groups.reduce((sum, group) => sum + group.count, 0);
      return { groups, others: rows - known, gaps: gaps.map(named) };
    },
    async conclude() {
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
      return failures.code || (files?.conclude() ?? 0);
    },
  };
}

/** Zones that cut addresses alike are one part of a question. */
function waysOf(zones: readonly ZoneQuestion[]): RowsAsked['zones'] {
  const ways = new Map<Anonymisation, string[]>();
  for (const { zone } of zones)
    ways.set(zone.anonymisation, [...(ways.get(zone.anonymisation) ?? []), zone.id]);
  return [...ways].map(([anonymisation, ids]) => ({ ids, anonymisation }));
}
