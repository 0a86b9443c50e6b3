import type { DatabaseSync } from 'node:sqlite';

/** No freeze is longer than 120 s and no lease than 30 s: times beyond come from another boot. */
export const LONGEST_FREEZE = 121_000;
export const LONGEST_LEASE = 31_000;

/** Clocks that differ by no more are one, ms. */
const APART = 250;

/**
 * The monotonic clocks by which processes that share a ledger write times into it: a container may have one of its own, and by another
 * clock a slot of theirs would be free, or a lane frozen for a year. Clocks of one machine are told apart by how far the system's time,
 * which is the same for all, is ahead of each.
 */
export type LedgerClocks = ReturnType<typeof clocksOf>;

export function clocksOf(database: DatabaseSync, aheadAt: (now: number) => number, openedAt: number) {
  const strange = database.prepare(
    `SELECT 1 FROM slot WHERE ahead < :ahead - ${APART} UNION ALL SELECT 1 FROM slot WHERE ahead > :ahead + ${APART} UNION ALL
     SELECT 1 FROM lane WHERE ahead < :ahead - ${APART} UNION ALL SELECT 1 FROM lane WHERE ahead > :ahead + ${APART} LIMIT 1`,
  );
  let own = aheadAt(openedAt);
  const isStrangeTo = (ahead: number) => strange.get({ ahead }) !== undefined;
  return {
    /** By which the clock of this process is told. */
    get ahead() {
      return own;
    },
    /** Whether something was written by another clock, or before the system's time was set. */
    isStrange: (now: number) => isStrangeTo(aheadAt(now)),
    /** Makes all times those of the clock of this process. */
    translate(now: number): void {
      const before = own;
      own = aheadAt(now);
      // The system's time was set, or the machine was suspended: the clock is the same.
      if (Math.abs(own - before) > APART) rename(database, before, own);
      if (isStrangeTo(own)) translate(database, now, own);
    },
  };
}

/** No time is later than it could be: the system's time may have been set since. */
function translate(database: DatabaseSync, now: number, ahead: number): void {
  const at = { now, ahead };
  const within = (column: string, most: number) =>
    `${column} = min(${column} + ahead - :ahead, :now + ${most})`;
  const of = `ahead = :ahead WHERE abs(ahead - :ahead) > ${APART}`;
  database.prepare(`UPDATE slot SET ${within('freeAt', LONGEST_LEASE)}, ${of}`).run(at);
  const lane = [
    within('frozenUntil', LONGEST_FREEZE),
    within('lastBackground', 0),
    within('userWaitingUntil', LONGEST_LEASE),
  ];
  database.prepare(`UPDATE lane SET ${lane.join(', ')}, ${of}`).run(at);
}

function rename(database: DatabaseSync, before: number, ahead: number): void {
  for (const table of ['slot', 'lane'])
    database.prepare(`UPDATE ${table} SET ahead = ? WHERE abs(ahead - ?) <= ${APART}`).run(ahead, before);
}
