import { type Exchange, json, type ServedAnswer, type World } from './call.ts';
import { paged } from './paging.ts';

export function listApiKeys(call: Exchange, world: World): ServedAnswer {
  return paged(call, world.account.keys, (key) => key);
}

/** The key travels in the body; the header is not looked at. */
export function exchangeKey(call: Exchange, world: World): ServedAnswer {
  let key: unknown;
  try {
    key = (JSON.parse(call.body.toString('utf8')) as { AccessKey?: unknown } | null)?.AccessKey;
  } catch {
    return { status: 400, type: null, body: null };
  }
  if (typeof key !== 'string' || !world.account.isKey(key)) return { status: 401, type: null, body: null };
  return json({ Token: world.account.token });
}
