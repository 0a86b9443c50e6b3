import type { TimeRange } from '../../domain/tail/coverage.ts';
import { LOG_SERIES } from '../../domain/timeline/series.ts';
import { stepAt, stepOf } from '../../domain/timeline/steps.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { queryOnTop } from '../../screens/screens.ts';
import { hasRoom, sizeAfter, timelineRows } from '../../state/list/screen-layout.ts';
import { clamp } from '../../state/list.ts';
import type { Brush } from '../../state/model.ts';
import { noticed, type State } from '../../state/model.ts';
import { isDrilled, WINDOW_BELOW } from '../../state/sessions/session.ts';
import { type Timeline, timelineOf } from '../../state/timeline/timeline.ts';
import { openPicker } from '../input/pickers.ts';
import { questioned } from '../questions/question-keys.ts';

/** Steps of a page. */
const PAGE = 10;

const NO_ROOM = 'this screen has no room for a timeline';

/** Opens a cursor on the timeline, at the newest step that has come. */
export function brushOpened(state: State): State {
  if (timelineRows(state) === 0) {
    const why = hasRoom(state) ? 'no timeline is on screen; :timeline shows it' : NO_ROOM;
    return noticed(state, 'info', why);
  }
  const timeline = timelineOf(state);
  if (timeline === null) return noticed(state, 'info', 'nothing is read yet');
  return {
    ...state,
    overlay: { kind: 'timeline', at: stepAt(timeline.steps, lastCome(timeline)).from, anchor: null },
  };
}

/** A click on a step selects it, and another one all from there to here. */
export function stepPointed(state: State, cell: number): State {
  const next = brushOpened({ ...state, overlay: null });
  const timeline = timelineOf(state);
  if (next.overlay?.kind !== 'timeline' || timeline === null) return next;
  const before = state.overlay?.kind === 'timeline' ? state.overlay.anchor : null;
  const { from: at } = stepAt(timeline.steps, clamp(cell, 0, lastCome(timeline)));
  return { ...next, overlay: { kind: 'timeline', at, anchor: before ?? at } };
}

/** Where Tab goes elsewhere: opens the cursor and begins a selection there. */
export function selectionBegun(state: State, command: CommandId): State {
  const next = brushOpened(state);
  return next.overlay?.kind === 'timeline' ? (brushCommanded(next, next.overlay, command) ?? next) : next;
}

/** The timeline in the next size. */
export function timelineResized(state: State): State {
  const next = { ...state, timeline: { ...state.timeline, size: sizeAfter(state) } };
  return timelineRows(next) === 0 && timelineRows(state) === 0
    ? noticed(state, 'info', hasRoom(next) ? 'there is no timeline of this view' : NO_ROOM)
    : next;
}

/** The state without a brush where the timeline is gone: its keys would do what nobody sees. */
export function withBrushOnScreen(state: State): State {
  return state.overlay?.kind === 'timeline' && timelineRows(state) === 0
    ? { ...state, overlay: null }
    : state;
}

function lastCome({ cover }: Timeline): number {
  const ahead = cover.indexOf('ahead');
  return ahead < 0 ? cover.length - 1 : Math.max(0, ahead - 1);
}

/** The selection on a timeline, and the place of its cursor. */
export function selectionOf(
  { overlay }: State,
  timeline: Timeline,
): { chosen: TimeRange | null; cursor: number | null } {
  if (overlay?.kind !== 'timeline') return { chosen: null, cursor: null };
  return { chosen: overlay.anchor === null ? null : spanOf(overlay, timeline), cursor: overlay.at };
}

/**
 * The times from the anchor to the cursor, both steps included, as far as they are drawn and have come; without an
 * anchor those of the step under the cursor. Whole ms, one at least.
 */
export function spanOf({ at, anchor }: Brush, { steps, range }: Timeline): TimeRange {
  const [one, other] = [stepOf(steps, at), stepOf(steps, anchor ?? at)];
  const from = Math.max(range.from, stepAt(steps, Math.min(one, other)).from);
  const to = Math.min(range.to, stepAt(steps, Math.max(one, other)).to);
  return { from: Math.floor(from), to: Math.max(Math.floor(from) + 1, Math.ceil(to)) };
}

/** What a command does on the timeline; null = nothing of its own. */
export function brushCommanded(state: State, brush: Brush, command: CommandId): State | null {
  const timeline = timelineOf(state);
  if (timeline === null) return { ...state, overlay: null };
  const { steps } = timeline;
  const beneath: State = { ...state, overlay: null };
  const range = spanOf(brush, timeline);
  const moved = (by: number, anchor = brush.anchor): State => {
    const to = clamp(stepOf(steps, brush.at) + by, 0, lastCome(timeline));
    return { ...state, overlay: { ...brush, at: stepAt(steps, to).from, anchor } };
  };
  switch (command) {
    case 'left':
      return moved(-1);
    case 'right':
      return moved(1);
    case 'selectLeft':
      return moved(-1, brush.anchor ?? brush.at);
    case 'selectRight':
      return moved(1, brush.anchor ?? brush.at);
    case 'pageUp':
      return moved(-PAGE);
    case 'pageDown':
      return moved(PAGE);
    case 'first':
      return moved(Number.NEGATIVE_INFINITY);
    case 'last':
      return moved(Number.POSITIVE_INFINITY);
    case 'selectTime':
      return { ...state, overlay: { ...brush, anchor: brush.anchor === null ? brush.at : null } };
    case 'open':
    case 'chooseGroups': {
      const narrowed = windowMade(beneath, range);
      if (typeof narrowed === 'string') return noticed(beneath, 'info', narrowed);
      return openPicker(narrowed, command) ?? narrowed;
    }
    case 'timelineSeries':
      return seriesChanged(state);
    case 'timelineSize':
      return withBrushOnScreen(timelineResized(state));
    case 'down':
    case 'up':
    case 'back':
    case 'timeline':
      return beneath;
    case 'leave':
      // A selection is a step of its own on the way back.
      return { ...state, overlay: brush.anchor === null ? null : { ...brush, anchor: null } };
    default:
      return questioned(beneath, command, { range, of: timeline.range });
  }
}

/** The view asked for these times, or why it cannot be. */
function windowMade(state: State, range: TimeRange): State | string {
  const top = queryOnTop(state);
  if (top === null) return 'an answer keeps its times; Esc goes to the rows, whose window can be made here';
  if (isDrilled(state)) return WINDOW_BELOW;
  return top.asked(state, { ...top.query, window: { kind: 'absolute', ...range } });
}

/** The timeline divided by the next series. */
export function seriesChanged(state: State): State {
  const { timeline } = state;
  if (timelineOf(state)?.series === 'action')
    return noticed(state, 'info', 'events of Shield are drawn by their action alone');
  const series = LOG_SERIES[(LOG_SERIES.indexOf(timeline.series) + 1) % LOG_SERIES.length] ?? timeline.series;
  return { ...state, timeline: { ...timeline, series } };
}
