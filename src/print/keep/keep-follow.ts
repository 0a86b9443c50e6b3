import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import type { CommandLine } from '../../config/command/command-line.ts';
import { hostAndPort, type ListenAddress } from '../../config/command/listen-address.ts';
import { isLoopback } from '../../config/settings/settings.ts';
import type { Zones } from '../../domain/zone.ts';
import { LEASE_TURN } from '../../store/leases.ts';
import { say } from '../../text/say.ts';
import { count, counted } from '../../text/units.ts';
import { storeBehind } from '../logs/stored-window.ts';
import { endOf, FAILED, type Printer, type StoreOpener, WRONG_USAGE } from '../printer.ts';
import { guarded } from '../store-guard.ts';
import { logZonesNamed } from '../zones-command.ts';
import { EXPOSITION_TYPE, expositionOf } from './exposition.ts';
import { heardAt, type Kept, keptFamilies, lagWords } from './kept-figures.ts';
import { createKeptStore } from './kept-store.ts';
import { KeptZone } from './kept-zone.ts';
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

const PATH = '/metrics';
/** Scrapers at once, some of which need not read: an answer of 500 zones is a quarter of a megabyte. */
const MOST_CONNECTIONS = 16;
/** Who neither asks nor reads for so long is hung up on, ms. */
const SILENCE = 10_000;
const LARGEST_HEAD = 8_192;

const TROUBLES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine does not have that address',
};

type MetricsServer = { url: string; close(): void };

/** Serves what `text` says at each scrape, whoever else is being answered. A text in its place says why nobody listens. */
export async function serveMetrics(
  address: ListenAddress,
  text: () => string,
): Promise<MetricsServer | string> {
  const server = createServer(
    {
      requestTimeout: SILENCE,
      headersTimeout: SILENCE,
      maxHeaderSize: LARGEST_HEAD,
    },
    (request, response) => {
      const refusal = refusalOf(request, address);
      if (refusal !== null) {
        response.writeHead(refusal, { 'Content-Length': 0 }).end();
        return;
      }
      const body = Buffer.from(text());
      response.writeHead(200, { 'Content-Type': EXPOSITION_TYPE, 'Content-Length': body.byteLength });
      response.end(request.method === 'HEAD' ? undefined : body);
    },
  );
  server.timeout = SILENCE;
  server.maxConnections = MOST_CONNECTIONS;
  try {
    server.listen(address.port, address.host);
    await once(server, 'listening');
  } catch (error) {
    const { code = '' } = error as { code?: string };
    return `${hostAndPort(address)}: ${TROUBLES[code] ?? 'it cannot be listened on'} (${code})`;
  }
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${hostAndPort({ ...address, port })}${PATH}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The status by which a request is refused; null where it is answered. */
function refusalOf({ method, url = '', headers }: IncomingMessage, address: ListenAddress): number | null {
  // A page in a browser of this machine comes under a name of its own that leads here, and would read what zones there are.
  const isHere = isLoopback(new URL(`http://${hostAndPort(address)}`));
  if (isHere && !isOfMachine(headers.host ?? '')) return 403;
  if (url.split('?')[0] !== PATH) return 404;
  return method === 'GET' || method === 'HEAD' ? null : 405;
}

function isOfMachine(host: string): boolean {
  const name = host.replace(/:\d+$/, '');
  return name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

/** `over`: when the zone is no longer read. */
type Run = { stop: () => void; over: Promise<void> };

/**
 * Keeps the zones whose leases this keeper has, until the signal fires: each from when it has it until another has. A store that is away takes
 * no lease from anybody.
 */
async function keepShared(
  o: Pick<Printer, 'stderr' | 'clock'>,
  { zones, store }: Kept,
  signal: AbortSignal,
): Promise<void> {
  const lease = { zones: zones.map(({ id }) => id), owner: randomUUID() };
  const runs = new Map<string, Run>();
  const failed = Promise.withResolvers<never>();
  let told = -1;
  function begin(zone: Kept['zones'][number]): void {
    const own = new AbortController();
    const ends = AbortSignal.any([signal, own.signal]);
    // What it has in hand is stored before it begins anew.
    const over = (runs.get(zone.id)?.over ?? Promise.resolve()).then(() => zone.run(ends));
    over.catch(failed.reject);
    runs.set(zone.id, { stop: () => own.abort(), over });
  }
  async function turn(): Promise<void> {
    const held = await store.leases(lease);
    for (const zone of zones) {
      const isHeld = held.has(zone.id);
      if (isHeld && !zone.isKept) begin(zone);
      if (!isHeld) runs.get(zone.id)?.stop();
      zone.isKept = isHeld;
    }
    if (held.size !== told)
      say(
        o.stderr,
        `${counted(held.size, 'zone')} of ${count(zones.length)} kept here, the others elsewhere`,
      );
    told = held.size;
  }
  async function turns(): Promise<void> {
    while (!signal.aborted) {
      await turn();
      await o.clock.sleep(LEASE_TURN, signal);
    }
  }
  for (const zone of zones) zone.isKept = false;
  try {
    await Promise.race([turns(), failed.promise]);
  } finally {
    if (signal.aborted) {
      await Promise.allSettled([...runs.values()].map(({ over }) => over));
      // Others need not wait until the leases end. A store that is away keeps nobody from ending.
      await store.leave(lease).catch(() => {});
    }
  }
}
