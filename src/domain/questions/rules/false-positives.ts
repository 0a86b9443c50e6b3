import type { LogRecord } from '../../log.ts';
import { ratioOf } from '../../logs/sums/traffic.ts';
import { type ShieldEvent, shieldDetail } from '../../shield/shield.ts';
import type { Anonymisation } from '../../zone.ts';
import { cleanClientsOf, clientKey, sightingOfEvent } from '../clients/client.ts';
import { type FragmentGroup, groupFragments } from '../clients/group-evidence.ts';

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
  /** What it matched, by shape; `withFragment` of its events say. */
  fragments: readonly FragmentGroup[];
  withFragment: number;
};

export type FalsePositives = {
  /** The largest `shareLeast` first, then the most clean clients. */
  rules: readonly RuleSuspicion[];
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
  return {
    add: (record) => clients.add(record),
    result: () => ({
      rules: [...byRule]
        .map(([ruleId, own]) => suspicionOf(ruleId, own, clients.clean, anonymisation))
        .sort(bySuspicion),
      why:
        anonymisation === 'drop'
          ? 'the zone logs no client addresses, so one client cannot be known from another'
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
  let stopped = 0;
  for (const event of events) {
    const client = clientKey(sightingOfEvent(event).ip, anonymisation);
    if (client !== null && !clients.has(client)) clients.set(client, senderOf(event, client));
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

/** Normal quantile of a one in twenty chance, both sides. */
const Z = 1.96;

/**
 * The lower end of the 95 % score interval of `part` in `whole`, so that 3 of 3 stand below 150 of 180. With p = part ÷
 * whole, n = whole, z = 1.96: (p + z²/2n − z √(p(1−p)/n + z²/4n²)) ÷ (1 + z²/n). Source: E. B. Wilson, "Probable
 * Inference, the Law of Succession, and Statistical Inference", JASA 22, 1927. Null for nothing.
 */
export function wilsonLeast(part: number, whole: number): number | null {
  if (whole <= 0) return null;
  const p = part / whole;
  const half = Z * Math.sqrt((p * (1 - p)) / whole + Z ** 2 / (4 * whole ** 2));
  const least = (p + Z ** 2 / (2 * whole) - half) / (1 + Z ** 2 / whole);
  // Rounding may leave a trace on the wrong side of either end.
  return Math.min(p, Math.max(0, least));
}
