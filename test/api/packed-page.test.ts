import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../../src/api/http/json.ts';
import { logRecordOf } from '../../src/api/schemas/log-row.ts';
import { packedPage } from '../../src/api/schemas/packed-page.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import { isBatch, recordsOf } from '../../src/domain/logs/log-rows.ts';
import { fc, runs } from '../support/properties.ts';
import { asking, CANARY, json, logEntry, logPage, SLICE } from './support.ts';

const NEAR = 5;
const LONG = 5_000;
const HIDDEN = '[hidden]';

const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 '.repeat(4);
const plain = (n: number) =>
  logEntry({
    timestamp: SLICE.from + n,
    requestId: n.toString(16).padStart(32, '0'),
    path: `/a/${n % 700}`,
    url: `https://cdn.example.com/a/${n % 700}`,
    userAgent: n % 3 === 0 ? 'curl/8.9' : agent,
    asn: n % 5,
  });

/** JSON of rows that no packer takes, or that take some care. */
const ODD = [
  ...[{ userAgent: 'Größe' }, { userAgent: '"},{\\' }, { requestId: null }, { requestId: 'x' }],
  ...[{ url: '/a?token=abc' }, { referer: 'https://a.example/?token=abc' }, { timestamp: null }, { host: 7 }],
  ...[{ cacheStatus: null, authorizationHeader: 'x' }, { extra: { data: [{}] } }, { pullZoneId: -1 }],
]
  .map((more) => JSON.stringify(logEntry(more)))
  .concat(
    '{}',
    '7',
    '{"asn":9007199254740993}',
    JSON.stringify(logEntry()).replace('64500', '9007199254740993'),
  );

const pack = (body: string | Buffer, most = 1e6, scrub = (text: string) => text) =>
  packedPage(Buffer.from(body), { near: NEAR, most, scrub, rest: async () => {} });

function parsed(rows: readonly string[]): LogRecord[] {
  let near = NEAR;
  return rows.map((row) => {
    const record = logRecordOf(parseJson(row), near);
    if (record.raw === null) near = record.timestamp;
    return record;
  });
}

/** A long page with some rows at some places: about two turns. */
const pages = fc.array(fc.tuple(fc.nat(LONG), fc.constantFrom(...ODD)), { maxLength: 30 }).map((odd) => {
  const rows = Array.from({ length: LONG }, (_, n) => JSON.stringify(plain(n)));
  for (const [at, row] of odd) rows.splice(at, 0, row);
  return rows;
});

test('the rows of a long answer are those that each row is when it is parsed by itself, in its order', async () => {
  await fc.assert(
    fc.asyncProperty(pages, async (rows) => {
      const page = await pack(`{"pagination":{"hasMore":true},"data":[${rows.join(',')}],"query":null}`);
      // A list of something else than objects is parsed.
      if (rows.includes('7')) assert.equal(page, null);
      else {
        assert.deepEqual(page?.around, { pagination: { hasMore: true }, data: [], query: null });
        assert.deepEqual(recordsOf(page.rows), parsed(rows));
        assert.ok(page.rows.filter(isBatch).length >= 2);
      }
    }),
    { numRuns: runs(15) },
  );
});

test('an answer with a wrong byte is read as it is parsed, or is left to the parser', async () => {
  const body = JSON.stringify({ data: Array.from({ length: 40 }, (_, n) => plain(n)), pagination: {} });
  const spoilt = fc.tuple(fc.nat(body.length - 1), fc.constantFrom('', ...'"\\{}[],: 0x\u00e9\u0000'));
  let read = 0;
  await fc.assert(
    fc.asyncProperty(spoilt, async ([at, sign]) => {
      const text = body.slice(0, at) + sign + body.slice(at + 1);
      const page = await pack(text);
      if (page === null) return;
      read += 1;
      const { data, ...around } = parseJson(text) as { data: unknown[] };
      assert.deepEqual(page.around, { data: [], ...around });
      assert.deepEqual(recordsOf(page.rows), parsed(data.map((row) => JSON.stringify(row))));
    }),
    { numRuns: runs(2_000) },
  );
  assert.ok(read > 100, `${read} of them were read`);
  for (let end = 0; end < body.length; end += 97) assert.equal(await pack(body.slice(0, end)), null);
});

test('what is no plain page is left to the parser: another form, more rows than asked, the key in use', async () => {
  const rows = JSON.stringify([plain(1), plain(2)]);
  for (const body of [
    '{"data":[],"pagination":{"hasMore":false}}',
    `{"data":${rows},"data":[]}`,
    `{"other":{"data":${rows}},"data":[]}`,
    `{"other\\"data":${rows}}`,
    `{"data": ${rows}}`,
    `{"data":${rows.replace(',{', ', {')}}`,
    `{"data":${rows}`,
    `{"data":${rows}}}`,
    Buffer.concat([Buffer.from(`{"data":${rows},"x":"`), Buffer.from([0xff]), Buffer.from('"}')]),
  ])
    assert.equal(await pack(body), null, body.toString());
  const good = `{"data":${rows}}`;
  assert.equal(await pack(good, 1), null);
  assert.equal((await pack(good, 2))?.rows.length, 1);
  const hide = (secret: string) => (text: string) => text.replaceAll(secret, HIDDEN);
  for (const secret of ['curl/8.9', plain(3)['requestId'] as string])
    assert.equal(await pack(`{"data":[${JSON.stringify(plain(3))}]}`, 9, hide(secret)), null);
  const odd = await pack(
    `{"data":[${JSON.stringify(logEntry({ userAgent: 'é curl/8.9' }))}]}`,
    9,
    hide('curl'),
  );
  assert.equal(recordsOf(odd?.rows ?? [])[0]?.userAgent, `é ${HIDDEN}/8.9`);
});

test('a long answer of a server gives batches; rows of another zone or time, and an echoed key, do not pass', async () => {
  const entries = Array.from({ length: LONG }, (_, n) => plain(n));
  for (const [more, kept, strays] of [
    [{}, LONG, undefined],
    [{ pullZoneId: 78 }, LONG - 1, { outside: 0, ofOthers: 1 }],
    [{ timestamp: SLICE.from - 2_000 }, LONG - 1, { outside: 1, ofOthers: 0 }],
    [{ userAgent: CANARY }, LONG, undefined],
  ] as const) {
    const rows = entries.with(7, { ...plain(7), ...more });
    await asking(
      (_request, response) => json(response, logPage(rows)),
      async (client) => {
        const slice = await client.logs({ ...SLICE, limit: 10_000 });
        assert.ok(slice.ok);
        const records = recordsOf(slice.value.rows);
        assert.deepEqual([records.length, slice.value.strays], [kept, strays]);
        assert.equal(slice.value.rows.some(isBatch), !('userAgent' in more));
        assert.equal(JSON.stringify(records).includes('canary'), false);
      },
    );
  }
});
