import type { LogGroup } from '../../../domain/logs/groups/log-group.ts';
import { ratioOf } from '../../../domain/logs/sums/traffic.ts';
import { fieldTitle, logField } from '../../../domain/query/fields.ts';
import { columnsLine, type ListColumn, textColumns, titlesLine } from '../../../paint/list-columns.ts';
import { directoryWords, pathCell } from '../../../paint/path-cells.ts';
import {
  type Area,
  cell,
  cellsGone,
  cursorSign,
  detailLines,
  failureWords,
  findsOf,
  listLines,
  marked,
  paragraphs,
  type Strip,
  scrolledTitle,
  spanText,
  textLine,
  timeCell,
  todayOf,
  withDetailLines,
} from '../../../paint/row.ts';
import type { Look } from '../../../paint/theme.ts';
import { tagsOf } from '../../../state/group-tags.ts';
import { sidewaysOf } from '../../../state/list/list-screen.ts';
import { DETAIL_LINES, detailedHeight, listColumns } from '../../../state/list/screen-layout.ts';
import { shownValue } from '../../../state/log-zones.ts';
import type { GroupsView, State } from '../../../state/model.ts';
import { countFailure } from '../../../state/sessions/stored-groups.ts';
import { fit, wrapText } from '../../../text/fit.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { bytes, count, percent } from '../../../text/units.ts';
import { type GroupFigure, groupWidths, hasTagColumn, TAG_CELLS } from '../placed-columns.ts';

/** Groups with count and share, and over how many rows read. */
export function groupsBody(state: State, view: GroupsView, area: Area): string[] {
  const { look } = area;
  const table = [...keyColumns(state, view, look), ...figureColumns(state, view, look)];
  const line = (group: LogGroup, isCursor: boolean) =>
    cursorSign(isCursor, look) + columnsLine(table, group, isCursor);
  const lines = [titlesLine(table, area), ...listLines(view.groups, view, detailedHeight(state), line)];
  const failure = countFailure(view);
  if (failure !== null) lines.push(...paragraphs(failureWords(failure), area, 'text'));
  else if (view.groups.length === 0) lines.push(textLine(`  ${emptyWords(state, view)}`, area, 'dim'));
  const group = view.groups[view.cursor];
  return withDetailLines(lines, group ? groupDetail(state, view, group, area) : [], state, area);
}

function emptyWords({ session }: State, { counted, work }: GroupsView): string {
  if (counted?.answer === 'asked') return 'the store counts all of the window; Esc ends that';
  const isCounted = work === null && session?.book.filtering === null;
  return isCounted ? 'no rows were read yet that could be grouped' : 'counting';
}

/** A column for each part of the key; the title of the first has the cursor's place. */
function keyColumns(state: State, view: GroupsView, look: Look): ListColumn<LogGroup>[] {
  const cells = groupWidths(state, view).key;
  const sideways = sidewaysOf(state, view, () => view.by);
  const finds = findsOf(null, state.highlights);
  const place = view.groups.length > 0 ? ` ${count(view.cursor + 1)}/${count(view.total)}` : '';
  return view.by.map((field, part) => {
    const gone = cellsGone(field, sideways);
    const isShared = view.shape.cells > cells && gone === 0;
    const directory = isShared ? (view.shape.directories[field] ?? '') : '';
    const label = fieldTitle('logs', field).toUpperCase();
    const title = scrolledTitle(label, field, sideways) + (part === 0 ? place : '');
    return {
      title: title + directoryWords(directory, cells - title.length, look),
      cells,
      paint(group, isCursor) {
        const value = shownValue(state, field, group.key[field] ?? null);
        const isChosen = isCursor && part === view.column;
        if (value === null || value === '')
          return look.paint(isChosen ? 'cursor' : 'dim', fit(keyWords(field, value, cells), cells));
        const text =
          gone > 0
            ? cell(value, cells, look, 'strict', 'left', gone)
            : pathCell(value, directory, cells, finds, look);
        return marked(text, isChosen ? 'cursor' : 'text', finds, look);
      },
    };
  });
}

function figureColumns(state: State, view: GroupsView, look: Look): ListColumn<LogGroup>[] {
  const { figures } = groupWidths(state, view);
  const most = view.groups.reduce((max, group) => Math.max(max, group.count), 1);
  const today = todayOf(state, look);
  const sorted = (sort: GroupsView['sort'], title: string) =>
    view.sort === sort ? `${title}${view.reversed ? look.glyph.up : look.glyph.down}` : title;
  const column = textColumns<LogGroup>(look);
  const errorsSlot = ({ errors }: LogGroup) => (errors > 0 ? 'error' : 'dim');
  const made: Record<GroupFigure, (cells: number) => ListColumn<LogGroup>> = {
    rows: (cells) => column(sorted('count', 'ROWS'), cells, (group) => count(group.count), 'title', 'right'),
    share: (cells) =>
      column('SHARE', cells, (group) => percent(group.count / Math.max(1, view.rows)), 'dim', 'right'),
    bar(cells) {
      const bars = (group: LogGroup) => look.glyph.bar.repeat(Math.round((group.count / most) * cells));
      return { title: '', cells, paint: (group) => look.paint('accent', fit(bars(group), cells)) };
    },
    bytes: (cells) => column(sorted('bytes', 'BYTES'), cells, (group) => bytes(group.bytes), 'dim', 'right'),
    misses: (cells) => column(sorted('misses', 'MISS'), cells, missesOf, 'miss', 'right'),
    errors: (cells) =>
      column(
        sorted('errors', '5XX'),
        cells,
        (group) => percent(group.errors / group.count),
        errorsSlot,
        'right',
      ),
    last: (cells) =>
      column(sorted('last', 'LAST'), cells, (group) => timeCell(group.lastSeen, cells, today, look)),
  };
  return [
    ...[...figures].map(([id, cells]) => made[id](cells)),
    ...(hasTagColumn(view, listColumns(state))
      ? [column('LOOKS', TAG_CELLS, (group) => tagsOf(view, group)[0] ?? '', 'warning')]
      : []),
  ];
}

/** The whole key and, where a line is left, from when to when its rows are. */
function groupDetail(state: State, view: GroupsView, group: LogGroup, strip: Strip): string[] {
  const { columns, look } = strip;
  const key = view.by
    .map((field) =>
      keyWords(field, shownValue(state, field, group.key[field] ?? null), columns * DETAIL_LINES),
    )
    .join(', ');
  const [first = '', ...more] = wrapText(key, columns - 3);
  const isLong = more.length > 0;
  const second = isLong ? more.join(' ') : spanText(group.firstSeen, group.lastSeen, look);
  return detailLines(first, second, strip, isLong ? 'text' : 'dim');
}

/** A value that is absent, or says nothing, in words. */
function keyWords(field: string, value: string | null, most: number): string {
  // A value that no row holds may exist and not be known yet.
  if (value === null) return logField(field)?.column === null ? '(not known)' : '(none)';
  return value === '' ? '(empty)' : sanitise(value, 'strict', most);
}

/** The origin's share by the rule of the hit ratio; of what neither it nor the edge served there is none. */
function missesOf({ hits, misses }: LogGroup): string {
  const share = ratioOf(misses, hits + misses);
  return share === null ? '-' : percent(share);
}
