import { explain } from '../../../domain/failure.ts';
import { blockedPerMinute, pastFigures, requestCurve } from '../../../domain/health/zone-health.ts';
import { canBeRead, type PullZone } from '../../../domain/zone.ts';
import { titlesLine } from '../../../paint/list-columns.ts';
import type { Painting } from '../../../paint/painting.ts';
import {
  type Area,
  cell,
  cut,
  detailLines,
  failureWords,
  gutterSign,
  listLine,
  listLines,
  NO_ASIDE,
  paragraphs,
  type Strip,
  sparkline,
  withDetailLines,
} from '../../../paint/row.ts';
import { fittingForm } from '../../../paint/status-line.ts';
import type { Look, Words } from '../../../paint/theme.ts';
import type { KnownHealth, ZoneSort } from '../../../state/account-model.ts';
import { detailedHeight, listHeight } from '../../../state/list/screen-layout.ts';
import { memoised } from '../../../state/memoised.ts';
import type { State, ZonesView } from '../../../state/model.ts';
import { readingTold } from '../../../state/request-log.ts';
import { fit, width } from '../../../text/fit.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { count, counted, duration, percent, roundCount } from '../../../text/units.ts';
import { figuresRead, healthPace, listedOf } from '../health-reading.ts';
import { marksTold } from '../zones-screen.ts';

function zonesCrumb({ views, zones }: State): string {
  return views.length > 1 ? 'zones' : `zones${zones.narrow ? ` /${sanitise(zones.narrow, 'text')}` : ''}`;
}

/** What the program is connected to. A simulator's address is a port that happened to be free. */
function accountsBadge({ demo, endpoint }: State): Words {
  return { text: demo ? 'simulated account' : endpoint, slot: 'dim' };
}

/** How many zones there are, what is known of them, and what the figures cost. */
function zonesLine(state: State, _: ZonesView, { columns, look }: Strip): string {
  const { zones } = state;
  if (zones.items.length === 0) return '';
  const { items, total, nextPage, shieldOf } = zones;
  const { shielded, logging } = listedOf(items);
  const zonesWords = counted(total ?? items.length, 'zone');
  // The pages read do not count the account.
  const listed = nextPage === null ? '' : `${count(items.length)} of them listed, `;
  const logs = `${zonesWords}, ${listed}${count(logging)} with logs`;
  const shield = shieldOf ? `${count(shielded)} with Shield` : 'Shield not known yet';
  const { time, cost } = paceWords(state, look.glyph.hatch);
  const forms = [
    [`${logs}, ${shield}`, time, ...cost],
    [logs, time, ...cost],
    [zonesWords, time, ...cost],
    [zonesWords, time, ...cost.slice(0, 1)],
    [zonesWords, time],
    [time],
  ];
  return look.paint('dim', ` ${fittingForm(forms, columns - 1, look)}`);
}

/** The time of the figures, what reading them costs, and how to end that. */
function paceWords(state: State, unread: string): { time: string; cost: string[] } {
  if (state.health.isStopped) return { time: 'figures stand still; :follow reads them', cost: [] };
  const { perMinute, isMore, every, others, isFirst } = healthPace(state);
  const rest =
    others === null ? '' : `, others ${isFirst ? 'in ' : ''}${duration(Math.ceil(others / 1000) * 1000)}`;
  // While the past is read, too, the round is longer.
  const time = isMore ? `reading the last hour, ${unread} not yet` : `newest rows each ${duration(every)}`;
  return {
    time: `${time}${rest}`,
    cost: [`${counted(Math.round(perMinute), 'request')}/min`, ':follow pauses'],
  };
}

/** The number of marked zones, or why the list does not move with its figures. */
function zonesAside(state: State, view: ZonesView): Words {
  const marks = marksTold(state);
  if (marks !== null) return { slot: 'accent', text: marks };
  const { health, zones } = state;
  const isHeld = view.cursor > 0 && zones.narrow === '' && isByFigures(health.sort);
  const part = partWords(state);
  if (!isHeld || health.isStopped) return NO_ASIDE;
  return { slot: 'dim', text: `order held${part === null ? '' : ` of ${part}`}, g renews` };
}

/** The picker: column titles, then a line a zone; states in between have words of their own. */
function zonesBody(state: State, view: ZonesView, area: Area): string[] {
  const { columns, look } = area;
  const { zones } = state;
  const shown = placedZones(columns, nameCells(zones.items), state.health.sort);
  const line = (zone: PullZone, isCursor: boolean) => zoneLine(state, zone, isCursor, shown, look);
  const rows = listLines(zones.shown, view, detailedHeight(state), line);
  const lines = [titles(state, view, shown, area), ...rows];
  const zone = zones.shown[view.cursor];
  if (zone === undefined) return [...lines, ...paragraphs(emptyWords(state), area, 'text')];
  const isRoom = detailedHeight(state) < listHeight(state);
  const told = listTold(state);
  if (told !== null && !isRoom) lines.push(listLine(told.text, false, area, told.slot));
  return withDetailLines(lines, zoneDetail(state, zone, told, area), state, area);
}

/** What the list lacks; null: nothing. */
function listTold(state: State): Words | null {
  const { loading } = state.zones;
  if (loading.kind === 'loading')
    return { text: readingTold('reading more zones', loading.since, state), slot: 'dim' };
  if (loading.kind !== 'failed') return null;
  const { what, next } = explain(loading.failure);
  return { text: `the list is not complete: ${what} ${next}`, slot: 'error' };
}

function titles(state: State, view: ZonesView, { columns, name, hosts }: PlacedZones, strip: Strip): string {
  const { sort, reversed } = state.health;
  const { glyph } = strip.look;
  const sign = reversed ? glyph.up : glyph.down;
  const titled = (id: ZoneSort | null, title: string, cells: number) => {
    if (id !== sort || state.zones.narrow !== '') return title;
    // The sign replaces a stroke where there is no other room.
    return (title.length < cells ? title : title.replace('/', '')) + sign;
  };
  // A search sorts by the best match.
  const isNarrowed = state.zones.narrow !== '';
  const part = view.cursor > 0 || isNarrowed || !isByFigures(sort) ? null : partWords(state);
  const place = part === null ? position(state, view) : ` ${part}`;
  const end = reversed ? 'LAST' : 'FIRST';
  const heads =
    sort === 'worst' && !isNarrowed
      ? [`WORST ${end}`, ...(reversed ? [] : ['WORST'])]
      : [titled('name', 'NAME', name)];
  const forms = [...heads.map((head) => head + place), place.trim()];
  const named = forms.find((form) => width(form) <= name) ?? '';
  const list = [
    { title: named, cells: name },
    ...columns.map((each) => ({ ...each, title: titled(each.sort, each.title, each.cells) })),
    ...(hosts > 0 ? [{ title: 'HOSTNAMES', cells: hosts }] : []),
  ];
  return titlesLine(list, strip);
}

/** How many zones an order by figures covers, where that is not all. */
function partWords(state: State): string | null {
  const { read, of } = figuresRead(state);
  return read < of ? `${count(read)} of ${count(of)} read` : null;
}

function isByFigures(sort: ZoneSort): boolean {
  return sort !== 'name' && sort !== 'list';
}

function position(state: State, view: ZonesView): string {
  const { shown, items, total } = state.zones;
  if (shown.length === 0) return '';
  const of =
    shown.length === items.length
      ? count(total ?? items.length)
      : `${count(shown.length)} of ${count(total ?? items.length)}`;
  return ` ${count(view.cursor + 1)}/${of}`;
}

function zoneLine(state: State, zone: PullZone, isCursor: boolean, shown: PlacedZones, look: Look): string {
  const { columns, name, hosts } = shown;
  const known = state.health.known.get(zone.id);
  const id = (cells: number) => look.paint('dim', cell(zone.id, cells, look, 'strict', 'right'));
  const why = unreadWords(zone, known);
  const figureCells = columns.filter(({ figure }) => figure !== null);
  const room = figureCells.reduce((sum, { cells }) => sum + cells + 1, -1);
  const figures =
    why !== null
      ? [look.paint(why.slot, cut(why.text, room, look))]
      : figureCells.map(({ figure, cells, align }) => {
          if (known === undefined || figure === null) return ' '.repeat(cells);
          const { text, slot } = figure(known, { zone, state, look });
          return look.paint(slot, fit(text, cells, align));
        });
  const parts = [
    look.paint(isCursor ? 'cursor' : 'text', cell(zone.name, name, look, 'text')),
    ...columns.filter(({ figure }) => figure === null).map(({ cells }) => id(cells)),
    ...figures,
    ...(hosts > 0 ? [look.paint('dim', fit(hostWords(zone.hostnames, hosts, look), hosts))] : []),
  ];
  const isMarked = state.zones.marked.has(zone.id);
  return gutterSign({ isCursor, isMarked, isRaw: false, isOlder: false }, look) + parts.join(' ');
}

/** Why a zone has no figures. */
function unreadWords(zone: PullZone, known: KnownHealth | undefined): Words | null {
  if (zone.suspended) return { text: 'SUSPENDED', slot: 'error' };
  if (!zone.enabled) return { text: 'DISABLED', slot: 'warning' };
  if (!zone.logging) return { text: 'logging off', slot: 'dim' };
  const failure = known?.health.failure ?? null;
  if (failure === null || known?.health.bins.length !== 0) return null;
  return { text: explain(failure).what, slot: 'error' };
}

/** What makes the zone under the cursor stand out, and its names, unless the list has something to say. */
function zoneDetail(state: State, zone: PullZone, told: Words | null, strip: Strip): string[] {
  const known = state.health.known.get(zone.id);
  if (told !== null) return detailLines(whyWords(zone, known), told.text, strip, told.slot);
  const flagged = [
    zone.logging ? 'logging' : 'no logging',
    ...(zone.shieldZoneId === undefined ? [] : [zone.shieldZoneId === null ? 'no Shield' : 'Shield']),
  ].join(', ');
  const id = `  id ${sanitise(zone.id, 'strict', 20)}, ${flagged}`;
  const names = `${hostWords(zone.hostnames, strip.columns - 3 - width(id), strip.look)}${id}`;
  return detailLines(whyWords(zone, known), names, strip);
}

function whyWords(zone: PullZone, known: KnownHealth | undefined): string {
  if (!canBeRead(zone)) {
    if (zone.suspended) return 'suspended by the platform';
    return zone.enabled ? 'no log: it is switched on under Logging of the pull zone' : 'disabled';
  }
  const failure = known?.health.failure ?? null;
  if (failure !== null) return explain(failure).what;
  if (!known?.score) return 'not read yet';
  const { why } = known.score;
  if (why !== '') return why;
  const before = pastFigures(known.health);
  return before === null
    ? 'nothing of the hour before was read yet'
    : `nothing stands out beside ${counted(before.rows, 'row')} of the hour before`;
}

/** As many whole names as fit, and how many more there are: half a name may be another zone's. */
function hostWords(hostnames: readonly string[], columns: number, look: Look): string {
  const names = hostnames.slice(0, columns).map((each) => sanitise(each, 'text', columns * 4));
  const more = (shown: number) => (shown < hostnames.length ? ` +${hostnames.length - shown}` : '');
  const words = (shown: number) => names.slice(0, shown).join(' ') + more(shown);
  const fits = names.findLastIndex((_, at) => width(words(at + 1)) <= columns);
  if (fits >= 0) return words(fits + 1);
  return cut(names[0] ?? '', Math.max(0, columns - more(1).length), look) + more(1);
}

function emptyWords(state: State): string[] {
  const { zones } = state;
  if (zones.loading.kind === 'failed') {
    const { failure } = zones.loading;
    const isNoKey = failure.kind === 'noKey';
    const demo = isNoKey ? ['', 'To look around without an account: edgescope --demo'] : [];
    return [...failureWords(failure), ...demo];
  }
  if (zones.loading.kind === 'loading')
    return ['', readingTold('reading the zones', zones.loading.since, state)];
  if (zones.narrow !== '') {
    const unread = zones.nextPage === null ? '' : ' among those read, and not all were: Ctrl-r reads again';
    return ['', `no zone matches${unread}; Esc shows all of them`];
  }
  return ['', zones.nextPage === null ? 'this account has no pull zones' : 'not read; Ctrl-r asks'];
}

export const ZONES_PAINTING = {
  body: zonesBody,
  crumb: zonesCrumb,
  badge: accountsBadge,
  head: zonesLine,
  aside: zonesAside,
} as const satisfies Painting<ZonesView>;

type ZoneColumn = {
  title: string;
  cells: number;
  align: 'left' | 'right';
  /** The narrowest terminal that shows it. */
  from: number;
  sort: ZoneSort | null;
  /** What replaces it where room is short. */
  short?: ZoneColumn;
  figure: ((known: KnownHealth, of: { zone: PullZone; state: State; look: Look }) => Words) | null;
};

/** Cells of the curve of requests, ten minutes each. */
const CURVE_CELLS = 6;

/** Ages move in steps of so many ms: what changes each second is written each second. */
const AGE_STEP = 5_000;

const ERRORS = column('5XX', 5, 0, 'errors', ({ figures, score }) => ({
  text: percent(figures?.errorRatio ?? null),
  slot: standsOut(score, 'errors') ? 'error' : 'dim',
}));

/** What the picker shows of a zone besides its name. */
const ZONE_COLUMNS: readonly ZoneColumn[] = [
  column('ID', 9, 90, null, null),
  column('REQ/S', 5, 0, 'requests', ({ figures, score }) => ({
    text: rateText(figures?.requestsPerSecond ?? null),
    slot: standsOut(score, 'requests') ? 'warning' : 'text',
  })),
  column('HIT', 5, 0, 'hit', ({ figures, score }) => ({
    text: percent(figures?.hitRatio ?? null),
    slot: standsOut(score, 'misses') ? 'miss' : 'text',
  })),
  column('4XX', 5, 0, 'clientErrors', ({ figures, score }) => ({
    text: percent(figures?.clientErrorRatio ?? null),
    slot: standsOut(score, 'clientErrors') ? 'warning' : 'dim',
  })),
  {
    ...column('5XX OF ROWS', 13, 60, 'errors', ({ figures, score }) => {
      const share = fit(percent(figures?.errorRatio ?? null), 5, 'right');
      if (figures === null || figures.rows === 0)
        return { text: figures === null ? '' : 'no rows', slot: 'dim' };
      return {
        text: fit(`${share} of ${roundCount(figures.rows)}`, 13),
        slot: standsOut(score, 'errors') ? 'error' : 'dim',
      };
    }),
    short: ERRORS,
  },
  column('BLOCKED', 8, 80, 'blocked', ({ health, score }, { zone, look }) => {
    // Without Shield there is nothing to read, and no figure to come.
    const unread = zone.shieldZoneId === null ? 'off' : look.glyph.hatch;
    const rate = blockedPerMinute(health.blocked);
    const text = rate === null ? unread : `${rateText(rate)}/min`;
    return { text, slot: standsOut(score, 'blocked') ? 'warning' : 'dim' };
  }),
  column('HOUR', CURVE_CELLS, 80, null, hourFigure, 'left'),
  column('AGE', 4, 50, 'age', ({ health, figures }, { state }) => {
    const to = figures?.to ?? null;
    const age = to === null ? null : Math.max(0, state.now - state.health.clockAhead - to);
    return { text: age === null ? '-' : ageText(age), slot: health.failure === null ? 'dim' : 'error' };
  }),
];

function column(
  title: string,
  cells: number,
  from: number,
  sort: ZoneSort | null,
  figure: ZoneColumn['figure'],
  align: ZoneColumn['align'] = 'right',
): ZoneColumn {
  return { title, cells, align, from, sort, figure };
}

/** The curve of requests; a single level is neither high nor low, and says no more than unread time. */
function hourFigure({ health }: KnownHealth, { look }: { look: Look }): Words {
  const curve = requestCurve(health, CURVE_CELLS);
  if (curve.filter((level) => level !== null).length < 2)
    return { text: look.glyph.hatch.repeat(CURVE_CELLS), slot: 'dim' };
  const most = Math.max(0, ...curve.map((level) => level ?? 0));
  const shares = curve.map((level) => (level === null || most === 0 ? level : level / most));
  return { text: sparkline(shares, look), slot: 'accent' };
}

function standsOut(score: KnownHealth['score'], measure: string): boolean {
  return score?.parts.some((part) => part.measure === measure) ?? false;
}

/** A rate in five cells. */
function rateText(rate: number | null): string {
  if (rate === null) return '-';
  if (rate === 0) return '0';
  return rate < 0.095 ? '<0.1' : rate < 9.95 ? rate.toFixed(1) : roundCount(Math.round(rate));
}

/** An age in at most three cells. */
function ageText(age: number): string {
  if (age < 60_000) return `${Math.floor(age / AGE_STEP) * (AGE_STEP / 1000)}s`;
  const minutes = Math.floor(age / 60_000);
  if (minutes < 60) return `${minutes}m`;
  return minutes < 5940 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / 1440)}d`;
}

/** What a line of the picker holds: figures, and cells for the name and the host names. */
type PlacedZones = {
  columns: readonly ZoneColumn[];
  name: number;
  hosts: number;
};

/** Where host names have room, names have at least the cells of the title that says that the worst comes first. */
const NAME_LEAST = 25;
const NAME_MOST = 48;
/** Below this width a long name is truncated, so that no figure is lost by which a zone may stand out. */
const NARROW = 60;
const HOSTS_FROM = 110;
const HOSTS_LEAST = 12;

/**
 * Columns that give way to names, in this order. The lines under the list have the id of the zone under the cursor;
 * the sorted column stays.
 */
const GIVE_WAY = ['ID', 'HOUR', '5XX OF ROWS', 'AGE', 'BLOCKED', 'HIT'] as const;

/**
 * The columns of a picker whose names need so many cells. Names take at most half of the window: requests, 4xx and
 * 5xx stay.
 */
export function placedZones(columns: number, needed: number, sort: ZoneSort | null): PlacedZones {
  const wanted = Math.min(needed, Math.floor(columns * (columns < NARROW ? 3 / 8 : 1 / 2)));
  let shown = ZONE_COLUMNS.flatMap((each) => (columns >= each.from ? [each] : shortOf(each)));
  const left = () => {
    const figures = shown.reduce((sum, { cells }) => sum + cells + 1, 0);
    return columns - 1 - figures;
  };
  for (const title of GIVE_WAY) {
    if (left() >= wanted) break;
    shown = shown.flatMap((each) => {
      if (each.title !== title) return [each];
      const short = shortOf(each);
      return short.length === 0 && sort !== null && each.sort === sort ? [each] : short;
    });
  }
  const name = Math.max(NAME_LEAST, Math.min(wanted, NAME_MOST));
  const hosts = left() - name - 1;
  if (columns < HOSTS_FROM || hosts < HOSTS_LEAST) return { columns: shown, name: left(), hosts: 0 };
  return { columns: shown, name, hosts };
}

function shortOf({ short }: ZoneColumn): ZoneColumn[] {
  return short === undefined ? [] : [short];
}

/** Cells of the longest name listed, in view or not: no column moves while the list scrolls or narrows. */
const nameCells = memoised((zones: readonly PullZone[]): number =>
  zones.reduce((most, { name }) => Math.max(most, width(sanitise(name.slice(0, NAME_MOST), 'text'))), 0),
);
