import type { CommandLine } from '../../config/command/command-line.ts';
import type { ListenAddress } from '../../config/command/listen-address.ts';
import type { Zones } from '../../domain/zone.ts';
import { say } from '../../text/say.ts';
import { storeBehind } from '../logs/stored-window.ts';
import { endOf, FAILED, type Printer, type StoreOpener, WRONG_USAGE } from '../printer.ts';
import { guarded } from '../store-guard.ts';
import { logZonesNamed } from '../zones-command.ts';
import { expositionOf } from './exposition.ts';
import { heardAt, type Kept, keptFamilies, lagWords } from './kept-figures.ts';
import { createKeptStore } from './kept-store.ts';
import { KeptZone } from './kept-zone.ts';
import { serveMetrics } from './metrics-server.ts';
import { keepShared } from './shared-zones.ts';
import { createPastTelling } from './told-past.ts';

/** How often it is said how far a zone is behind, ms. */
const TOLD_EVERY = 600_000;

/** A sign of life says that within so long the platform or the store answered or refused, ms: a zone that is denied is asked each eight minutes. */
const SILENT_MOST = 600_000;

/** Follows zones for good and writes what comes into a store; ends by a signal. */
export async function keepFollowed(o: Printer, line: CommandLine): Promise<number> {
  const open = await storeBehind(o);
  if (open === null) return WRONG_USAGE;
  // Each is a log of its own: what they share has bounds whatever their number.
  const named = await logZonesNamed(o, line.zone ?? '', Number.POSITIVE_INFINITY);
  if (typeof named === 'number') return named;
  return guarded(o, () => keepZones(o, named, { open, metrics: line.metrics, isShared: line.shared }));
}

type KeptFor = { open: StoreOpener; metrics: ListenAddress | null; isShared: boolean };

async function keepZones(o: Printer, named: Zones, { open, metrics, isShared }: KeptFor): Promise<number> {
  const end = endOf(o);
  const stopper = new AbortController();
  const signal = AbortSignal.any([end.signal, stopper.signal]);
  const store = createKeptStore(o, open, end.signal);
  const tellPast = createPastTelling(o, named.length);
  const zones = named.map((zone) => new KeptZone(o, { zone, store, tellPast }));
  const kept: Kept = { zones, store, client: o.client };
  // Before the store, which may be away: that can be seen then.
  const served = metrics && (await serveMetrics(metrics, () => expositionOf(keptFamilies(kept))));
  if (typeof served === 'string') {
    say(o.stderr, `--metrics ${served}`, 'name another port, or 0 for a free one');
    return FAILED;
  }
  if (served !== null) say(o.stderr, `metrics are served at ${served.url}`);
  try {
    await store.check();
    tellManager(o, kept, signal);
    await telling(o, kept, () =>
      isShared ? keepShared(o, kept, signal) : Promise.all(zones.map((zone) => zone.run(signal))),
    );
  } catch (error) {
    if (!end.signal.aborted) throw error;
  } finally {
    stopper.abort();
    served?.close();
  }
  return end.code ?? 0;
}

/** Tells what started this service that it is ready, then how it is, and at the signal that it stops; one that cannot be told is named once. */
function tellManager(o: Printer, kept: Kept, signal: AbortSignal): void {
  const { serviceManager: manager } = o;
  if (manager == null) return;
  let isTold = true;
  const tell = async (...assignments: readonly string[]) => {
    const why = await manager.tell(...assignments, `STATUS=${lagWords(kept)}`);
    if (why !== null && isTold)
      say(o.stderr, `systemd is not told how this is: ${why}`, 'Type=exec and no WatchdogSec do without');
    isTold = why === null;
  };
  void tell('READY=1');
  const { watchdog } = manager;
  const stop = o.clock.every(watchdog === null ? TOLD_EVERY : watchdog / 2, () => {
    if (o.clock.monotonic() - heardAt(kept) < SILENT_MOST)
      void tell(...(watchdog === null ? [] : ['WATCHDOG=1']));
  });
  const end = () => {
    stop();
    void tell('STOPPING=1');
  };
  signal.addEventListener('abort', end, { once: true });
}

async function telling(o: Printer, kept: Kept, work: () => Promise<unknown>): Promise<void> {
  const tell = () => say(o.stderr, lagWords(kept));
  const stopTelling = o.clock.every(TOLD_EVERY, tell);
  try {
    await work();
  } finally {
    stopTelling();
    tell();
  }
}
