import { TEXT_NAMES, WIRE_FIELDS, WIRE_NAMES, type WireName } from '../../domain/log.ts';
import { NO_SPAN, type PackedRows, SPAN_WIDTH } from '../../domain/logs/columns/coded-rows.ts';
import { BYTE_KINDS, ODD, QUOTE, SUSPICIOUS } from '../../domain/logs/columns/row-coder.ts';
import { timestampOf } from '../timestamp.ts';
import { digitsAt, hostEnd, isClean, type Key, KeyBook, plainEnd, schemeEnd } from './packed-bytes.ts';

const COMMA = 0x2c;
const BRACE = 0x7b;
const CLOSING = 0x7d;
const ZERO = 0x30;
const LETTER_N = 0x6e;
const LONGEST_ID = 20;

const NOT_PLAIN = -1;

/** The texts have the places of their spans; the others follow. */
const FIELDS: readonly WireName[] = [...new Set<WireName>([...TEXT_NAMES, ...WIRE_NAMES])];
const fieldOf = (name: WireName) => FIELDS.indexOf(name);

const TIMESTAMP = fieldOf('timestamp');
const STATUS = fieldOf('statusCode');
const SENT = fieldOf('bytesSent');
const BODY = fieldOf('bodyBytesSent');
const AUTHORIZATION = fieldOf('authorizationHeader');
const ZONE = fieldOf('pullZoneId');
const ASN = fieldOf('asn');
const SCHEME = fieldOf('scheme');
const HOST = fieldOf('host');
const PATH = fieldOf('path');
const URL = fieldOf('url');
const REFERER = fieldOf('referer');

const bits = (...fields: number[]) => fields.reduce((mask, field) => mask | (1 << field), 0);
const URL_PARTS = bits(SCHEME, HOST, PATH);
const NULLABLE = bits(
  ...FIELDS.flatMap((name, field) => (WIRE_FIELDS[name].absent === 'null' ? [field] : [])),
);
/** The parts of a url may be left out together. */
const ALWAYS = bits(...FIELDS.keys()) & ~NULLABLE & ~URL_PARTS;

/** Older tools write the referrer under the name that it has in logs v1. */
const ALIASES: readonly [string, number][] = [['refererUrl', REFERER]];

/** Lines of other kinds, and a name that no reader should look up. */
const REFUSED = new Set(['_gap', '_raw', '__proto__']);

/**
 * Packs the JSON that begins in `rows.bytes` as the next of the rows, which the caller counts in: what `savedRecordOf`
 * makes of it, without making a string. Returns the place behind it, `end` at most; -1 = it is no plain entry, or needs
 * masking. A property test compares the two.
 */
export function createJsonPacker(): (rows: PackedRows, start: number, end: number) => number {
  const book = new KeyBook(
    new Map([...FIELDS.map((name, field) => [name, field] as const), ...ALIASES]),
    REFUSED,
  );
  const timeAt = createTimeReader();

  return (rows, start, end) => {
    const { bytes, view, spans, count: row } = rows;
    if (bytes[start] !== BRACE) return NOT_PLAIN;
    const spansAt = row * SPAN_WIDTH;
    for (let i = 0; i < SPAN_WIDTH; i += 2) spans[spansAt + i] = NO_SPAN;
    rows.bodies[row] = Number.NaN;
    rows.authorized[row] = 0;
    rows.derived[row] = 0;
    let seen = 0;
    let suspicious = 0;
    let key: Key | null = null;
    let at = start;
    for (;;) {
      key = book.keyAt(rows, at, end, key);
      if (key === null) return NOT_PLAIN;
      at += key.length;
      const { field } = key;
      if (field >= 0) {
        if ((seen & (1 << field)) !== 0) return NOT_PLAIN;
        seen |= 1 << field;
      }
      const from = at;
      const kind = BYTE_KINDS[bytes[at] as number] as number;
      if (kind === QUOTE) {
        const first = at + 1;
        let last = -1;
        if (field === URL && (seen & URL_PARTS) === URL_PARTS) {
          last = derivedEnd(rows, spansAt, first);
          if (last >= 0) {
            rows.derived[row] = 1;
            if ((suspicious & URL_PARTS) !== 0) suspicious |= 1 << URL;
          }
        }
        if (last < 0) {
          for (last = plainEnd(view, first, end); last < end; last = plainEnd(view, last + 1, end)) {
            const sign = BYTE_KINDS[bytes[last] as number] as number;
            if (sign === 0) continue;
            if (sign === QUOTE) break;
            if (sign === ODD) return NOT_PLAIN;
            if (sign === SUSPICIOUS && field >= 0) suspicious |= 1 << field;
          }
          if (last >= end) return NOT_PLAIN;
        }
        at = last + 1;
        if (field >= 0 && !putText(rows, field, first, last, timeAt)) return NOT_PLAIN;
      } else if (bytes[at] === LETTER_N) {
        if (bytes[at + 1] !== 0x75 || bytes[at + 2] !== 0x6c || bytes[at + 3] !== 0x6c) return NOT_PLAIN;
        at += 4;
        if (field >= 0 && (NULLABLE & (1 << field)) === 0) return NOT_PLAIN;
      } else {
        while (isDigit(bytes[at] as number)) at++;
        if (at === from || (bytes[from] === ZERO && at > from + 1)) return NOT_PLAIN;
        if (field >= 0 && !putNumber(rows, field, from, at)) return NOT_PLAIN;
      }
      if (bytes[at] === COMMA) continue;
      if (bytes[at] !== CLOSING || at >= end) return NOT_PLAIN;
      break;
    }
    if ((seen & ALWAYS) !== ALWAYS) return NOT_PLAIN;
    if ((seen & URL_PARTS) === 0) putUrlParts(rows, spansAt);
    else if ((seen & URL_PARTS) !== URL_PARTS) return NOT_PLAIN;
    const spanAt = (field: number) => spansAt + field * 2;
    if (rows.derived[row] === 0) {
      const first = spans[spanAt(URL)] as number;
      if (derivedEnd(rows, spansAt, first) === spans[spanAt(URL) + 1]) rows.derived[row] = 1;
    }
    if (suspicious !== 0) {
      const isKept = (field: number) =>
        (suspicious & (1 << field)) === 0 ||
        isClean(bytes, spans[spanAt(field)] as number, spans[spanAt(field) + 1] as number);
      if (!isKept(URL) || !isKept(REFERER)) return NOT_PLAIN;
      // A part of a clean text is clean.
      if (rows.derived[row] === 0 && !isKept(PATH)) return NOT_PLAIN;
    }
    return at + 1;
  };
}

type TimeReader = (bytes: Buffer, start: number, end: number) => number | null;

function putText(rows: PackedRows, field: number, first: number, last: number, timeAt: TimeReader): boolean {
  const { bytes, count: row } = rows;
  if (field < TEXT_NAMES.length)
    return (field !== ZONE || isId(bytes, first, last)) && putSpan(rows, field, first, last);
  if (field === TIMESTAMP) {
    const time = timeAt(bytes, first, last);
    if (time === null) return false;
    rows.times[row] = time;
    return true;
  }
  if (field === AUTHORIZATION) {
    rows.authorized[row] = 1;
    return true;
  }
  if (field === STATUS && last - first > 3) return false;
  return putAmount(rows, field, digitsAt(bytes, first, last));
}

function putNumber(rows: PackedRows, field: number, first: number, last: number): boolean {
  const { bytes, count: row } = rows;
  const value = digitsAt(bytes, first, last);
  if (value < 0) return false;
  if (field === ZONE || field === ASN) return putSpan(rows, field, first, last);
  if (field !== TIMESTAMP) return field !== AUTHORIZATION && putAmount(rows, field, value);
  const time = timestampOf(value);
  if (time === null) return false;
  rows.times[row] = time;
  return true;
}

function putSpan({ spans, count: row }: PackedRows, field: number, first: number, last: number): true {
  spans[row * SPAN_WIDTH + field * 2] = first;
  spans[row * SPAN_WIDTH + field * 2 + 1] = last;
  return true;
}

/** False for a field that is no amount. */
function putAmount(rows: PackedRows, field: number, value: number): boolean {
  const { count: row } = rows;
  if (value < 0) return false;
  if (field === SENT) rows.sent[row] = value;
  else if (field === BODY) rows.bodies[row] = value;
  else if (field === STATUS && value <= 999) rows.statuses[row] = value;
  else return false;
  return true;
}

/** Where the url that begins here would end as scheme://host + path; -1 = it is another one. */
function derivedEnd({ bytes, view, spans }: PackedRows, spansAt: number, first: number): number {
  const scheme = commonEnd(view, spans, spansAt + SCHEME * 2, first);
  if (scheme < 0) return -1;
  if (bytes[scheme] !== 0x3a || bytes[scheme + 1] !== 0x2f || bytes[scheme + 2] !== 0x2f) return -1;
  const host = commonEnd(view, spans, spansAt + HOST * 2, scheme + 3);
  const path = host < 0 ? -1 : commonEnd(view, spans, spansAt + PATH * 2, host);
  return path >= 0 && BYTE_KINDS[bytes[path] as number] === QUOTE ? path : -1;
}

/** Where the text of a span ends that stands here once more; -1 = it does not. */
function commonEnd(view: DataView, spans: Int32Array, place: number, first: number): number {
  const to = spans[place + 1] as number;
  let i = spans[place] as number;
  let at = first;
  if (at + to - i > view.byteLength) return -1;
  for (; i + 3 < to; i += 4, at += 4) if (view.getInt32(i, true) !== view.getInt32(at, true)) return -1;
  for (; i < to; i++, at++) if (view.getUint8(i) !== view.getUint8(at)) return -1;
  return at;
}

function putUrlParts({ bytes, spans }: PackedRows, spansAt: number): void {
  const first = spans[spansAt + URL * 2] as number;
  const last = spans[spansAt + URL * 2 + 1] as number;
  const colon = schemeEnd(bytes, first, last);
  const host = colon < 0 ? first : colon + 3;
  const path = hostEnd(bytes, host, last);
  [first, Math.max(first, colon), host, path, path, last].forEach((place, i) => {
    const field = [SCHEME, HOST, PATH][i >> 1] as number;
    spans[spansAt + field * 2 + (i & 1)] = place;
  });
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}

function isId(bytes: Buffer, first: number, last: number): boolean {
  for (let i = first; i < last; i++) if (!isDigit(bytes[i] as number)) return false;
  return last > first && last - first <= LONGEST_ID;
}

/** `YYYY-MM-DDTHH:MM:` and `SS.mmmZ`: rows of one minute share the first part. */
const MINUTE_LENGTH = 17;
const ISO_LENGTH = 24;

function createTimeReader(): TimeReader {
  const minute = new Uint8Array(MINUTE_LENGTH);
  let minuteStart = Number.NaN;
  const isSameMinute = (bytes: Buffer, start: number) => {
    for (let i = MINUTE_LENGTH - 1; i >= 0; i--) if (bytes[start + i] !== minute[i]) return false;
    return true;
  };
  return (bytes, start, end) => {
    const isUsual = end - start === ISO_LENGTH && bytes[end - 1] === 0x5a && bytes[start + 19] === 0x2e;
    const seconds = isUsual ? digitsAt(bytes, start + 17, start + 19) : -1;
    const millis = isUsual ? digitsAt(bytes, start + 20, start + 23) : -1;
    const isRead = seconds >= 0 && seconds < 60 && millis >= 0;
    if (isRead && isSameMinute(bytes, start)) return minuteStart + seconds * 1000 + millis;
    const time = timestampOf(bytes.toString('latin1', start, end));
    if (time !== null && isRead) {
      minute.set(bytes.subarray(start, start + MINUTE_LENGTH));
      minuteStart = time - seconds * 1000 - millis;
    }
    return time;
  };
}
