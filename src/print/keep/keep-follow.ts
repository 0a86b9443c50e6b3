import type { CommandLine } from '../../config/command/command-line.ts';
import type { Zones } from '../../domain/zone.ts';
import { say } from '../../text/say.ts';
import { counted, duration, isoSecond } from '../../text/units.ts';
import { storeBehind } from '../logs/log-history.ts';
import { endOf, type Printer, type StoreOpener, WRONG_USAGE } from '../printer.ts';
import { guarded } from '../store-guard.ts';
import { logZonesNamed } from '../zones.ts';
import { createKeptStore } from './kept-store.ts';
import { KeptZone } from './kept-zone.ts';

/** How often it is said how far a zone is behind, ms. */
const TOLD_EVERY = 600_000;

/** Follows zones for good and writes what comes into a store; ends by a signal. */
export async function keepFollowed(o: Printer, line: CommandLine): Promise<number> {
  const open = await storeBehind(o);
  if (open === null) return WRONG_USAGE;
  // Each is a log of its own: what they share has bounds whatever their number.
  const named = await logZonesNamed(o, line.zone ?? '', Number.POSITIVE_INFINITY);
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
