import type { Client } from '../api/client.ts';
import { isDateKnown, serverNow } from '../domain/tail/server-time.ts';
import { CLOCK_DOUBT } from '../domain/tail/tail-pace.ts';
import type { Clock } from '../time/clock.ts';

/**
 * The present on one of the servers, Unix ms: what its answers show that it has reached, else those of the main one,
 * or our own clock where no answer had a Date.
 */
export function serverClock(
  { client, clock }: { client: Pick<Client, 'serverTime'>; clock: Clock },
  host: 'main' | 'logging',
): () => number {
  return () => {
    const own = client.serverTime(host);
    const time = isDateKnown(own) ? own : client.serverTime('main');
    const local = { steady: clock.now(), wall: clock.wall() };
    return isDateKnown(time) ? serverNow(time, local, CLOCK_DOUBT).earliest : local.wall;
  };
}
