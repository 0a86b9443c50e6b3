import { shieldMatcher } from './match.ts';
import type { Term } from './query.ts';
import { type ShieldEvent, shieldDetail } from './shield.ts';

/** An event as it is kept: its context as JSON text, which takes a third of the room of the object. */
export type ShieldRow = {
  id: string;
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
  /** Rows that did not have the documented shape. */
  bad: number;
};

/** Rows kept of one question; at some 2 kB a row this bounds the memory to about 100 MB. */
export const MOST_ROWS = 50_000;

export const NO_ROWS: ShieldRows = { rows: [], shown: [], bad: 0 };

/** Events as rows. One without an id is told from its twins of the same answer by its number among them. */
export function rowsOfEvents(events: readonly ShieldEvent[]): ShieldRow[] {
  const twins = new Map<string, number>();
  return events.map((event) => {
    const { logId, timestamp: at, fields, raw } = event;
    const log = event.log === null ? null : JSON.stringify(event.log);
    if (logId !== null && logId !== '') return { id: logId, at, fields, log, raw };
    const content = `${at} ${Object.values(fields).join('\u0000')}`;
    const number = twins.get(content) ?? 0;
    twins.set(content, number + 1);
    return { id: `${content} ${number}`, at, fields, log, raw };
  });
}

/** More rows below; those that a shifted page repeats are left out, and the bound is kept. */
export function withRows(before: ShieldRows, more: readonly ShieldRow[], local: readonly Term[]): ShieldRows {
  const known = new Set(before.rows.map((row) => row.id));
  const fresh: ShieldRow[] = [];
  for (const row of more) {
    if (known.has(row.id)) continue;
    known.add(row.id);
    fresh.push(row);
  }
  const kept = fresh.slice(0, MOST_ROWS - before.rows.length);
  if (kept.length === 0) return before;
  const shown = local.length === 0 ? null : kept.filter(passing(local));
  const rows = before.rows.concat(kept);
  return {
    rows,
    // Without terms decided here both are one list.
    shown: shown === null ? rows : before.shown.concat(shown),
    bad: before.bad + kept.filter((row) => row.raw !== null).length,
  };
}

/** A newer first page over what is held: new rows on top; what left the window goes, but for the row `kept`. */
export function renewedRows(
  before: ShieldRows,
  newest: readonly ShieldRow[],
  from: number,
  kept: string | null,
  local: readonly Term[],
): ShieldRows {
  const newer = new Set(newest.map((row) => row.id));
  const older = before.rows.filter((row) => !newer.has(row.id) && (row.at >= from || row.id === kept));
  const rows = [...newest, ...older].toSorted((a, b) => b.at - a.at).slice(0, MOST_ROWS);
  return withRows(NO_ROWS, rows, local);
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
 * The events of a day read under the names of the search's dimensions, as far as the day read tells them: its labels
 * name the verdict `status`, and address, URL and user agent stand in the context only.
 */
export function withDayFields(event: ShieldEvent): ShieldEvent {
  const { fields } = event;
  const detail = shieldDetail(event.log);
  const header = (name: string) =>
    detail.headers.find((each) => each.name.toLowerCase() === name)?.value ?? null;
  return {
    ...event,
    fields: {
      ...fields,
      ruleId: fields['ruleId'] ?? null,
      ip: fields['ip'] ?? detail.remoteIp,
      ja4: fields['ja4'] ?? header('cdn-ja4'),
      ua: fields['ua'] ?? header('user-agent'),
      url: fields['url'] ?? detail.url,
      action: (fields['action'] ?? fields['status'] ?? null)?.toLowerCase() ?? null,
    },
  };
}

function passing(local: readonly Term[]): (row: ShieldRow) => boolean {
  const matches = shieldMatcher(local);
  return (row) => matches(row.fields);
}
