import { countOfStrays } from '../../../domain/strays.ts';
import {
  failureLine,
  failureWords,
  NO_ASIDE,
  paragraphs,
  type Strip,
  soughtWords,
  spinner,
  wholeSeconds,
} from '../../../paint/row.ts';
import type { Look, Words } from '../../../paint/theme.ts';
import type { State } from '../../../state/model.ts';
import type { ShieldListView, ShieldReading, ShieldView } from '../../../state/shield-model.ts';
import { count, counted, timeOfDay } from '../../../text/units.ts';
import { matchPlace } from '../shield-find.ts';
import { listOf } from '../shield-lists.ts';

/** Words for one kind of list. `sorted`: before what was read of more; `kept`: what its lines are called. */
export const LIST_WORDS = {
  shieldGroups: {
    ofPages: ({ pages }: ShieldReading) => ` of ${pages}`,
    sorted: 'sorted over ',
    kept: 'groups',
  },
  shieldRows: { ofPages: () => '', sorted: '', kept: 'rows' },
} as const satisfies Record<ShieldListView['kind'], object>;

/** The state of a list, each with its own word: whole, a part, old, empty, or still to come. */
export function standingOf(state: State, view: ShieldListView): Words {
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

/** What stands in place of an empty list. What to do is there whatever the server said. */
export function emptyBody(state: State, view: ShieldListView, strip: Strip, room: number): string[] {
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

/** Why the lines on screen are not the newest or not all, and what to do; null without a failure. */
export function troubleWords(state: State, view: ShieldListView, columns: number): string | null {
  if (view.reading.loading.kind !== 'failed') return null;
  // A list without a line says it in place of the lines.
  if (view.reading.readAt === null) return null;
  return failureLine(view.reading.loading.failure, columns, state.now);
}

/** `/` with its place among the matches, and how much was searched. */
export function shieldAside(state: State, view: ShieldView): Words {
  const place = matchPlace(state, view);
  if (!place || view.needle === null) return NO_ASIDE;
  const at = place.index === 0 ? '-' : count(place.index);
  const isPart = view.reading?.isWhole === false;
  const over = isPart ? ` of what is read` : '';
  const sought = soughtWords({ needle: view.needle, field: view.field });
  return { slot: 'match', text: `${sought} ${at}/${count(place.total)}${over}` };
}
