import { CLOCK_STEP, isDateKnown, type ServerNow, serverNow } from '../domain/tail/server-time.ts';
import { CLOCK_DOUBT, TAIL_TUNING } from '../domain/tail/tail-pace.ts';
import { canBeRead, type PullZone, type Zones } from '../domain/zone.ts';
import { serverClock } from '../effects/server-clock.ts';
import { say } from '../text/say.ts';
import { duration } from '../text/units.ts';
import type { Printer } from './printer.ts';

type Asker = Pick<Printer, 'client' | 'clock' | 'stderr'>;

/** A Date has whole seconds: a newest row may belong to the second that has begun. */
const BEGUN = 1_000;

/**
 * The present by which a window of logs is taken, Unix ms. Where the answers so far bear our own clock out it is that.
 * Else the newest row is asked for, which shows whether time has come that only one of the two clocks knows of; after
 * it there is nothing to print.
 */
export async function presentOfLogs(o: Asker, zones: Zones): Promise<number> {
  const own = Math.floor(o.clock.wall());
  // One that has rows to tell the time by, where there is one.
  const zone = zones.find(canBeRead) ?? zones[0];
  const known = o.client.serverTime('main');
  // A zone that is named by its id may need no list, and nobody was heard yet.
  if (known.wall !== null && !isApart(boundsOf(o, 'main'), own)) return own;
  const guess = known.wall === null ? { earliest: own, latest: own } : boundsOf(o, 'main');
  await newestRow(o, zone, guess);
  const host = isDateKnown(o.client.serverTime('logging')) ? 'logging' : 'main';
  const now = boundsOf(o, host);
  if (!isApart(now, own)) return own;
  if (known.wall === null) await newestRow(o, zone, now);
  const present = serverClock(o, host)() + BEGUN;
  sayApart(o, present, boundsOf(o, host));
  return present;
}

/** The same for Shield, whose events come in no documented order: both ends of what the present may be. */
export function presentOfShield(o: Asker): ServerNow {
  const now = boundsOf(o, 'main');
  const own = Math.floor(o.clock.wall());
  if (!isApart(now, own)) return { earliest: own, latest: own };
  sayApart(o, now.earliest, now);
  return now;
}

/** Asks for the newest row up to where the present may be; the client learns the time from it. */
async function newestRow(o: Asker, zone: PullZone, { earliest, latest }: ServerNow): Promise<void> {
  const ask = (to: number) =>
    o.client.logs(
      { pullZoneId: zone.id, from: earliest - TAIL_TUNING.window, to, order: 'desc', limit: 1, filter: {} },
      { priority: 'user' },
    );
  const answer = await ask(latest);
  // A server may refuse a window that ends after its own present.
  if (!answer.ok && latest > earliest) await ask(earliest);
}

function boundsOf({ client, clock }: Asker, host: 'main' | 'logging'): ServerNow {
  const time = client.serverTime(host);
  const own = Math.floor(clock.wall());
  if (!isDateKnown(time)) return { earliest: own, latest: own };
  return serverNow(time, { steady: clock.now(), wall: clock.wall() }, CLOCK_DOUBT);
}

function isApart({ earliest, latest }: ServerNow, own: number): boolean {
  return own - earliest > CLOCK_STEP || latest - own > CLOCK_STEP;
}

/** Says which clock is wrong where a row confirms the other, or where nothing is lost either way. */
function sayApart({ clock, stderr }: Asker, present: number, { earliest, latest }: ServerNow): void {
  const own = clock.wall();
  const isOursAhead = own - earliest > CLOCK_STEP;
  const off = duration(Math.round((isOursAhead ? own - present : latest - own) / 1000) * 1000);
  const told = isOursAhead
    ? `this machine's clock is ${off} ahead of the server's; the window is taken by the server's`
    : present - own > CLOCK_STEP
      ? `this machine's clock is ${off} behind the server's; the window is taken by the server's`
      : `the server says that it is ${off} later than by this machine's clock, and no row of that time bears it out; the window ends with this machine's`;
  say(stderr, told);
}
