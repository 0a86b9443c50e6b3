import { type Exchange, type Handler, loggingError, type ServedAnswer, type World } from './call.ts';
import type { Limiter } from './limits.ts';
import type { SimZone } from './zones.ts';

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
