import type { Highlight } from './highlights.ts';

/** Where a session stands, so that another start can go on there. No secret is in it. */
export type SessionPlace = {
  /** The words after `edgescope` that open the view, with the flags of its account. */
  words: readonly string[];
  utc: boolean;
  /** Event time of the row that a paused log stands on, Unix ms; null = it is not paused, or no log. */
  pausedAt: number | null;
  /** Everything of the log before this event time was read or named as a gap, Unix ms. */
  completeTo: number | null;
  highlights: readonly Highlight[];
};

/** A place as it was kept: with the host that was asked, the machine that asked, and when (Unix ms). */
export type KeptPlace = SessionPlace & { host: string; machine: string; savedAt: number };

/** Where the place of this session is kept; each call throws what the file system says. */
export type PlaceFile = { write: (place: SessionPlace, now: number) => void; clear: () => void };
