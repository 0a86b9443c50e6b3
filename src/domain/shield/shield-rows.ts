import { fieldNamed } from '../query/fields.ts';
import { shieldMatcher } from '../query/match.ts';
import type { Term } from '../query/query.ts';
import {
  type Json,
  SHIELD_DIMENSIONS,
  type ShieldAnswer,
  type ShieldDimension,
  type ShieldEvent,
  shieldDetail,
  type WafRule,
} from './shield.ts';

/** An event as kept: its context as JSON text, which takes a third of the memory of the object. */
export type ShieldRow = {
  id: string;
  /** As the server has it; null where it gave none. */
  logId: string | null;
  /** Event time, Unix ms. */
  at: number;
  fields: Readonly<Record<string, string | null>>;
  log: string | null;
  raw: string | null;
};

/** Rows in the order in which they were read, newest first; `shown` are those that pass the terms decided here. */
export type ShieldRows = {
  rows: readonly ShieldRow[];
  shown: readonly ShieldRow[];
  /** The id of a last row from an older answer: it stays because the cursor is on it. */
  apart: string | null;
  /** Rows of another shape. */
  bad: number;
};

/** Rows kept of one question; at some 2 kB a row this bounds the memory to about 100 MB. */
export const MOST_SHIELD_ROWS = 50_000;

export const NO_ROWS: ShieldRows = { rows: [], shown: [], apart: null, bad: 0 };

/** Events as rows. One without an id is told from its twins in the answer by its number. */
export function rowsOfEvents(events: readonly ShieldEvent[]): ShieldRow[] {
  const twins = new Map<string, number>();
  return events.map((event) => {
    const { logId, timestamp: at, fields, raw } = event;
    const log = event.log === null ? null : JSON.stringify(event.log);
    if (logId !== null && logId !== '') return { id: logId, logId, at, fields, log, raw };
    const content = `${at} ${Object.values(fields).join('\u0000')}`;
    const number = twins.get(content) ?? 0;
    twins.set(content, number + 1);
    return { id: `${content} ${number}`, logId, at, fields, log, raw };
  });
}

/** More rows below; those that a shifted page repeats are left out, and the bound is kept. */
export function withRows(before: ShieldRows, more: readonly ShieldRow[], local: readonly Term[]): ShieldRows {
  if (before.apart !== null) {
    const [held] = before.rows.slice(-1);
    const without = withRows(NO_ROWS, before.rows.slice(0, -1), local);
    const next = withRows(without, more, local);
    return held ? withRowApart(next, held, local) : next;
  }
  const known = idsOf(before.rows);
  const kept: ShieldRow[] = [];
  for (const row of more) {
    if (known.has(row.id) || before.rows.length + kept.length >= MOST_SHIELD_ROWS) continue;
    known.add(row.id);
    kept.push(row);
  }
  if (kept.length === 0) return before;
  const shown = local.length === 0 ? null : kept.filter(passing(local));
  const rows = before.rows.concat(kept);
  idsByRows.delete(before.rows);
  idsByRows.set(rows, known);
  return {
    rows,
    // Without terms decided here both are one list.
    shown: shown === null ? rows : before.shown.concat(shown),
    apart: null,
    bad: before.bad + kept.filter((row) => row.raw !== null).length,
  };
}

/**
 * Newer pages over what is held: new rows on top, and what left the window goes. If they do not reach a held row
 * (`meets` is false), all held rows go: a list must not hide a gap. The row `kept` stays, last.
 */
export function renewedRows(
  before: ShieldRows,
  newest: readonly ShieldRow[],
  { from, meets, kept }: { from: number; meets: boolean; kept: ShieldRow | null },
  local: readonly Term[],
): ShieldRows {
  const newer = new Set(newest.map((row) => row.id));
  const older = meets
    ? before.rows.filter((row) => !newer.has(row.id) && row.at >= from && row.id !== before.apart)
    : [];
  const rows = [...newest, ...older]
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MOST_SHIELD_ROWS - (kept ? 1 : 0));
  const renewed = withRows(NO_ROWS, rows, local);
  return kept ? withRowApart(renewed, kept, local) : renewed;
}

/** True when a page holds a known row: nothing is missing between the two. */
export function meetsHeld(held: ShieldRows, page: readonly ShieldRow[]): boolean {
  const known = idsOf(held.rows);
  return page.some((row) => row.id !== held.apart && known.has(row.id));
}

/** The same rows under other terms, without a request. */
export function refilteredRows(before: ShieldRows, local: readonly Term[]): ShieldRows {
  return { ...before, shown: local.length === 0 ? before.rows : before.rows.filter(passing(local)) };
}

/** The context as an object; null when there is none. */
export function logOf(row: ShieldRow): ShieldEvent['log'] {
  return row.log === null ? null : JSON.parse(row.log);
}

/**
 * The events of a day read under a search's dimension names, as far as it has them: its labels name the verdict
 * `status`, address, URL and user agent stand in the context only, and the feature is the rule's where a search has
 * shown it.
 */
export function withDayFields(event: ShieldEvent, featureOf: FeaturesOfRules): ShieldEvent {
  const { fields } = event;
  const detail = shieldDetail(event.log);
  const header = (name: string) =>
    detail.headers.find((each) => each.name.toLowerCase() === name)?.value ?? null;
  const told: Record<ShieldDimension, string | null> = {
    feature: fields['feature'] ?? featureOf.get(fields['ruleId'] ?? '') ?? null,
    ruleId: fields['ruleId'] ?? null,
    ip: fields['ip'] ?? detail.remoteIp,
    ja4: fields['ja4'] ?? header('cdn-ja4'),
    ua: fields['ua'] ?? header('user-agent'),
    url: fields['url'] ?? detail.url,
    asn: fields['asn'] ?? null,
    country: fields['country'] ?? null,
    action: (fields['action'] ?? fields['status'] ?? null)?.toLowerCase() ?? null,
  };
  return { ...event, fields: { ...fields, ...told } };
}

/** The ids of a list continue with the list that grows from it: fifty thousand are not gathered anew at each page. */
function idsOf(rows: readonly ShieldRow[]): Set<string> {
  const known = idsByRows.get(rows) ?? new Set(rows.map((row) => row.id));
  idsByRows.set(rows, known);
  return known;
}

const idsByRows = new WeakMap<readonly ShieldRow[], Set<string>>();

function withRowApart(before: ShieldRows, row: ShieldRow, local: readonly Term[]): ShieldRows {
  if (before.rows.some(({ id }) => id === row.id)) return before;
  return { ...withRows(before, [row], local), apart: row.id };
}

function passing(local: readonly Term[]): (row: ShieldRow) => boolean {
  const matches = shieldMatcher(local);
  return (row) => matches(row.fields);
}

/** Rule id → its feature; null = seen under more than one. */
export type FeaturesOfRules = ReadonlyMap<string, string | null>;

/** Rules remembered; a zone has some hundreds, and only a server that invents ids has more. */
const MOST_RULES = 5000;

/** The known rules and features with those of an answer; the same map when it adds none. */
export function featuresLearned(known: FeaturesOfRules, answer: ShieldAnswer): FeaturesOfRules {
  const learned = new Map(known);
  let isNew = false;
  for (const [rule, feature] of pairsOf(answer)) {
    const before = learned.get(rule);
    if (before === feature || before === null || learned.size >= MOST_RULES) continue;
    learned.set(rule, before === undefined ? feature : null);
    isNew = true;
  }
  return isNew ? learned : known;
}

function pairsOf({ events, groups }: ShieldAnswer): [string, string][] {
  const pairs: [string, string][] = [];
  for (const { fields } of events) {
    const [rule, feature] = [fields['ruleId'], fields['feature']];
    if (rule && feature) pairs.push([rule, feature]);
  }
  for (const { key, context } of groups) {
    const rules = key['ruleId'] ? [key['ruleId']] : context.ruleIds;
    const features = key['feature'] ? [key['feature']] : context.features;
    const [rule] = rules;
    const [feature] = features;
    // Several of one with several of the other do not show which belongs to which.
    if (rule && feature && rules.length === 1 && features.length === 1) pairs.push([rule, feature]);
  }
  return pairs;
}

/** One line of an event's detail. `field` is the query field that it filters by; null = shown only. */
type EventField = { name: string; value: string; field: string | null };

type Line = [name: string, value: string | null, field: string | null];

/** Parts of the context that have lines of their own above the rest. */
const NAMED: readonly string[] = ['Message', 'TriggerMatch', 'Headers', 'UrlEncodedBody'];

/** All that is known of an event, the cause first: rule, match, dimensions, headers, body, then the rest. */
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

/** What the documentation does not name, by its path in the context. Text that parses only in part stays whole. */
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
