import { CACHE_STATUSES } from '../log.ts';
import { networkOfAddress, networkOfPattern, parseAddress, parseNetwork, printNetwork } from './address.ts';
import { type Refusal, refuse } from './query.ts';

/** A value as the query holds it, or why it is invalid and what to write instead. */
export type ValueReading = { ok: true; value: string } | Refusal;

export type ValueReader = (raw: string) => ValueReading;

const CACHE_WORDS: readonly string[] = Object.keys(CACHE_STATUSES);
const ACTIONS: readonly string[] = ['blocked', 'challenged', 'logged'];
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  m: 1e6,
  g: 1e9,
  ki: 1024,
  mi: 1024 ** 2,
  gi: 1024 ** 3,
};

export const anyText: ValueReader = (raw) => ({ ok: true, value: raw });

/** Three digits, or a class such as `5xx`; a row without a status has `0`. */
export const statusValue: ValueReader = (raw) => {
  const value = raw.toLowerCase();
  if (/^(?:\d{3}|[1-5]xx|0)$/.test(value)) return { ok: true, value };
  const head = /^[1-5]/.exec(value)?.[0] ?? '5';
  return refuse(`'${raw}' is not an HTTP status`, `three digits or a class: 404, ${head}xx`);
};

/** The documented words in any case; an unknown word stays as typed, since the set is open. */
export const cacheValue: ValueReader = (raw) => {
  const upper = raw.toUpperCase();
  return { ok: true, value: CACHE_WORDS.includes(upper) ? upper : raw };
};

export const actionValue: ValueReader = (raw) => {
  const lower = raw.toLowerCase();
  return { ok: true, value: ACTIONS.includes(lower) ? lower : raw };
};

/** ISO 3166 alpha-2 or a code of the same shape (`T1`, `XX`), in capitals. */
export const countryValue: ValueReader = (raw) => {
  const value = raw.toUpperCase();
  if (value === 'UK') return refuse(`'${raw}' is not a country code`, 'the United Kingdom is GB');
  if (/^[A-Z][A-Z0-9]$/.test(value)) return { ok: true, value };
  return refuse(`'${raw}' is not a country code`, 'two letters, for example DE or US');
};

/** Digits; a leading `AS` is dropped. */
export const asnValue: ValueReader = (raw) => {
  const value = raw.replace(/^as/i, '');
  if (/^\d{1,10}$/.test(value)) return { ok: true, value: value.replace(/^0+(?=\d)/, '') };
  return refuse(`'${raw}' is not an AS number`, 'digits, for example 13335 or AS13335');
};

/** 32 hex digits, lower case, hyphens dropped. */
export const requestIdValue: ValueReader = (raw) => {
  const value = raw.replaceAll('-', '').toLowerCase();
  if (/^[0-9a-f]{32}$/.test(value)) return { ok: true, value };
  const part = /^[0-9a-f]{1,31}$/.test(value) ? value : '1a2b';
  return refuse('a request id has 32 hex digits', `for one that begins so: id:${part}*`);
};

export const schemeValue: ValueReader = (raw) => ({ ok: true, value: raw.toLowerCase() });

/** One address in canonical text, or an anonymised one (`192.0.2.*`) as logged. */
export const addressValue: ValueReader = (raw) => {
  if (networkOfPattern(raw)) return { ok: true, value: raw };
  const address = parseAddress(raw);
  if (address) return { ok: true, value: printNetwork(address) };
  return refuse(`'${raw}' is not an address`, '192.0.2.7, 2001:db8::1, 10.0.0.0/8 or 192.0.2.*');
};

/** An address or a network in canonical text; a one-address network is written as the address. */
export const networkValue: ValueReader = (raw) => {
  const network = parseNetwork(raw);
  if (network) return { ok: true, value: printNetwork(network) };
  return refuse(`'${raw}' is not a network`, 'an address and its prefix length: 10.0.0.0/8, 2001:db8::/32');
};

/** The network that clients are counted by, or that of an address. */
export const clientNetworkValue: ValueReader = (raw) => {
  const read = networkOfPattern(raw) ?? parseNetwork(raw);
  const [head = ''] = read ? printNetwork(read).split('/') : [];
  const value = networkOfAddress(head);
  if (value !== null && read && (value === printNetwork(read) || head === printNetwork(read)))
    return { ok: true, value };
  const hint = read
    ? `ip:${printNetwork(read)} takes any length`
    : '192.0.2.0/24, 2001:db8:1::/48 or an address';
  return refuse(`'${raw}' is not a /24 or a /48 network`, hint);
};

/** A number, a comparison or a range, with k, M, G (1000) and Ki, Mi, Gi (1024): `>1M`, `10k..20k`. */
export const amountValue: ValueReader = (raw) => {
  const range = /^(.+)\.\.(.+)$/.exec(raw);
  const compared = /^(>=|<=|>|<|)(.+)$/.exec(raw);
  const parts = range ? [range[1], range[2]] : [compared?.[2]];
  const numbers = parts.map((part) => amountOf(part ?? ''));
  if (!numbers.every((n) => n !== null)) {
    return refuse(`'${raw}' is not an amount`, 'a number, >1M, <=512 or 10k..20k');
  }
  return { ok: true, value: range ? numbers.join('..') : `${compared?.[1] ?? ''}${numbers[0]}` };
};

function amountOf(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)([kmg]i?|)b?$/i.exec(text);
  const unit = UNITS[match?.[2]?.toLowerCase() ?? '-'];
  if (!match || unit === undefined) return null;
  const amount = Math.round(Number(match[1]) * unit);
  return Number.isSafeInteger(amount) ? amount : null;
}
