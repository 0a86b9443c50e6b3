import type { LogRecord } from '../../domain/log.ts';
import { ROW_COLUMNS } from '../../domain/shield/shield-columns.ts';
import { eventFields } from '../../domain/shield/shield-rows.ts';
import { listHeight } from '../../state/list/layout.ts';
import { logWindow } from '../../state/logs/log-window.ts';
import { fieldsOf } from '../../state/logs/record.ts';
import type { GroupsView, LogView, RecordView, State, ZonesView } from '../../state/model.ts';
import type { ShieldEventView, ShieldGroupsView, ShieldRowsView } from '../../state/shield/shield-model.ts';
import { topOf } from '../../state/view-stack.ts';
import { fit } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { timeOfDay } from '../../text/units.ts';
import { type Area, padLines } from '../row.ts';
import type { Look } from '../theme.ts';

/** The whole screen as bare text: rows with all of their path, address and agent, wrapped. `rows`: not sanitised yet. */
export function plainBody(state: State, rows: readonly string[], { columns, height, look }: Area): string[] {
  const given = state.overlay?.kind === 'plain' ? state.overlay.text : null;
  // A given text was escaped where it was offered, and is shown as it was copied.
  const texts = given === null ? rows.map((text) => sanitise(text, 'strict')) : [given];
  const lines = texts.flatMap((text) => wrapped(text, columns));
  // At the live end the newest rows matter; a paused reader stands on the row that he wants.
  const isLive = topOf(state, 'log')?.paused === false && given === null;
  const shown = isLive ? lines.slice(-(height - 1)) : lines.slice(0, height - 1);
  const more = lines.length > shown.length ? `${lines.length - shown.length} more lines do not fit; ` : '';
  return [...padLines(shown, height - 1), look.paint('dim', fit(`${more}any key returns`, columns))];
}

export function plainZones(state: State, { top }: ZonesView): string[] {
  const shown = state.zones.shown.slice(top, top + listHeight(state));
  return shown.map((zone) => [zone.id, zone.name, ...zone.hostnames].join(' '));
}

export function plainLog(state: State, view: LogView, look: Look): string[] {
  const { session } = state;
  if (!session) return [];
  const { top, cursor, length } = logWindow(view, session.book, listHeight(state));
  const from = view.paused ? cursor : top;
  return Array.from({ length: Math.min(listHeight(state), length - from) }, (_, row) => {
    const item = session.book.at(from + row);
    return item?.kind === 'row' ? recordText(session.book.record(item.id), look) : '(gap)';
  });
}

export function plainGroups(state: State, { groups, top, by }: GroupsView): string[] {
  return groups
    .slice(top, top + listHeight(state))
    .map((group) => [group.count, ...by.map((field) => group.key[field] ?? '-')].join(' '));
}

export function plainRecord(state: State, view: RecordView): string[] {
  return fieldsOf(state, view).map(({ name, value }) => `${name}: ${value}`);
}

function recordText(record: LogRecord, look: Look): string {
  const { timestamp, cacheStatus, statusCode, bytesSent, edgeLocation, countryCode, remoteIp, url } = record;
  const time = timeOfDay(timestamp, { zone: look.zone, date: true, millis: true });
  const parts = [time, cacheStatus, statusCode, bytesSent, edgeLocation, countryCode, remoteIp, url];
  return `${parts.map((part) => part ?? '-').join(' ')} "${record.userAgent ?? '-'}" "${record.referer ?? '-'}"`;
}

function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (let at = 0; at < Math.max(1, text.length); at += columns)
    lines.push(fit(text.slice(at, at + columns), columns));
  return lines;
}

/** What stands bare in the line of a row; the user agent has spaces and is quoted behind it. */
const BARE = ROW_COLUMNS.filter(({ dimension }) => dimension !== 'ua');

/** The lines of an explorer view from the cursor on, whole. */
export function plainShieldEvent(state: State, { row, cursor }: ShieldEventView): string[] {
  return eventFields(row, state.shield?.rules ?? null)
    .slice(cursor, cursor + listHeight(state))
    .map(({ name, value }) => `${name}: ${value}`);
}

export function plainShieldRows(state: State, { rows, cursor }: ShieldRowsView, { zone }: Look): string[] {
  return rows.shown.slice(cursor, cursor + listHeight(state)).map(({ at, fields, raw }) => {
    if (raw !== null) return `not understood: ${raw}`;
    const when = timeOfDay(at, { zone, date: true, millis: true });
    const parts = BARE.map(({ dimension }) => fields[dimension] || '-');
    return `${when} ${parts.join(' ')} "${fields['ua'] ?? '-'}"`;
  });
}

export function plainShieldGroups(state: State, view: ShieldGroupsView, { zone }: Look): string[] {
  const time = (at: number | null) => (at === null ? '-' : timeOfDay(at, { zone, date: true }));
  const ruleText = (id: string) => state.shield?.rules?.get(id)?.description ?? null;
  return view.table.groups.slice(view.cursor, view.cursor + listHeight(state)).map((group) => {
    if (group.raw !== null) return `not understood: ${group.raw}`;
    const { blocked, challenged, logged, features, ruleIds } = group.context;
    const key = view.reading.plan.dims.map((dimension) => {
      const value = group.key[dimension] || '-';
      const text = dimension === 'ruleId' ? ruleText(value) : null;
      return text ? `${value} "${text}"` : value;
    });
    const counts = `blocked ${blocked ?? '?'} challenged ${challenged ?? '?'} logged ${logged ?? '?'}`;
    const times = `${time(group.firstSeen)} - ${time(group.lastSeen)}`;
    const touched = `features ${features.join(',') || '-'} rules ${ruleIds.join(',') || '-'}`;
    return `${group.count} ${key.join(' ')} ${counts} ${times} ${touched}`;
  });
}
