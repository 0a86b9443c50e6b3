import { loggedNetwork, type Network, overlaps, parseNetwork, printNetwork } from '../query/address.ts';
import type { FieldTerm, TermOp } from '../query/query.ts';
import type { Anonymisation } from '../zone.ts';

/** What is left of an address that two log lines are compared by; `none` = all of it. */
export type Mask = `/${number}` | 'none';

/** The network that a logged, typed or grouped address stands for; null when it names none. */
export function clientNetwork(text: string, anonymisation: Anonymisation): Network | null {
  return loggedNetwork(text, anonymisation) ?? parseNetwork(text);
}

export function maskOf(...networks: readonly Network[]): Mask {
  const narrowed = networks.filter(({ words, prefix }) => prefix < words.length * 32);
  return narrowed.length === 0 ? 'none' : `/${Math.min(...narrowed.map(({ prefix }) => prefix))}`;
}

/** The mask by which two addresses may be one client's; null when they cannot be. */
export function sharedMask(a: string, b: string, anonymisation: Anonymisation): Mask | null {
  const [left, right] = [clientNetwork(a, anonymisation), clientNetwork(b, anonymisation)];
  return left && right && overlaps(left, right) ? maskOf(left, right) : null;
}

/** The term that finds the network's requests in the CDN log. */
export function logTermOf(network: Network): FieldTerm {
  const value = printNetwork(network);
  return ipTerm(value.includes('/') ? 'cidr' : 'eq', [value]);
}

/**
 * The term that finds the network's events in Shield. Where the log holds `1.2.3.*` a network cannot be asked for: how
 * such text is compared with one is not documented. A pattern finds it and whole addresses alike.
 */
export function shieldTermOf(network: Network): FieldTerm {
  const { words, prefix } = network;
  if (prefix === words.length * 32) return ipTerm('eq', [printNetwork(network)]);
  if (words.length === 1 && prefix === 24) {
    const octets = [24, 16, 8].map((shift) => ((words[0] ?? 0) >>> shift) & 255);
    return ipTerm('wildcard', [`${octets.join('.')}.*`]);
  }
  if (words.length === 4 && prefix === 64) {
    const groups = words.slice(0, 2).flatMap((word) => [word >>> 16, word & 0xffff]);
    const start = `${groups.map((group) => group.toString(16)).join(':')}:`;
    // The shortest spelling may leave out zeros of the network itself.
    const shortest = printNetwork({ words, prefix: 128 });
    return ipTerm('wildcard', [`${start}*`, ...(shortest.startsWith(start) ? [] : [shortest])]);
  }
  return ipTerm('cidr', [printNetwork(network)]);
}

/** One spelling for a client in both logs (`1.2.3.*`, `1.2.3.0` and `1.2.3.0/24` are one); null for no address. */
export function clientKey(ip: string | null | undefined, anonymisation: Anonymisation): string | null {
  if (ip === null || ip === undefined || ip === '' || anonymisation === 'drop') return null;
  const network = clientNetwork(ip, anonymisation);
  return network === null ? null : printNetwork(network);
}

function ipTerm(op: TermOp, values: readonly string[]): FieldTerm {
  return { kind: 'field', field: 'ip', op, values, negated: false };
}
