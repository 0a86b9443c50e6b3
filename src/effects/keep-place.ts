import type { PlaceFile, SessionPlace } from '../domain/handover/place.ts';
import { fileTrouble } from '../files/file-trouble.ts';
import type { Clock } from '../time/clock.ts';

type PlaceKeeper = {
  /** Something happened: the place is looked at soon, and written where it changed. */
  changed: () => void;
  /** The end of the session. `isLost`: it was cut off, so that the place stays; else it goes. */
  end: (isLost: boolean) => void;
};

/** Least time between two writings, ms; longer where nothing but the log went on. */
const EVERY = { place: 2_000, log: 30_000 } as const;

/** Keeps the place of a session on the disk. `place`: null = it is not known yet, and what was kept stays. */
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
    // The start of the window that is read again moves with the log.
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
        // What cannot be removed is offered once more, and no harm is done.
      }
    },
  };
}
