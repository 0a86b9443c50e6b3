import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createClient } from '../../src/api/client.ts';
import { parseInTurns } from '../../src/api/http/json.ts';
import type { Transport } from '../../src/api/http/transport.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import { countOf } from '../../src/domain/logs/log-rows.ts';
import { Secret } from '../../src/text/secret.ts';
import type { Clock } from '../../src/time/clock.ts';
import { fc, runs } from '../support/properties.ts';

const RUNS = runs(300);
const MOST = 10_000;

async function inTurns(text: string, most = Number.POSITIVE_INFINITY) {
  let rests = 0;
  const value = await parseInTurns(text, most, JSON.parse, async () => {
    rests += 1;
  });
  return { value, rests };
}

test('JSON parsed in turns is what JSON.parse makes of it, and is refused where that refuses it', async () => {
  const spaced = fc
    .tuple(fc.json(), fc.constantFrom('', ' ', '\n'))
    .map(([text, space]) => text.replace(/(?<=[,:[{])/g, space));
  const spoilt = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', ']', '}', '[', '"', '\\', ':'))
    .map(
      ([text, at, sign]) =>
        text.slice(0, at % (text.length + 1)) + sign + text.slice((at % (text.length + 1)) + 1),
    );
  await fc.assert(
    fc.asyncProperty(fc.oneof(spaced, spoilt), async (text) => {
      let whole: unknown;
      try {
        whole = JSON.parse(text);
      } catch {
        await assert.rejects(inTurns(text), SyntaxError, text);
        return;
      }
      assert.deepEqual((await inTurns(text)).value, whole, text);
    }),
    { numRuns: RUNS },
  );
});

test('a long list is parsed in many turns, and only as far as was asked', async () => {
  const rows = Array.from({ length: 40_000 }, (_, at) => ({ at, text: 'é"\\'.repeat(20) }));
  const text = JSON.stringify({ data: rows, pagination: { hasMore: true } });
  const whole = await inTurns(text);
  assert.ok(isDeepStrictEqual(whole.value, { data: rows, pagination: { hasMore: true } }));
  assert.ok(whole.rests >= Math.floor(text.length / (512 * 1024)), `${whole.rests} turns`);
  const part = await inTurns(text, MOST);
  // The difference of so many rows would take minutes to print.
  assert.ok(isDeepStrictEqual(part.value, { data: rows.slice(0, MOST), pagination: { hasMore: true } }));
  assert.ok(
    part.rests >= Math.floor(text.length / (512 * 1024)),
    'what is passed over goes in turns as well',
  );
  await assert.rejects(inTurns(text.replace(/\],/, ',],')), SyntaxError);
  await assert.rejects(inTurns(text.slice(0, -1)), SyntaxError);
});

test('a list is cut between its items, whatever looks like their bounds', async () => {
  const item = fc.oneof(
    fc.constantFrom<unknown>({}, { a: '},{' }, [{ a: 1 }, { b: 2 }], { a: [{}, {}] }, '},{"', '\\"},{\\"', 7),
    fc.jsonValue(),
  );
  const lists = fc.array(fc.tuple(item, fc.integer({ min: 1, max: 400 })), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(lists, fc.boolean(), async (parts, isSpaced) => {
      const items = parts.flatMap(([each, times]) => Array.from({ length: times }, () => each));
      const rounds = Math.ceil(700_000 / JSON.stringify(items).length);
      const data = Array.from({ length: rounds }, () => items).flat();
      const text = JSON.stringify({ data }, null, isSpaced ? 1 : 0);
      assert.ok(isDeepStrictEqual((await inTurns(text)).value, JSON.parse(text)));
      assert.ok(
        isDeepStrictEqual((await inTurns(text, 100)).value, { data: JSON.parse(text).data.slice(0, 100) }),
      );
    }),
    { numRuns: runs(20) },
  );
});

test('what an answer has beyond what was asked for becomes no row, and is told as more to come', async () => {
  for (const rows of [300_000, 3_000_000]) {
    const client = clientOf(`{"data":[${'{},'.repeat(rows)}{}],"pagination":{"hasMore":false}}`);
    const slice = await client.logs({
      pullZoneId: '1',
      from: 0,
      to: 1_000,
      order: 'asc',
      limit: 500,
      filter: {},
    });
    assert.ok(slice.ok);
    assert.equal(countOf(slice.value.rows), 500);
    assert.equal(slice.value.hasMore, true);
  }
});

test('a list of Shield events or zones that nobody asked for is refused by a sentence', async () => {
  const list = `[${'{},'.repeat(300_000)}{}]`;
  const search = { from: 0, to: 1, query: null, filters: [], groupBy: [], page: 0, pageSize: 500 };
  const answers = [
    await clientOf(`{"rows":${list}}`).shieldSearch('1', search),
    await clientOf(`{"groups":${list}}`).shieldSearch('1', search),
    await clientOf(`{"logs":${list}}`).shieldDay('1', '2026-08-01', null),
    await clientOf(list).list('zones', { page: 1 }),
    await clientOf(`{"Items":${list},"HasMoreItems":false}`).list('storage', { page: 1 }),
  ];
  for (const answer of answers) assert.equal(answer.ok ? 'ok' : answer.failure.kind, 'tooLarge');
});

/** A client whose server answers the same text to everything. */
function clientOf(text: string) {
  const clock: Clock = {
    monotonic: () => 0,
    now: () => 0,
    wall: () => 0,
    sleep: () => Promise.resolve(),
    after: () => () => {},
    every: () => () => {},
  };
  const answer = {
    host: 'api.example',
    status: 200,
    headers: { 'content-type': 'application/json' },
    bytes: Buffer.from(text),
    sentAt: 0,
    receivedAt: 0,
    scrub: (words: string) => words,
  };
  const transport: Transport = {
    objection: () => null,
    send: async () => ({ ok: true, value: answer }),
    open: () => Promise.reject(new Error('nothing is read as it comes')),
    connectAhead: () => {},
    hostOf: () => 'api.example',
    scrub: (words) => words,
    close: () => Promise.resolve(),
  };
  return createClient({
    baseUrl: 'https://api.example',
    loggingUrl: 'https://logging.example',
    credentials: { accessKey: new Secret('key'), token: null },
    allowWrites: false,
    quota: createQuota({ clock }),
    clock,
    over: () => transport,
  });
}
