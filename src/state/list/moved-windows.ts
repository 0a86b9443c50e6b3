import type { TimeWindow } from '../../domain/query/query.ts';
import { shifted, zoomed } from '../../domain/shield/shield-window.ts';
import type { CommandId } from '../../keys/bindings.ts';

export type MovedWindow = (window: TimeWindow | null, now: number, isStored?: boolean) => TimeWindow | null;

/** The window that a key moves to from another; null: none is further. */
export const MOVED_WINDOWS: Partial<Record<CommandId, MovedWindow>> = {
  earlier: (window, now, isStored) => shifted(window, -1, now, isStored),
  later: (window, now, isStored) => shifted(window, 1, now, isStored),
  zoomIn: (window, now, isStored) => zoomed(window, 'in', now, isStored),
  zoomOut: (window, now, isStored) => zoomed(window, 'out', now, isStored),
};
