// Lines of CDN logs v1 as rows of the batch, in one pass over their bytes.
import {
  ASN,
  ASN_ORGANIZATION,
  AUTHORIZED,
  BODIES,
  CACHE_STATUS,
  CONTENT_RANGE,
  COUNTRY_CODE,
  EDGE_LOCATION,
  HAS_ID,
  HOST,
  IDS,
  INPUT,
  JA4_FINGERPRINT,
  MOST_ROWS,
  PART_ENDS,
  PATH,
  PULL_ZONE_ID,
  REFERER,
  REMOTE_IP,
  REQUEST_ID,
  SCHEME,
  SENT,
  STATUSES,
  TIMES,
  URL,
  USER_AGENT,
} from './layout.ts';
import { packId } from './request-id.ts';
import { putNone, putText } from './texts.ts';

/** Longer lines are none of the kernel's. */
declare const longestLine: i32;
/** Numbers below it are seconds, others ms; times before `earliest` or from `latest` on are none. */
declare const secondsBelow: f64;
declare const earliest: f64;
declare const latest: f64;
/** Whether the text of the input that begins here prints as it is, and need not be masked. */
declare function isClean(from: i32, to: i32): bool;

const NEWLINE: u8 = 0x0a;
const RETURN: u8 = 0x0d;
const SPACE: u8 = 0x20;
const QUOTE: u8 = 0x22;
const PERCENT: u8 = 0x25;
const DASH: u8 = 0x2d;
const SLASH: u8 = 0x2f;
const EQUALS: u8 = 0x3d;
const AT: u8 = 0x40;
const BACKSLASH: u8 = 0x5c;
const BRACE: u8 = 0x7b;
const BAR: u8 = 0x7c;

const FEWEST: i32 = 12;
const EXTENDED: i32 = 15;
const LONGEST_ID: i32 = 20;
const MOST_DIGITS: i32 = 15;

export let rows: i32 = 0;

/**
 * Takes the lines from one place of the input up to another, where a line break must stand, as the next rows from `row`
 * on: what `logRecordOfLine` makes of each. Ends behind them, when the batch is full, or with a line that is none of v1,
 * is odd, or has to be masked. Returns where that one begins; `rows` are those of the batch then.
 */
export function takeLines(from: i32, to: i32, row: i32): i32 {
  const end = INPUT + to + 1;
  rows = row;
  let line = INPUT + from;
  let parts = 0;
  let isUnusual = false;
  store<i32>(PART_ENDS - 4, line - 1);
  for (let at = line; at < end && rows < MOST_ROWS; at += 32) {
    const first = v128.load(at);
    const second = v128.load(at, 16);
    const breaks = both(isByte(first, NEWLINE), isByte(second, NEWLINE));
    let unusual = both(unusualOf(first), unusualOf(second)) & ~breaks;
    let ends = breaks | both(isByte(first, BAR), isByte(second, BAR));
    for (; ends !== 0; ends &= ends - 1) {
      const bit = ctz(ends);
      const place = at + bit;
      store<i32>(PART_ENDS + (min(parts, EXTENDED) << 2), place);
      parts++;
      if (((breaks >> bit) & 1) === 0) continue;
      if (place >= end) break;
      const before = (1 << bit) - 1;
      isUnusual = isUnusual || (unusual & before) !== 0;
      const last = place > line && load<u8>(place - 1) === RETURN ? place - 1 : place;
      if (last > line) {
        store<i32>(PART_ENDS + (min(parts - 1, EXTENDED) << 2), last);
        if (!takeLine(line, last, parts, isUnusual, rows)) return line - INPUT;
        rows++;
      }
      line = place + 1;
      parts = 0;
      isUnusual = false;
      unusual &= ~before;
      store<i32>(PART_ENDS - 4, place);
      if (rows === MOST_ROWS) break;
    }
    isUnusual = isUnusual || unusual !== 0;
  }
  return line - INPUT;
}

/** Where there is a control character, a backslash, what is not ASCII, or a sign without which a URL holds no secret. */
function unusualOf(bytes: v128): v128 {
  return v128.or(
    v128.or(
      // Signed, so that what is above ASCII is below it too.
      v128.lt<i8>(bytes, v128.splat<i8>(0x20)),
      v128.or(v128.eq<i8>(bytes, v128.splat<i8>(0x7f)), v128.eq<i8>(bytes, v128.splat<i8>(BACKSLASH))),
    ),
    v128.or(
      v128.eq<i8>(bytes, v128.splat<i8>(EQUALS)),
      v128.or(v128.eq<i8>(bytes, v128.splat<i8>(PERCENT)), v128.eq<i8>(bytes, v128.splat<i8>(AT))),
    ),
  );
}

function isByte(bytes: v128, byte: u8): v128 {
  return v128.eq<i8>(bytes, v128.splat<i8>(byte));
}

function both(first: v128, second: v128): i32 {
  return v128.bitmask<i8>(first) | (v128.bitmask<i8>(second) << 16);
}

function takeLine(start: i32, end: i32, parts: i32, isUnusual: bool, row: i32): bool {
  if ((parts !== FEWEST && parts !== EXTENDED) || end - start > longestLine) return false;
  const first = load<u8>(start);
  if (first === BRACE || first === QUOTE || hasSpace(0)) return false;
  if (isUnusual && (isOdd(start, end) || !isKept(6) || !isKept(7))) return false;
  if (lengthOf(1) > 3 || lengthOf(2) < 9 || lengthOf(4) > LONGEST_ID) return false;
  const status = numberOf(1);
  const time = timeOf(numberOf(2));
  const sent = numberOf(3);
  if (status < 0 || time < 0 || sent < 0 || !isDigits(startOf(4), endOf(4))) return false;
  const isExtended = parts === EXTENDED;
  let body = NaN;
  if (isExtended && !isEmpty(12)) {
    body = numberOf(12);
    if (body < 0) return false;
  }

  store<f64>(TIMES + (row << 3), time);
  store<u16>(STATUSES + (row << 1), status as u16);
  store<f64>(SENT + (row << 3), sent);
  store<f64>(BODIES + (row << 3), body);
  store<u8>(AUTHORIZED + row, (isExtended && !isEmpty(14)) as u8);
  putText(CACHE_STATUS, row, startOf(0), endOf(0));
  putText(PULL_ZONE_ID, row, startOf(4), endOf(4));
  putMaybe(REMOTE_IP, row, 5);
  putMaybe(REFERER, row, 6);
  putUrl(row, startOf(7), isEmpty(7) ? startOf(7) : endOf(7));
  putText(EDGE_LOCATION, row, startOf(8), isEmpty(8) ? startOf(8) : endOf(8));
  putMaybe(USER_AGENT, row, 9);
  const hasId = packId(startOf(10), endOf(10), IDS + (row << 4));
  store<u8>(HAS_ID + row, hasId as u8);
  if (hasId) putNone(REQUEST_ID, row);
  else putMaybe(REQUEST_ID, row, 10);
  putMaybe(COUNTRY_CODE, row, 11);
  if (isExtended) putMaybe(CONTENT_RANGE, row, 13);
  else putNone(CONTENT_RANGE, row);
  // What v1 does not have, but other rows of the batch may.
  putNone(JA4_FINGERPRINT, row);
  putNone(ASN, row);
  putNone(ASN_ORGANIZATION, row);
  return true;
}

/** A URL that has a scheme is what its parts say, and is not kept itself. */
function putUrl(row: i32, start: i32, end: i32): void {
  let colon = start;
  while (colon < end - 2 && !isSchemeEnd(colon)) colon++;
  const hasScheme = colon < end - 2;
  const host = hasScheme ? colon + 3 : start;
  let path = host;
  while (path < end && !isHostEnd(load<u8>(path))) path++;
  putText(SCHEME, row, start, hasScheme ? colon : start);
  putText(HOST, row, host, path);
  putText(PATH, row, path, end);
  if (hasScheme) putNone(URL, row);
  else putText(URL, row, start, end);
}

function isSchemeEnd(at: i32): bool {
  return (load<u32>(at) & 0xffffff) === 0x2f2f3a;
}

function isHostEnd(byte: u8): bool {
  return byte === SLASH || byte === 0x3f || byte === 0x23;
}

function startOf(part: i32): i32 {
  return load<i32>(PART_ENDS - 4 + (part << 2)) + 1;
}

function endOf(part: i32): i32 {
  return load<i32>(PART_ENDS + (part << 2));
}

function lengthOf(part: i32): i32 {
  return endOf(part) - startOf(part);
}

function isEmpty(part: i32): bool {
  const length = lengthOf(part);
  return length === 0 || (length === 1 && load<u8>(startOf(part)) === DASH);
}

function putMaybe(column: i32, row: i32, part: i32): void {
  if (isEmpty(part)) putNone(column, row);
  else putText(column, row, startOf(part), endOf(part));
}

/** -1 for anything but decimal digits, and for more of them than a number holds exactly. */
function numberOf(part: i32): f64 {
  const start = startOf(part);
  const end = endOf(part);
  if (end - start > MOST_DIGITS || !isDigits(start, end)) return -1;
  let value: i64 = 0;
  for (let at = start; at < end; at++) value = value * 10 + (load<u8>(at) & 0x0f);
  return value as f64;
}

function isDigits(start: i32, end: i32): bool {
  for (let at = start; at < end; at++) if (((load<u8>(at) - 0x30) as u8) > 9) return false;
  return end > start;
}

function hasSpace(part: i32): bool {
  const end = endOf(part);
  for (let at = startOf(part); at < end; at++) if (load<u8>(at) === SPACE) return true;
  return false;
}

/** The Unix ms that a number stands for; -1 = none. */
function timeOf(number: f64): f64 {
  const time = number < secondsBelow ? number * 1000 : number;
  return time >= earliest && time < latest ? time : -1;
}

/** A control character, a backslash or a byte that is not ASCII: such a line is left to the schema. */
function isOdd(start: i32, end: i32): bool {
  for (let at = start; at < end; at++) {
    const byte = load<u8>(at);
    if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return true;
  }
  return false;
}

/** Whether a part that may hold a secret prints as it is. */
function isKept(part: i32): bool {
  const start = startOf(part);
  const end = endOf(part);
  for (let at = start; at < end; at++) {
    const byte = load<u8>(at);
    if (byte === EQUALS || byte === PERCENT || byte === AT) return isClean(start - INPUT, end - INPUT);
  }
  return true;
}
