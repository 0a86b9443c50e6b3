import { gzipSync } from 'node:zlib';
import type { SimZone } from '../../../src/simulator/account/account-zones.ts';
import { mix } from '../../../src/simulator/random.ts';
import type { SimRow } from '../../../src/simulator/traffic/rows.ts';
import type { TrafficModel } from '../../../src/simulator/traffic/traffic-source.ts';
import * as out from './fault-delivery.ts';
import { type FaultParameters, type FaultRow, refusal } from './fault-row.ts';
import * as values from './fault-values.ts';
import { OLDER_SERVERS } from './older-servers.ts';
import { STORED_FILE_FAULTS } from './stored-file-faults.ts';

export type FaultKind = keyof typeof FAULTS;
export type Fault = { kind: FaultKind } & FaultParameters;

const MIB = 1_048_576;

/** Put before an id it makes one beyond 2^53; the simulator is asked for the short one. */
export const WIDE_PREFIX = '90071992547';

/** Everything the server can do wrong, a row each. */
export const FAULTS = {
  refuse: {
    covers: 'F01, F40 connection refused for `ms` (else until the next plan)',
    stopsListening: true,
    seize: (d) => out.reset(d),
  },
  hang: { covers: 'F02, F04 no byte of an answer', seize: (d) => out.hang(d) },
  headerDrip: {
    covers: 'F03 a byte of the head every `ms`',
    send: async (d, p) => {
      await out.drip(d, Buffer.from(out.head(d, `content-length: ${d.body.length}`)), p.ms ?? 50);
      out.raw(d, d.body);
      out.finish(d);
    },
  },
  hangBody: {
    covers: 'F04 head and half of the body, then nothing',
    send: async (d) => {
      out.raw(d, out.head(d, `content-length: ${d.body.length}`), out.half(d.body));
      await out.hang(d);
    },
  },
  bodyDrip: {
    covers: 'F04 a byte of the body every `ms`',
    send: async (d, p) => {
      out.raw(d, out.head(d, `content-length: ${d.body.length}`));
      await out.drip(d, d.body, p.ms ?? 50);
      out.finish(d);
    },
  },
  reset: { covers: 'F05 connection reset before the request is looked at', seize: (d) => out.reset(d) },
  resetAfter: {
    covers: 'F05, F47 the request is carried out, then the connection is reset',
    send: (d) => out.reset(d),
  },
  resetBody: {
    covers: 'F05 reset in the middle of the body',
    send: async (d) => {
      out.raw(d, out.head(d, `content-length: ${d.body.length}`), out.half(d.body));
      await new Promise((done) => d.req.socket.write('', done));
      out.reset(d);
    },
  },
  truncatedLength: {
    covers: 'F06 fewer bytes than content-length says',
    send: (d) => {
      out.raw(d, out.head(d, `content-length: ${d.body.length}`), out.half(d.body));
      out.finish(d);
    },
  },
  truncatedChunked: {
    covers: 'F06 chunks without the last one',
    send: (d) => {
      out.raw(d, out.head(d, 'transfer-encoding: chunked'), out.chunk(out.half(d.body)));
      out.finish(d);
    },
  },
  truncatedClose: {
    covers: 'F06 a body until close that closes too early',
    send: (d) => {
      out.raw(d, out.head(d, 'connection: close'), out.half(d.body));
      out.finish(d);
    },
  },
  hangAfter: {
    covers: 'F02, F47 the request is carried out, and no byte of an answer comes',
    send: (d) => out.hang(d),
  },
  errorAfter: {
    covers: 'F07, F47 the request is carried out, then `status` (500) without a body',
    send: (d, p) => {
      out.raw(d, out.head({ ...d, status: p.status ?? 500 }, 'content-length: 0'));
      out.finish(d);
    },
  },
  sideEffects: {
    covers: 'F47 an update of a storage zone changes what `text` says as well (JSON; the switch)',
    alsoChanges: (p) => JSON.parse(p.text ?? '{"Rewrite404To200":true}'),
  },
  serverError: {
    covers: 'F07 `status` (500) with the error body of the host',
    instead: (p, c) => refusal(c, p.status ?? 500, 'internal_error', 'Something went wrong.'),
  },
  html: {
    covers: 'F07 `status` (502) with an HTML page',
    instead: (p) => ({
      status: p.status ?? 502,
      type: 'text/html',
      body: '<html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>',
    }),
  },
  bare: {
    covers: 'F07, F12 `status` (500) without a body',
    instead: (p) => ({ status: p.status ?? 500, type: null, body: null }),
  },
  rateLimited: {
    covers:
      'F08, F09 429; `text` is the Retry-After as it stands, `ms` makes it a date that far ahead, neither leaves it out',
    instead: (p, c) => {
      const after = p.ms === undefined ? p.text : new Date(c.now + p.ms).toUTCString();
      return {
        ...refusal(c, 429, 'rate_limited', 'Too many requests.'),
        ...(after === undefined ? {} : { headers: { 'retry-after': after } }),
      };
    },
  },
  unauthorized: {
    covers: 'F10 401',
    instead: (_p, c) => refusal(c, 401, 'unauthorized', 'No credentials were given.'),
  },
  forbidden: {
    covers: 'F10 403; `text` is the message',
    instead: (p, c) => refusal(c, 403, 'forbidden', p.text ?? 'The credentials are not valid.'),
  },
  redirect: {
    covers: 'F11 `status` (302) to another origin, or to `text`',
    instead: async (p, c) => ({
      status: p.status ?? 302,
      type: null,
      body: null,
      headers: { location: p.text ?? (await c.elsewhere()) + c.path },
    }),
  },
  noContent: { covers: 'F12 204', instead: () => ({ status: 204, type: null, body: null }) },
  literal: {
    covers: 'F12, F13, F18 200 with `text` as the body, whatever it is (null, [], {}, nothing)',
    instead: (p) => ({ status: 200, type: 'application/json', body: p.text ?? '' }),
  },
  okError: {
    covers: 'F13 200 with an error object',
    instead: (p, c) => ({
      ...refusal(c, 200, 'internal_error', p.text ?? 'The log store is not available.'),
    }),
  },
  wrongType: {
    covers: 'F13 the right body under the content type `text` (image/png)',
    headers: (p) => ({ 'content-type': p.text ?? 'image/png' }),
  },
  gzip: { covers: 'a sound gzip layer', headers: gzipHeader, body: (body) => gzipSync(body) },
  gzipBomb: {
    covers: 'F14 `bytes` (256 MiB) of spaces in a small gzip',
    send: (d, p) => out.flood(d, p.bytes ?? 256 * MIB, true),
  },
  gzipTwice: {
    covers: 'F14 two layers under one header',
    headers: gzipHeader,
    body: (body) => gzipSync(gzipSync(body)),
  },
  gzipGarbage: { covers: 'F14 plain bytes that say they are gzip', headers: gzipHeader },
  gzipTruncated: { covers: 'F14 half a gzip', headers: gzipHeader, body: (body) => out.half(gzipSync(body)) },
  huge: { covers: 'F15 `bytes` (1 GiB) of body', send: (d, p) => out.flood(d, p.bytes ?? 1024 * MIB, false) },
  bom: {
    covers: 'F16 a byte order mark',
    body: (body) => Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), body]),
  },
  badUtf8: {
    covers: 'F16 bytes that are no UTF-8 in the middle of a string',
    body: (body) => insert(body, '":"', Buffer.of(0xff, 0xc0, 0xaf)),
  },
  nan: { covers: 'F16 NaN for a number', body: (body) => swap(body, /":\d+/, '":NaN') },
  hugeNumber: {
    covers: 'F18 1e400 for numbers of bytes',
    body: (body) => swap(body, /"(bytesSent|count|Id)":\d+/g, '"$1":1e400'),
  },
  int64: {
    covers: 'F18 ids beyond 2^53',
    body: (body) => swap(body, /"(pullZoneId|shieldZoneId|Id)":(\d+)/g, `"$1":${WIDE_PREFIX}$2`),
  },
  duplicateKeys: {
    covers: 'F16 a key twice in an object',
    body: (body) => swap(body, /\{"/, '{"data":null,"logs":null,"Items":null,"'),
  },
  deep: {
    covers: 'F16 `count` (50,000) nested lists',
    body: (_body, p) => Buffer.from('['.repeat(p.count ?? 50_000) + ']'.repeat(p.count ?? 50_000)),
  },
  proto: {
    covers: 'F16 __proto__ and constructor as keys',
    body: (body) =>
      swap(body, /\{"/g, '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"'),
  },
  strayRows: {
    covers:
      'F85 beside the rows asked for, each tenth comes again an hour older, and each tenth of another zone',
    value: (v) => values.addStrays(v),
    body: (body) => values.addStrayLines(body),
  },
  driftedRows: {
    covers: 'F17 a `share` (0.2) of rows misses a field, has a wrong type, or an unknown one',
    value: (v, p) => values.driftRows(v, p.share ?? 0.2),
  },
  missingField: {
    covers: 'F17 every row without the field `text` (requestId)',
    value: (v, p) => values.dropField(v, p.text ?? 'requestId'),
  },
  timestamps: {
    covers: 'F19 `text` is the form: seconds, ms, offset, micros, garbage',
    value: (v, p) => values.writeTimestamps(v, (p.text ?? 'offset') as values.TimestampForm),
  },
  lateRows: {
    covers: 'F20, F21 a `share` (0.05) of rows shows `ms` (420,000) later than it would',
    traffic: (traffic, p, c) =>
      without(
        traffic,
        (row) => belongs(row.h, p.share ?? 0.05) && row.t + row.late + (p.ms ?? 420_000) > c.now,
      ),
  },
  coarse: {
    covers: 'F22 event times rounded down to `ms` (1,000): many rows of one instant',
    traffic: (traffic, p) => coarse(traffic, p.ms ?? 1_000),
  },
  limitCap: {
    covers: 'F22 no more than `count` (10) rows a page',
    ask: ({ searchParams }, p) => {
      const most = Math.min(Number(searchParams.get('limit') ?? 100), p.count ?? 10);
      searchParams.set('limit', String(most));
    },
  },
  shuffledTies: {
    covers: 'F22 rows of one instant in random order',
    value: (v, _p, c) => values.shuffleTies(v, c.number),
  },
  twins: {
    covers: 'F23 rows without ids, a `share` (0.1) of them twice',
    value: (v, p) => values.twins(v, p.share ?? 0.1),
  },
  emptyWithMore: { covers: 'F24 no rows and hasMore', value: (v) => values.emptyWithMore(v) },
  repeatedToken: {
    covers: 'F24 the continuation token that was sent',
    value: (v, _p, c) => values.repeatToken(v, c.path),
  },
  laggingReplica: {
    covers: 'F25 rows of the last `ms` (30,000) are missing, and a random `share` (0) of older ones',
    traffic: (traffic, p, c) =>
      without(
        traffic,
        (row) => row.t > c.now - (p.ms ?? 30_000) || belongs(mix(row.h, c.number), p.share ?? 0),
      ),
  },
  nullField: {
    covers: 'F54 every row has null for the field `text` (host)',
    value: (v, p) => values.nullField(v, p.text ?? 'host'),
  },
  ...OLDER_SERVERS,
  ...STORED_FILE_FAULTS,
  clockShift: { covers: 'F28 the whole server `ms` ahead', shift: (p) => p.ms ?? 600_000 },
  dateShift: { covers: 'F28 the Date header `ms` ahead', date: (p) => p.ms ?? 600_000 },
  noDate: { covers: 'F28 no Date header', date: () => null },
  slow: { covers: 'latency of `ms`', wait: (p) => p.ms ?? 1_000 },
} as const satisfies Record<string, FaultRow>;

export function faultRow(fault: Fault): FaultRow {
  return FAULTS[fault.kind];
}

function gzipHeader(): Record<string, string> {
  return { 'content-encoding': 'gzip' };
}

/** Rows that the server pretends not to know. */
function without(traffic: TrafficModel, isHidden: (row: SimRow) => boolean): TrafficModel {
  const seen = (rows: readonly SimRow[]) => rows.filter((row) => !isHidden(row));
  return {
    ...traffic,
    block: (zone, number) => seen(traffic.block(zone, number)),
    events: (zone, hour) => seen(traffic.events(zone, hour)),
  };
}

/** Rows by a clock with steps of so many ms, each in the block of the time that it is told with. */
function coarse(traffic: TrafficModel, step: number): TrafficModel {
  const seconds = (zone: SimZone) => Math.max(traffic.blockSeconds(zone), step / 1000);
  return {
    ...traffic,
    blockSeconds: seconds,
    block: (zone, number) => {
      const parts = seconds(zone) / traffic.blockSeconds(zone);
      const rows = Array.from({ length: parts }, (_, at) => traffic.block(zone, number * parts + at)).flat();
      return rows.map((row) => ({ ...row, t: row.t - (row.t % step), late: row.late + (row.t % step) }));
    },
  };
}

function belongs(h: number, share: number): boolean {
  return h < share * 4294967296;
}

function swap(body: Buffer, pattern: RegExp, text: string): Buffer {
  return Buffer.from(body.toString('utf8').replace(pattern, text));
}

/** Puts bytes after the first `mark`, or at the end. */
function insert(body: Buffer, mark: string, bytes: Buffer): Buffer {
  const at = body.indexOf(mark) < 0 ? body.length : body.indexOf(mark) + mark.length;
  return Buffer.concat([body.subarray(0, at), bytes, body.subarray(at)]);
}
