import type { TimeRange } from '../domain/coverage.ts';
import { EMPTY_QUERY, type Term } from '../domain/query.ts';
import { printQuery } from '../domain/query-text.ts';
import { MOST_PARTS } from '../domain/shield-groups.ts';
import { MOST_ROWS, type ShieldRow } from '../domain/shield-rows.ts';
import { bucketsOf, cutOff, retentionEdge } from '../domain/shield-window.ts';
import type { State } from '../state/model.ts';
import { isFullOf } from '../state/shield-ask.ts';
import { HISTOGRAM_BUCKETS, histogramOfRows } from '../state/shield-histogram.ts';
import type { ActionCounts, ShieldListView, ShieldView } from '../state/shield-model.ts';
import { REFRESH_EVERY, refreshPrice } from '../state/shield-refresh.ts';
import { fit, width } from '../text/fit.ts';
import { sanitise } from '../text/sanitise.ts';
import { clock, count, duration } from '../text/units.ts';
import { partsRead, spinner, standingOf } from './shield-words.ts';
import { sparkline, stripped } from './spark.ts';
import type { Look, Slot } from './theme.ts';

/** How the view on top stands, at the end of the title. */
export function shieldBadge(state: State, view: ShieldView): { text: string; slot: Slot } {
  if (view.kind === 'shieldEvent') return { text: 'SHIELD', slot: 'dim' };
  const { word, slot, more } = standingOf(state, view);
  const auto = state.shield?.isAuto ? 'AUTO ' : '';
  return { text: `${auto}${word}${more}`, slot };
}

export function shieldCrumb(view: ShieldView): string {
  if (view.kind === 'shieldGroups' || view.kind === 'shieldRows' || view.crumb === 'event') {
    return sanitise(view.crumb, 'strict', 40);
  }
  return view.crumb;
}

/** The events over time by action: drawn from rows that are all here, or counted on order; else what it would cost. */
export function shieldTimeLine(state: State, view: ShieldView, look: Look): string {
  if (view.kind === 'shieldEvent')
    return look.paint('dim', ' + - = on a value narrow the list below; Esc climbs');
  const zone = look.utc ? 'utc' : 'local';
  const { from, to } = view.reading.range;
  const isLong = to - from > 86_400_000;
  const span = `${clock(from, { zone, date: isLong })}${look.glyph.dash}${clock(to, { zone, date: isLong })}`;
  const histogram = drawn(view);
  const turning = view.histogram ? spinner(view.histogram.loading, state.now) : '';
  const paint = (text: string) => look.paint('dim', text);
  if (!histogram) {
    const price = `H counts the events over time: ${HISTOGRAM_BUCKETS} searches`;
    const cut = cutOff(view.query.window, view.reading.range);
    const edge = cut > 0 ? `, ${duration(cut)} before it are gone: 72 h are kept` : '';
    return paint(
      fit(` ${span} (${duration(to - from)}${edge})  ${price}`, state.size.columns, 'left', look.glyph.cut),
    );
  }
  const totals = histogram.map((each) =>
    each ? each.blocked + each.challenged + each.logged + each.other : null,
  );
  const most = totals.reduce<number>((max, n) => Math.max(max, n ?? 0), 1);
  const sum = (slot: keyof ActionCounts) => histogram.reduce((all, each) => all + (each?.[slot] ?? 0), 0);
  const part = (slot: keyof ActionCounts, word: string, colour: Slot) => {
    const marks = sparkline(
      histogram.map((each) => (each ? (each[slot] === 0 ? 0 : Math.max(0.13, each[slot] / most)) : null)),
      look,
    );
    return `${look.paint(colour, marks)} ${look.paint(colour, `${word} ${count(sum(slot))}`)}`;
  };
  const wide = state.size.columns >= 110;
  const parts = [
    paint(isLong || !wide ? '' : span),
    part('blocked', 'block', 'error'),
    part('challenged', 'chall', 'warning'),
    part('logged', 'log', 'accent'),
  ];
  const done = histogram.filter((each) => each !== null).length;
  const left =
    turning !== ''
      ? paint(`  ${done}/${histogram.length} ${turning}`)
      : view.histogram?.loading.kind === 'failed'
        ? look.paint('down', '  counting failed; H again')
        : view.histogram?.isPartial
          ? look.paint('warning', '  at least')
          : '';
  return ` ${parts.filter((text) => stripped(text) !== '').join('  ')}${left}`;
}

/** The query as chips: what Shield decides in one colour, what is decided here in another, with what that hid. */
export function shieldQueryLine(state: State, view: ShieldView, look: Look): string {
  const { columns } = state.size;
  const window = printQuery({ ...EMPTY_QUERY, window: view.query.window });
  const by = printQuery({ ...EMPTY_QUERY, groupBy: view.query.groupBy });
  const right = view.kind === 'shieldEvent' ? '' : hiddenWords(view);
  const chips: { text: string; slot: Slot }[] = [
    { text: window, slot: 'dim' },
    ...view.query.terms.map((term) => ({
      text: printQuery({ ...EMPTY_QUERY, terms: [term] }),
      slot: slotOf(view, term),
    })),
    { text: by, slot: 'dim' },
  ];
  let room = columns - right.length - 3;
  let line = ' ';
  for (const { text, slot } of chips) {
    if (text === '' || room <= 1) continue;
    const shown = sanitise(text, 'strict', Math.max(1, room));
    const cut = fit(shown, Math.min(width(shown), room), 'left', look.glyph.cut);
    line += `${look.paint(slot, cut)} `;
    room -= width(cut) + 1;
  }
  return `${line}${' '.repeat(Math.max(0, room))} ${look.paint(right.startsWith('hidden') ? 'local' : 'dim', right)}`;
}

/** The line of truth: what was read of how much, what is kept, what it cost. */
export function shieldFootLine(state: State, view: ShieldView, look: Look): string {
  const { columns } = state.size;
  const { dot } = look.glyph;
  const zone = look.utc ? 'utc' : 'local';
  const searches = state.requests.filter((each) => /\/search$/.test(each.path)).length;
  if (view.kind === 'shieldEvent') {
    return look.paint('dim', fit(` ${clock(view.row.at, { zone, date: true, millis: true })}`, columns));
  }
  const { reading } = view;
  const bad = view.kind === 'shieldRows' ? view.rows.bad : view.table.bad;
  const parts = [
    readWords(view),
    view.kind === 'shieldGroups' ? `${count(view.table.events - view.table.hidden)} events` : '',
    view.kind === 'shieldRows' && view.day ? `${view.day.pages} pages` : '',
    undecidedWords(view),
    bad > 0 ? `not understood ${count(bad)}` : '',
    boundWords(view),
    apartWords(view),
    reading.readAt === null ? '' : `as of ${clock(reading.readAt, { zone })}`,
  ];
  const left = ` ${parts.filter((text) => text !== '').join(` ${dot} `)}`;
  const isAuto = state.shield?.isAuto && view.query.window?.kind === 'last';
  const edge = `kept since ${clock(retentionEdge(state.now), { zone, date: true }).slice(5, 16)}`;
  const more = isAuto ? `${refreshPrice(view)} more every ${REFRESH_EVERY / 1000} s` : edge;
  const right = [`${searches} searches ${dot} ${more} `, `${more} `].find(
    (text) => width(left) + width(text) < columns,
  );
  if (right === undefined) return look.paint('dim', fit(left, columns, 'left', look.glyph.cut));
  const gap = columns - width(left) - width(right);
  return look.paint('text', left) + ' '.repeat(gap) + look.paint('dim', right);
}

/** What was read of how much. A sort is only as good as what it ran over, so that is said where more is there. */
function readWords(view: ShieldListView): string {
  const { total, isWhole } = view.reading;
  const what = view.kind === 'shieldGroups' ? (isFolded(view) ? 'parts' : 'groups') : 'events';
  const read = `${count(partsRead(view))}${total === null ? '' : ` of ${count(total)}`} ${what} read`;
  if (view.kind === 'shieldGroups' && !isWhole && total !== null) return `sorted over ${read}`;
  const isMoved = isWhole && total !== null && partsRead(view) < total;
  return isMoved ? `${read}, they moved meanwhile: Ctrl-r` : read;
}

function boundWords(view: ShieldListView): string {
  if (!isFullOf(view)) return '';
  const bound = view.kind === 'shieldGroups' ? MOST_PARTS : MOST_ROWS;
  return `bound of ${count(bound)} kept ${view.kind === 'shieldGroups' ? 'groups' : 'rows'} reached`;
}

/** A line that is no part of the newest answer must not pass for one. */
function apartWords(view: ShieldListView): string {
  const isApart = view.kind === 'shieldGroups' ? view.table.hasApart : view.rows.apart !== null;
  return isApart ? 'the last line is older, kept for the cursor' : '';
}

function hiddenWords(view: ShieldListView): string {
  const more = view.reading.isWhole ? '' : ' read';
  if (view.kind === 'shieldGroups') {
    const { events, hidden } = view.table;
    return hidden > 0 ? `hidden here ${count(hidden)} of ${count(events)}${more}` : '';
  }
  const { rows, shown } = view.rows;
  const hidden = rows.length - shown.length;
  return hidden > 0 ? `hidden here ${count(hidden)} of ${count(rows.length)}${more}` : '';
}

/** Terms that counts cannot tell are said, not silently dropped. */
function undecidedWords(view: ShieldListView): string {
  const { undecided } = view.reading.plan;
  return undecided.length === 0
    ? ''
    : `not in the counts: ${sanitise(printQuery({ ...EMPTY_QUERY, terms: undecided }), 'strict', 30)}`;
}

function slotOf(view: ShieldView, term: Term): Slot {
  if (view.kind === 'shieldEvent') return 'dim';
  const { local, undecided } = view.reading.plan;
  const text = JSON.stringify(term);
  return [...local, ...undecided].some((each) => JSON.stringify(each) === text) ? 'local' : 'server';
}

function isFolded(view: ShieldListView): boolean {
  return view.reading.plan.groupBy.length > view.reading.plan.dims.length;
}

/** Counted from rows where all of them are here: a histogram that costs nothing. */
function drawn(view: ShieldListView): readonly (ActionCounts | null)[] | null {
  if (view.kind === 'shieldRows' && view.reading.isWhole && view.rows.rows.length > 0) {
    return countsOf(view.rows.shown, view.reading.range);
  }
  return view.histogram?.counts ?? null;
}

/** Counting fifty thousand rows at each key would be seen: a list is counted once. */
function countsOf(rows: readonly ShieldRow[], range: TimeRange): ActionCounts[] {
  const known = countsByRows.get(rows);
  if (known?.range === range) return known.counts;
  const counts = histogramOfRows(rows, bucketsOf(range, HISTOGRAM_BUCKETS));
  countsByRows.set(rows, { range, counts });
  return counts;
}

const countsByRows = new WeakMap<readonly ShieldRow[], { range: TimeRange; counts: ActionCounts[] }>();
