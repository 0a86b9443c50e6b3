import type { PlaceFile, SessionPlace } from '../domain/handover/place.ts';
import { fileTrouble } from '../files/file-trouble.ts';
import type { Clock } from '../time/clock.ts';

type PlaceKeeper = {
  /** Something happened: the place is checked soon, and written where it changed. */
  changed: () => void;
  /** The session ends. `isLost`: it was cut off, and its place stays; otherwise the place goes. */
  end: (isLost: boolean) => void;
};

/** Least time between two writes, ms; longer where only the log went on. */
const EVERY = { place: 2_000, log: 30_000 } as const;

/** Keeps the place of a session on the disk. `place`: null = unknown yet, and the file stays as it is. */
export function createPlaceKeeper(o: {
  file: PlaceFile;
  place: () => SessionPlace | null;
  clock: Clock;
  failed: (why: string) => void;
}): PlaceKeeper {
  let cancel: (() => void) | null = null;
  let kept = '';
  let writtenAt = Number.NEGATIVE_INFINITY;
  let isOver = false;

  function look(isLast: boolean): void {
    const place = o.place();
    if (place === null) return;
    const { completeTo: _, ...rest } = place;
    // The start of the window to read again moves with the log.
    const key = JSON.stringify({
      ...rest,
      words: rest.words.map((word) => word.replace(/^from:\S+Z(?= (?!to:)|$)/, '')),
    });
    const now = Math.floor(o.clock.now());
    if (!isLast && key === kept && now - writtenAt < EVERY.log) return;
    try {
      o.file.write(place, now);
      [kept, writtenAt] = [key, now];
    } catch (error) {
      isOver = true;
      if (!isLast) o.failed(`--resume unavailable: ${fileTrouble(error)}`);
    }
  }

  return {
    changed() {
      if (isOver || cancel !== null) return;
      cancel = o.clock.after(Math.max(EVERY.place / 4, writtenAt + EVERY.place - o.clock.now()), () => {
        cancel = null;
        look(false);
      });
    },
    end(isLost) {
      cancel?.();
      if (!isOver && isLost) look(true);
      isOver = true;
      if (isLost) return;
      try {
        o.file.clear();
      } catch {
        // A file that cannot be removed is offered once more, which does no harm.
      }
    },
  };
}
