import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../../src/api/json.ts';
import { logRecordOfLine } from '../../src/api/schemas/log-v1.ts';
import { createJsonPacker } from '../../src/api/schemas/packed-log.ts';
import { packLineV1 } from '../../src/api/schemas/packed-log-v1.ts';
import { savedRecordOf } from '../../src/api/schemas/saved-log.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import { PackedRows } from '../../src/domain/logs/packed-rows.ts';
import { anyEntry, anyLineV1 } from './saved-rows.ts';

const RUNS = Number(process.env['EDGESCOPE_PROPERTY_RUNS'] ?? 400);
const OTHERWISE = 1_700_000_000_000;

type Pack = (rows: PackedRows, start: number, end: number) => boolean;

/** The record that the fast way makes of a line in the midst of others; null = it leaves the line to the schema. */
function packed(pack: Pack, line: string): LogRecord | null {
  const bytes = Buffer.from(`before\n${line}\nbehind`);
  const rows = new PackedRows(2);
  rows.reset(bytes);
  return pack(rows, 7, bytes.length - 7) ? rows.record(0) : null;
}

const GOOD =
  '{"timestamp":"2026-08-01T10:00:00.001Z","pullZoneId":4711,"requestId":null,"cacheStatus":"HIT","statusCode":200,"bytesSent":12,"edgeLocation":"DE","scheme":"https","host":"a.example","path":"/p?v=1","url":"https://a.example/p?v=1"}';

test('an entry as it is printed is read without the schema', () => {
  const record = packed(createJsonPacker(), GOOD);
  assert.deepEqual(record, savedRecordOf(JSON.parse(GOOD), OTHERWISE));
});

test('keys in another order, unknown keys and spaces are learnt from the lines', () => {
  const pack = createJsonPacker();
  const { timestamp, ...rest } = JSON.parse(GOOD);
  const lines = [
    JSON.stringify({ somethingNew: 'x', ...rest, timestamp }),
    JSON.stringify({ ...rest, timestamp, also: 7, none: null }),
    JSON.stringify({ timestamp, ...rest }, null, 1)
      .replaceAll('\n', '')
      .replaceAll('{ ', '{'),
  ];
  for (const line of [...lines, ...lines]) {
    assert.deepEqual(packed(pack, line), savedRecordOf(JSON.parse(line), OTHERWISE), line);
  }
});

test('what has to be masked, escaped or thought about is left to the schema', () => {
  const pack = createJsonPacker();
  const left = [
    GOOD.replaceAll('/p?v=1', '/p?token=secret'),
    GOOD.replace('DE', 'D\\u0045'),
    GOOD.replace('DE', 'Dü'),
    GOOD.replace('"DE"', 'null'),
    GOOD.replace('200', '0200'),
    GOOD.replace('200', '2e2'),
    GOOD.replace('"pullZoneId"', '"pullZoneId":1,"pullZoneId"'),
    GOOD.replace('"requestId":null', '"_raw":"x"'),
    GOOD.replace('"scheme":"https",', ''),
    GOOD.slice(0, -1),
    `${GOOD}}`,
    `${GOOD} x`,
  ];
  for (const line of left) assert.equal(packed(pack, line), null, line);
  assert.notEqual(packed(pack, GOOD), null, 'the reader has not lost its way');
});

test('the fast way reads every entry as the schema does, or not at all', () => {
  const pack = createJsonPacker();
  let fast = 0;
  fc.assert(
    fc.property(anyEntry, (entry) => {
      const line = JSON.stringify(entry);
      const record = packed(pack, line);
      if (record === null) return;
      fast++;
      assert.deepEqual(record, savedRecordOf(parseJson(line) as object, OTHERWISE));
    }),
    { numRuns: RUNS },
  );
  assert.ok(fast > RUNS / 5, `only ${fast} of ${RUNS} entries went the fast way`);
});

test('the fast way reads every line of v1 as the slow one does, or not at all', () => {
  let fast = 0;
  fc.assert(
    fc.property(anyLineV1, (line) => {
      const record = packed(packLineV1, line);
      if (record === null) return;
      fast++;
      assert.deepEqual(record, logRecordOfLine(line, OTHERWISE));
    }),
    { numRuns: RUNS },
  );
  assert.ok(fast > RUNS / 5, `only ${fast} of ${RUNS} lines went the fast way`);
});

test('any change of one byte in a good line gives what the schema gives, or nothing', () => {
  const pack = createJsonPacker();
  fc.assert(
    fc.property(fc.nat(GOOD.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
      const bytes = Buffer.from(GOOD);
      bytes[at] = byte;
      const rows = new PackedRows(1);
      rows.reset(bytes);
      if (bytes.includes(10) || !pack(rows, 0, bytes.length)) return;
      assert.deepEqual(rows.record(0), savedRecordOf(parseJson(bytes.toString()) as object, OTHERWISE));
    }),
    { numRuns: RUNS * 2 },
  );
});
