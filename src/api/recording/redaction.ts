import type { Json } from '../../domain/shield/shield.ts';
import { Secret } from '../../text/secret.ts';
import { isObject, parseJson } from '../http/json.ts';
import { masked } from '../masking.ts';

/**
 * Of a pull zone only what the program reads: among its other hundred and sixty fields are signing keys, certificates
 * and tokens, and nobody knows the names of those to come.
 */
const PULL_ZONE_FIELDS: ReadonlySet<string> = new Set([
  'Id',
  'Name',
  'Enabled',
  'Suspended',
  'EnableLogging',
  'LoggingIPAnonymizationEnabled',
  'LogAnonymizationType',
  'Hostnames',
  'LoggingSaveToStorage',
  'LoggingStorageZoneId',
]);
const HOSTNAME_FIELDS: ReadonlySet<string> = new Set(['Id', 'Value', 'IsSystemHostname']);

/**
 * The text of an answer without its secrets, by the path that was asked; null where it is not JSON and so cannot be
 * looked through. Whole numbers beyond 2^53 become strings of their digits, which the schemas read the same.
 */
export function redactedAnswer(path: string, text: string): string | null {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return null;
  }
  if (/^\/pullzone(?:[/?]|$)/.test(path)) value = ofItems(value, pullZone);
  if (/^\/apikey(?:[/?]|$)/.test(path)) value = ofItems(value, apiKey);
  return JSON.stringify(masked(value));
}

/** The words of a request without its secrets. */
export function redactedBody(body: Readonly<Record<string, unknown>> | undefined): Json {
  return body === undefined ? null : masked(body);
}

function ofItems(value: unknown, change: (item: object) => object): unknown {
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? change(item) : item));
  if (!isObject(value)) return value;
  if ('Items' in value) return { ...value, Items: ofItems(value.Items, change) };
  return change(value);
}

function pullZone(zone: object): object {
  const kept = picked(zone, PULL_ZONE_FIELDS) as { Hostnames?: unknown };
  return Array.isArray(kept.Hostnames)
    ? {
        ...kept,
        Hostnames: kept.Hostnames.map((each) => (isObject(each) ? picked(each, HOSTNAME_FIELDS) : each)),
      }
    : kept;
}

/** A stand-in by which two keys can still be told apart. */
function apiKey(key: object): object {
  const value = (key as { Key?: unknown }).Key;
  return typeof value === 'string' ? { ...key, Key: `recorded-${new Secret(value).fingerprint}` } : key;
}

function picked(from: object, names: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.has(name)));
}
