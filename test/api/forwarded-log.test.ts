import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logRecordOfLine } from '../../src/api/schemas/log-v1.ts';
import { createSavedLineReader, savedRecordOf, syslogLineOf } from '../../src/api/schemas/saved-log.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import { LinePacker } from '../../src/effects/saved/saved-packer.ts';
import { packedRecord } from '../support/coded.ts';
import { fc, runs } from '../support/properties.ts';
import { anyLineV1 } from './saved-rows.ts';
import { logEntry } from './support.ts';

const RUNS = runs(400);
const OTHERWISE = 1_700_000_000_000;
const SENT_AT = Date.UTC(2021, 0, 1, 22, 14, 15, 3);
const LINE =
  'HIT|200|1609539240001|1248|4711|192.0.2.7|-|https://a.example/p?v=1|DE|curl/8|0123456789abcdef0123456789abcdef|US';
const head = (data: string) => `<165>1 2021-01-01T22:14:15.003Z host app - ID ${data}`;
const HEADS = [
  head('- '),
  head('[a@1 b="c"] '),
  head('[a@1 b="c"][d@2 e="]" f="\\"]|\\\\"] '),
  head('[a@1] \ufeff'),
  head('[a@1] BOM'),
  head('[a@1]BOM'),
  '<0>1 - - - - - - ',
];

function read(line: string): LogRecord {
  const saved = createSavedLineReader()(line, OTHERWISE);
  assert.ok(saved?.kind === 'record', line);
  return saved.record;
}

test('a v1 line that was forwarded opens as that line, whatever head it was sent under', () => {
  let whole = 0;
  fc.assert(
    fc.property(anyLineV1, fc.constantFrom(...HEADS), (line, sentUnder) => {
      const plain = logRecordOfLine(line, OTHERWISE);
      // A field of a client may be anything, even what would be the head of another line.
      if (plain.raw !== null || /^\s|^(\ufeff|BOM|[<{"])/.test(line)) return;
      whole++;
      assert.deepEqual(read(sentUnder + line), plain);
    }),
    { numRuns: RUNS },
  );
  assert.ok(whole > RUNS / 5, `only ${whole} of ${RUNS} lines were whole`);
});

test('the fast way takes no line that has a head before its first field, forwarded or other', () => {
  const packer = new LinePacker();
  assert.notEqual(packedRecord(packer, LINE), null);
  for (const before of [...HEADS, 'Jan  1 22:14:15 host app: ', 'host '])
    assert.equal(packedRecord(packer, before + LINE), null, before);
});

test('a head of no known kind is told with the whole line, and never passes for a cache status', () => {
  for (const before of [
    'Jan  1 22:14:15 host app: ',
    '<165> ',
    '<165>1 now host app - ID [open ',
    head('x '),
  ]) {
    const record = read(before + LINE);
    assert.equal(record.raw, before + LINE);
    assert.equal(syslogLineOf(before + LINE), null);
  }
});

test('a forwarded line that is no row keeps its head, loses its secrets, and has the time it was sent at', () => {
  const record = read(`${head('[a@1] ')}started https://a.example/?token=CANARY`);
  assert.match(record.raw ?? '', /^<165>1 .* started https:\/\/a\.example\/\?token=\[masked\]$/);
  assert.equal(record.timestamp, SENT_AT);
  assert.equal(read('<0>1 - - - - - - nothing').timestamp, OTHERWISE);
});

test('an entry that was forwarded as JSON opens as that entry', () => {
  assert.deepEqual(read(`${HEADS[3]}${JSON.stringify(logEntry())}`), savedRecordOf(logEntry(), OTHERWISE));
});
