/** When a difference counts: all numbers that verdicts about traffic turn on, each with its reason. */

/** When one share is more than another, whatever it is a share of. */
export const MORE = {
  /**
   * Dunning's G². 15.13 is χ² with one degree of freedom at p = 0.0001: hundreds of values are tested at once, and one in ten thousand
   * may pass by chance.
   */
  g2: 15.13,
  /** Requests above the usual share. Fewer are nobody's incident, however unlikely they are. */
  excess: 5,
  /**
   * The change that a value's own number needs beside its share: χ² at p = 0.05. Where all else fell, the share of a
   * value with a constant number grew, but it is not more frequent.
   */
  number: 3.84,
} as const;

/** Every log has stray errors of origins: below this share of its requests they are not what is wrong. */
export const FAILING_LEAST = 0.02;

/**
 * Query strings of one page that each make a copy of their own: so many that no navigation has them, nearly one a
 * request, and several times as many as before, since some pages are always asked for so.
 */
export const EXPLOSION = { distinct: 100, ratio: 0.5, growth: 3 } as const;

/**
 * A zone's score is in decades: 3 is as likely as one in a thousand, which a picker of a thousand zones shows once by
 * chance.
 */
export const NOTABLE_DECADES = 3;

/**
 * What counts as usual beside what was read of a zone's past, which may be nothing, and how many rows that stands
 * for.
 */
export const USUAL = { errors: 0.005, clientErrors: 0.03, rows: 200 } as const;

/** Errors of the hour before stand out less, but do stand out: by the share that no zone should have. */
export const TOO_MANY_ERRORS = { share: 0.01, least: 0.05, weight: 0.25 } as const;

/** Changes of a zone that nobody would be woken for, as differences of shares or as a factor. */
export const LEAST_CHANGE = { errors: 0.01, clientErrors: 0.05, misses: 0.08, factor: 1.5 } as const;

/** Neighbouring requests are alike, so a sample says less than its rows: this many of them count as one. */
export const ALIKE = { errors: 1, clientErrors: 3, misses: 4 } as const;

/** How much traffic and blocks vary from minute to minute by themselves: standard deviations of the logarithm. */
export const SPREAD = { requests: 0.3, blocked: 1 } as const;
