import { networkOf } from '../shield/group-network.ts';
import { EVENT_COLUMNS, type ShieldEvent, type ShieldGroup } from '../shield/shield.ts';
import type { Row } from './shapes.ts';

const DIMENSIONS = EVENT_COLUMNS.map(({ dimension }) => dimension);

/** A group as one JSON object: `{key,count,firstSeen,lastSeen,context}`, lists comma-joined as the API has them; `_raw` first where it came in another form. */
export function shieldGroupShape({ key, count, firstSeen, lastSeen, context, raw }: ShieldGroup): object {
  return {
    ...(raw === null ? {} : { _raw: raw }),
    key,
    count,
    firstSeen,
    lastSeen,
    context: {
      ...context,
      features: context.features.join(','),
      ruleIds: context.ruleIds.join(','),
    },
  };
}

/** A group as flat cells, times in ISO 8601. The dimensions of the grouping win over what the context says of them. */
export function shieldGroupRow(group: ShieldGroup): Row {
  const { context } = group;
  const { country, asn } = networkOf(group);
  return {
    ...group.key,
    count: group.count,
    firstSeen: isoOf(group.firstSeen),
    lastSeen: isoOf(group.lastSeen),
    ...('country' in group.key ? {} : { country }),
    ...('asn' in group.key ? {} : { asn }),
    blocked: context.blocked,
    challenged: context.challenged,
    logged: context.logged,
    features: context.features,
    ruleIds: context.ruleIds,
  };
}

/** The columns of the flat cells of groups by these dimensions. */
export function shieldGroupColumns(dims: readonly string[]): string[] {
  const own = ['count', 'firstSeen', 'lastSeen', 'country', 'asn', 'blocked', 'challenged', 'logged'];
  return [...dims, ...own.filter((name) => !dims.includes(name)), 'features', 'ruleIds'];
}

/** An event as one JSON object: `{logId,timestamp,fields,log}`, and `_raw` where it came in another form. */
export function shieldEventShape({ logId, timestamp, fields, log, raw }: ShieldEvent): object {
  return { logId, timestamp, fields, log, ...(raw === null ? {} : { _raw: raw }) };
}

/** An event as flat cells: the time in ISO 8601, the dimensions, the context as JSON text. */
export function shieldEventRow(event: ShieldEvent): Row {
  return {
    logId: event.logId,
    timestamp: isoOf(event.timestamp),
    ...Object.fromEntries(DIMENSIONS.map((name) => [name, event.fields[name] ?? null])),
    log: event.log === null ? null : JSON.stringify(event.log),
  };
}

export const SHIELD_EVENT_COLUMNS: readonly string[] = ['logId', 'timestamp', ...DIMENSIONS, 'log'];

function isoOf(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
