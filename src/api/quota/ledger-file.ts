import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../files/sqlite.ts';
import { systemClock } from '../../time/clock.ts';
import { type QuotaSlot, type SlotOutcome, waitingUntil } from './memory-slots.ts';
import { decide, EMPTY_LANE, type LaneView, type Limits, type Priority } from './quota-rule.ts';

/** The place of the quota's ledger: the first of these directories that can be used. */
export type LedgerPlace = {
  /** Default: places that no environment moves, because two ledgers of one user allow twice the quota. */
  directories?: readonly string[];
  /** Default: this user. */
  user?: number;
  /**
   * How far the system's time is ahead of the monotonic clock, ms, at a time of that clock. This tells clocks of one
   * machine apart, since the system's time is the same for all.
   */
  ahead?: (now: number) => number;
};

const NAME = 'edgescope';
const PLACES = ['/dev/shm', '/tmp'] as const;
const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/**
 * An existing directory for files that the user's processes share, owned by the user and closed to others. Throws
 * when there is none.
 */
export function ledgerDirectory(place: LedgerPlace): string {
  const user = place.user ?? process.getuid?.() ?? 0;
  for (const directory of place.directories ?? PLACES) {
    const own = join(directory, `${NAME}-${user}`);
    try {
      mkdirSync(own, { mode: 0o700 });
    } catch {
      // It exists, or cannot be made: the next look shows which.
    }
    if (isPrivate(own, user)) return own;
  }
  throw new Error('no directory of this user can hold the quota ledger');
}

/** Makes the file, closed to others, before a library makes it open; refuses a link or somebody else's file. */
function makeOwnFile(path: string): void {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  try {
    const found = fstatSync(file);
    if (!found.isFile() || (process.getuid !== undefined && found.uid !== process.getuid())) {
      throw new Error('the quota ledger is not a file of this user');
    }
    if ((found.mode & 0o077) !== 0) chmodSync(path, 0o600);
  } finally {
    closeSync(file);
  }
}

/** Identifies the file at a path for as long as it is the same file; null = there is none. */
function identityOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}

/** Identifies the boot that monotonic times belong to; `unknown` where the system does not say. */
function bootId(): string {
  try {
    return readFileSync(BOOT_ID, 'utf8').trim();
  } catch {
    return 'unknown';
  }
}

function isPrivate(directory: string, user: number): boolean {
  try {
    const found = lstatSync(directory);
    return found.isDirectory() && found.uid === user && (found.mode & 0o077) === 0;
  } catch {
    return false;
  }
}

/** The open ledger file. Every method may throw what SQLite throws. */
export type Book = ReturnType<typeof bookOf>;

/**
 * Times are monotonic ms of the boot in `boot`, by the clock that `ahead` identifies (see LedgerPlace): a container
 * may have its own. Nothing here is secret.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS boot (id TEXT NOT NULL, madeAt REAL NOT NULL, ahead REAL NOT NULL);
  CREATE TABLE IF NOT EXISTS slot (
    id INTEGER PRIMARY KEY AUTOINCREMENT, lane TEXT NOT NULL, freeAt REAL NOT NULL, background INTEGER NOT NULL,
    ahead REAL NOT NULL);
  CREATE INDEX IF NOT EXISTS slot_lane ON slot (lane, freeAt);
  CREATE INDEX IF NOT EXISTS slot_free ON slot (freeAt);
  CREATE INDEX IF NOT EXISTS slot_ahead ON slot (ahead);
  CREATE TABLE IF NOT EXISTS lane (
    name TEXT PRIMARY KEY, frozenUntil REAL NOT NULL DEFAULT 0, lastBackground REAL NOT NULL DEFAULT 0,
    userWaitingUntil REAL NOT NULL DEFAULT 0, ahead REAL NOT NULL);
  CREATE INDEX IF NOT EXISTS lane_ahead ON lane (ahead);
`;
const FILE = 'quota-3.sqlite';
/** SQLite's own files beside it. */
const PARTS = ['', '-wal', '-shm', '-journal'] as const;
/** SQLite's ERROR, CORRUPT, SCHEMA, MISMATCH and NOTADB: the file does not hold what was written to it. */
const DAMAGE: ReadonlySet<number> = new Set([1, 11, 17, 20, 26]);
/** How long SQLite waits for another writer, ms: it blocks this process, so no longer than a few frames. */
const BUSY_WAIT = 50;
/** Opens or makes the ledger; throws when the place or the file cannot be used. */
export function openBook(place: LedgerPlace, now: number): Book {
  const path = join(ledgerDirectory(place), FILE);
  const aheadAt = place.ahead ?? ((at) => systemClock.wall() - at);
  makeOwnFile(path);
  const identity = identityOf(path);
  const isInPlace = () => identityOf(path) === identity;
  const database = openDatabase(path, BUSY_WAIT);
  try {
    // Losing the last transactions in a power cut is fine: the boot id changes with it.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;');
    const change = transactionsOf(database);
    change(() => {
      if (isInPart(database))
        throw Object.assign(new Error('the quota ledger lacks a table'), { errcode: 11 });
      database.exec(SCHEMA);
      forgetOtherBoots(database, now, aheadAt(now));
    });
    const clocks = clocksOf(database, aheadAt, now);
    change(() => {
      clocks.translate(now);
      forgetImpossible(database, now);
    });
    return bookOf(database, change, { clocks, isInPlace });
  } catch (error) {
    database.close();
    // The first to meet the damage removes it; another process may have done so since.
    if (isDamage(error) && isInPlace()) removeBook(place);
    throw error;
  }
}

/** Removes a damaged ledger, so that the next process to open it makes a new one. */
export function removeBook(place: LedgerPlace): void {
  const path = join(ledgerDirectory(place), FILE);
  for (const part of PARTS) rmSync(`${path}${part}`, { force: true });
}

export function isDamage(error: unknown): boolean {
  return DAMAGE.has(((error as { errcode?: number }).errcode ?? 0) & 0xff);
}

type Change = <T>(work: () => T) => T;

type Opened = { clocks: LedgerClocks; isInPlace: () => boolean };

function bookOf(database: DatabaseSync, change: Change, { clocks, isInPlace }: Opened) {
  const prune = database.prepare('DELETE FROM slot WHERE freeAt <= ?');
  const insert = database.prepare('INSERT INTO slot (lane, freeAt, background, ahead) VALUES (?, ?, ?, ?)');
  const settle = database.prepare('UPDATE slot SET freeAt = ?, ahead = ? WHERE id = ?');
  const drop = database.prepare('DELETE FROM slot WHERE id = ?');
  const counts = database.prepare(
    `SELECT count(*) AS used, count(*) FILTER (WHERE background) AS usedBackground, min(freeAt) AS nextFree,
       min(freeAt) FILTER (WHERE background) AS nextBackgroundFree FROM slot WHERE lane = ? AND freeAt > ?`,
  );
  const state = database.prepare(
    'SELECT frozenUntil, lastBackground, userWaitingUntil FROM lane WHERE name = ?',
  );
  const upsert = (column: 'frozenUntil' | 'lastBackground' | 'userWaitingUntil') =>
    database.prepare(
      `INSERT INTO lane (name, ${column}, ahead) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET ${column} = excluded.${column}`,
    );
  const setFrozen = upsert('frozenUntil');
  const setBackground = upsert('lastBackground');
  const setWaiting = upsert('userWaitingUntil');

  const boot = database.prepare('SELECT madeAt, ahead FROM boot').get();
  const madeAt = Number(boot?.['madeAt']) + Number(boot?.['ahead']) - clocks.ahead;

  function view(lane: string, now: number, limits?: Limits): LaneView {
    // Where the boot has no name, the file may be of a clock that was further on.
    const unknowingUntil = madeAt > now ? Number.NEGATIVE_INFINITY : madeAt + (limits?.window ?? 0);
    return { ...EMPTY_LANE, ...state.get(lane), ...counts.get(lane, now), unknowingUntil };
  }

  return {
    take: (lane: string, limits: Limits, priority: Priority, now: number) =>
      change((): SlotOutcome => {
        clocks.translate(now);
        prune.run(now);
        const before = view(lane, now, limits);
        const decision = decide(before, limits, priority, now);
        if (!decision.admit) {
          if (priority === 'user') setWaiting.run(lane, waitingUntil(limits, now), clocks.ahead);
          return { ok: false, retryAt: decision.retryAt, isFrozen: decision.isFrozen };
        }
        const { lastInsertRowid } = insert.run(
          lane,
          now + limits.lease,
          priority === 'background' ? 1 : 0,
          clocks.ahead,
        );
        if (priority === 'background') setBackground.run(lane, now, clocks.ahead);
        else if (before.userWaitingUntil > now) setWaiting.run(lane, 0, clocks.ahead);
        return { ok: true, slot: String(lastInsertRowid) };
      }),
    settle: (slot: string, freeAt: number) => void settle.run(freeAt, clocks.ahead, Number(slot)),
    drop: (slot: string) => void drop.run(Number(slot)),
    freeze: (lane: string, until: number, now: number) =>
      change(() => {
        clocks.translate(now);
        setFrozen.run(lane, Math.max(until, Number(state.get(lane)?.['frozenUntil'] ?? 0)), clocks.ahead);
      }),
    view(lane: string, now: number): LaneView {
      if (clocks.isStrange(now)) change(() => clocks.translate(now));
      return view(lane, now);
    },
    /** Records a slot granted elsewhere. */
    put: ({ lane, freeAt, background }: QuotaSlot) =>
      String(insert.run(lane, freeAt, background ? 1 : 0, clocks.ahead).lastInsertRowid),
    /** False once another file, or none, stands at its path: other processes do not see this one. */
    isInPlace,
    close: () => database.close(),
  };
}

function transactionsOf(database: DatabaseSync): Change {
  return (work) => {
    database.exec('BEGIN IMMEDIATE');
    try {
      const done = work();
      database.exec('COMMIT');
      return done;
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };
}

/** A new table beside an old one would hide that the rows of the other are gone. */
function isInPart(database: DatabaseSync): boolean {
  const tables = database.prepare(
    "SELECT count(*) AS n FROM sqlite_master WHERE name IN ('boot', 'slot', 'lane')",
  );
  const found = Number(tables.get()?.['n']);
  return found !== 0 && found !== 3;
}

function forgetOtherBoots(database: DatabaseSync, now: number, ahead: number): void {
  const boot = bootId();
  const stored = database.prepare('SELECT id FROM boot').get()?.['id'];
  if (stored !== boot) {
    database.exec('DELETE FROM boot; DELETE FROM slot; DELETE FROM lane;');
    // No running process wrote into the file of another boot, but one may have into a deleted file.
    const madeAt = stored === undefined ? now : Number.MIN_SAFE_INTEGER;
    database.prepare('INSERT INTO boot (id, madeAt, ahead) VALUES (?, ?, ?)').run(boot, madeAt, ahead);
  }
}

function forgetImpossible(database: DatabaseSync, now: number): void {
  database.prepare('DELETE FROM slot WHERE freeAt > ?').run(now + LONGEST_LEASE);
  database
    .prepare('DELETE FROM lane WHERE frozenUntil > ? OR lastBackground > ?')
    .run(now + LONGEST_FREEZE, now + LONGEST_LEASE);
}

/** No freeze is longer than 120 s and no lease than 30 s: later times come from another boot. */
const LONGEST_FREEZE = 121_000;
const LONGEST_LEASE = 31_000;

/** Clocks that differ by no more are one, ms. */
const APART = 250;

/**
 * The monotonic clocks by which processes write times into a shared ledger. A container may have its own: by another
 * clock a slot would be free, or a lane frozen for a year. Clocks of one machine are told apart by how far the
 * system's time, the same for all, is ahead of each.
 */
type LedgerClocks = ReturnType<typeof clocksOf>;

function clocksOf(database: DatabaseSync, aheadAt: (now: number) => number, openedAt: number) {
  const strange = database.prepare(
    `SELECT 1 FROM slot WHERE ahead < :ahead - ${APART} UNION ALL SELECT 1 FROM slot WHERE ahead > :ahead + ${APART} UNION ALL
     SELECT 1 FROM lane WHERE ahead < :ahead - ${APART} UNION ALL SELECT 1 FROM lane WHERE ahead > :ahead + ${APART} LIMIT 1`,
  );
  let own = aheadAt(openedAt);
  const isStrangeTo = (ahead: number) => strange.get({ ahead }) !== undefined;
  return {
    /** Identifies the clock of this process. */
    get ahead() {
      return own;
    },
    /** Whether something was written by another clock, or before the system's time was set. */
    isStrange: (now: number) => isStrangeTo(aheadAt(now)),
    /** Converts all times to the clock of this process. */
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
