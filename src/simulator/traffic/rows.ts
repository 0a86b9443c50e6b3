import type { SimZone } from '../account/account-zones.ts';
import { mix } from '../random.ts';
import type { ShieldRule } from '../shield/rules.ts';
import type { Visitor } from './clients.ts';

export type ShieldAction = 'blocked' | 'challenged' | 'logged';

/** One request as the platform saw it; both logs are projections of it. */
export type SimRow = {
  /** Event time, Unix ms. */
  t: number;
  /** The epoch second it was made in; the log may round `t`. */
  second: number;
  /** Ms after `t` at which reads begin to show it. */
  late: number;
  /** Which stream of the zone made it: 0 ordinary, 1 everyday Shield noise, 2… incidents. */
  stream: number;
  /** Its number within the stream's second. */
  index: number;
  /** 32 free bits of its own. */
  h: number;
  client: Visitor;
  method: string;
  scheme: 'https' | 'http';
  host: string;
  path: string;
  /** False when the path needs JSON escapes. */
  isPlain: boolean;
  status: number;
  cache: string;
  bytes: number;
  bodyBytes: number | null;
  referer: string | null;
  range: string | null;
  authorization: string | null;
  isOriginShield: boolean;
  rule: ShieldRule | null;
  action: ShieldAction | null;
  /** The fragment that the rule matched. */
  matched: string | null;
};

/** A logs v2 entry as JSON text. */
export function rowJson(row: SimRow, zone: SimZone): string {
  const path = row.isPlain ? `"${row.path}"` : JSON.stringify(row.path);
  const url = `"${row.scheme}://${row.host}${path.slice(1)}`;
  let json = `{"timestamp":"${isoTime(row.t)}","pullZoneId":${zone.id},"requestId":"${requestId(row, zone)}","cacheStatus":"${row.cache}","statusCode":${row.status},"bytesSent":${row.bytes},"scheme":"${row.scheme}","host":"${row.host}","path":${path},"url":${url},${row.client.json}`;
  if (row.referer !== null) json += `,"referer":"${row.referer}"`;
  else if ((row.h & 1) === 0) json += ',"referer":null';
  if (row.bodyBytes !== null) json += `,"bodyBytesSent":${row.bodyBytes}`;
  if (row.range !== null) json += `,"contentRange":"${row.range}"`;
  if (row.authorization !== null) json += `,"authorizationHeader":"${row.authorization}"`;
  return `${json}}`;
}

/** The full address of a request, as both logs show it. */
export function rowUrl(row: SimRow): string {
  return `${row.scheme}://${row.host}${row.path}`;
}

const HEX16 = Array.from({ length: 65536 }, (_, i) => i.toString(16).padStart(4, '0'));
const SECOND_KEY = 0x5eed01;
const PLACE_KEY = 0x5eed02;

/** 32 hex digits that look random but hold the row's place: a look-up by id needs no search. */
export function requestId(row: SimRow, zone: SimZone): string {
  const w0 = row.h;
  const w1 = (row.second ^ mix(w0 ^ zone.salt, SECOND_KEY)) >>> 0;
  const w2 = (((row.stream << 20) | row.index) ^ mix(w0 ^ zone.salt, PLACE_KEY)) >>> 0;
  return word(w0) + word(w1) + word(w2) + word(mix(w0 ^ zone.salt, w1 ^ w2));
}

/** The epoch second that a request id of this zone points to; null for an id that the zone never gave. */
export function secondOfRequestId(id: string, zone: SimZone): number | null {
  const [w0, w1, w2, check] = [0, 8, 16, 24].map((at) => Number.parseInt(id.slice(at, at + 8), 16)) as [
    number,
    number,
    number,
    number,
  ];
  if (mix(w0 ^ zone.salt, w1 ^ w2) !== check) return null;
  return (w1 ^ mix(w0 ^ zone.salt, SECOND_KEY)) >>> 0;
}

const DIGITS3 = Array.from({ length: 1000 }, (_, i) => String(i).padStart(3, '0'));
let isoSecond = -1;
let isoText = '';

/** ISO 8601 with milliseconds and `Z`; the text of the last second is kept, since rows come in order. */
export function isoTime(t: number): string {
  const second = Math.floor(t / 1000);
  if (second !== isoSecond) {
    isoSecond = second;
    isoText = new Date(second * 1000).toISOString().slice(0, 20);
  }
  return `${isoText}${DIGITS3[t - second * 1000]}Z`;
}

function word(w: number): string {
  return (HEX16[w >>> 16] as string) + (HEX16[w & 65535] as string);
}
