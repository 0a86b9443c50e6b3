import { keptSince } from '../../../domain/log-retention.ts';
import { EMPTY_QUERY, type Term } from '../../../domain/query/query.ts';
import { printQuery } from '../../../domain/query/query-text.ts';
import { cutOff, shownEdge } from '../../../domain/shield/shield-window.ts';
import { countOfStrays } from '../../../domain/strays.ts';
import type { TimeRange } from '../../../domain/tail/coverage.ts';
import { SERIES } from '../../../domain/timeline/series.ts';
import type { Painting } from '../../../paint/painting.ts';
import {
  failureLine,
  findsOf,
  NO_ASIDE,
  type Strip,
  soughtWords,
  spinner,
  textLine,
  wholeSeconds,
} from '../../../paint/row.ts';
import { addedTerms, termLine, withEnds } from '../../../paint/status-line.ts';
import type { Look, ThemeSlot, Words } from '../../../paint/theme.ts';
import type { State } from '../../../state/model.ts';
import {
  isShieldList,
  type ShieldEventView,
  type ShieldGroupsView,
  type ShieldHistogram,
  type ShieldListView,
  type ShieldReading,
  type ShieldRowsView,
  type ShieldView,
} from '../../../state/shield-model.ts';
import { timelineOf } from '../../../state/timeline/timeline.ts';
import { queryOfView } from '../../../state/view-stack.ts';
import { fit, width } from '../../../text/fit.ts';
import { inAscii, sanitise } from '../../../text/sanitise.ts';
import { count, counted, dayClock, dayOf, duration, joined, timeOfDay } from '../../../text/units.ts';
import { fieldsOfEvent, matchPlace } from '../shield-find.ts';
import { HISTOGRAM_PARTS } from '../shield-histogram.ts';
import { isFullOf, listOf } from '../shield-lists.ts';
import { isAutoRefreshed, REFRESH_EVERY } from '../shield-reading.ts';
import { shieldGroupsBody, shieldRowsBody } from './shield-body.ts';

/** Words for one kind of list. `sorted`: before what was read of more; `kept`: what its lines are called. */
const LIST_WORDS = {
  shieldGroups: {
    ofPages: ({ pages }: ShieldReading) => ` of ${pages}`,
    sorted: 'sorted over ',
    kept: 'groups',
  },
  shieldRows: { ofPages: () => '', sorted: '', kept: 'rows' },
} as const satisfies Record<ShieldListView['kind'], object>;

/** If less than this is missing at the start of a window, ms, the words say when what is kept begins. */
const SMALL_CUT = 120_000;

/** The lines around a list of groups or events. */
const SHIELD_LINES = {
  crumb: shieldCrumb,
  badge: shieldBadge,
  head: shieldTimeLine,
  query: shieldQueryLine,
  foot: shieldFootLine,
  aside: shieldAside,
  trouble: troubleWords,
} as const;

/** The state of the top view, at the end of the title. */
function shieldBadge(state: State, view: ShieldListView): Words {
  const { text, slot } = standingOf(state, view);
  return { text: isAutoRefreshed(state, view) ? `AUTO ${text}` : text, slot };
}

/** The zone, or what a view asks beyond the one below: by its query of now, not as it was opened. */
function shieldCrumb({ shield, size, views }: State, view: ShieldListView, index: number): string {
  if (view.day) return `day ${view.day.day}`;
  const below = views.slice(0, index).findLast((each) => isShieldList(each) || each.kind === 'answer');
  // The log has the same name; without room for a word the columns tell them apart.
  const word = size.columns >= 80 ? ' shield' : '';
  const zone = sanitise(shield?.zone.name ?? '', 'strict', 40) + word;
  const wider = below && queryOfView(below);
  if (!below || !wider) return zone;
  const rest = view.query.groupBy.length === 0 ? 'events' : below.kind === 'answer' ? zone : 'groups';
  return addedTerms(wider, view.query) || rest;
}

/** The times asked about and their events by action; where these are not counted, the price. */
function shieldTimeLine(state: State, view: ShieldListView, strip: Strip): string {
  const { columns, look } = strip;
  const { range } = view.reading;
  const cut = cutWords(view, look);
  const times = ` ${spanText(range, state.now, look)} (${cut === '' ? spanWords(range.from, range.to) : cut})`;
  const counted = countedWords(state, view, look);
  if (counted !== null) return look.paint('dim', times) + counted;
  const line =
    pricesOf(state)
      .map((price) => `${times}  ${price}`)
      .find((text) => width(text) <= columns) ?? times;
  return textLine(line, strip, 'dim');
}

/** What counting events over time costs, in several lengths, the longest first. */
function pricesOf({ knowsBuckets }: State): string[] {
  const [long, short] = [':timeline counts events over time for', ':timeline counts them for'];
  if (knowsBuckets !== null) {
    const price = knowsBuckets ? '1 search' : `${HISTOGRAM_PARTS} searches`;
    return [`${long} ${price}`, `${short} ${price}`];
  }
  return [
    `${long} 1 search, ${HISTOGRAM_PARTS} more where the server is older`,
    `${short} 1 search, ${HISTOGRAM_PARTS} more if the server is older`,
    `${short} 1 to ${HISTOGRAM_PARTS + 1} searches`,
    `:timeline: 1-${HISTOGRAM_PARTS + 1} searches`,
  ];
}

/** The events by action, and what is not counted of them; null = nothing is. */
function countedWords(state: State, view: ShieldListView, look: Look): string | null {
  const { histogram } = view;
  const isAtHand = listOf(view).isAtHand(view);
  if (histogram === null && !isAtHand) return null;
  const left = isAtHand || histogram === null ? '' : leftWords(state, histogram, look);
  if (!isAtHand && histogram?.counts.every((each) => each === null)) return left;
  const timeline = timelineOf(state);
  if (timeline === null) return null;
  const sums = timeline.counts.reduce<number[]>(
    (all, parts) => all.map((sum, part) => sum + (parts[part] as number)),
    SERIES.action.map(() => 0),
  );
  const words = ACTION_WORDS.map(
    ([word, slot], part) => `  ${look.paint(slot, `${word} ${count(sums[part] as number)}`)}`,
  );
  return words.join('') + left;
}

const ACTION_WORDS = [
  ['blocked', 'error'],
  ['challenged', 'warning'],
  ['logged', 'accent'],
] as const satisfies readonly (readonly [string, ThemeSlot])[];

/** What an ordered count still lacks. */
function leftWords(state: State, histogram: ShieldHistogram, look: Look): string {
  const { by, counts, loading, isPartial } = histogram;
  const turning = spinner(loading, state);
  const done = counts.filter((each) => each !== null).length;
  if (turning !== '')
    return look.paint('dim', by === 'one' ? `  ${turning}` : `  ${done}/${counts.length} ${turning}`);
  if (loading.kind === 'failed') return look.paint('down', '  counting failed; :timeline again');
  if (loading.kind === 'cancelled') return look.paint('warning', '  counting cancelled; :timeline again');
  return isPartial ? look.paint('warning', '  at least') : '';
}

/** The query: what Shield decides in one colour, what is decided here in another, with what that hid. */
function shieldQueryLine(state: State, view: ShieldListView, strip: Strip): string {
  const { hidden, events } = listOf(view).tally(view);
  const of = `${count(hidden)} of ${count(events)}${view.reading.isWhole ? '' : ' read'}`;
  const said: Words = { text: hidden > 0 ? `hidden here ${of}` : '', slot: 'local' };
  return termLine(state, view.query, { slotOf: slotsOf(view), hidden: said }, strip);
}

/** What of the query's window is no longer kept; empty = nothing. */
function cutWords(view: ShieldListView, look: Look): string {
  const { from } = view.reading.range;
  const cut = cutOff(view.query.window, { from, to: view.reading.range.to });
  if (cut === 0) return '';
  if (cut > SMALL_CUT) return `${duration(cut)} before it are gone: 72 h are kept`;
  const since = view.day ? from : keptSince(from);
  return `kept since ${timeOfDay(since, look)}`;
}

function spanWords(from: number, to: number): string {
  const unit = to - from > 3_600_000 ? 60_000 : 1000;
  return duration(Math.round((to - from) / unit) * unit);
}

function slotsOf({ reading }: ShieldListView): (term: Term) => ThemeSlot {
  const { local, undecided } = reading.plan;
  const here = new Set([...local, ...undecided].map((term) => JSON.stringify(term)));
  return (term) => (here.has(JSON.stringify(term)) ? 'local' : 'server');
}

/** With month and day where the span is long or of another day: what is kept is less than a year. */
function spanText({ from, to }: TimeRange, now: number, look: Look): string {
  const { zone } = look;
  const isDated = to - from >= 86_400_000 || dayOf(from, zone) !== dayOf(now, zone);
  const time = (at: number) => (isDated ? dayClock(at, zone) : timeOfDay(at, look));
  return `${time(from)}${look.glyph.dash}${time(to)}`;
}

/** The status line: what was read of how much, what is kept, what it cost. */
function shieldFootLine(state: State, view: ShieldListView, strip: Strip): string {
  const { columns, look } = strip;
  const { dot } = look.glyph;
  const { zone } = look;
  const searches = state.requests.filter((each) => /\/search$/.test(each.path)).length;
  const { reading } = view;
  const { most, price, tally } = listOf(view);
  const { unit, hidden, events, bad, isApart } = tally(view);
  const parts = [
    readWords(view),
    unit === 'events' ? '' : `${count(events - hidden)} events`,
    view.day ? `${view.day.pages} pages` : '',
    undecidedWords(view),
    bad > 0 ? `${count(bad)} not understood` : '',
    isFullOf(view) ? `bound of ${count(most)} kept ${LIST_WORDS[view.kind].kept} reached` : '',
    // A line from an older answer must not pass for one of the newest.
    isApart ? 'the last line is older, kept for the cursor' : '',
  ];
  const isAuto = isAutoRefreshed(state, view);
  const edge = `kept since ${timeOfDay(shownEdge(state.now), { zone, date: true }).slice(5, 16)}`;
  const more = isAuto ? `${price(view)} more every ${REFRESH_EVERY / 1000} s` : edge;
  const asOf = reading.readAt === null ? '' : `as of ${timeOfDay(reading.readAt, { zone })}`;
  const [full, short] = [[...parts, asOf], parts].map((each) => joined(each, ` ${dot} `)) as [string, string];
  const ends = [
    [full, `${counted(searches, 'search', 'searches')} ${dot} ${more}`],
    [full, more],
    // A price paid again and again comes before the time of the answer.
    ...(isAuto ? [[short, more]] : []),
  ] as [string, string][];
  const [left, right] = ends.find(([left, right]) => width(left + right) + 2 < columns) ?? [];
  return left === undefined || right === undefined
    ? textLine(` ${full}`, strip, 'dim')
    : withEnds(left, look.paint('dim', right), columns);
}

/** What was read of how much: a sort is only as good as what it ran over. */
function readWords(view: ShieldListView): string {
  const { total, isWhole } = view.reading;
  const { read, unit } = listOf(view).tally(view);
  const words = `${count(read)}${total === null ? '' : ` of ${count(total)}`} ${unit} read`;
  if (!isWhole && total !== null) return LIST_WORDS[view.kind].sorted + words;
  const isMoved = isWhole && total !== null && read < total;
  return isMoved ? `${words}, they moved meanwhile: Ctrl-r` : words;
}

/** Terms that counts cannot decide are named, not dropped in silence. */
function undecidedWords(view: ShieldListView): string {
  const { undecided } = view.reading.plan;
  return undecided.length === 0
    ? ''
    : `not in the counts: ${inAscii(printQuery({ ...EMPTY_QUERY, terms: undecided }), 30)}`;
}

export const SHIELD_GROUPS_PAINTING = {
  ...SHIELD_LINES,
  body: shieldGroupsBody,
} as const satisfies Painting<ShieldGroupsView>;

export const SHIELD_ROWS_PAINTING = {
  ...SHIELD_LINES,
  body: shieldRowsBody,
} as const satisfies Painting<ShieldRowsView>;

export const SHIELD_EVENT_PAINTING = {
  crumb: () => 'event',
  badge: () => ({ text: 'SHIELD', slot: 'dim' }),
  head: (_, __, { look }) => look.paint('dim', ' + - = on a value narrow the list below; Esc climbs'),
  query: (state, { query }, strip) =>
    termLine(state, query, { slotOf: () => 'dim', hidden: NO_ASIDE }, strip),
  foot: (_, { row }, { columns, look }) =>
    look.paint('dim', fit(` ${timeOfDay(row.at, { zone: look.zone, date: true, millis: true })}`, columns)),
  aside: shieldAside,
  body: {
    fields: (state, view) => ({
      fields: fieldsOfEvent(state, view),
      names: state.size.columns >= 100 ? 28 : state.size.columns >= 60 ? 22 : 14,
      finds: findsOf({ needle: view.needle }, state.highlights),
    }),
  },
} as const satisfies Painting<ShieldEventView>;

/** The state of a list, each with its own word: whole, a part, old, empty, or still to come. */
function standingOf(state: State, view: ShieldListView): Words {
  const { reading } = view;
  const { loading, total, isRefresh, readAt } = reading;
  const { read } = listOf(view).tally(view);
  const turning = spinner(loading, state);
  const more = turning === '' ? '' : ` ${turning}`;
  if (readAt === null) {
    if (loading.kind === 'asking') return { text: `SEARCHING${more}`, slot: 'quiet' };
    return loading.kind === 'failed'
      ? { text: 'FAILED', slot: 'down' }
      : { text: 'CANCELLED, Ctrl-r asks again', slot: 'warning' };
  }
  if (isRefresh && loading.kind !== 'read') {
    const of = LIST_WORDS[view.kind].ofPages(reading);
    const page = reading.page > 0 ? `, page ${reading.page + 1}${of}` : '';
    const text = `STALE ${wholeSeconds(state.now - readAt)} old${page}${more}`;
    return { text, slot: loading.kind === 'failed' ? 'down' : 'quiet' };
  }
  if (total === 0 || (reading.isWhole && read === 0)) return { text: `EMPTY${more}`, slot: 'quiet' };
  // Groups and rows move between pages while events come, so the server may count more than is here.
  if (!reading.isWhole || (total !== null && read < total)) {
    const of = total === null ? `${count(read)}` : `${count(read)} of ${count(total)}`;
    const why =
      loading.kind === 'failed' ? ', then a failure' : loading.kind === 'cancelled' ? ', then cancelled' : '';
    return { text: `PARTIAL ${of}${why}${more}`, slot: 'warning' };
  }
  if (reading.strays !== null) {
    const left = counted(countOfStrays(reading.strays), 'event');
    return { text: `PARTIAL, ${left} of another time left out${more}`, slot: 'warning' };
  }
  return { text: `COMPLETE${more}`, slot: 'success' };
}

/** Why the lines on screen are not the newest or not all, and what to do; null without a failure. */
function troubleWords(state: State, view: ShieldListView, columns: number): string | null {
  if (view.reading.loading.kind !== 'failed') return null;
  // A list without a line says it in place of the lines.
  if (view.reading.readAt === null) return null;
  return failureLine(view.reading.loading.failure, columns, state.now);
}

/** `/` with its place among the matches, and how much was searched. */
function shieldAside(state: State, view: ShieldView): Words {
  const place = matchPlace(state, view);
  if (!place || view.needle === null) return NO_ASIDE;
  const at = place.index === 0 ? '-' : count(place.index);
  const isPart = view.reading?.isWhole === false;
  const over = isPart ? ` of what is read` : '';
  const sought = soughtWords({ needle: view.needle, field: view.field });
  return { slot: 'match', text: `${sought} ${at}/${count(place.total)}${over}` };
}
