import { ratioOf } from '../../domain/logs/cache-sums.ts';
import type { LogGroup } from '../../domain/logs/log-group.ts';
import { listHeight } from '../../state/layout.ts';
import { isTaggable, tagsOf } from '../../state/logs/group-tags.ts';
import type { GroupsView, State } from '../../state/model.ts';
import { fieldTitle } from '../../state/overlays.ts';
import { fit } from '../../text/fit.ts';
import { bytes, clock, count, percent } from '../../text/units.ts';
import { cell, padLines } from '../row.ts';
import type { Look } from '../theme.ts';

/** Cells of the longest tag; the column is there where the screen is wide, else the line of hints tells the tag. */
const TAG_CELLS = 8;
const TAGS_FROM = 100;

export function hasTagColumn(view: GroupsView, columns: number): boolean {
  return columns >= TAGS_FROM && isTaggable(view.by);
}

/** Groups with their count and share, over the rows read; it says over how many. */
export function groupsBody(state: State, view: GroupsView, look: Look, height: number): string[] {
  const { columns } = state.size;
  const w = widths(view, columns);
  const place = view.groups.length > 0 ? ` ${count(view.cursor + 1)}/${count(view.total)}` : '';
  const sorted = (sort: GroupsView['sort'], title: string) =>
    view.sort === sort ? `${title}${view.reversed ? look.glyph.up : look.glyph.down}` : title;
  const heads = [
    ...view.by.map((field, part) => fit(fieldTitle(field).toUpperCase() + (part === 0 ? place : ''), w.key)),
    fit(sorted('count', 'ROWS'), 9, 'right'),
    fit('SHARE', 6, 'right'),
    fit('', w.bar),
    fit(sorted('bytes', 'BYTES'), 6, 'right'),
    fit(sorted('misses', 'MISS'), 6, 'right'),
    fit(sorted('errors', '5XX'), 6, 'right'),
    fit(sorted('last', 'LAST'), 8),
    ...(hasTagColumn(view, columns) ? [fit('LOOKS', TAG_CELLS)] : []),
  ];
  const lines = [look.paint('header', fit(` ${heads.join(' ')}`, columns, 'left', ' '))];
  const most = view.groups.reduce((max, group) => Math.max(max, group.count), 1);
  const zone = look.utc ? 'utc' : 'local';
  view.groups.slice(view.top, view.top + listHeight(state)).forEach((group, index) => {
    const isCursor = view.top + index === view.cursor;
    const keys = view.by.map((field, part) => {
      const value = group.key[field] ?? null;
      return look.paint(
        isCursor && part === view.column ? 'cursor' : value === null || value === '' ? 'dim' : 'text',
        value === null || value === ''
          ? fit(value === null ? '(none)' : '(empty)', w.key)
          : cell(value, w.key, look),
      );
    });
    const bar = fit(look.glyph.bar.repeat(Math.round((group.count / most) * w.bar)), w.bar);
    const numbers = [
      look.paint('title', fit(count(group.count), 9, 'right')),
      look.paint('dim', fit(percent(group.count / Math.max(1, view.rows)), 6, 'right')),
      look.paint('accent', bar),
      look.paint('dim', fit(bytes(group.bytes), 6, 'right')),
      look.paint('miss', fit(missesOf(group), 6, 'right')),
      look.paint(group.errors > 0 ? 'error' : 'dim', fit(percent(group.errors / group.count), 6, 'right')),
      look.paint('dim', fit(clock(group.lastSeen, { zone }), 8)),
      ...(hasTagColumn(view, columns)
        ? [look.paint('warning', fit(tagsOf(view, group)[0] ?? '', TAG_CELLS))]
        : []),
    ];
    const mark = isCursor ? look.paint('accent', look.glyph.cursor) : ' ';
    const line = mark + [...keys, ...numbers].join(' ');
    const used = 1 + view.by.length * (w.key + 1) + 9 + 6 + w.bar + 6 + 6 + 6 + 8 + 6 + w.tag;
    lines.push(used < columns ? line + ' '.repeat(columns - used) : line);
  });
  if (view.groups.length === 0) {
    const isCounted = view.work === null && state.session?.book.filtering === null;
    const words = isCounted ? 'no rows were read yet that could be grouped' : 'counting';
    lines.push(look.paint('dim', fit(`  ${words}`, columns)));
  }
  return padLines(lines, columns, height);
}

/** The share of the origin, as the hit ratio has it: of what neither it nor the edge served there is none. */
function missesOf({ hits, misses }: LogGroup): string {
  const share = ratioOf(misses, hits + misses);
  return share === null ? '-' : percent(share);
}

/**
 * A key that is cut cannot be told from its neighbour: keys and titles get what they need, the bar what is left. The last
 * place is the widest: no column moves with the cursor.
 */
function widths(view: GroupsView, columns: number): { key: number; bar: number; tag: number } {
  const parts = Math.max(1, view.by.length);
  const tag = hasTagColumn(view, columns) ? TAG_CELLS + 1 : 0;
  const fixed = 1 + 9 + 6 + 6 + 6 + 6 + 8 + 6 + parts + tag;
  const left = Math.max(parts * 4, columns - fixed);
  const last = count(view.total);
  const titles = view.by.map((field, part) => fieldTitle(field) + (part === 0 ? ` ${last}/${last}` : ''));
  const needed = view.groups.reduce(
    (most, group) => view.by.reduce((max, field) => Math.max(max, group.key[field]?.length ?? 0), most),
    Math.max(12, ...titles.map((title) => title.length)),
  );
  const key = Math.max(4, Math.min(needed, Math.floor(left / parts)));
  const spare = left - key * parts;
  return { key, bar: spare >= 4 ? Math.min(24, spare) : 0, tag };
}
