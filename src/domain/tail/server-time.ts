/**
 * Three witnesses tell the server's time: its `Date` headers, the clock of this machine, and its rows. Each may be wrong
 * by any amount, and none can be asked which one it is. What follows from each, as a difference to our monotonic clock:
 *
 * - A `Date` is cut to the second and stamped between our sending and our receiving, which makes an interval. The offset
 *   that most of the last answers share counts, so one stray answer changes nothing. A constant lie does not show.
 * - Our wall clock is a single value; nothing vouches for it.
 * - A row is not of the future: the newest one is a lower bound. Without rows there is none, and a quiet zone has none.
 *
 * Their median is a time that the server has reached as long as two of them are right: a `Date` or a clock that is ahead
 * moves it to the next witness, one that is behind makes it late, which only delays what is claimed. `latest` is the
 * other end, up to which rows are worth asking for. The two are equal where all agree.
 */
export type ServerTime = {
  /** Newest last. */
  readonly dates: readonly Offsets[];
  readonly rows: number | null;
  /** How far the wall clock was ahead of the monotonic one at the last answer. */
  readonly wall: number | null;
};

/** Our clocks at one moment, Unix ms. `steady` never jumps, but may stand still while the machine sleeps. */
export type LocalTime = { steady: number; wall: number };

/**
 * The stamps of an answer. `date`: its header; `newestRow`: null without rows; the others are of our monotonic clock.
 * All Unix ms.
 */
export type TimedAnswer = {
  date: number | null;
  newestRow: number | null;
  sentAt: number;
  receivedAt: number;
};

/** How far our own clock is trusted without a `Date`, ms: `margin` for what is new, `most` for claims. */
export type ClockDoubt = { margin: number; most: number };

/** Whole Unix ms. The server's clock has surely reached `earliest`, and surely not passed `latest`, but for the ms since. */
export type ServerNow = { earliest: number; latest: number };

type Offsets = { low: number; high: number };

export const UNKNOWN_SERVER_TIME: ServerTime = { dates: [], rows: null, wall: null };

/** Answers remembered: old enough to span the second that a `Date` cuts away. */
const MOST_DATES = 40;
/** Answers of which most decide: few, so that a clock that was set is followed within seconds. */
const VOTERS = 5;
/** The most that a `Date` cuts away, ms. */
const CUT = 1_000;
/** A wall clock that moved this far against the monotonic one was set, or the machine slept, ms. */
export const CLOCK_STEP = 2_000;
/**
 * How far ahead rows are asked for at most, whatever a witness says: a wrong time zone is possible, a wrong year is
 * not.
 */
const LATEST_MOST = 26 * 3_600_000;

export function observed(
  time: ServerTime,
  answer: TimedAnswer,
  local: LocalTime,
  doubt: ClockDoubt,
): ServerTime {
  const { date, newestRow, sentAt, receivedAt } = answer;
  const wall = local.wall - local.steady;
  // Our monotonic clock may have stood still: earlier stamps belong to another time.
  const told = hasStepped(time, local) ? [] : time.dates;
  const heard = date === null ? [] : [{ low: date - receivedAt, high: date + CUT - sentAt }];
  const dates = [...told, ...heard].slice(-MOST_DATES);
  const next = { dates, rows: time.rows, wall };
  if (newestRow === null || newestRow > serverNow(next, local, doubt).latest + CUT) return next;
  return { ...next, rows: Math.max(time.rows ?? Number.NEGATIVE_INFINITY, newestRow - receivedAt) };
}

/** Whether the wall clock moved since the last answer as time does not: it was set, or the machine slept. */
function hasStepped({ wall }: ServerTime, local: LocalTime): boolean {
  return wall !== null && Math.abs(local.wall - local.steady - wall) > CLOCK_STEP;
}

export function serverNow(time: ServerTime, { steady, wall }: LocalTime, doubt: ClockDoubt): ServerNow {
  const own = wall - steady;
  const rows = time.rows ?? Number.NEGATIVE_INFINITY;
  const date = voted(time.dates);
  const earliest =
    date === null
      ? Math.min(own - doubt.margin, Math.max(rows, own - doubt.most))
      : Math.max(Math.min(date, own), Math.min(rows, Math.max(date, own)));
  const latest = date === null ? Math.max(own, rows) + doubt.most : Math.max(date, own);
  return {
    earliest: Math.floor(steady + earliest),
    latest: Math.floor(steady + Math.min(latest, earliest + LATEST_MOST)),
  };
}

/** What most of the last Dates say, by which a server counts what it still keeps; our own clock without any. */
export function toldNow({ dates }: ServerTime, { steady, wall }: LocalTime): number {
  const date = voted(dates);
  return date === null ? wall : Math.floor(steady + date);
}

export function isDateKnown({ dates }: ServerTime): boolean {
  return dates.length > 0;
}

/** The lower bound of the offset that most of the last answers share; of equals, the least. */
function voted(dates: readonly Offsets[]): number | null {
  const voters = dates.slice(-VOTERS);
  const around = (offset: number) => voters.filter(({ low, high }) => low <= offset && offset <= high);
  const [best] = voters
    .map(({ low }) => ({ low, votes: around(low).length }))
    .sort((a, b) => b.votes - a.votes || a.low - b.low);
  if (best === undefined) return null;
  const ceiling = Math.min(...around(best.low).map(({ high }) => high));
  return dates.reduce((most, { low }) => (low <= ceiling && low > most ? low : most), best.low);
}

/**
 * What an answer showed of the time. `hasStepped`: our clocks came apart since the last one; `isAfterStep`: or
 * shortly before, since an answer on its way then is of the time before.
 */
type Heard = { hasStepped: boolean; isAfterStep: boolean; before: number; leap: number };

/** Answers after which none is left that was on its way when our clocks came apart. */
const AFTER_STEP = 5;

/** The server's time by the answers of one tail, and how far beyond it the head may ask. */
export class TailClock {
  /** How far beyond the possible now the head asks; 0 once a server refuses that. */
  ahead: number;
  /** Whether to ask for time that only one witness says has come. */
  #asksToLatest = true;
  #time: ServerTime = UNKNOWN_SERVER_TIME;
  #answersSinceStep = AFTER_STEP;
  readonly #doubt: ClockDoubt;

  constructor(tuning: { ahead: number; clockMargin: number; clockDoubt: number }) {
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

  /** What the server's clock may have reached: worth asking up to there. */
  latest(local: LocalTime): number {
    return serverNow(this.#time, local, this.#doubt).latest;
  }

  /** End of what the head asks for. */
  askTo(local: LocalTime): number {
    return (this.#asksToLatest ? this.latest(local) : this.earliest(local)) + this.ahead;
  }

  /** A server may refuse a window that ends after its own now: asks less far next time; false when it cannot. */
  askLess(): boolean {
    const isLess = this.ahead > 0 || this.#asksToLatest;
    if (this.ahead > 0) this.ahead = 0;
    else this.#asksToLatest = false;
    return isLess;
  }

  /** How far our clock is ahead of the server's, where the answers show it. */
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
