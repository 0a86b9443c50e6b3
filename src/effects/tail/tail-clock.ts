import {
  CLOCK_STEP,
  type ClockDoubt,
  hasStepped,
  isDateKnown,
  type LocalTime,
  observed,
  type ServerTime,
  serverNow,
  type TimedAnswer,
  UNKNOWN_SERVER_TIME,
} from '../../domain/tail/server-time.ts';
import type { TailTuning } from '../../domain/tail/tail-pace.ts';

/**
 * What an answer told of the time. `hasStepped`: our own clocks have come apart since the last one; `isAfterStep`: or
 * shortly before, since an answer that was on its way then tells of the time before.
 */
type Heard = { hasStepped: boolean; isAfterStep: boolean; before: number; leap: number };

/** Answers after which nothing comes any more that was on its way when our clocks came apart. */
const AFTER_STEP = 5;

/** The server's time as the answers of one tail tell it, and how far beyond it the head may ask. */
export class TailClock {
  /** How far beyond what may be now the head asks; 0 once a server refuses that. */
  ahead: number;
  /** Whether time is asked for that only one witness says has come. */
  #asksToLatest = true;
  #time: ServerTime = UNKNOWN_SERVER_TIME;
  #answersSinceStep = AFTER_STEP;
  readonly #doubt: ClockDoubt;

  constructor(tuning: TailTuning) {
    this.ahead = tuning.ahead;
    this.#doubt = { margin: tuning.clockMargin, most: tuning.clockDoubt };
  }

  get isKnown(): boolean {
    return isDateKnown(this.#time);
  }

  /** What the server's clock has surely reached. */
  earliest(local: LocalTime): number {
    return serverNow(this.#time, local, this.#doubt).earliest;
  }

  /** What the server's clock may have reached: up to there it is worth asking. */
  latest(local: LocalTime): number {
    return serverNow(this.#time, local, this.#doubt).latest;
  }

  /** End of what the head asks for. */
  askTo(local: LocalTime): number {
    return (this.#asksToLatest ? this.latest(local) : this.earliest(local)) + this.ahead;
  }

  /** A server may refuse a window that ends after its own now: asks less far the next time; false when it cannot. */
  askLess(): boolean {
    const isLess = this.ahead > 0 || this.#asksToLatest;
    if (this.ahead > 0) this.ahead = 0;
    else this.#asksToLatest = false;
    return isLess;
  }

  /** How far our clock is ahead of the server's, where it is off and the answers show it. */
  ourLead(local: LocalTime): number | null {
    const ahead = local.wall - this.earliest(local);
    return this.isKnown && Math.abs(ahead) > CLOCK_STEP ? ahead : null;
  }

  hear(answer: TimedAnswer, local: LocalTime): Heard {
    const wall = local.steady + (this.#time.wall ?? local.wall - local.steady);
    const before = this.earliest({ steady: local.steady, wall });
    const isStep = hasStepped(this.#time, local);
    this.#time = observed(this.#time, answer, local, this.#doubt);
    this.#answersSinceStep = isStep ? 0 : this.#answersSinceStep + 1;
    const isAfterStep = this.#answersSinceStep < AFTER_STEP;
    return { hasStepped: isStep, isAfterStep, before, leap: this.earliest(local) - before };
  }
}
