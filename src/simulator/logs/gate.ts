import type { SimZone } from '../account/zones.ts';
import { type Exchange, loggingError, type ServedAnswer } from '../http/answers.ts';
import type { Handler, World } from '../world.ts';

type ZoneHandler = (call: Exchange, world: World, zone: SimZone) => ServedAnswer | Promise<ServedAnswer>;

/**
 * What stands before both logging endpoints: credentials, the limit per pull zone, and whether the zone is readable.
 * `at` is the time of the limiter's clock; `zoneParam` is where the path holds the pull zone id.
 */
export function loggingGate(
  limiter: Limiter,
  at: () => number,
  zoneParam: number,
  handle: ZoneHandler,
): Handler {
  let refusals = 0;
  return (call, world) => {
    const refusal = checkCredentials(call, world);
    if (refusal !== null) return refusal;
    const id = call.params[zoneParam] as string;
    const wait = limiter.ask(id, at());
    if (wait !== null) {
      refusals += 1;
      const headers: Record<string, string> =
        refusals % 2 === 1 ? { 'retry-after': String(Math.max(1, Math.ceil(wait / 1000))) } : {};
      return loggingError(
        429,
        'rate_limited',
        'Too many requests for this pull zone: at most 30 in 10 seconds.',
        null,
        headers,
      );
    }
    const zone = world.account.zoneById.get(id);
    if (zone === undefined || !zone.logging)
      return loggingError(404, 'logging_disabled', `Logging is not enabled for pull zone ${id}.`);
    if (zone.suspended) return loggingError(403, 'forbidden', `Pull zone ${id} is suspended.`);
    if (!zone.enabled) return loggingError(403, 'forbidden', `Pull zone ${id} is disabled.`);
    return handle(call, world, zone);
  };
}

function checkCredentials(call: Exchange, world: World): ServedAnswer | null {
  const key = call.headers['accesskey'];
  const bearer = /^Bearer (.+)$/i.exec(call.headers.authorization ?? '')?.[1];
  if (key === undefined && bearer === undefined)
    return loggingError(401, 'unauthorized', 'No credentials were given.');
  const isGood = (typeof key === 'string' && world.account.isKey(key)) || world.account.isToken(bearer);
  return isGood ? null : loggingError(403, 'forbidden', 'The credentials are not valid.');
}

/** Counts requests per key in a sliding window; times are ms of one clock and never fall. */
export type Limiter = {
  /** Null = let in and counted; else the ms until one more would be let in. */
  ask(key: string, at: number): number | null;
};

export type Limit = { requests: number; window: number };

/** Both logging versions together, per pull zone. */
export const LOGGING_LIMIT: Limit = { requests: 30, window: 10_000 };

/** A refused request does not count. */
export function createLimiter({ requests, window }: Limit): Limiter {
  const taken = new Map<string, number[]>();
  return {
    ask: (key, at) => {
      const recent = (taken.get(key) ?? []).filter((t) => t > at - window);
      taken.set(key, recent);
      if (recent.length >= requests) return (recent[0] as number) + window - at;
      recent.push(at);
      return null;
    },
  };
}
