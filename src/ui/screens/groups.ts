import type { LogGroup } from '../../domain/logs/groups/log-group.ts';
import { ratioOf } from '../../domain/logs/sums/traffic.ts';
import { logField } from '../../domain/query/fields.ts';
import { DETAIL_LINES, detailedHeight, listColumns } from '../../state/list/layout.ts';
import { PICKERS } from '../../state/list/pickers.ts';
import { sidewaysOf } from '../../state/list/sideways.ts';
import { tagsOf } from '../../state/logs/group-tags.ts';
import { groupWidths, hasTagColumn, TAG_CELLS } from '../../state/logs/group-widths.ts';
import { shownValue } from '../../state/logs/zone-names.ts';
import type { GroupsView, State } from '../../state/model.ts';
import { fit, wrapText } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { bytes, count, percent } from '../../text/units.ts';
import { directoryWords, pathCell } from '../directory-cells.ts';
import { countFailureWords } from '../logs/history-lines.ts';
import {
  cell,
  cellsGone,
  cursorSign,
  detailLines,
  findsOf,
  listLines,
  marked,
  paragraphs,
  scrolledTitle,
  spanText,
  textLine,
  timeCell,
  todayOf,
  withDetail,
} from '../row.ts';
import type { Look } from '../theme.ts';

/** Groups with their count and share, over the rows read; it says over how many. */
export function groupsBody(state: State, view: GroupsView, look: Look, height: number): string[] {
  const columns = listColumns(state);
  const w = groupWidths(state, view);
  const sideways = sidewaysOf(state, view);
  const directoryOf = (field: string) =>
    view.shape.cells > w.key && cellsGone(field, sideways) === 0 ? (view.shape.directories[field] ?? '') : '';
  const place = view.groups.length > 0 ? ` ${count(view.cursor + 1)}/${count(view.total)}` : '';
  const sorted = (sort: GroupsView['sort'], title: string) =>
    view.sort === sort ? `${title}${view.reversed ? look.glyph.up : look.glyph.down}` : title;
  const heads = [
    ...view.by.map((field, part) => {
      const title = PICKERS.groupPick.label(field).toUpperCase();
      const text = scrolledTitle(title, field, sideways) + (part === 0 ? place : '');
      return fit(
        text + directoryWords(directoryOf(field), w.key - text.length, look),
        w.key,
        'left',
        look.glyph.cut,
      );
    }),
    fit(sorted('count', 'ROWS'), 9, 'right'),
    fit('SHARE', 6, 'right'),
    fit('', w.bar),
    fit(sorted('bytes', 'BYTES'), 6, 'right'),
    fit(sorted('misses', 'MISS'), 6, 'right'),
    fit(sorted('errors', '5XX'), 6, 'right'),
    fit(sorted('last', 'LAST'), w.last),
    ...(hasTagColumn(view, columns) ? [fit('LOOKS', TAG_CELLS)] : []),
  ];
  const lines = [look.paint('header', fit(` ${heads.join(' ')}`, columns, 'left', ' '))];
  const most = view.groups.reduce((max, group) => Math.max(max, group.count), 1);
  const finds = findsOf(null, state.highlights);
  const line = (group: LogGroup, isCursor: boolean) => {
    const keys = view.by.map((field, part) => {
      const value = shownValue(state, field, group.key[field] ?? null);
      const isNothing = value === null || value === '';
      const text = isNothing
        ? fit(keyWords(field, value, w.key), w.key)
        : cellsGone(field, sideways) > 0
          ? cell(value, w.key, look, 'strict', 'left', cellsGone(field, sideways))
          : pathCell(value, directoryOf(field), w.key, finds, look);
      const slot = isCursor && part === view.column ? 'cursor' : isNothing ? 'dim' : 'text';
      return marked(text, slot, isNothing ? [] : finds, look);
    });
    const bar = fit(look.glyph.bar.repeat(Math.round((group.count / most) * w.bar)), w.bar);
    const numbers = [
      look.paint('title', fit(count(group.count), 9, 'right')),
      look.paint('dim', fit(percent(group.count / Math.max(1, view.rows)), 6, 'right')),
      look.paint('accent', bar),
      look.paint('dim', fit(bytes(group.bytes), 6, 'right')),
      look.paint('miss', fit(missesOf(group), 6, 'right')),
      look.paint(group.errors > 0 ? 'error' : 'dim', fit(percent(group.errors / group.count), 6, 'right')),
      look.paint('dim', timeCell(group.lastSeen, w.last, todayOf(state, look), look)),
      ...(hasTagColumn(view, columns)
        ? [look.paint('warning', fit(tagsOf(view, group)[0] ?? '', TAG_CELLS))]
        : []),
    ];
    const used = 1 + view.by.length * (w.key + 1) + 9 + 6 + w.bar + 6 + 6 + 6 + w.last + 6 + w.tag;
    return (
      cursorSign(isCursor, look) + [...keys, ...numbers].join(' ') + ' '.repeat(Math.max(0, columns - used))
    );
  };
  lines.push(...listLines(view.groups, view, detailedHeight(state), line));
  const failure = countFailureWords(view);
  if (failure !== null) lines.push(...paragraphs(failure, columns, look, 'text'));
  else if (view.groups.length === 0) {
    const isStored = view.counted?.answer === 'asked';
    const isCounted = view.work === null && state.session?.book.filtering === null;
    const words = isStored
      ? 'the store counts all of the window; Esc ends that'
      : isCounted
        ? 'no rows were read yet that could be grouped'
        : 'counting';
    lines.push(textLine(`  ${words}`, columns, look, 'dim'));
  }
  const group = view.groups[view.cursor];
  return withDetail(lines, group ? groupDetail(state, view, group, look) : [], state, height);
}

/** The whole key, and where it leaves a line for it, from when to when the rows are. */
function groupDetail(state: State, view: GroupsView, group: LogGroup, look: Look): string[] {
  const columns = listColumns(state);
  const room = columns - 3;
  const key = view.by
    .map((field) =>
      keyWords(field, shownValue(state, field, group.key[field] ?? null), columns * DETAIL_LINES),
    )
    .join(', ');
  const [first = '', ...more] = wrapText(key, room);
  const isLong = more.length > 0;
  const second = isLong ? more.join(' ') : spanText(group.firstSeen, group.lastSeen, look);
  return detailLines(first, second, columns, look, isLong ? 'text' : 'dim');
}

/** A value that is not there, or is but says nothing, in words. */
function keyWords(field: string, value: string | null, most: number): string {
  // What no row holds may be there and not be told yet.
  if (value === null) return logField(field)?.column === null ? '(none told)' : '(none)';
  return value === '' ? '(empty)' : sanitise(value, 'strict', most);
}

/** The share of the origin, as the hit ratio has it: of what neither it nor the edge served there is none. */
function missesOf({ hits, misses }: LogGroup): string {
  const share = ratioOf(misses, hits + misses);
  return share === null ? '-' : percent(share);
}
