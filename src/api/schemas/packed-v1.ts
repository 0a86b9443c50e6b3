import { TEXT_NAMES, type TextName } from '../../domain/log.ts';
import type { RowCoder } from '../../domain/logs/columns/row-coder.ts';
import { EARLIEST_TIMESTAMP, LATEST_TIMESTAMP, SECONDS_BELOW } from '../timestamp.ts';
import { hostEnd, isClean, schemeEnd } from './packed-bytes.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const DASH = 0x2d;
const ZERO = 0x30;
const BRACE = 0x7b;
const SEPARATOR = 0x7c;
const SLASHES = 0x2f2f;
const DASH_SEPARATOR = DASH | (SEPARATOR << 8);

const LONGEST_STATUS = 3;
const SHORTEST_TIME = 9;
const LONGEST_ZONE = 20;
const ID_DIGITS = 32;
/** Longer numbers may not be exact. */
const MOST_DIGITS = 15;
/** So many digits are a number of 32 bits, with which processors are faster. */
const SMALL_DIGITS = 9;

const columnOf = (name: TextName) => TEXT_NAMES.indexOf(name);
const CACHE_STATUS = columnOf('cacheStatus');
const ZONE = columnOf('pullZoneId');
const REMOTE_IP = columnOf('remoteIp');
const REFERER = columnOf('referer');
const SCHEME = columnOf('scheme');
const HOST = columnOf('host');
const PATH = columnOf('path');
const URL = columnOf('url');
const EDGE = columnOf('edgeLocation');
const USER_AGENT = columnOf('userAgent');
const REQUEST_ID = columnOf('requestId');
const COUNTRY = columnOf('countryCode');
const RANGE = columnOf('contentRange');

const PART_ENDS = endsAt('|');
const SCHEME_ENDS = endsAt(':');
const HOST_ENDS = endsAt('/?#|');

/** 1 for each of these bytes. */
function endsAt(signs: string): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => Number(signs.includes(String.fromCharCode(byte))));
}

/**
 * Takes the lines from one place of the input up to another, where a line break must stand, as the next rows: what
 * `logRecordOfLine` makes of each, without making a string. Ends behind them, when the batch is full, or with a line that is
 * none of v1, is odd, is longer than `longest`, or has to be masked. Returns where that one begins.
 */
export function createV1Packer(coder: RowCoder, longest: number): (from: number, to: number) => number {
  const { rows, numbers, hasId } = coder;
  const { bytes, view, times, statuses, sent, bodies, authorized, capacity } = rows;
  let numberEnd = 0;

  return (from, to) => {
    coder.takeSpans();
    let line = from;
    while (line <= to && rows.count < capacity) {
      const isReturn = view.getUint8(line) === RETURN;
      if (view.getUint8(isReturn ? line + 1 : line) === NEWLINE) {
        line += isReturn ? 2 : 1;
        continue;
      }
      const next = lineAt(line);
      if (next < 0) {
        coder.dropRow();
        return line;
      }
      coder.addRow();
      line = next;
    }
    return line;
  };

  /** Sets what the row of a line has; returns where the next line begins, -1 = it is none of these. */
  function lineAt(line: number): number {
    const row = rows.count;
    let at = statusAt(line);
    if (at < 0) return -1;
    const status = numberAt(at);
    if (status < 0 || numberEnd - at > LONGEST_STATUS) return -1;
    at = numberEnd + 1;
    const number = numberAt(at);
    if (number < 0 || numberEnd - at < SHORTEST_TIME) return -1;
    const time = number < SECONDS_BELOW ? number * 1000 : number;
    if (time < EARLIEST_TIMESTAMP || time >= LATEST_TIMESTAMP) return -1;
    at = numberEnd + 1;
    const size = numberAt(at);
    if (size < 0) return -1;
    statuses[row] = status;
    times[row] = time;
    sent[row] = size;
    at = zoneAt(numberEnd + 1);
    if (at < 0) return -1;
    at = textAt(REMOTE_IP, at);
    if (at < 0) return -1;
    const referer = at;
    at = oftenAt(REFERER, at);
    if (at < 0 || (coder.isSuspicious(REFERER) && !isClean(bytes, referer, at - 1))) return -1;
    at = urlAt(at);
    if (at < 0) return -1;
    at = textAt(EDGE, at);
    if (at < 0) return -1;
    // A row is of some place, if of an unknown one.
    if (numbers[EDGE] === 0) numbers[EDGE] = coder.found(EDGE, at, at);
    at = oftenAt(USER_AGENT, at);
    if (at < 0) return -1;
    const isId = view.getUint8(at + ID_DIGITS) === SEPARATOR && coder.packId(at, row);
    hasId[row] = isId ? 1 : 0;
    at = isId ? at + ID_DIGITS + 1 : textAt(REQUEST_ID, at);
    if (at < 0) return -1;
    return endAt(line, at, row);
  }

  /** What is behind the id: a country, and in lines of extended zones three more. */
  function endAt(line: number, start: number, row: number): number {
    let at = start;
    let end = partEnd(at);
    const isExtended = view.getUint8(end) === SEPARATOR;
    let last = isExtended ? end : lineEnd(at, end);
    if (!isNone(at, last)) {
      numbers[COUNTRY] = coder.found(COUNTRY, at, last);
      if ((numbers[COUNTRY] as number) < 0) return -1;
    }
    bodies[row] = Number.NaN;
    authorized[row] = 0;
    if (isExtended) {
      at = end + 1;
      const skipped = emptyEnd(at);
      if (skipped > 0) at = skipped;
      else {
        const body = numberAt(at);
        if (body < 0) return -1;
        bodies[row] = body;
        at = numberEnd + 1;
      }
      at = textAt(RANGE, at);
      if (at < 0) return -1;
      end = partEnd(at);
      last = lineEnd(at, end);
      if (view.getUint8(end) === SEPARATOR || coder.isOdd(at, last)) return -1;
      authorized[row] = isNone(at, last) ? 0 : 1;
    }
    return last - line > longest ? -1 : end + 1;
  }

  /** Where the part behind the cache status begins, as with the others below; -1 = the line is to be left. */
  function statusAt(line: number): number {
    const first = view.getUint8(line);
    if (first === BRACE || first === QUOTE) return -1;
    let at = line;
    // A line without any separator must not be searched for one to the end of all lines.
    for (; view.getUint8(at) !== SEPARATOR; at++) if (view.getUint8(at) <= SPACE) return -1;
    numbers[CACHE_STATUS] = coder.found(CACHE_STATUS, line, at);
    return (numbers[CACHE_STATUS] as number) < 0 ? -1 : at + 1;
  }

  function zoneAt(start: number): number {
    let at = start;
    while (isDigit(view.getUint8(at))) at++;
    if (at === start || at - start > LONGEST_ZONE || view.getUint8(at) !== SEPARATOR) return -1;
    numbers[ZONE] = coder.found(ZONE, start, at);
    return at + 1;
  }

  function textAt(column: number, at: number): number {
    const skipped = emptyEnd(at);
    if (skipped > 0) return skipped;
    const number = coder.scanned(column, at);
    if (number < 0) return -1;
    numbers[column] = number;
    return coder.end() + 1;
  }

  /** The same for a text that is likely one of few. */
  function oftenAt(column: number, at: number): number {
    const skipped = emptyEnd(at);
    if (skipped > 0) return skipped;
    let number = coder.guessed(column, at, PART_ENDS);
    if (number === 0) {
      number = coder.scanned(column, at);
      if (number < 0) return -1;
      coder.guessNext(number);
    }
    numbers[column] = number;
    return coder.end() + 1;
  }

  /** A URL that has a scheme is what its parts say, and is not kept itself. */
  function urlAt(start: number): number {
    const scheme = coder.guessed(SCHEME, start, SCHEME_ENDS);
    const colon = coder.end();
    const isKnown = scheme > 0 && view.getUint16(colon + 1, true) === SLASHES;
    const host = isKnown ? coder.guessed(HOST, colon + 3, HOST_ENDS) : 0;
    if (host === 0) return newUrlAt(start, scheme);
    numbers[SCHEME] = scheme;
    numbers[HOST] = host;
    const path = coder.scanned(PATH, coder.end());
    numbers[PATH] = path;
    return path < 0 || !isKept(start, coder.end()) ? -1 : coder.end() + 1;
  }

  function newUrlAt(start: number, guessed: number): number {
    const end = partEnd(start);
    if (view.getUint8(end) !== SEPARATOR) return -1;
    const last = isNone(start, end) ? start : end;
    const colon = schemeEnd(bytes, start, last);
    const host = colon < 0 ? start : colon + 3;
    const path = hostEnd(bytes, host, last);
    const scheme = coder.found(SCHEME, start, Math.max(start, colon));
    numbers[SCHEME] = scheme;
    numbers[HOST] = coder.found(HOST, host, path);
    numbers[PATH] = coder.found(PATH, path, last);
    if (colon < 0) numbers[URL] = coder.found(URL, start, last);
    else coder.guessNext(guessed === scheme ? (numbers[HOST] as number) : scheme);
    const isOdd = [SCHEME, HOST, PATH, URL].some((column) => (numbers[column] as number) < 0);
    return isOdd || !isKept(start, last) ? -1 : end + 1;
  }

  /** Whether a URL, of which the parts are known, prints as it is. */
  function isKept(start: number, end: number): boolean {
    const isSuspicious = coder.isSuspicious(PATH) || coder.isSuspicious(HOST) || coder.isSuspicious(SCHEME);
    return !isSuspicious || isClean(bytes, start, end);
  }

  /** The number of the digits before the next separator; -1 = there is none. */
  function numberAt(start: number): number {
    const small = start + SMALL_DIGITS;
    let at = start;
    let first = 0;
    for (; at < small && isDigit(view.getUint8(at)); at++)
      first = (Math.imul(first, 10) + view.getUint8(at) - ZERO) | 0;
    let value = first;
    for (; isDigit(view.getUint8(at)); at++) value = value * 10 + view.getUint8(at) - ZERO;
    numberEnd = at;
    const isWhole = view.getUint8(at) === SEPARATOR && at > start && at - start <= MOST_DIGITS;
    return isWhole ? value : -1;
  }

  /** Where the part behind one that stands for none begins; 0 = it is another. */
  function emptyEnd(at: number): number {
    const both = view.getUint16(at, true);
    if (both === DASH_SEPARATOR) return at + 2;
    return (both & 0xff) === SEPARATOR ? at + 1 : 0;
  }

  function partEnd(start: number): number {
    let at = start;
    while (view.getUint8(at) !== SEPARATOR && view.getUint8(at) !== NEWLINE) at++;
    return at;
  }

  function lineEnd(start: number, end: number): number {
    return end > start && view.getUint8(end - 1) === RETURN ? end - 1 : end;
  }

  function isNone(start: number, end: number): boolean {
    return end === start || (end - start === 1 && view.getUint8(start) === DASH);
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}
