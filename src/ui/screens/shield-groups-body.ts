import { fieldNamed, fieldRow } from '../../domain/query/fields.ts';
import type { ShieldGroup } from '../../domain/shield/shield.ts';
import { sparkLevels } from '../../domain/shield/shield-buckets.ts';
import { SHIELD_COLUMNS } from '../../domain/shield/shield-columns.ts';
import { networkOf } from '../../domain/shield/shield-groups.ts';
import { isFolded } from '../../domain/shield/shield-question.ts';
import { detailedHeight } from '../../state/list/layout.ts';
import type { Sideways } from '../../state/list/list.ts';
import { sidewaysOf } from '../../state/list/sideways.ts';
import type { State } from '../../state/model.ts';
import { shieldTop } from '../../state/shield/shield-ask.ts';
import type { ShieldGroupsView } from '../../state/shield/shield-model.ts';
import {
  COUNT_CELLS,
  type PlacedShieldColumn,
  ruleText,
  shieldGroupWidths,
} from '../../state/shield/shield-widths.ts';
import { fit, width } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { count, percent } from '../../text/units.ts';
import { type UrlStyle, urlCell, urlStyle } from '../logs/url-cells.ts';
import {
  cell,
  cellsGone,
  detailLines,
  findsOf,
  gutterSign,
  listLines,
  marked,
  rawLine,
  scrolledTitle,
  spanText,
  sparkline,
  textLine,
  timeCell,
  todayOf,
  withDetail,
} from '../row.ts';
import { emptyBody } from '../shield/shield-words.ts';
import type { Look } from '../theme.ts';

/** Groups with their counts and shares, and under them what is known of the group under the cursor. */
export function shieldGroupsBody(state: State, view: ShieldGroupsView, look: Look, height: number): string[] {
  const { groups } = view.table;
  const { placed, key } = shieldGroupWidths(state, view);
  const sideways = sidewaysOf(state, view);
  const { dims } = view.reading.plan;
  const rows = detailedHeight(state);
  const top = shieldTop(state, view, groups.length);
  const urls = groups
    .slice(top, top + rows)
    .map((group) => group.key['url'] ?? group.key['page'] ?? group.key['shape']);
  const url = urlStyle(urls, key - titleAt(view, dims.findIndex(isUrl)).length, view.needle);
  const line = (group: ShieldGroup, isCursor: boolean) =>
    groupLine(state, view, group, isCursor, { placed, key, sideways, url }, look);
  const lines = [
    titles(state, view, { placed, key, sideways, url }, look),
    ...listLines(groups, { cursor: view.cursor, top }, rows, line),
    ...(groups.length === 0 ? emptyBody(state, view, look, rows) : []),
  ];
  const group = groups[view.cursor];
  return withDetail(lines, group ? groupDetail(state, view, group, look) : [], state, height);
}

function isUrl(dimension: string): boolean {
  return dimension === 'url' || dimension === 'page' || dimension === 'shape';
}

function titles(
  state: State,
  view: ShieldGroupsView,
  { placed, key, sideways, url }: LineParts,
  look: Look,
): string {
  const { columns } = state.size;
  const { plan } = view.reading;
  const arrow = view.isReversed ? look.glyph.up : look.glyph.down;
  const named = (sort: string, title: string) => (view.sort === sort ? `${title}${arrow}` : title);
  const rest = view.isUnfolded ? [] : view.query.groupBy.slice(1);
  const then = rest.length > 0 ? ` then ${rest.join(', ')}` : '';
  const heads = [
    ...plan.dims.map((dimension, i) => {
      const said = isUrl(dimension) && cellsGone(dimension, sideways) === 0 ? url.said : '';
      const title = scrolledTitle(titleAt(view, i), dimension, sideways) + said;
      // What comes next stands in the query line too: cut, it would only be noise.
      const isRoom = i === plan.dims.length - 1 && width(title + then) <= key;
      return fit(`${title}${isRoom ? then : ''}`, key, 'left', look.glyph.cut);
    }),
    fit(named('count', 'EVENTS'), COUNT_CELLS, 'right'),
    ...placed.map(({ id, width: room }) =>
      fit(named(id, SHIELD_COLUMNS[id].title), room, SHIELD_COLUMNS[id].align),
    ),
  ];
  return look.paint('header', fit(` ${heads.join(' ')}`, columns, 'left', ' '));
}

/** The title of a part of the key; that of the first says which group is under the cursor. */
function titleAt({ reading, table, cursor }: ShieldGroupsView, part: number): string {
  const { plan, total } = reading;
  const { groups } = table;
  const title = titleOf(plan.dims[part] ?? '').toUpperCase();
  if (part !== 0 || groups.length === 0) return title;
  const of = isFolded(plan) || total === null ? groups.length : Math.max(total, groups.length);
  return `${title} ${count(cursor + 1)}/${count(of)}`;
}

type LineParts = {
  placed: readonly PlacedShieldColumn[];
  key: number;
  sideways: Sideways | null;
  url: UrlStyle;
};

function groupLine(
  state: State,
  view: ShieldGroupsView,
  group: ShieldGroup,
  isCursor: boolean,
  { placed, key, sideways, url }: LineParts,
  look: Look,
): string {
  const { columns } = state.size;
  const isOlder = view.table.hasApart && group === view.table.groups.at(-1);
  const mark = gutterSign({ isCursor, isMarked: false, isRaw: group.raw !== null, isOlder }, look);
  if (group.raw !== null)
    return mark + rawLine(group.raw, columns - 1, findsOf(view, state.highlights), look);
  const keys = view.reading.plan.dims.map((dimension, at) => {
    const value = group.key[dimension] ?? null;
    const isChosen = isCursor && at === view.column;
    if (value === null || value === '') return look.paint(isChosen ? 'cursor' : 'dim', fit('(none)', key));
    const text = dimension === 'ruleId' ? ruleText(state, value) : value;
    const gone = cellsGone(dimension, sideways);
    const shown =
      isUrl(dimension) && gone === 0
        ? urlCell(value, url, key, look)
        : cell(text, key, look, 'strict', 'left', gone);
    const finds = findsOf(view, state.highlights, fieldNamed('shield', dimension));
    return marked(shown, isChosen ? 'cursor' : 'text', finds, look);
  });
  const cells = placed.map((column) => columnCell(state, view, group, column, look));
  const line = `${mark}${[...keys, look.paint('title', fit(count(group.count) + moreSign(view), COUNT_CELLS, 'right')), ...cells].join(' ')}`;
  const used =
    1 + keys.length * (key + 1) + COUNT_CELLS + placed.reduce((sum, { width: room }) => sum + 1 + room, 0);
  return used < columns ? line + ' '.repeat(columns - used) : line;
}

/** Behind a count that is added up from parts of which some were not read: there may be more. */
function moreSign({ reading }: ShieldGroupsView): string {
  return isFolded(reading.plan) && !reading.isWhole ? '+' : '';
}

function columnCell(
  state: State,
  view: ShieldGroupsView,
  group: ShieldGroup,
  { id, width: room }: PlacedShieldColumn,
  look: Look,
): string {
  const { align } = SHIELD_COLUMNS[id];
  const { context } = group;
  const number = (n: number | null) => fit(n === null ? '?' : count(n) + moreSign(view), room, align);
  const time = (t: number | null) =>
    t === null ? ' '.repeat(room) : timeCell(t, room, todayOf(state, look), look);
  switch (id) {
    case 'share': {
      const all = view.table.events - view.table.hidden;
      return look.paint('dim', fit(percent(all === 0 ? null : group.count / all), room, align));
    }
    case 'bar': {
      const levels = sparkLevels(group);
      if (levels !== null) return look.paint('accent', fit(sparkline(levels, look), room));
      const full = (group.count / Math.max(1, view.table.most)) * room;
      return look.paint('accent', fit(look.glyph.bar.repeat(Math.max(1, Math.round(full))), room));
    }
    case 'blocked':
      return look.paint(context.blocked ? 'error' : 'dim', number(context.blocked));
    case 'challenged':
      return look.paint(context.challenged ? 'warning' : 'dim', number(context.challenged));
    case 'logged':
      return look.paint(context.logged ? 'accent' : 'dim', number(context.logged));
    case 'first':
      return look.paint('dim', time(group.firstSeen));
    case 'last':
      return look.paint('dim', time(group.lastSeen));
    case 'country':
    case 'asn':
      return look.paint('dim', cell(networkOf(group)[id], room, look));
    case 'features':
      return look.paint('dim', cell(context.features.join(','), room, look));
    case 'rules':
      return look.paint('dim', cell(context.ruleIds.join(','), room, look));
  }
}

/** The whole key on one line; first and last event, network, features and the rules with their text on the other. */
function groupDetail(state: State, view: ShieldGroupsView, group: ShieldGroup, look: Look): string[] {
  const { columns } = state.size;
  if (group.raw !== null) {
    const raw = sanitise(group.raw, 'strict', columns * 2);
    return [
      textLine(` ${look.glyph.crumb} as it came; it counts no event`, columns, look, 'dim'),
      textLine(`   ${raw}`, columns, look, 'text'),
    ];
  }
  const { dot } = look.glyph;
  const key = view.reading.plan.dims
    .map((dimension) => {
      const value = group.key[dimension] ?? '';
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
  const facts = [times, network, features, isRule || isOfRule ? '' : rules].filter((text) => text !== '');
  return detailLines(key, facts.join(` ${dot} `), columns, look);
}

function titleOf(dimension: string): string {
  const field = fieldNamed('shield', dimension);
  return (field && fieldRow('shield', field)?.title) ?? dimension;
}
