import type { Held, HeldEvents, HeldLog } from '../../domain/inquiry/held-log.ts';
import type { ShieldNeed } from '../../domain/inquiry/inquiry.ts';
import { SAVED_ZONE, savedRanges } from '../../domain/inquiry/saved-inquiry.ts';
import type { HeldRows } from '../../domain/logs/order/matched-rows.ts';
import { splitForServer } from '../../domain/query/push-down.ts';
import type { ShieldAnswer } from '../../domain/shield/shield.ts';
import { logOf, type ShieldRow } from '../../domain/shield/shield-rows.ts';
import { isLacking, type TimeRange, without } from '../../domain/tail/coverage.ts';
import type { PullZone } from '../../domain/zone.ts';
import { toldBefore } from '../evidence/platform-evidence.ts';
import type { ZoneTail } from '../log-source.ts';
import type { LogSession, State } from '../model.ts';
import { isShieldList, type ShieldRowsView } from '../shield-model.ts';
import { sessions } from './session.ts';

/** The rows of zones that are in memory. */
export function heldOf(state: State, zones: readonly PullZone[]): Held {
  return {
    logs: zones.flatMap((zone) => heldLogs(state, zone)),
    events: heldEvents(state),
    told: (need) => toldBefore(state, need),
  };
}

/** The logs that hold rows of a zone. */
function heldLogs(state: State, zone: PullZone): HeldLog[] {
  return sessions(state)
    .filter((session) => isOf(session, zone) && !isNarrowed(session, zone))
    .map((session) => ({
      zoneId: zone.id,
      filter: tailOf(session, zone)?.filter ?? {},
      ranges: () => heldRanges(session, zone),
      rows: (range, most) => rowsOf(session, zone, session.book.between(range, most)),
      imported: tailOf(session, zone)?.report?.gaps.filter((gap) => !isLacking(gap)) ?? [],
    }));
}

/** Whether a log has rows of this zone. */
export function isOf({ source }: LogSession, zone: PullZone): boolean {
  if (source.kind === 'files') return zone.id === SAVED_ZONE.id;
  return source.zones.some(({ id }) => id === zone.id);
}

/** A store leaves out more rows than the platform's filter shows, so rows held of it answer no other question. */
function isNarrowed({ paged, asked }: LogSession, zone: PullZone): boolean {
  return paged !== null && splitForServer(asked, zone).local.length > 0;
}

function tailOf({ tails }: LogSession, { id }: PullZone): ZoneTail | undefined {
  return tails.find(({ zone }) => zone.id === id);
}

/** Those rows of a log that belong to one of its zones. */
function rowsOf({ tails }: LogSession, { id }: PullZone, held: HeldRows): HeldRows {
  if (tails.length < 2) return held;
  return { ...held, records: held.records.filter(({ pullZoneId }) => pullZoneId === id) };
}

/** The list of events on the way here, where it is the whole answer to its question. */
export function wholeEvents(state: State): ShieldRowsView | null {
  const view = state.views.findLast(isShieldList);
  if (view?.kind !== 'shieldRows' || !view.reading.isWhole || view.reading.isRefresh) return null;
  // A day asks another question, and a row kept for the cursor belongs to an older answer.
  return view.day === null && view.rows.apart === null ? view : null;
}

function heldEvents(state: State): HeldEvents[] {
  const view = wholeEvents(state);
  const shieldZoneId = state.shield?.shieldZoneId;
  if (!view || !shieldZoneId) return [];
  const { range, plan } = view.reading;
  const asked = (o: Pick<ShieldNeed['ask'], 'from' | 'to' | 'query' | 'filters'>) =>
    JSON.stringify([o.from, o.to, o.query, o.filters]);
  const own = asked({ ...range, query: plan.query, filters: plan.filters });
  return [
    {
      answer: ({ shieldZoneId: zone, ask }) =>
        zone === shieldZoneId && ask.groupBy.length === 0 && asked(ask) === own
          ? pageOf(view.rows.rows, ask)
          : null,
    },
  ];
}

/** A page of an answer as the server would cut it. */
function pageOf(rows: readonly ShieldRow[], { page, pageSize }: ShieldNeed['ask']): ShieldAnswer {
  const events = rows.slice(page * pageSize, (page + 1) * pageSize).map((row) => ({
    logId: row.logId,
    timestamp: row.at,
    fields: row.fields,
    log: logOf(row),
    raw: row.raw,
  }));
  const totalPages = Math.ceil(rows.length / pageSize);
  return { kind: 'rows', events, groups: [], total: rows.length, totalPages, page, bad: 0 };
}

/** The times of which every row that the log asked one of its zones for is held, oldest first. */
export function heldRanges(session: LogSession, zone: PullZone): TimeRange[] {
  const { source, book, replacing } = session;
  // The rows of the question before stay until the first answer to the new one.
  if (replacing) return [];
  const { keptFrom } = book;
  if (source.kind === 'files') return savedRanges(source.report, keptFrom);
  const ranges = tailOf(session, zone)?.report?.read ?? [];
  return keptFrom === null ? [...ranges] : without(ranges, { from: Number.NEGATIVE_INFINITY, to: keptFrom });
}
