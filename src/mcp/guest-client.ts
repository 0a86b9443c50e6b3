import type { CallOptions, ReadingClient } from '../api/client.ts';
import type { Result } from '../domain/failure.ts';
import type { Clock } from '../time/clock.ts';

/** Lists that hardly change are kept as long, ms: each question of an agent would pay for them again. */
const KEPT = 5 * 60_000;

/** What was answered, by what was asked; `at`: ms of the clock. */
type Memory = Map<string, { at: number; answer: Result<unknown> }>;

/** Wants a client for each call of an agent; they share what they remember of the account. */
export function createGuests(client: ReadingClient, clock: Clock): (signal: AbortSignal) => ReadingClient {
  const memory: Memory = new Map();

  async function remembered<T>(what: string, ask: () => Promise<Result<T>>): Promise<Result<T>> {
    const known = memory.get(what);
    // The key names the call, so the answer is of its type.
    if (known !== undefined && clock.now() - known.at < KEPT) return known.answer as Result<T>;
    const answer = await ask();
    if (answer.ok) memory.set(what, { at: clock.now(), answer });
    return answer;
  }

  return (signal) => guestClient(client, signal, remembered);
}

/**
 * The calls that read, and no other: whoever is handed this has nothing by which it could write. Each goes behind what
 * people ask for, is tried twice at most, and is hung up with the call of the agent.
 */
function guestClient(
  client: ReadingClient,
  signal: AbortSignal,
  remembered: <T>(what: string, ask: () => Promise<Result<T>>) => Promise<Result<T>>,
): ReadingClient {
  const asGuest = (c: CallOptions = {}): CallOptions => ({
    retries: Math.min(1, c.retries ?? 1),
    priority: 'guest',
    signal: c.signal === undefined ? signal : AbortSignal.any([signal, c.signal]),
  });
  return {
    pullZones: (r, c) => remembered(`zones ${JSON.stringify(r)}`, () => client.pullZones(r, asGuest(c))),
    shieldMapping: (c) => remembered('mapping', () => client.shieldMapping(asGuest(c))),
    shieldZoneOfPullZone: (id, c) =>
      remembered(`shield of ${id}`, () => client.shieldZoneOfPullZone(id, asGuest(c))),
    wafRules: (id, c) => remembered(`rules of ${id}`, () => client.wafRules(id, asGuest(c))),
    shieldSearch: (id, r, c) => client.shieldSearch(id, r, asGuest(c)),
    shieldDay: (id, day, token, c) => client.shieldDay(id, day, token, asGuest(c)),
    apiKeys: (r, c) => client.apiKeys(r, asGuest(c)),
    storageZones: (r, c) => client.storageZones(r, asGuest(c)),
    storageZone: (id, c) => client.storageZone(id, asGuest(c)),
    logs: (r, c) => client.logs(r, asGuest(c)),
    originErrors: (id, day, c) => client.originErrors(id, day, asGuest(c)),
    changes: (day, token, c) => client.changes(day, token, asGuest(c)),
    statistics: (r, c) => client.statistics(r, asGuest(c)),
    logsV1: (r, c) => client.logsV1(r, asGuest(c)),
    connectToLogs: () => client.connectToLogs(),
    serverTime: (host) => client.serverTime(host),
    logQuota: (id) => client.logQuota(id),
    mainQuota: () => client.mainQuota(),
  };
}
