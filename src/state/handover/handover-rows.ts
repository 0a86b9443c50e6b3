import {
  logGroupRow,
  logGroupShape,
  logRow,
  shieldEventRow,
  shieldEventShape,
  shieldGroupRow,
  shieldGroupShape,
  zoneRow,
} from '../../domain/handover/shapes.ts';
import {
  answerCells,
  answerSheet,
  lineOf,
  logGroupSheet,
  logSheet,
  oneLogSheet,
  printedEvent,
  type Sheet,
  type SheetLine,
  shieldEventSheet,
  shieldGroupSheet,
  zoneSheet,
} from '../../domain/handover/sheet.ts';
import { LOG_COLUMNS } from '../../domain/logs/columns.ts';
import { EMPTY_QUERY } from '../../domain/query/query.ts';
import { printQuery } from '../../domain/query/query-text.ts';
import { eventFields } from '../../domain/shield/shield-rows.ts';
import type { Gap } from '../../domain/tail/coverage.ts';
import { count, percent, timeOfDay } from '../../text/units.ts';
import { isAccountView } from '../account/account-views.ts';
import { listHeight } from '../layout.ts';
import { allGroups } from '../logs/groups.ts';
import { firstColumn, logWindow } from '../logs/log.ts';
import { fieldsOf } from '../logs/record.ts';
import { shownLog } from '../logs/session.ts';
import { type LogSession, type State, topView } from '../model.ts';
import { answerLineUnder, rowUnder } from '../questions/answer-cursor.ts';
import type { AnswerView } from '../questions/answer-model.ts';
import { dimensionUnder } from '../shield/shield.ts';
import { isShieldList, type ShieldListView } from '../shield/shield-model.ts';
import { accountSheet, accountSheetLine, accountValue } from './handover-account.ts';
import { savedCoverage, savedMissing } from './saved-handover.ts';

/** Gaps that are named one by one; the rest is counted. */
const GAPS_NAMED = 20;

/** The rows of the view on top as they stand now, or why there are none to take. */
export function sheetOf(state: State): Sheet | string {
  const view = topView(state);
  if (isAccountView(view)) return accountSheet(state, view);
  const { session, zones } = state;
  switch (view.kind) {
    case 'zones':
      return zones.shown.length === 0 ? 'no zone is listed' : zoneSheet(zones.shown, zonesTold(state));
    case 'log':
      // What is handed over is never a part.
      session?.book.settle();
      if (!session || session.book.rowsInView === 0) return 'no row is in this view';
      return logSheet(session.book, logMissing(session));
    case 'groups': {
      if (!session || view.groups.length === 0) return 'no group is in this view';
      const missing = [...logMissing(session), ...gapWords(session)];
      return logGroupSheet(view.by, allGroups(state, view), { missing, of: null });
    }
    case 'record': {
      if (!session?.book.has(view.id)) return 'this row has been dropped from memory';
      return oneLogSheet(session.book.record(view.id));
    }
    case 'shieldGroups': {
      const { groups, hasApart } = view.table;
      // A group that is on screen for the cursor's sake only is none of this answer.
      const listed = hasApart ? groups.slice(0, -1) : groups;
      if (listed.length === 0) return 'no group is in this view';
      return shieldGroupSheet(view.reading.plan.dims, listed, shieldTold(view));
    }
    case 'shieldRows': {
      const { shown, apart } = view.rows;
      const listed = apart === null ? shown : shown.filter((row) => row.id !== apart);
      return listed.length === 0 ? 'no event is in this view' : shieldEventSheet(listed, shieldTold(view));
    }
    case 'shieldEvent':
      return shieldEventSheet([view.row]);
    case 'answer':
      return view.table.sections.some(({ rows }) => rows.length > 0)
        ? answerSheet(view.table, answerMissing(view))
        : 'no row is in this answer';
    case 'notebook':
      return 'the notebook is a file already';
  }
}

/** The line under the cursor as it is printed; null where there is none. */
export function lineUnder(state: State): SheetLine | null {
  const view = topView(state);
  if (isAccountView(view)) return accountSheetLine(state, view);
  const book = state.session?.book;
  switch (view.kind) {
    case 'zones': {
      const zone = state.zones.shown[view.cursor];
      return zone ? lineOf(zone, zoneRow, zoneRow) : null;
    }
    case 'log': {
      const item = book?.at(logWindow(view, book, listHeight(state)).cursor);
      if (!book || !item) return null;
      return item.kind === 'gap' ? item : lineOf(book.record(item.id), logRow, logRow);
    }
    case 'record':
      return book?.has(view.id) ? lineOf(book.record(view.id), logRow, logRow) : null;
    case 'groups': {
      const group = view.groups[view.cursor];
      return group ? lineOf(group, logGroupShape, logGroupRow) : null;
    }
    case 'shieldGroups': {
      const group = view.table.groups[view.cursor];
      return group ? lineOf(group, shieldGroupShape, shieldGroupRow) : null;
    }
    case 'shieldRows':
    case 'shieldEvent': {
      const row = view.kind === 'shieldEvent' ? view.row : view.rows.shown[view.cursor];
      return row ? lineOf(printedEvent(row), shieldEventShape, shieldEventRow) : null;
    }
    case 'answer': {
      const line = answerLineUnder(state, view);
      return line?.kind === 'row' ? lineOf(line, answerCells, answerCells) : null;
    }
    case 'notebook':
      return null;
  }
}

/** The value under the cursor as it came, also one that no query can ask for; null where there is none. */
export function copiedValue(state: State): string | null {
  const view = topView(state);
  if (isAccountView(view)) return accountValue(state, view);
  const book = state.session?.book;
  switch (view.kind) {
    case 'zones':
      return state.zones.shown[view.cursor]?.name ?? null;
    case 'log': {
      const item = book?.at(logWindow(view, book, listHeight(state)).cursor);
      if (!book || item?.kind !== 'row') return null;
      const column = view.column ?? firstColumn(state);
      const record = book.record(item.id);
      return column === 'time' ? new Date(record.timestamp).toISOString() : LOG_COLUMNS[column].value(record);
    }
    case 'record':
      return fieldsOf(state, view)[view.cursor]?.value ?? null;
    case 'groups':
      return view.groups[view.cursor]?.key[view.by[view.column] ?? ''] ?? null;
    case 'shieldGroups':
      return view.table.groups[view.cursor]?.key[dimensionUnder(view) ?? ''] ?? null;
    case 'shieldRows':
      return view.rows.shown[view.cursor]?.fields[dimensionUnder(view) ?? ''] ?? null;
    case 'answer':
      return rowUnder(state, view)?.value?.value ?? null;
    case 'shieldEvent':
      return eventFields(view.row, state.shield?.rules ?? null)[view.cursor]?.value ?? null;
    case 'notebook':
      return null;
  }
}

/** How complete the view on top is, each part a sentence. Times are UTC. */
export function coverageWords(state: State): string[] {
  const view = topView(state);
  const { session } = state;
  if (view.kind === 'zones' || view.kind === 'shieldEvent' || isAccountView(view)) return [];
  if (view.kind === 'answer') return [view.table.headline, view.table.coverage].filter((text) => text !== '');
  if (isShieldList(view)) {
    const { readAt, range } = view.reading;
    const parts = [`events from ${isoOf(range.from)} to ${isoOf(range.to)}`];
    return readAt === null ? parts : [...parts, `as of ${isoOf(readAt)}`];
  }
  if (!session) return [];
  session.book.settle();
  if (session.source.kind === 'files') return savedCoverage(session, session.source);
  const { report, book } = session;
  const complete = report?.watermark ?? null;
  const read = report?.completeTo ?? null;
  return [
    ...(read === null ? ['nothing was read yet'] : [`read to ${isoOf(read)}`]),
    complete === null
      ? 'not complete yet: late rows may follow'
      : `complete to ${isoOf(complete)}; later rows may follow`,
    ...((report?.readShare ?? 1) < 1 ? [`${percent(report?.readShare ?? 0)} of the window was read`] : []),
    ...(book.hidden > 0 ? [`hidden here ${count(book.hidden)} of ${count(book.size)} rows read`] : []),
    ...(shownLog(state)?.paused && book.backlog > 0
      ? [`paused: ${count(book.backlog)} rows that came since are not in it`]
      : []),
  ];
}

/** The gaps of a log as sentences, apart from what nobody asked for. */
export function gapWords({ report, source }: LogSession): string[] {
  const known = source.kind === 'files' ? source.report.gaps : (report?.gaps ?? []);
  const gaps = known.filter((gap) => gap.reason !== 'notRead');
  const words = gaps.slice(0, GAPS_NAMED).map((gap) => `gap ${rangeWords(gap)}: ${gap.reason}`);
  return gaps.length > GAPS_NAMED ? [...words, `and ${gaps.length - GAPS_NAMED} more gaps`] : words;
}

function logMissing({ book, replacing, report, source }: LogSession): string[] {
  return [
    ...(source.kind === 'files' ? savedMissing(source) : report === null ? ['nothing was read yet'] : []),
    ...(replacing ? ['the answer to the changed query had not come yet'] : []),
    ...(book.evicted > 0 ? [`${count(book.evicted)} older rows were dropped from memory`] : []),
  ];
}

function answerMissing({ stage, needs, met, failures }: AnswerView): string[] {
  return [
    ...(stage.kind === 'read' ? [] : [`${met} of ${needs.length} requests were answered`]),
    ...(failures > 0 ? [`${failures} requests failed`] : []),
  ];
}

function zonesTold({ zones }: State): { missing: string[]; of: number | null } {
  const isPart = zones.nextPage !== null;
  const of = zones.total === null ? '' : ` of ${count(zones.total)}`;
  return {
    missing: [
      ...(isPart ? [`${count(zones.items.length)}${of} zones were read`] : []),
      ...(zones.shieldOf === null ? ['whether a zone has Shield was not read yet'] : []),
    ],
    of: isPart ? zones.total : null,
  };
}

function shieldTold(view: ShieldListView): { missing: string[]; of: number | null } {
  const { isWhole, total, plan, isRefresh, loading } = view.reading;
  const isGroups = view.kind === 'shieldGroups';
  const read = isGroups ? view.table.parts.length : view.rows.rows.length;
  const of = total === null ? '' : ` of ${count(total)}`;
  const { undecided } = plan;
  return {
    missing: [
      ...(isWhole ? [] : [`${count(read)}${of} ${isGroups ? 'groups' : 'events'} were read`]),
      ...(isRefresh && loading.kind !== 'read' ? ['a newer answer had not come yet'] : []),
      ...(undecided.length === 0
        ? []
        : [`not in the counts: ${printQuery({ ...EMPTY_QUERY, terms: undecided })}`]),
    ],
    of: isWhole ? null : total,
  };
}

function rangeWords({ from, to }: Gap): string {
  return `${timeOfDay(from, { zone: 'utc', date: true, millis: true })} to ${timeOfDay(to, { zone: 'utc', millis: true })}`;
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}
