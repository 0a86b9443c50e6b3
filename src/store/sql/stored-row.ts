import { createHash } from 'node:crypto';
import { type LogRecord, pageOf, TEXT_NAMES, type TextName, WIRE_FIELDS } from '../../domain/log.ts';
import { recordOfColumns } from '../../domain/logs/columns/coded-rows.ts';
import { loggedNetwork, type Network, networkOfAddress } from '../../domain/query/address.ts';
import { shapeOf } from '../../domain/query/path-shape.ts';
import { MASK } from '../../text/mask.ts';

/**
 * A log row as it is stored. No field is null: '' is no value, and -1 no size, as null and '' mean the same to every
 * question. Texts are well-formed: half a surrogate pair is U+FFFD. Sizes are whole bytes.
 */
export type StoredRow = Record<Exclude<TextName, 'url'>, string> & {
  /** Unix ms. */
  timestamp: number;
  /** 0 to 999. */
  statusCode: number;
  /** Tells rows without a request id apart; '' where there is one. */
  twin: string;
  bytesSent: number;
  bodyBytesSent: number;
  /** Where the URL is not scheme://host + path, which it nearly always is; see `hasOwnUrl`. */
  ownUrl: string;
  /** 0 or 1. */
  hasOwnUrl: number;
  /** What the address can be compared by: see `addressKey`. */
  address: string;
  /** The last address of the network that the logged one stands for; '' where it is that one address or no address. */
  addressTo: string;
  /** 0 or 1: only the presence of the header is known. */
  hasAuthorization: number;
  raw: string;
  /** Derived by the functions by which the query language derives them. */
  page: string;
  shape: string;
  net: string;
  /** How many of the fields that a source may lack this one had: of two copies of a row the one that says more stays. */
  detail: number;
};

/** Bumped when a function by which fields are derived gives other values: stored ones then answer no questions. */
export const DERIVED_VERSION = 2;

const LARGEST_SIZE = 2 ** 63 - 1024;
/** Texts that a source may leave out. */
const MAY_LACK = TEXT_NAMES.filter((name) => name !== 'requestId' && WIRE_FIELDS[name].absent === 'null');

/** `n`: how many equal rows without a request id came before it in its source. */
export function storedRow(record: LogRecord, n = 0): StoredRow {
  const requestId = textOf(record.requestId);
  const path = textOf(record.path);
  const url = textOf(record.url);
  const [scheme, host] = [textOf(record.scheme), textOf(record.host)];
  const isOwn = url !== `${scheme}://${host}${path}`;
  const remoteIp = textOf(record.remoteIp);
  const { from, to } = addressKeys(remoteIp);
  return {
    pullZoneId: textOf(record.pullZoneId),
    timestamp: record.timestamp,
    statusCode: record.statusCode,
    cacheStatus: textOf(record.cacheStatus),
    requestId,
    twin: requestId === '' ? `${rowHash(record)}#${n}` : '',
    bytesSent: sizeOf(record.bytesSent),
    bodyBytesSent: record.bodyBytesSent === null ? -1 : sizeOf(record.bodyBytesSent),
    edgeLocation: textOf(record.edgeLocation),
    scheme,
    host,
    path,
    ownUrl: isOwn ? url : '',
    hasOwnUrl: isOwn ? 1 : 0,
    remoteIp,
    address: from,
    addressTo: to,
    countryCode: textOf(record.countryCode),
    userAgent: textOf(record.userAgent),
    referer: textOf(record.referer),
    ja4Fingerprint: textOf(record.ja4Fingerprint),
    asn: textOf(record.asn),
    asnOrganization: textOf(record.asnOrganization),
    contentRange: textOf(record.contentRange),
    hasAuthorization: (record.authorizationHeader ?? '') === '' ? 0 : 1,
    raw: textOf(record.raw),
    page: pageOf(path),
    shape: shapeOf(path),
    net: networkOfAddress(remoteIp) ?? '',
    detail:
      MAY_LACK.filter((name) => (record[name] ?? '') !== '').length + (record.bodyBytesSent === null ? 0 : 1),
  };
}

/** The record of a row: what was stored of it, with null where it has no value and a source may leave the field out. */
export function recordOfStored(row: StoredRow): LogRecord {
  const ownUrl = row.hasOwnUrl === 1 ? row.ownUrl : null;
  return recordOfColumns((name) => (name === 'url' ? ownUrl : row[name] || null), {
    timestamp: row.timestamp,
    statusCode: row.statusCode,
    bytesSent: row.bytesSent,
    bodyBytesSent: row.bodyBytesSent < 0 ? null : row.bodyBytesSent,
    authorizationHeader: row.hasAuthorization === 1 ? MASK : null,
    raw: row.raw || null,
  });
}

/** 128 bits of a row without an id, as 32 hex digits. */
export function rowHash(record: LogRecord): string {
  return createHash('sha256').update(JSON.stringify(record)).digest('hex').slice(0, 32);
}

/** What an address is compared by: the first and the last of the network that it stands for; `to` is '' where they are one. */
function addressKeys(logged: string): { from: string; to: string } {
  if (logged === '') return { from: '', to: '' };
  const network = loggedNetwork(logged, 'none');
  if (network === null) return { from: wordKey(logged), to: '' };
  const { from, to } = networkKeys(network);
  return { from, to: to === from ? '' : to };
}

/** The key of a logged word that is no address. */
export function wordKey(word: string): string {
  return `w${word.toLowerCase()}`;
}

/** The keys of the first and the last address of a network: the family and hex digits, so that their order as texts is that of the addresses. */
export function networkKeys({ words, prefix }: Network): { from: string; to: string } {
  const family = words.length === 1 ? '4' : '6';
  const last = words.map((word, at) => {
    const host = 32 - Math.min(32, Math.max(0, prefix - at * 32));
    return host === 32 ? 0xffffffff : (word | (2 ** host - 1)) >>> 0;
  });
  return { from: family + words.map(hex).join(''), to: family + last.map(hex).join('') };
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}

function textOf(value: string | null): string {
  return value === null ? '' : value.toWellFormed();
}

function sizeOf(bytes: number): number {
  return Math.min(LARGEST_SIZE, Math.max(0, Math.trunc(bytes) || 0));
}
