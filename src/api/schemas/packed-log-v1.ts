import {
  NO_SPAN,
  PACKED_COLUMNS,
  type PackedColumn,
  type PackedRows,
  SPAN_WIDTH,
} from '../../domain/packed-rows.ts';
import { timestampOf } from '../timestamp.ts';
import { BAR, BYTE_KINDS, digitsAt, isClean, ODD, SUSPICIOUS } from './packed-bytes.ts';
import { hostEnd, schemeEnd } from './packed-url.ts';

const FEWEST = 12;
const EXTENDED = 15;
const LONGEST_ID = 20;
const DASH = 0x2d;

/** Where each part of the line ends. */
const ends = new Int32Array(EXTENDED);

/**
 * A line of CDN logs v1 in `rows.bytes` as the next of the packed rows: what `logRecordOfLine` makes of it, at a tenth
 * of the cost. False = nothing was added: the line is odd, or something in it has to be masked. A property test holds
 * the two together.
 */
export function packLineV1(rows: PackedRows, start: number, end: number): boolean {
  const { bytes, spans, count: row } = rows;
  let parts = 0;
  let suspicious = 0;
  for (let i = start; i < end; i++) {
    const kind = BYTE_KINDS[bytes[i] as number] as number;
    if (kind === 0) continue;
    if (kind === ODD) return false;
    if (kind === SUSPICIOUS) suspicious |= 1 << parts;
    if (kind !== BAR) continue;
    if (parts === EXTENDED - 1) return false;
    ends[parts++] = i;
  }
  ends[parts++] = end;
  if (parts !== FEWEST && parts !== EXTENDED) return false;

  const from = (part: number) => (part === 0 ? start : (ends[part - 1] as number) + 1);
  const to = (part: number) => ends[part] as number;
  const isEmpty = (part: number) => {
    const length = to(part) - from(part);
    return length === 0 || (length === 1 && bytes[from(part)] === DASH);
  };
  if (to(1) - from(1) > 3) return false;
  const status = digitsAt(bytes, from(1), to(1));
  const time = timestampOf(digitsAt(bytes, from(2), to(2)));
  const sent = digitsAt(bytes, from(3), to(3));
  if (status < 0 || time === null || to(2) - from(2) < 9 || sent < 0) return false;
  if (to(4) - from(4) > LONGEST_ID || !isDigits(bytes, from(4), to(4))) return false;
  for (const part of URL_PARTS) {
    if ((suspicious & (1 << part)) !== 0 && !isClean(bytes, from(part), to(part))) return false;
  }
  let body = Number.NaN;
  if (parts === EXTENDED && !isEmpty(12)) {
    body = digitsAt(bytes, from(12), to(12));
    if (body < 0) return false;
  }

  const at = row * SPAN_WIDTH;
  spans.fill(NO_SPAN, at, at + SPAN_WIDTH);
  const put = (place: number, first: number, last: number) => {
    spans[at + place] = first;
    spans[at + place + 1] = last;
  };
  const putMaybe = (place: number, part: number) => {
    if (!isEmpty(part)) put(place, from(part), to(part));
  };
  put(CACHE, from(0), to(0));
  put(ZONE, from(4), to(4));
  putMaybe(IP, 5);
  putMaybe(REFERER, 6);
  put(EDGE, from(8), isEmpty(8) ? from(8) : to(8));
  putMaybe(AGENT, 9);
  putMaybe(ID, 10);
  putMaybe(COUNTRY, 11);
  if (parts === EXTENDED) putMaybe(RANGE, 13);
  const first = from(7);
  const last = isEmpty(7) ? first : to(7);
  const colon = schemeEnd(bytes, first, last);
  const host = colon < 0 ? first : colon + 3;
  const path = hostEnd(bytes, host, last);
  put(URL, first, last);
  put(SCHEME, first, Math.max(first, colon));
  put(HOST, host, path);
  put(PATH, path, last);
  rows.derived[row] = colon < 0 ? 0 : 1;
  rows.times[row] = time;
  rows.statuses[row] = status;
  rows.sent[row] = sent;
  rows.bodies[row] = body;
  rows.authorized[row] = parts === EXTENDED && !isEmpty(14) ? 1 : 0;
  rows.count++;
  return true;
}

/** Referer and URL: what may hold a secret. */
const URL_PARTS = [6, 7];

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
