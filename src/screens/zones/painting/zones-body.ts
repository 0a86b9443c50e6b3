import { explain } from '../../../domain/failure.ts';
import { pastFigures } from '../../../domain/health/zone-health.ts';
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
  withDetailLines,
} from '../../../paint/row.ts';
import { fittingForm } from '../../../paint/status-line.ts';
import type { Look, Words } from '../../../paint/theme.ts';
import type { KnownHealth, ZoneSort } from '../../../state/health-model.ts';
import { detailedHeight, listHeight } from '../../../state/list/screen-layout.ts';
import type { State, ZonesView } from '../../../state/model.ts';
import { readingTold } from '../../../state/request-log.ts';
import { fit, width } from '../../../text/fit.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { count, counted, duration } from '../../../text/units.ts';
import { figuresRead, listedOf } from '../health-order.ts';
import { healthPace } from '../health-reading.ts';
import { marksTold } from '../zone-marks.ts';
import { nameCells, type PlacedZones, placedZones } from './zone-columns.ts';

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

function plainZones(state: State, { top }: ZonesView): string[] {
  const shown = state.zones.shown.slice(top, top + listHeight(state));
  return shown.map((zone) => [zone.id, zone.name, ...zone.hostnames].join(' '));
}

export const ZONES_PAINTING = {
  body: zonesBody,
  crumb: zonesCrumb,
  badge: accountsBadge,
  head: zonesLine,
  aside: zonesAside,
  plain: plainZones,
} as const satisfies Painting<ZonesView>;
