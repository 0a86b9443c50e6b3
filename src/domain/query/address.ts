import ipaddr from 'ipaddr.js';
import type { Anonymisation } from '../zone.ts';

/**
 * A network, or one address (`prefix` = all bits). `words` are 32-bit numbers: one for IPv4, four for IPv6. An
 * IPv4-mapped IPv6 address is held as IPv4.
 */
export type Network = { words: readonly number[]; prefix: number };

const DIGIT_0 = 48;
const DIGIT_9 = 57;
const DOT = 46;

/** Bits kept by last-octet anonymisation: the platform widens to /24 and /64. */
const KEPT_BITS = { v4: 24, v6: 64 } as const;

/** The address of dotted decimal text as an unsigned 32-bit number, or -1 when the text is not one. */
function parseV4(text: string): number {
  const length = text.length;
  if (length < 7 || length > 15) return -1;
  let bits = 0;
  let octet = 0;
  let digits = 0;
  let dots = 0;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code >= DIGIT_0 && code <= DIGIT_9) {
      // A leading zero is octal to some programs and decimal to others, so this is no address.
      if (digits > 0 && octet === 0) return -1;
      octet = octet * 10 + (code - DIGIT_0);
      digits++;
      if (octet > 255) return -1;
    } else if (code === DOT && digits > 0 && dots < 3) {
      bits = bits * 256 + octet;
      octet = 0;
      digits = 0;
      dots++;
    } else {
      return -1;
    }
  }
  return dots === 3 && digits > 0 ? bits * 256 + octet : -1;
}

/** One address of either family, or null when the text is not one. Zone ids (`%eth0`) are refused. */
export function parseAddress(text: string): Network | null {
  const v4 = parseV4(text);
  if (v4 >= 0) return { words: [v4], prefix: 32 };
  if (!text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.IPv6.parse(text);
  const parts = address.parts;
  const words = [0, 2, 4, 6].map((i) => ((parts[i] ?? 0) * 0x10000 + (parts[i + 1] ?? 0)) >>> 0);
  return address.isIPv4MappedAddress() ? { words: [words[3] ?? 0], prefix: 32 } : { words, prefix: 128 };
}

/** `10.0.0.0/8`, `2001:db8::/32` or a plain address; host bits are cleared. Null when the text is neither. */
export function parseNetwork(text: string): Network | null {
  const slash = text.indexOf('/');
  if (slash < 0) return parseAddress(text);
  const address = parseAddress(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  if (!address || !/^\d{1,3}$/.test(digits)) return null;
  const mapped = address.prefix === 32 && text.includes(':');
  const prefix = Number(digits) - (mapped ? 96 : 0);
  return prefix < 0 || prefix > address.prefix ? null : narrowTo(address, prefix);
}

/** Canonical text: RFC 5952 for IPv6; `/n` only where the network is wider than one address. */
export function printNetwork(network: Network): string {
  const bits = network.words.length * 32;
  const host = network.words.length === 1 ? printV4(network.words[0] ?? 0) : printV6(network.words);
  return network.prefix === bits ? host : `${host}/${network.prefix}`;
}

/** `192.0.2.*` and `10.*` as networks, where the stars cut at an octet; null for any other pattern. */
export function networkOfPattern(pattern: string): Network | null {
  const match = /^(\d{1,3}(?:\.\d{1,3}){0,2})(?:\.\*){1,3}$/.exec(pattern);
  const head = match?.[1];
  if (head === undefined) return null;
  const octets = head.split('.');
  if (pattern.split('.').length > 4) return null;
  const padded = [...octets, '0', '0', '0'].slice(0, 4).join('.');
  return parseNetwork(`${padded}/${octets.length * 8}`);
}

/** True when some address lies in both. */
export function networksOverlap(a: Network, b: Network): boolean {
  if (a.words.length !== b.words.length) return false;
  let left = Math.min(a.prefix, b.prefix);
  for (let i = 0; left > 0; i++, left -= 32) {
    const shift = left >= 32 ? 0 : 32 - left;
    if (((a.words[i] ?? 0) ^ (b.words[i] ?? 0)) >>> shift !== 0) return false;
  }
  return true;
}

/**
 * What a logged address may stand for: itself, or the network that anonymisation left of it. `1.2.3.*` says so by
 * its form; `1.2.3.0` and `2001:db8:1:2::` only when the zone is known to drop the last octet.
 */
export function loggedNetwork(text: string, anonymisation: Anonymisation): Network | null {
  const address = parseAddress(text);
  if (!address) return text.endsWith('*') ? networkOfPattern(text) : null;
  return anonymisation === 'lastOctet' ? keptNetwork(address) : address;
}

/** What last-octet anonymisation leaves of an address or a network. */
export function keptNetwork(network: Network): Network {
  return narrowTo(network, Math.min(network.prefix, KEPT_BITS[network.words.length === 1 ? 'v4' : 'v6']));
}

/** Bits of the network that clients are counted by: what one site or subscriber usually has. */
const CLIENT_BITS = { v4: 24, v6: 48 } as const;

/** The network of a logged address, even one that lost its end; null for a word, and where less than that is left. */
export function networkOfAddress(text: string): string | null {
  const network = loggedNetwork(text, 'none');
  if (network === null) return null;
  const bits = CLIENT_BITS[network.words.length === 1 ? 'v4' : 'v6'];
  return network.prefix < bits ? null : printNetwork(narrowTo(network, bits));
}

/**
 * A test of logged addresses against addresses and networks. On an anonymised address the answer is "may be": the
 * logged network and the asked one overlap, as the platform's own filter widens it. Hiding what might be the attacker
 * would be the worse mistake; the excluding term is the exact complement.
 */
export function addressTest(
  wanted: readonly string[],
  anonymisation: Anonymisation = 'none',
): (logged: string) => boolean {
  const networks = wanted.flatMap((text) => parseNetwork(text) ?? []);
  const singles = new Set(
    networks.filter((n) => n.prefix === 32 && n.words.length === 1).map((n) => n.words[0]),
  );
  const masks = networks.filter((n) => n.prefix < 32 && n.words.length === 1).map(maskOf);
  return (logged) => {
    if (anonymisation !== 'lastOctet') {
      const v4 = parseV4(logged);
      if (v4 >= 0) return singles.has(v4) || masks.some((m) => (v4 & m.mask) >>> 0 === m.net);
    }
    const network = loggedNetwork(logged, anonymisation);
    return network !== null && networks.some((n) => networksOverlap(n, network));
  };
}

function narrowTo(address: Network, prefix: number): Network {
  const words = address.words.map((word, i) => {
    const kept = Math.min(32, Math.max(0, prefix - i * 32));
    return kept === 0 ? 0 : (word & (-1 << (32 - kept))) >>> 0;
  });
  return { words, prefix };
}

function maskOf(network: Network): { net: number; mask: number } {
  return { net: network.words[0] ?? 0, mask: network.prefix === 0 ? 0 : -1 << (32 - network.prefix) };
}

function printV4(bits: number): string {
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}

function printV6(words: readonly number[]): string {
  return new ipaddr.IPv6(words.flatMap((word) => [word >>> 16, word & 0xffff])).toRFC5952String();
}
