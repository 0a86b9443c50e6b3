import type { TailEvent } from '../domain/tail/tail-report.ts';
import type { Clock } from '../time/clock.ts';

/** Time between two turns of a log, ms: about as long as one tail pauses between two requests. */
const TURN = 1100;

/** One tail of a log among the others. */
type Place = { add: (event: TailEvent) => void; leave: () => void };

/**
 * Hands on what the tails of one log tell about as often as one tail would: each time costs a frame, and answers about twelve
 * zones come all the time. What a tail tells while no other has just told anything, and its first answer, goes on at once;
 * anything else waits for the next turn. Each tail's own order stays.
 */
export function createTurns(clock: Clock) {
  const places = new Set<Place>();
  let waiting: { place: Place; pass: () => void }[] = [];
  let last: { at: number; place: Place | null } = { at: Number.NEGATIVE_INFINITY, place: null };
  let cancel: (() => void) | null = null;

  function turn(): void {
    cancel = null;
    const all = waiting;
    waiting = [];
    // What is told may end other tails.
    for (const { place, pass } of all) if (places.has(place)) pass();
  }

  return {
    join(tell: (event: TailEvent) => void): Place {
      let isFirst = true;
      const place: Place = {
        add(event) {
          const pass = () => {
            last = { at: clock.monotonic(), place };
            tell(event);
          };
          const since = clock.monotonic() - last.at;
          const isAlone = isFirst || place === last.place || since >= TURN;
          isFirst = false;
          if (isAlone && waiting.length === 0) return pass();
          waiting.push({ place, pass });
          cancel ??= clock.after(Math.max(0, TURN - since), turn);
        },
        leave() {
          places.delete(place);
          waiting = waiting.filter((each) => each.place !== place);
          if (waiting.length > 0) return;
          cancel?.();
          cancel = null;
        },
      };
      places.add(place);
      return place;
    },
    get isEmpty(): boolean {
      return places.size === 0;
    },
  };
}
