import { ENDLESS_WORDS, unreadWords } from '../domain/zone.ts';
import type { CommandId } from './commands.ts';
import { type ListPlace, remarked, type State } from './model.ts';

/** The cursor moved by a command over `length` rows, `height` of them visible; null when the command does not move. */
export function moved(
  place: ListPlace,
  command: CommandId,
  length: number,
  height: number,
): ListPlace | null {
  const page = Math.max(1, height - 1);
  switch (command) {
    case 'down':
      return placed(place, place.cursor + 1, length, height);
    case 'up':
      return placed(place, place.cursor - 1, length, height);
    case 'pageDown':
      return placed({ ...place, top: place.top + page }, place.cursor + page, length, height);
    case 'pageUp':
      return placed({ ...place, top: place.top - page }, place.cursor - page, length, height);
    case 'first':
      return placed(place, 0, length, height);
    case 'last':
      return placed(place, length - 1, length, height);
    default:
      return null;
  }
}

/** The place with its cursor at `cursor`, scrolled as little as shows it. */
export function placed(place: ListPlace, cursor: number, length: number, height: number): ListPlace {
  const at = clamp(cursor, 0, Math.max(0, length - 1));
  const highest = Math.max(0, length - height);
  const top = clamp(clamp(place.top, at - height + 1, at), 0, highest);
  return { cursor: at, top };
}

/** The first visible of `length` lines that scroll without a cursor; null when the command does not move. */
export function scrolled(top: number, command: CommandId, length: number, height: number): number | null {
  const most = Math.max(0, length - height);
  const page = Math.max(1, height - 1);
  const steps: Partial<Record<CommandId, number>> = {
    down: 1,
    up: -1,
    pageDown: page,
    pageUp: -page,
    first: -most,
    last: most,
  };
  const by = steps[command];
  return by === undefined ? null : clamp(clamp(top, 0, most) + by, 0, most);
}

/** The place scrolled down as far as shows its cursor in a window of `height` rows that became smaller. */
export function withCursorShown<P extends ListPlace>(place: P, height: number): P {
  return { ...place, top: Math.max(place.top, place.cursor - height + 1) };
}

export function clamp(n: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, n));
}

/** Tells of a list that arrived what it lacks. */
export function listRemarked(
  state: State,
  { unread = 0 }: { unread?: number },
  next: number | null | 'endless',
): State {
  if (next === 'endless') return remarked(state, { tone: 'warning', remark: ENDLESS_WORDS });
  return unread > 0 ? remarked(state, { tone: 'warning', remark: unreadWords(unread) }) : state;
}
