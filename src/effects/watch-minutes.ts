import type { Client } from '../api/client.ts';
import type { Failure } from '../domain/failure.ts';
import { goneOf, oldestAsked } from '../domain/log-retention.ts';
import { matcher, shieldMatcher } from '../domain/query/match.ts';
import { splitForServer } from '../domain/query/push-down.ts';
import type { Query } from '../domain/query/query.ts';
import { LARGEST_SHIELD_PAGE, type ShieldEvent, type ShieldGroup } from '../domain/shield/shield.ts';
import { createParts, tableOf } from '../domain/shield/shield-groups.ts';
import { planGroups, planRows, type ShieldPlan } from '../domain/shield/shield-question.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import {
  createWatcher,
  SETTLED,
  type Watch,
  type Watcher,
  type WatchVerdict,
} from '../domain/watch/watch.ts';
import type { PullZone } from '../domain/zone.ts';
import { MINUTE } from '../text/units.ts';
import type { Clock } from '../time/clock.ts';
import { readWindow } from './read-window.ts';

/** Reads a minute into the watcher; returns why it is incomplete, `gone` = a part is too old, or null. */
export type MinuteReader = (
  minute: TimeRange,
  into: Watcher,
  signal: AbortSignal,
) => Promise<Failure | 'gone' | null>;

/** The Shield events of a minute: groups where the plan groups, else events. */
type ShieldMinute = { events: readonly ShieldEvent[]; groups: readonly ShieldGroup[] };

/** After a sleep, minutes further back than this are skipped unless asked for: each would cost a request. */
const BEHIND_MOST = 60 * MINUTE;

/** Reads minute by minute, each once and after its late rows, and judges; only the signal ends it. */
export async function watchMinutes(o: {
  watch: Watch;
  /** Unix ms: the first minute read begins here or later. */
  since: number;
  clock: Clock;
  /** The server's, whose minutes they are. */
  now: () => number;
  signal: AbortSignal;
  read: MinuteReader;
  judged: (verdict: WatchVerdict) => void;
  failed: (failure: Failure) => void;
}): Promise<void> {
  const { clock, now, signal } = o;
  const watcher = createWatcher(o.watch, o.since);
  let gaps: TimeRange[] = [];
  let from = Math.ceil(o.since / MINUTE) * MINUTE;
  const behindMost = Math.max(BEHIND_MOST, now() - o.since);

  /** Where to go on when a minute is not read at all: it is no longer kept, or too far behind. */
  function passedTo(minute: TimeRange): number | null {
    const { subject } = o.watch;
    if (goneOf(minute, now(), subject) !== null)
      return Math.ceil(oldestAsked(now(), subject) / MINUTE) * MINUTE;
    const settled = now() - SETTLED;
    return settled - minute.to > behindMost ? Math.floor(settled / MINUTE) * MINUTE - MINUTE : null;
  }

  o.judged(watcher.judge(o.since));
  while (!signal.aborted) {
    const to = from + MINUTE;
    const wait = to + SETTLED - now();
    if (wait > 0) {
      // The server's time may be better known by then.
      await clock.sleep(Math.min(wait, MINUTE), signal);
      continue;
    }
    const next = passedTo({ from, to });
    if (next !== null) {
      gaps.push({ from, to: next });
      from = next;
      continue;
    }
    const failure = await o.read({ from, to }, watcher, signal);
    if (signal.aborted) return;
    if (failure !== null) {
      gaps = [...gaps.slice(-BEHIND_MOST / MINUTE), { from, to }];
      if (failure !== 'gone') o.failed(failure);
    }
    o.judged(watcher.judge(to, gaps));
    from = to;
  }
}

export function logMinutes(client: Pick<Client, 'logs'>, zone: PullZone, query: Query): MinuteReader {
  const { server } = splitForServer(query, zone);
  const isWanted = matcher(query.terms, zone.anonymisation);
  return async (minute, into, signal) => {
    const parts = readWindow({
      pullZoneId: zone.id,
      range: minute,
      filter: server,
      fetch: (request) => client.logs(request, { priority: 'background', signal }),
    });
    for await (const part of parts) {
      for (const record of part.records) if (isWanted(record)) into.addRecord(record);
      if (part.failure !== null) return part.failure;
      if (part.gap?.reason === 'retention') return 'gone';
    }
    return null;
  };
}

/** The plan that asks a query minute by minute: as it groups, else single events. */
export function minutePlan(query: Query): ShieldPlan {
  return query.groupBy.length > 0 ? planGroups(query, query.groupBy) : planRows(query);
}

/** The cheapest plan that counts actions: a request a minute, unless free text has to be excluded here. */
export function countingPlan(query: Query): ShieldPlan {
  const grouped = planGroups(query, ['action']);
  return grouped.undecided.length === 0 ? grouped : planRows(query);
}

/** `seen` gets each minute as read, before it is judged. */
export function shieldMinutes(
  client: Pick<Client, 'shieldSearch'>,
  shieldZoneId: string,
  plan: ShieldPlan,
  seen: (minute: ShieldMinute) => Promise<void> = async () => {},
): MinuteReader {
  const matches = shieldMatcher(plan.local);
  const { query, filters, groupBy } = plan;
  return async (minute, into, signal) => {
    const events: ShieldEvent[] = [];
    const ids = new Set<string>();
    const parts = createParts(groupBy);
    let isCut = false;
    for (let page = 0; ; page++) {
      const ask = { ...minute, query, filters, groupBy, page, pageSize: LARGEST_SHIELD_PAGE };
      const answer = await client.shieldSearch(shieldZoneId, ask, { priority: 'background', signal });
      if (!answer.ok) return answer.failure;
      const { value } = answer;
      if (value.gone) isCut = true;
      // Late events push rows onto the next page, which then repeats them.
      for (const event of value.events) {
        if (event.logId !== null && ids.has(event.logId)) continue;
        if (event.logId !== null) ids.add(event.logId);
        if (matches(event.fields)) events.push(event);
      }
      parts.add(value.groups);
      const isLast = value.events.length + value.groups.length === 0;
      if (isLast || page + 1 >= value.totalPages) break;
    }
    if (isCut) return 'gone';
    const table = tableOf(parts.all(), {
      dims: plan.dims,
      local: plan.local,
      sort: 'count',
      reversed: false,
    });
    const groups = table.groups.slice(0, table.groups.length - table.bad);
    for (const { timestamp, fields } of events) into.addEvents(timestamp, fields['action'] ?? null, 1);
    for (const group of groups) addGroup(into, minute.from, group);
    await seen({ events, groups });
    return null;
  };
}

/** A group of several actions says in its context how many events each took. */
function addGroup(into: Watcher, at: number, { key, count, context }: ShieldGroup): void {
  if ('action' in key) {
    into.addEvents(at, key['action'] ?? null, count);
    return;
  }
  let rest = count;
  for (const action of ['blocked', 'challenged', 'logged'] as const) {
    const events = Math.min(rest, context[action] ?? 0);
    into.addEvents(at, action, events);
    rest -= events;
  }
  into.addEvents(at, null, rest);
}
