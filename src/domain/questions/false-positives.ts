import type { LogRecord } from '../log.ts';
import { ratioOf } from '../logs/sums/traffic.ts';
import { type ShieldEvent, shieldDetail } from '../shield/shield.ts';
import type { Anonymisation } from '../zone.ts';
import { cleanClientsOf } from './clean-clients.ts';
import { type FragmentGroup, groupFragments } from './fragments.ts';
import { clientKey } from './same-client.ts';
import { sightingOfEvent } from './sighting.ts';
import { wilsonLeast } from './wilson.ts';

/** How much a rule hits good clients. */
export type RuleSuspicion = {
  /** Null for events that name no rule. */
  ruleId: string | null;
  /** The rule's name as the newest event that has one tells it. */
  message: string | null;
  events: number;
  /** Events that were blocked or challenged: what a false positive costs. */
  stopped: number;
  /** Clients that can be told apart, and those of them with clean 2xx beside. */
  clients: number;
  cleanClients: number;
  /** `cleanClients` ÷ `clients`; null when nobody can be told. */
  share: number | null;
  /** Clients as evidence: those behind one AS that have one fingerprint may be one program, and count as one. */
  senders: number;
  /** What the share of clean senders surely is of so few: see `wilsonLeast`. The ranking goes by it. */
  shareLeast: number | null;
  /** Events without an address that can be told. */
  anonymous: number;
  /** What it matched, by shape; `withFragment` of its events say. */
  fragments: readonly FragmentGroup[];
  withFragment: number;
};

export type FalsePositives = {
  /** The largest `shareLeast` first, then the most clean clients. */
  rules: readonly RuleSuspicion[];
  /** CDN rows that were looked at. */
  read: number;
  /** Why no client can be told; null = they can. */
  why: string | null;
};

/**
 * Ranks rules by the share of their senders, less what chance may add, that also have clean traffic: CDN requests answered
 * with 2xx on which Shield did not act. It is a reason to look at a rule and no proof: a stolen account has clean traffic,
 * too. Only as complete as the CDN rows that were read: a client is called clean for what was seen, never for what was not.
 */
export function createFalsePositives(
  events: readonly ShieldEvent[],
  anonymisation: Anonymisation,
): { add(record: LogRecord): void; result(): FalsePositives } {
  const clients = cleanClientsOf(events, anonymisation);
  const byRule = Map.groupBy(events, (event) => event.fields['ruleId'] || null);
  let read = 0;
  return {
    add(record) {
      read++;
      clients.add(record);
    },
    result: () => ({
      rules: [...byRule]
        .map(([ruleId, own]) => suspicionOf(ruleId, own, clients.clean, anonymisation))
        .sort(bySuspicion),
      read,
      why:
        anonymisation === 'drop'
          ? 'the zone logs no client addresses, so that clients cannot be told apart'
          : null,
    }),
  };
}

function suspicionOf(
  ruleId: string | null,
  events: readonly ShieldEvent[],
  clean: ReadonlySet<string>,
  anonymisation: Anonymisation,
): RuleSuspicion {
  const clients = new Map<string, string>();
  const fragments: string[] = [];
  let newest: { at: number; message: string } | null = null;
  let anonymous = 0;
  let stopped = 0;
  for (const event of events) {
    const client = clientKey(sightingOfEvent(event).ip, anonymisation);
    if (client === null) anonymous++;
    else if (!clients.has(client)) clients.set(client, senderOf(event, client));
    const { message, trigger } = shieldDetail(event.log);
    if (trigger?.value) fragments.push(trigger.value);
    if (message !== null && event.timestamp >= (newest?.at ?? 0)) newest = { at: event.timestamp, message };
    const action = event.fields['action']?.toLowerCase();
    if (action === 'blocked' || action === 'challenged') stopped++;
  }
  const cleanClients = [...clients.keys()].filter((client) => clean.has(client)).length;
  const senders = [...Map.groupBy(clients, ([, sender]) => sender).values()];
  const cleanSenders = senders.reduce(
    (sum, own) => sum + own.filter(([client]) => clean.has(client)).length / own.length,
    0,
  );
  return {
    ruleId,
    message: newest?.message ?? null,
    events: events.length,
    stopped,
    clients: clients.size,
    cleanClients,
    share: ratioOf(cleanClients, clients.size),
    senders: senders.length,
    shareLeast: wilsonLeast(cleanSenders, senders.length),
    anonymous,
    fragments: groupFragments(fragments),
    withFragment: fragments.length,
  };
}

/** Of an event that tells no AS or no fingerprint nobody knows whose program it was. */
function senderOf({ fields }: ShieldEvent, client: string): string {
  const { asn, ja4 } = fields;
  return asn && ja4 ? `${asn} ${ja4}` : client;
}

function bySuspicion(a: RuleSuspicion, b: RuleSuspicion): number {
  return (
    (b.shareLeast ?? -1) - (a.shareLeast ?? -1) ||
    b.cleanClients - a.cleanClients ||
    b.events - a.events ||
    ((a.ruleId ?? '') < (b.ruleId ?? '') ? -1 : 1)
  );
}
