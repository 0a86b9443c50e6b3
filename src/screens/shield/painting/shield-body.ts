import { fieldNamed, fieldRow } from '../../../domain/query/fields.ts';
import { type ShieldGroup, shieldDetail } from '../../../domain/shield/shield.ts';
import { sparkLevels } from '../../../domain/shield/shield-buckets.ts';
import {
  placedRowColumns,
  SHIELD_COLUMNS,
  type ShieldColumnId,
} from '../../../domain/shield/shield-columns.ts';
import { networkOf } from '../../../domain/shield/shield-groups.ts';
import { isFolded } from '../../../domain/shield/shield-question.ts';
import { logOf, type ShieldRow } from '../../../domain/shield/shield-rows.ts';
import { columnsLine, type ListColumn, titlesLine } from '../../../paint/list-columns.ts';
import { urlCell, urlStyle } from '../../../paint/path-cells.ts';
import {
  type Area,
  cell,
  cellsGone,
  detailLines,
  failureWords,
  findsOf,
  gutterSign,
  listLines,
  marked,
  paragraphs,
  rawLine,
  type Strip,
  scrolledTitle,
  spanText,
  sparkline,
  spinner,
  textLine,
  timeCell,
  todayOf,
  withDetailLines,
} from '../../../paint/row.ts';
import type { Look, ThemeSlot } from '../../../paint/theme.ts';
import { sidewaysOf } from '../../../state/list/list-screen.ts';
import { detailedHeight } from '../../../state/list/screen-layout.ts';
import type { State } from '../../../state/model.ts';
import type { ShieldGroupsView, ShieldListView, ShieldRowsView } from '../../../state/shield-model.ts';
import { fit, width } from '../../../text/fit.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { count, percent, timeOfDay } from '../../../text/units.ts';
import { shieldTop } from '../shield-ask.ts';
import {
  COUNT_CELLS,
  dimensionUnder,
  groupColumns,
  listOf,
  ruleText,
  shieldGroupWidths,
  shieldTimeCells,
} from '../shield-lists.ts';

/** Groups with counts and shares; below them what is known of the group under the cursor. */
export function shieldGroupsBody(state: State, view: ShieldGroupsView, area: Area): string[] {
  const { groups, hasApart } = view.table;
  const { look } = area;
  const rows = detailedHeight(state);
  const top = shieldTop(state, view, groups.length);
  const { placed, key } = shieldGroupWidths(state, view);
  const arrow = view.reversed ? look.glyph.up : look.glyph.down;
  const named = (sort: string, title: string) => (view.sort === sort ? `${title}${arrow}` : title);
  const paints = columnPaints(state, view, look);
  const table: ListColumn<ShieldGroup>[] = [
    ...keyColumns(state, view, { cells: key, shown: groups.slice(top, top + rows), look }),
    ...[
      { id: 'count', title: 'EVENTS', cells: COUNT_CELLS, align: 'right' } as const,
      ...placed.map(({ id, width }) => ({ ...SHIELD_COLUMNS[id], id, cells: width })),
    ].map((column) => ({
      ...column,
      title: named(column.id, column.title),
      paint: (group: ShieldGroup) => paints[column.id](group, column.cells),
    })),
  ];
  const rawFinds = findsOf(view, state.highlights);
  const line = (group: ShieldGroup, isCursor: boolean) => {
    const { raw } = group;
    const isOlder = hasApart && group === groups.at(-1);
    const mark = gutterSign({ isCursor, isMarked: false, isRaw: raw !== null, isOlder }, look);
    return mark + (raw === null ? columnsLine(table, group, isCursor) : rawLine(raw, area, rawFinds));
  };
  const lines = [
    titlesLine(table, area),
    ...listLines(groups, { cursor: view.cursor, top }, rows, line),
    ...(groups.length === 0 ? emptyBody(state, view, area, rows) : []),
  ];
  const group = groups[view.cursor];
  return withDetailLines(lines, group ? groupDetail(state, view, group, area) : [], state, area);
}

/** A column for each part of the key. `shown`: the groups on screen, which decide how URLs are written. */
function keyColumns(
  state: State,
  view: ShieldGroupsView,
  { cells, shown, look }: { cells: number; shown: readonly ShieldGroup[]; look: Look },
): ListColumn<ShieldGroup>[] {
  const { dims } = view.reading.plan;
  const sideways = sidewaysOf(state, view, () => groupColumns(state, view));
  const urls = shown.map(({ key }) => key['url'] ?? key['page'] ?? key['shape']);
  const url = urlStyle(urls, cells - titleAt(view, dims.findIndex(isUrl)).length, view.needle);
  const rest = view.isUnfolded ? [] : view.query.groupBy.slice(1);
  const then = rest.length > 0 ? ` then ${rest.join(', ')}` : '';
  return dims.map((dimension, at) => {
    const gone = cellsGone(dimension, sideways);
    const isUrlShown = isUrl(dimension) && gone === 0;
    const title = scrolledTitle(titleAt(view, at), dimension, sideways) + (isUrlShown ? url.said : '');
    // The query line has what comes next, too; truncated here it would be noise.
    const isRoom = at === dims.length - 1 && width(title + then) <= cells;
    const finds = findsOf(view, state.highlights, fieldNamed('shield', dimension));
    return {
      title: `${title}${isRoom ? then : ''}`,
      cells,
      paint({ key }, isCursor) {
        const value = key[dimension] ?? '';
        const isChosen = isCursor && at === view.column;
        if (value === '') return look.paint(isChosen ? 'cursor' : 'dim', fit('(none)', cells));
        const text = dimension === 'ruleId' ? ruleText(state, value) : value;
        const written = isUrlShown
          ? urlCell(value, url, cells, look)
          : cell(text, cells, look, 'strict', 'left', gone);
        return marked(written, isChosen ? 'cursor' : 'text', finds, look);
      },
    };
  });
}

function isUrl(dimension: string): boolean {
  return dimension === 'url' || dimension === 'page' || dimension === 'shape';
}

/** The title of a part of the key; the first one has the cursor's place. */
function titleAt({ reading, table, cursor }: ShieldGroupsView, part: number): string {
  const { plan, total } = reading;
  const { groups } = table;
  const title = titleOf(plan.dims[part] ?? '').toUpperCase();
  if (part !== 0 || groups.length === 0) return title;
  const of = isFolded(plan) || total === null ? groups.length : Math.max(total, groups.length);
  return `${title} ${count(cursor + 1)}/${count(of)}`;
}

/** How the columns behind the key are painted, each in its cells. */
function columnPaints(
  state: State,
  { table, reading }: ShieldGroupsView,
  look: Look,
): Record<ShieldColumnId | 'count', (group: ShieldGroup, cells: number) => string> {
  const all = table.events - table.hidden;
  const today = todayOf(state, look);
  // Counts are sums of parts, and more events may be in parts that were not read.
  const more = isFolded(reading.plan) && !reading.isWhole ? '+' : '';
  const number = (n: number | null, cells: number, slot: ThemeSlot) =>
    look.paint(slot, fit(n === null ? '?' : count(n) + more, cells, 'right'));
  const time = (at: number | null, cells: number) =>
    at === null ? ' '.repeat(cells) : look.paint('dim', timeCell(at, cells, today, look));
  const text = (value: string | null, cells: number) => look.paint('dim', cell(value, cells, look));
  return {
    count: (group, cells) => number(group.count, cells, 'title'),
    share: (group, cells) =>
      look.paint('dim', fit(percent(all === 0 ? null : group.count / all), cells, 'right')),
    bar(group, cells) {
      const full = Math.max(1, Math.round((group.count / Math.max(1, table.most)) * cells));
      const levels = sparkLevels(group);
      const drawn = levels === null ? look.glyph.bar.repeat(full) : sparkline(levels, look);
      return look.paint('accent', fit(drawn, cells));
    },
    blocked: ({ context: { blocked } }, cells) => number(blocked, cells, blocked ? 'error' : 'dim'),
    challenged: ({ context: { challenged } }, cells) =>
      number(challenged, cells, challenged ? 'warning' : 'dim'),
    logged: ({ context: { logged } }, cells) => number(logged, cells, logged ? 'accent' : 'dim'),
    first: ({ firstSeen }, cells) => time(firstSeen, cells),
    last: ({ lastSeen }, cells) => time(lastSeen, cells),
    country: (group, cells) => text(networkOf(group).country, cells),
    asn: (group, cells) => text(networkOf(group).asn, cells),
    features: ({ context }, cells) => text(context.features.join(','), cells),
    rules: ({ context }, cells) => text(context.ruleIds.join(','), cells),
  };
}

/** The whole key on one line; on the other first and last event, network, features, and the rules with their text. */
function groupDetail(state: State, view: ShieldGroupsView, group: ShieldGroup, strip: Strip): string[] {
  const { columns, look } = strip;
  if (group.raw !== null) {
    const raw = sanitise(group.raw, 'strict', columns * 2);
    return [
      textLine(` ${look.glyph.crumb} as it came; it counts no event`, strip, 'dim'),
      textLine(`   ${raw}`, strip, 'text'),
    ];
  }
  const { dot } = look.glyph;
  const key = view.reading.plan.dims
    .map((dimension) => {
      const value = group.key[dimension] || '(none)';
      return sanitise(dimension === 'ruleId' ? ruleText(state, value) : value, 'strict', columns);
    })
    .join(', ');
  const { context, firstSeen, lastSeen } = group;
  const rules = context.ruleIds.map((id) => sanitise(ruleText(state, id), 'strict', 60)).join('; ');
  const times = firstSeen === null || lastSeen === null ? '' : spanText(firstSeen, lastSeen, look);
  const { country, asn } = networkOf(group);
  const network = [country, asn === null ? null : `AS${asn.replace(/^AS/i, '')}`]
    .filter((each) => each !== null && each !== 'AS')
    .map((each) => sanitise(each ?? '', 'strict', 20))
    .join(' ');
  const isRule = view.reading.plan.dims.includes('ruleId');
  const isOfRule = view.query.terms.some(
    (term) => term.kind === 'field' && term.field === 'rule' && term.op === 'eq' && !term.negated,
  );
  const features = sanitise(context.features.join(','), 'strict', 40);
  const acted = features === '' ? '' : `acted: ${features}`;
  const facts = [times, network, acted, isRule || isOfRule ? '' : rules].filter((text) => text !== '');
  return detailLines(key, facts.join(` ${dot} `), strip);
}

function titleOf(dimension: string): string {
  const field = fieldNamed('shield', dimension);
  return (field && fieldRow('shield', field)?.title) ?? dimension;
}

/** Single events, newest first; below them why the one under the cursor came about. */
export function shieldRowsBody(state: State, view: ShieldRowsView, area: Area): string[] {
  const { look } = area;
  const { shown, rows, apart } = view.rows;
  const { total } = view.reading;
  const of = shown.length === rows.length && total !== null ? Math.max(total, rows.length) : shown.length;
  const place = shown.length > 0 ? ` ${count(view.cursor + 1)}/${count(of)}` : '';
  const visible = detailedHeight(state);
  const top = shieldTop(state, view, shown.length);
  const table = columnsOf(state, view, area, place, shown.slice(top, top + visible));
  const rawFinds = findsOf(view, state.highlights);
  const line = (row: ShieldRow, isCursor: boolean) => {
    const { id, raw } = row;
    const isMarked = state.handover.marks.has(id);
    const sign = gutterSign({ isCursor, isMarked, isRaw: raw !== null, isOlder: id === apart }, look);
    return sign + (raw === null ? columnsLine(table, row, isCursor) : rawLine(raw, area, rawFinds));
  };
  const lines = [
    titlesLine(table, area, place),
    ...listLines(shown, { cursor: view.cursor, top }, visible, line),
    ...(shown.length === 0 ? emptyBody(state, view, area, visible) : []),
  ];
  const row = shown[view.cursor];
  return withDetailLines(lines, row ? rowDetail(state, view, row, area) : [], state, area);
}

/** The time, and a column for each value. `shown`: the rows on screen, which decide how URLs are written. */
function columnsOf(
  state: State,
  view: ShieldRowsView,
  { columns, look }: Strip,
  place: string,
  shown: readonly ShieldRow[],
): ListColumn<ShieldRow>[] {
  const time = shieldTimeCells(state, view);
  const placed = placedRowColumns(columns, time);
  const sideways = sidewaysOf(state, view, () => []);
  const last = placed.at(-1);
  const room = (last?.width ?? 0) - place.length - (last?.title.length ?? 0);
  const urls = shown.map((row) => row.fields['url']);
  const url = urlStyle(urls, room, view.needle);
  const chosen = dimensionUnder(view);
  const today = todayOf(state, look);
  return [
    {
      title: 'TIME',
      cells: time,
      paint: ({ at }) => look.paint('dim', timeCell(at, time, today, look)),
    },
    ...placed.map(({ dimension, title, width: cells }): ListColumn<ShieldRow> => {
      const gone = cellsGone(dimension, sideways);
      const isUrl = dimension === 'url' && gone === 0;
      const finds = findsOf(view, state.highlights, fieldNamed('shield', dimension));
      return {
        title: scrolledTitle(title, dimension, sideways) + (isUrl ? url.said : ''),
        cells,
        paint({ fields }, isCursor) {
          const value = fields[dimension] ?? null;
          const slot = isCursor && chosen === dimension ? 'cursor' : slotOf(dimension, value);
          const text =
            isUrl && value
              ? urlCell(value, url, cells, look)
              : cell(value, cells, look, 'strict', 'left', gone);
          return marked(text, slot, finds, look);
        },
      };
    }),
  ];
}

function slotOf(dimension: string, value: string | null): ThemeSlot {
  if (dimension === 'action') {
    return value === 'blocked' ? 'error' : value === 'challenged' ? 'warning' : 'accent';
  }
  return dimension === 'url' || dimension === 'ip' ? 'text' : 'dim';
}

/** The whole value under the cursor, then the rule's text and what it matched. */
function rowDetail(state: State, view: ShieldRowsView, row: ShieldRow, strip: Strip): string[] {
  const { columns } = strip;
  const { message, trigger } = shieldDetail(logOf(row));
  const dimension = dimensionUnder(view) ?? 'url';
  const rule = state.shield?.rules?.get(row.fields['ruleId'] ?? '')?.description ?? message ?? 'no rule text';
  const matched = trigger ? `: ${trigger.key ?? ''} ${trigger.value ?? ''}` : '';
  const value = sanitise(`${dimension} ${row.fields[dimension] || '(none)'}`, 'strict', columns);
  return detailLines(value, sanitise(rule + matched, 'strict', columns), strip);
}

/** What stands in place of an empty list. What to do is there whatever the server said. */
function emptyBody(state: State, view: ShieldListView, strip: Strip, room: number): string[] {
  const [blank = '', what = '', ...rest] = emptyLines(state, view, strip.look);
  const below = paragraphs(rest, strip, 'dim');
  const above = paragraphs([blank, what], strip, 'dim');
  return [...above.slice(0, Math.max(2, room - below.length)), ...below];
}

function emptyLines(state: State, view: ShieldListView, look: Look): string[] {
  const { loading, readAt } = view.reading;
  if (loading.kind === 'failed' && readAt === null) {
    const isDayRefused = view.day && loading.failure.kind === 'windowRefused';
    const words = isDayRefused ? ['This says nothing about the key: :day takes another day.'] : [];
    return [...failureWords(loading.failure, state.now), ...words];
  }
  if (loading.kind === 'cancelled' && readAt === null) {
    return ['', 'cancelled before an answer came', 'Ctrl-r asks again, Esc goes back'];
  }
  if (loading.kind === 'asking' && readAt === null) {
    const turning = spinner(loading, state);
    const what =
      state.shield?.shieldZoneId === null
        ? 'looking for the Shield zone'
        : 'searching the events of the window';
    return ['', turning === '' ? what : `${what} ${turning}`];
  }
  const { hidden } = listOf(view).tally(view);
  if (hidden > 0) {
    return [
      '',
      `every event read is excluded: hidden here ${count(hidden)}`,
      'x drops the last filter, :drop-all all of them',
    ];
  }
  const { zone } = look;
  const { from, to } = view.reading.range;
  return [
    '',
    `no events from ${timeOfDay(from, { zone, date: true })} to ${timeOfDay(to, { zone })}`,
    view.query.terms.length > 0
      ? 'x drops the last filter, :drop-all all of them, :zoom-out takes a longer window'
      : ':zoom-out takes a longer window',
  ];
}
