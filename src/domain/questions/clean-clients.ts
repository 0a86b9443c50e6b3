import type { LogRecord } from '../log.ts';
import type { ShieldEvent } from '../shield/shield.ts';
import type { Anonymisation } from '../zone.ts';
import { clientKey } from './same-client.ts';
import { sightingOfEvent, sightingOfRecord } from './sighting.ts';

/** Clients with an event, by `clientKey`, and the events' request ids. */
export type Suspects = { clients: ReadonlySet<string>; requestIds: ReadonlySet<string> };

/** What the two logs together tell of the clients that Shield acted on. */
export type CleanClients = {
  readonly suspects: ReadonlySet<string>;
  /** Those of them that also had an answer with 2xx to a request on which Shield did not act. */
  readonly clean: ReadonlySet<string>;
  add(record: LogRecord): void;
};

export function suspectsOf(events: readonly ShieldEvent[], anonymisation: Anonymisation): Suspects {
  const clients = new Set<string>();
  const requestIds = new Set<string>();
  for (const event of events) {
    const { ip, requestId } = sightingOfEvent(event);
    const client = clientKey(ip, anonymisation);
    if (client !== null) clients.add(client);
    if (requestId !== null) requestIds.add(requestId);
  }
  return { clients, requestIds };
}

/**
 * Finds the clients of events that are also clients of clean traffic: at least one CDN request answered with 2xx whose
 * request id belongs to none of the events. Under last-octet anonymisation a client is a network, which makes more
 * clients clean than are; where addresses are dropped nobody can be told.
 */
export function cleanClientsOf(events: readonly ShieldEvent[], anonymisation: Anonymisation): CleanClients {
  const { clients: suspects, requestIds: eventIds } = suspectsOf(events, anonymisation);
  const clean = new Set<string>();
  return {
    suspects,
    clean,
    add(record) {
      if (record.statusCode < 200 || record.statusCode > 299) return;
      const { ip, requestId } = sightingOfRecord(record);
      const client = clientKey(ip, anonymisation);
      if (client === null || !suspects.has(client) || clean.has(client)) return;
      if (requestId === null || !eventIds.has(requestId)) clean.add(client);
    },
  };
}
