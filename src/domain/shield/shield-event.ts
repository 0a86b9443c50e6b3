import { fieldNamed } from '../query/fields.ts';
import { type Json, SHIELD_DIMENSIONS, shieldDetail, type WafRule } from './shield.ts';
import { logOf, type ShieldRow } from './shield-rows.ts';

/** One line of an event's detail. `field` is the query field that it filters by; null = shown only. */
export type EventField = { name: string; value: string; field: string | null };

type Line = [name: string, value: string | null, field: string | null];

/** Parts of the context that have lines of their own above the rest. */
const NAMED: readonly string[] = ['Message', 'TriggerMatch', 'Headers', 'UrlEncodedBody'];

/** Everything that is known of an event, the cause first: rule, match, dimensions, headers, body, then the rest. */
export function eventFields(row: ShieldRow, rules: ReadonlyMap<string, WafRule> | null): EventField[] {
  const log = logOf(row);
  const detail = shieldDetail(log);
  const ruleId = row.fields['ruleId'] ?? null;
  const rule = ruleId === null ? undefined : rules?.get(ruleId);
  const lines: Line[] = [
    ['time', new Date(row.at).toISOString(), null],
    ['rule text', rule?.description ?? detail.message, null],
    ['message', rule && detail.message !== rule.description ? detail.message : null, null],
    ['rule group', rule ? `${rule.group} (${rule.ruleset})` : null, null],
    ['matched by', detail.trigger?.key ?? null, null],
    ['matched', detail.trigger?.value ?? null, null],
    ...SHIELD_DIMENSIONS.map((name): Line => [name, row.fields[name] ?? null, fieldNamed('shield', name)]),
    ...Object.entries(row.fields)
      .filter(([name]) => !(SHIELD_DIMENSIONS as readonly string[]).includes(name))
      .map(([name, value]): Line => [name, value, null]),
    ...detail.headers.map(({ name, value }): Line => [`header ${name}`, value, null]),
    ['body', detail.body, null],
    ['request id', detail.requestId, null],
    ['log id', row.id, null],
    ...unnamed(log),
    ['as it came', row.raw, null],
  ];
  return lines.flatMap(([name, value, field]) =>
    value === null || value === '' ? [] : [{ name, value, field }],
  );
}

/** What the documentation does not name, by its path in the context. Text that parses only in part is shown whole. */
function unnamed(log: { [key: string]: Json } | null): [string, string, null][] {
  if (log === null) return [];
  return Object.entries(log)
    .filter(([name, value]) => !NAMED.includes(name) || !isAsPublished(name, value))
    .flatMap(([name, value]) => leaves(`log.${name}`, value, 0));
}

/** A named part of another form than published keeps its line among the rest. */
function isAsPublished(name: string, value: Json): boolean {
  if (name === 'Headers') return Array.isArray(value);
  if (name === 'TriggerMatch') return typeof value === 'object' && !Array.isArray(value);
  return typeof value !== 'object' || value === null;
}

function leaves(path: string, value: Json, depth: number): [string, string, null][] {
  if (value === null) return [[path, 'null', null]];
  if (typeof value !== 'object') return [[path, String(value), null]];
  // Deeper than anybody nests on purpose: the rest stays JSON.
  if (depth >= 4) return [[path, JSON.stringify(value), null]];
  const parts = Array.isArray(value)
    ? value.map((each, i) => leaves(`${path}[${i}]`, each, depth + 1))
    : Object.entries(value).map(([name, each]) => leaves(`${path}.${name}`, each, depth + 1));
  return parts.length === 0 ? [[path, JSON.stringify(value), null]] : parts.flat();
}
