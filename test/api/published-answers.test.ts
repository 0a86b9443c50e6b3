import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageSchema, storageZone } from '../../src/api/account-calls.ts';
import { errorInside, errorOf } from '../../src/api/http/response.ts';
import { logRecordOf } from '../../src/api/schemas/log-row.ts';
import { shieldAnswerOf, shieldDayOf } from '../../src/api/shield-calls.ts';
import { storageRow } from '../../src/domain/handover/storage-shapes.ts';
import { recordsOf } from '../../src/domain/logs/log-rows.ts';
import { changesOf, inverseOf, tierName } from '../../src/domain/storage/storage-edit.ts';
import { driftBetween, storageVerdict } from '../../src/domain/storage/storage-verdict.ts';
import { logSchema } from './log-entry-schema.ts';
import { asking, json, logEntry, logPage, SLICE } from './support.ts';

const UNSET = { statusCode: 0, success: false, message: null, errorKey: null };
const GONE = {
  statusCode: 202,
  success: false,
  message: 'Shield Zone not found or Unauthorized access.',
  errorKey: 'not_found_or_unauthorised_access.shieldzone',
};
const ROW = { logId: 'a', timestamp: 1785542400000, log: {}, fields: { ip: '192.0.2.1' } };
const SEARCH = {
  from: SLICE.from,
  to: SLICE.to,
  query: null,
  filters: [],
  groupBy: [],
  page: 0,
  pageSize: 2,
} as const;

test('an errorResponse that says nothing costs no row, and one that says something is an error', async () => {
  for (const errorResponse of [null, undefined, {}, UNSET, { ...UNSET, statusCode: 200, success: true }])
    await asking(
      (_request, response) =>
        json(response, { rows: [ROW], groups: null, total: 1, totalPages: 1, errorResponse }),
      async (client) => {
        const answer = await client.shieldSearch('5', SEARCH);
        assert.ok(answer.ok, JSON.stringify(errorResponse));
        assert.deepEqual([answer.value.events.length, answer.value.bad], [1, 0]);
      },
    );
  for (const more of [{ message: 'no store' }, { errorKey: 'no_store' }, { statusCode: 503 }])
    assert.notEqual(errorInside({ rows: [ROW], errorResponse: { ...UNSET, ...more } }), null);
});

test('a pull zone without Shield is told by 202, by 404 and by what they hold, and by no damage', async () => {
  const bodies: [number, unknown][] = [
    [202, { data: null, error: GONE }],
    [200, { data: null, error: GONE }],
    [202, { data: null }],
    [202, { message: 'accepted' }],
    [202, ''],
    [404, ''],
    [404, { statusCode: 404, success: false, message: 'none', errorKey: 'shield_zone.not_found' }],
  ];
  const read = (status: number, body: unknown) =>
    asking(
      (_request, response) => json(response, body, status),
      (client) => client.shieldZoneOfPullZone('7', { retries: 0 }),
    );
  for (const [status, body] of bodies)
    assert.deepEqual(
      await read(status, body),
      { ok: true, value: null },
      `${status} ${JSON.stringify(body)}`,
    );
  const others: [number, unknown][] = [
    [202, '{"data":'],
    [200, { data: null }],
    [200, { data: null, error: { ...GONE, errorKey: 'invalid_plan_type.waf' } }],
    [401, ''],
    [500, ''],
  ];
  for (const [status, body] of others)
    assert.equal((await read(status, body)).ok, false, `${status} ${JSON.stringify(body)}`);
});

test('a search in a Shield zone that is not there says so, though its status is one of success', async () => {
  await asking(
    (_request, response) => json(response, { rows: null, groups: null, errorResponse: GONE }, 202),
    async (client) => {
      const answer = await client.shieldSearch('5', SEARCH);
      assert.equal(answer.ok ? '' : answer.failure.kind, 'notFound');
      assert.match(answer.ok ? '' : answer.failure.detail, /Shield Zone not found/);
    },
  );
});

test('a day without events has null for them, and an object of anything else is no day', () => {
  assert.deepEqual(shieldDayOf({ logs: null, hasMoreData: false }, 0), { events: [], next: null, bad: 0 });
  const more = { logs: null, hasMoreData: true, continuationToken: 'next' };
  assert.equal(shieldDayOf(more, 0)?.next, 'next');
  for (const other of [{}, { logs: null }, { data: [] }]) assert.equal(shieldDayOf(other, 0), null);
});

test('a search that leaves its counts out is read on for as long as its pages are full', () => {
  const asked = { page: 1, pageSize: 2 };
  const told = (more: object) => {
    const answer = shieldAnswerOf({ rows: [ROW, ROW], ...more }, 0, asked);
    assert.ok(answer !== null && answer !== 'noData');
    return [answer.page, answer.totalPages, answer.total];
  };
  assert.deepEqual(told({}), [1, 3, 4]);
  assert.deepEqual(told({ rows: [ROW] }), [1, 2, 3]);
  assert.deepEqual(told({ total: 9 }), [1, 5, 9]);
  assert.deepEqual(told({ total: 9, totalPages: 7, page: 4 }), [4, 7, 9]);
});

test('a list that does not say whether there is more is read until a page is empty', () => {
  const more = (body: object) => pageSchema({ Items: [{ Id: 1 }], ...body }, storageZone)?.hasMore;
  assert.equal(more({ CurrentPage: 1 }), true);
  assert.equal(more({ CurrentPage: 1, TotalItems: 1 }), false);
  assert.equal(more({ CurrentPage: 1, TotalItems: 2 }), true);
  assert.equal(more({ CurrentPage: 3, Items: [] }), false);
  assert.equal(more({ HasMoreItems: false }), false);
});

test('an entry without host, path or cache status is understood', async () => {
  const bare = logEntry({ host: null, path: null, cacheStatus: null });
  const record = logRecordOf(bare, 0);
  assert.deepEqual([record.host, record.raw], ['', null]);
  assert.deepEqual(record, logSchema.parse(bare));
  await asking(
    (_request, response) => json(response, logPage([logEntry(), bare, logEntry()])),
    async (client) => {
      const slice = await client.logs(SLICE);
      assert.deepEqual(slice.ok ? recordsOf(slice.value.rows).map(({ raw }) => raw) : slice, [
        null,
        null,
        null,
      ]);
    },
  );
});

test('a storage zone that does not say whether it rewrites is not taken for one that does not', () => {
  const [told, untold] = [storageZone.parse({ Id: 9, Rewrite404To200: true }), storageZone.parse({ Id: 9 })];
  const patch = { Rewrite404To200: false };
  assert.deepEqual([untold.name, untold.rewrite404To200, untold.replicationRegions], ['9', null, []]);
  assert.deepEqual(
    changesOf(untold, patch).map(({ before, irreversible }) => [before, irreversible !== null]),
    [[null, true]],
  );
  assert.deepEqual(inverseOf(told, patch).patch, { Rewrite404To200: true });
  const { patch: back, impossible } = inverseOf(untold, patch);
  assert.deepEqual([back, impossible.map(({ field }) => field)], [{}, ['Rewrite404To200']]);
  assert.deepEqual(driftBetween(told, untold), []);
  const verdict = storageVerdict({ before: told, patch, failure: null, after: untold });
  assert.deepEqual([verdict.kind, verdict.fates[0]?.fate, verdict.sideEffects], ['unknown', 'unseen', []]);
});

test('an enum of a later version is shown as it is', () => {
  const zone = storageZone.parse({ Id: 9, Name: 'files', ZoneTier: 97, StorageZoneType: 'Glacier' });
  assert.deepEqual(
    [tierName(zone), storageRow(zone).ZoneTier, storageRow(zone).StorageZoneType],
    ['97', 97, 'Glacier'],
  );
});

test('an error of the main API keeps its words when it has no key', () => {
  assert.deepEqual(errorOf({ ErrorKey: null, Field: null, Message: 'denied' }), {
    code: '',
    message: 'denied',
    field: null,
  });
  assert.equal(errorOf({ Message: 'denied' })?.message, 'denied');
  assert.equal(errorInside({ ErrorKey: null, Field: null, Message: null }), null);
});

test('an account without Shield zones has null for their list, and what is no list is none', async () => {
  const read = (body: unknown) =>
    asking(
      (_request, response) => json(response, body),
      (client) => client.shieldMapping(),
    );
  assert.deepEqual(await read({ data: null }), { ok: true, value: [] });
  assert.equal((await read({})).ok, false);
});

test('a v1 day is asked for by sort alone', async () => {
  await asking(
    (_request, response) => response.writeHead(200).end(),
    async (client, server) => {
      await client.logsV1({ pullZoneId: '77', day: '2026-08-01', order: 'desc', start: 5 });
      assert.equal(server.requests[0]?.path, '/08-01-26/77.log?sort=desc&start=5');
    },
    { allowWrites: false },
  );
});
