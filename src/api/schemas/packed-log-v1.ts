import {
  NO_SPAN,
  PACKED_COLUMNS,
  type PackedColumn,
  type PackedRows,
  SPAN_WIDTH,
} from '../../domain/logs/packed-rows.ts';
import { timestampOf } from '../timestamp.ts';
import { BAR, BYTE_KINDS, digitsAt, isClean, ODD, plainEnd, SUSPICIOUS } from './packed-bytes.ts';
import { hostEnd, schemeEnd } from './packed-url.ts';

const FEWEST = 12;
const EXTENDED = 15;
const LONGEST_ID = 20;
const DASH = 0x2d;

/** Where each part of the line begins and ends: made once, since every line of a file passes here. */
const starts = new Int32Array(EXTENDED);
const ends = new Int32Array(EXTENDED);

/**
 * A line of CDN logs v1 in `rows.bytes` as the next of the packed rows: what `logRecordOfLine` makes of it, at a tenth
 * of the cost. False = nothing was added: the line is odd, or something in it has to be masked. A property test holds
 * the two together.
 */
export function packLineV1(rows: PackedRows, start: number, end: number): boolean {
  const { bytes, view, spans, count: row } = rows;
  let parts = 0;
  let suspicious = 0;
  starts[0] = start;
  for (let i = plainEnd(view, start, end); i < end; i = plainEnd(view, i + 1, end)) {
    const kind = BYTE_KINDS[bytes[i] as number] as number;
    if (kind === 0) continue;
    if (kind === ODD) return false;
    if (kind === SUSPICIOUS) suspicious |= 1 << parts;
    if (kind !== BAR) continue;
    if (parts === EXTENDED - 1) return false;
    ends[parts++] = i;
    starts[parts] = i + 1;
  }
  ends[parts++] = end;
  if (parts !== FEWEST && parts !== EXTENDED) return false;

  if (lengthOf(1) > 3 || lengthOf(2) < 9 || lengthOf(4) > LONGEST_ID) return false;
  const status = numberOf(bytes, 1);
  const time = timestampOf(numberOf(bytes, 2));
  const sent = numberOf(bytes, 3);
  if (status < 0 || time === null || sent < 0) return false;
  if (!isDigits(bytes, starts[4] as number, ends[4] as number)) return false;
  if (suspicious !== 0 && !(isKept(bytes, suspicious, 6) && isKept(bytes, suspicious, 7))) return false;
  const isExtended = parts === EXTENDED;
  let body = Number.NaN;
  if (isExtended && !isEmpty(bytes, 12)) {
    body = numberOf(bytes, 12);
    if (body < 0) return false;
  }

  const at = row * SPAN_WIDTH;
  for (let i = 0; i < SPAN_WIDTH; i += 2) spans[at + i] = NO_SPAN;
  put(spans, at + CACHE, starts[0] as number, ends[0] as number);
  put(spans, at + ZONE, starts[4] as number, ends[4] as number);
  putMaybe(bytes, spans, at + IP, 5);
  putMaybe(bytes, spans, at + REFERER, 6);
  put(spans, at + EDGE, starts[8] as number, (isEmpty(bytes, 8) ? starts[8] : ends[8]) as number);
  putMaybe(bytes, spans, at + AGENT, 9);
  putMaybe(bytes, spans, at + ID, 10);
  putMaybe(bytes, spans, at + COUNTRY, 11);
  if (isExtended) putMaybe(bytes, spans, at + RANGE, 13);
  const first = starts[7] as number;
  const last = (isEmpty(bytes, 7) ? first : ends[7]) as number;
  const colon = schemeEnd(bytes, first, last);
  const host = colon < 0 ? first : colon + 3;
  const path = hostEnd(bytes, host, last);
  put(spans, at + URL, first, last);
  put(spans, at + SCHEME, first, Math.max(first, colon));
  put(spans, at + HOST, host, path);
  put(spans, at + PATH, path, last);
  rows.derived[row] = colon < 0 ? 0 : 1;
  rows.times[row] = time;
  rows.statuses[row] = status;
  rows.sent[row] = sent;
  rows.bodies[row] = body;
  rows.authorized[row] = isExtended && !isEmpty(bytes, 14) ? 1 : 0;
  rows.count++;
  return true;
}

function lengthOf(part: number): number {
  return (ends[part] as number) - (starts[part] as number);
}

function numberOf(bytes: Buffer, part: number): number {
  return digitsAt(bytes, starts[part] as number, ends[part] as number);
}

function isEmpty(bytes: Buffer, part: number): boolean {
  const length = lengthOf(part);
  return length === 0 || (length === 1 && bytes[starts[part] as number] === DASH);
}

/** Whether a part that may hold a secret prints as it is. */
function isKept(bytes: Buffer, suspicious: number, part: number): boolean {
  return (suspicious & (1 << part)) === 0 || isClean(bytes, starts[part] as number, ends[part] as number);
}

function put(spans: Int32Array, place: number, start: number, end: number): void {
  spans[place] = start;
  spans[place + 1] = end;
}

function putMaybe(bytes: Buffer, spans: Int32Array, place: number, part: number): void {
  if (!isEmpty(bytes, part)) put(spans, place, starts[part] as number, ends[part] as number);
}

const placeOf = (column: PackedColumn) => PACKED_COLUMNS.indexOf(column) * 2;
const CACHE = placeOf('cacheStatus');
const ZONE = placeOf('pullZoneId');
const IP = placeOf('remoteIp');
const REFERER = placeOf('referer');
const EDGE = placeOf('edgeLocation');
const AGENT = placeOf('userAgent');
const ID = placeOf('requestId');
const COUNTRY = placeOf('countryCode');
const RANGE = placeOf('contentRange');
const URL = placeOf('url');
const SCHEME = placeOf('scheme');
const HOST = placeOf('host');
const PATH = placeOf('path');

function isDigits(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte < 0x30 || byte > 0x39) return false;
  }
  return end > start;
}
