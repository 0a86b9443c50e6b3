import { hash } from 'node:crypto';
import { type LogRecord, TEXT_NAMES, type TextName, WIRE_FIELDS } from '../../domain/log.ts';
import { ID_BYTES, recordOfColumns } from '../../domain/logs/columns/coded-rows.ts';
import { loggedNetwork, type Network, printNetwork } from '../../domain/query/address.ts';
import { shapeOf } from '../../domain/query/path-shape.ts';
import { MASK } from '../../text/mask.ts';

/** A longer text is seldom one that comes again. */
const LONGEST = 256;

/** A function of texts that looks up what it said of those that come again: the last `most` of them at least, and twice as many at most. */
export function lookedUp<T>(of: (text: string) => T, most: number): (text: string) => T {
  let [recent, before] = [new Map<string, T>(), new Map<string, T>()];
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const value = before.get(text) ?? of(text);
    if (text.length > LONGEST) return value;
    if (recent.size === most) [recent, before] = [new Map(), recent];
    recent.set(text, value);
    return value;
  };
}

/**
 * A log row as it is stored. No field is null: '' is no value, and -1 no size, as null and '' mean the same to every
 * question. Texts are well-formed: half a surrogate pair is U+FFFD. Sizes are whole bytes.
 */
export type StoredRow = Record<Exclude<TextName, 'url'>, string> & {
  /** Unix ms. */
  timestamp: number;
  /** 0 to 999. */
  statusCode: number;
  /** 16 bytes as hex digits: the request id, where `hasId` says so, else of all that tells the row apart. */
  id: string;
  /** 0 or 1. */
  hasId: number;
  /** One that is no 32 small hex digits. */
  requestId: string;
  bytesSent: number;
  bodyBytesSent: number;
  /** Where the URL is not scheme://host + path, which it nearly always is; see `hasOwnUrl`. */
  ownUrl: string;
  /** 0 or 1. */
  hasOwnUrl: number;
  /** The first address of the network that the logged one stands for, of IPv6 as hex digits: one of IPv4 is mapped. */
  address: string;
  /** How many bits of the address were logged: all 128 nearly always; 0 = it was none. */
  prefix: number;
  /** What was logged, where the address is not written so. */
  remoteIp: string;
  /** 0 or 1: only the presence of the header is known. */
  hasAuthorization: number;
  raw: string;
  /** Derived by the function by which the query language derives it. No expression of an engine could. */
  shape: string;
  /** How many of the fields that a source may lack this one had: of two copies of a row the one that says more stays. */
  detail: number;
};

/** What of it a record comes of. */
export type ReadRow = Omit<StoredRow, 'shape' | 'detail'>;

/** Bumped when the function by which `shape` is derived gives other values: stored ones then answer no questions. */
export const DERIVED_VERSION = 2;

const LARGEST_SIZE = 2 ** 63 - 1024;
/** Texts that a source may leave out, which are counted as detail. */
export const MAY_LACK: ReadonlySet<string> = new Set(
  TEXT_NAMES.filter((name) => name !== 'requestId' && WIRE_FIELDS[name].absent === 'null'),
);

/** What such an id is written like. */
const ID = /^[0-9a-f]{32}$/;
/** What stands before an address of IPv4 among those of IPv6. */
export const MAPPED = '00000000000000000000ffff';
/** The address of whatever is none. */
export const NO_ADDRESS = '0'.repeat(32);
/** From here on addresses of IPv6 are written alike by everybody: earlier ones hold some of IPv4. */
export const FIRST_PLAIN = '2'.padEnd(32, '0');

/** Paths and addresses come again and again. */
const REMEMBERED = 20_000;
export const shapeOfPath = lookedUp(shapeOf, REMEMBERED);
export const storedAddress = lookedUp(addressOf, REMEMBERED);

/** The record of a row: what was stored of it, with null where it has no value and a source may leave the field out. */
export function recordOfStored(row: ReadRow): LogRecord {
  const told: Partial<Record<TextName, string | null>> = {
    url: row.hasOwnUrl === 1 ? row.ownUrl : null,
    requestId: row.hasId === 1 ? row.id : row.requestId,
    remoteIp: row.prefix > 0 && row.remoteIp === '' ? printedAddress(row.address) : row.remoteIp,
  };
  return recordOfColumns(
    (name) => (name === 'url' ? (told.url ?? null) : (told[name] ?? row[name]) || null),
    {
      timestamp: row.timestamp,
      statusCode: row.statusCode,
      bytesSent: row.bytesSent,
      bodyBytesSent: row.bodyBytesSent < 0 ? null : row.bodyBytesSent,
      authorizationHeader: row.hasAuthorization === 1 ? MASK : null,
      raw: row.raw || null,
    },
  );
}

/** The n-th of equal rows without a request id, from 0 on. */
export function twinOf(hash: string, n: number): string {
  return `${hash}#${n}`;
}

export function isId(requestId: string | null): requestId is string {
  return requestId !== null && ID.test(requestId);
}

/** 128 bits of a row without an id, as 32 hex digits. */
export function rowHash(record: LogRecord): string {
  return storedId(JSON.stringify(record));
}

/** What stands in the place of an id that is not of 16 bytes, or of none. */
export function storedId(text: string): string {
  return hash('sha256', text).slice(0, 2 * ID_BYTES);
}

function addressOf(logged: string): Pick<StoredRow, 'address' | 'prefix' | 'remoteIp'> {
  const network = loggedNetwork(logged, 'none');
  if (network === null) return { address: NO_ADDRESS, prefix: 0, remoteIp: logged };
  const { from, prefix } = storedNetwork(network);
  const isPlain = from.startsWith(MAPPED) || from >= FIRST_PLAIN;
  const isWrittenSo = isPlain && prefix === 128 && printNetwork(network) === logged;
  return { address: from, prefix, remoteIp: isWrittenSo ? '' : logged };
}

/** The first and the last address of a network as they are stored, and how many of its bits are given. */
export function storedNetwork({ words, prefix }: Network): { from: string; to: string; prefix: number } {
  const last = words.map((word, at) => {
    const host = 32 - Math.min(32, Math.max(0, prefix - at * 32));
    return host === 32 ? 0xffffffff : (word | (2 ** host - 1)) >>> 0;
  });
  const family = words.length === 1 ? MAPPED : '';
  const of = (all: readonly number[]) => family + all.map(hex).join('');
  return { from: of(words), to: of(last), prefix: prefix + family.length * 4 };
}

/** An address of IPv6 as hex digits, mapped or not, as everybody writes it. */
export const printedAddress = lookedUp((address: string) => {
  const isV4 = address.startsWith(MAPPED);
  const words = (address.slice(isV4 ? MAPPED.length : 0).match(/.{8}/g) ?? []).map((word) =>
    Number.parseInt(word, 16),
  );
  return printNetwork({ words, prefix: words.length * 32 });
}, REMEMBERED);

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}

export function textOf(value: string | null): string {
  return value === null ? '' : value.toWellFormed();
}

export function storedSize(bytes: number): number {
  return Math.min(LARGEST_SIZE, Math.max(0, Math.trunc(bytes) || 0));
}
