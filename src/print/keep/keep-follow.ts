import type { CommandLine } from '../../config/command/command-line.ts';
import type { Zones } from '../../domain/zone.ts';
import { note, notesOf } from '../../store/coverage.ts';
import type { Engine } from '../../store/engines/engine.ts';
import { openHistory } from '../../store/history.ts';
import { tokenOf, untilDone } from '../../store/load.ts';
import { sealDays } from '../../store/minutes.ts';
import { say } from '../../text/say.ts';
import { counted, duration, isoSecond } from '../../text/units.ts';
import { storeBehind } from '../logs/log-history.ts';
import { endOf, type Printer, type StoreOpener, WRONG_USAGE } from '../printer.ts';
import { guarded } from '../store-guard.ts';
import { logZonesNamed } from '../zones.ts';
import { type KeptStore, KeptZone } from './kept-zone.ts';

/** How often it is said how far a zone is behind, ms. */
const TOLD_EVERY = 600_000;

const DAY = 86_400_000;
/** A day is added up once so much of the next is over, ms: rows come late. */
const LATE = 3_600_000;

/** Follows zones for good and writes what comes into a store; ends by a signal. */
export async function keepFollowed(o: Printer, line: CommandLine): Promise<number> {
  const open = await storeBehind(o);
  if (open === null) return WRONG_USAGE;
  const named = await logZonesNamed(o, line.zone ?? '');
  if (typeof named === 'number') return named;
  return guarded(o, () => keepZones(o, named, open));
}

async function keepZones(o: Printer, named: Zones, open: StoreOpener): Promise<number> {
  const end = endOf(o);
  const store = createKeptStore(o, open, end.signal);
  await store.check();
  const stopper = new AbortController();
  const signal = AbortSignal.any([end.signal, stopper.signal]);
  const zones = named.map((zone) => new KeptZone(o, { zone, store, signal }));
  const stopTelling = o.clock.every(TOLD_EVERY, () => say(o.stderr, lagWords(zones, o.clock.now())));
  try {
    await Promise.all(zones.map((zone) => zone.run()));
  } catch (error) {
    if (!end.signal.aborted) throw error;
  } finally {
    stopTelling();
    stopper.abort();
    say(o.stderr, lagWords(zones, o.clock.now()));
  }
  return end.code ?? 0;
}

/** How much was stored, and of the zone that is furthest behind how far. */
function lagWords(zones: readonly KeptZone[], now: number): string {
  const stored = counted(
    zones.reduce((sum, zone) => sum + zone.stored, 0),
    'row',
  );
  const [last, ...others] = zones.toSorted((a, b) => a.keptTo - b.keptTo);
  if (last === undefined || last.keptTo === 0)
    return `${stored} stored; ${last?.name ?? ''} is not complete to any time yet`;
  const of = others.length === 0 ? '' : `${last.name} `;
  return `${stored} stored; ${of}complete to ${isoSecond(last.keptTo)}, ${duration(now - last.keptTo)} ago`;
}

/** One write after the other, whichever zone it is of; each opens the store, so that a file is free for others in between. */
function createKeptStore(
  o: Printer,
  open: StoreOpener,
  signal: AbortSignal,
): KeptStore & { check: () => Promise<void> } {
  let last: Promise<unknown> = Promise.resolve();
  let isAway = false;
  /** All days before it are added up, as far as is known. */
  let sealedTo = 0;
  function inTurn<T>(work: (engine: Engine) => Promise<T>, isWritten: boolean): Promise<T> {
    const turn = last.then(() =>
      untilDone(
        async () => {
          const engine = await open(isWritten);
          try {
            const done = await work(engine);
            if (isAway) say(o.stderr, `the store ${engine.store} takes rows again`);
            isAway = false;
            return done;
          } finally {
            await engine.close();
          }
        },
        {
          clock: o.clock,
          signal,
          onWait({ message, kind }) {
            // Others read a file now and then.
            if (isAway || kind === 'locked') return;
            isAway = true;
            say(o.stderr, message, 'rows wait for it, and what is too much is read again from the platform');
          },
        },
      ),
    );
    last = turn.catch(() => {});
    return turn;
  }
  return {
    check: () => inTurn(async (engine) => void (await openHistory(engine)), false),
    notes: (zone, range) => inTurn((engine) => notesOf(engine, [zone], range), false),
    put: ({ rows, notes }) =>
      inTurn(async (engine) => {
        if (rows.length > 0) await engine.put(rows, tokenOf(rows));
        await note(engine, notes);
        const day = Math.floor((o.clock.now() - LATE) / DAY) * DAY;
        // One at a time: rows wait for it.
        if (day > sealedTo && (await sealDays(engine, day, 1, signal)) === 0) sealedTo = day;
      }, true),
  };
}
