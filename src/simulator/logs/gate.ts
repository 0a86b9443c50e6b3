import type { SimZone } from '../account/account-zones.ts';
import { type Exchange, loggingError, type ServedAnswer } from '../http/answers.ts';
import type { Handler, World } from '../world.ts';

type ZoneHandler = (call: Exchange, world: World, zone: SimZone) => ServedAnswer | Promise<ServedAnswer>;

/** The checks of both logging endpoints: credentials, the limit per pull zone, and whether the zone is readable. */
export function ofLogZone(handle: ZoneHandler): Handler {
  return (call, world) => {
    const refusal = checkCredentials(call, world);
    if (refusal !== null) return refusal;
    const id = call.params.at(-1) as string;
    const limited = world.limiter.refusal(id);
    if (limited !== null) {
      const message = 'Too many requests for this pull zone: at most 30 in 10 seconds.';
      return loggingError(429, 'rate_limited', message, null, limited);
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
  return world.account.isKey(key) || world.account.isToken(bearer)
    ? null
    : loggingError(403, 'forbidden', 'The credentials are not valid.');
}
