import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../src/api/http/response.ts';
import type { Transport } from '../../src/api/http/transport.ts';
import { OPENED } from '../support/platform.ts';
import { agent } from './support.ts';

const ZONES = 60;
/** What two calls reach: the list is one of the sixty requests of a session. */

const idOf = (place: number) => 7_000 + place;

/** An account of its own: sixty zones in a list, one of which answers 503, in `rank` by its traffic. */
function burning(place: number, rank: number): (transport: Transport) => Transport {
  const ranks = Array.from({ length: ZONES }, (_, at) => (at * 7) % ZONES);
  const other = ranks.indexOf(rank);
  [ranks[place], ranks[other]] = [rank, ranks[place] as number];
  const list = ranks.map((traffic, at) => ({
    Id: idOf(at),
    Name: `zone-${at}`,
    EnableLogging: true,
    MonthlyBandwidthUsed: 10 ** 12 - traffic * 10 ** 9,
    Hostnames: [],
  }));
  const rowsOf = (id: number, to: number) =>
    Array.from({ length: 100 }, (_, n) => ({
      timestamp: new Date(to - (n + 1) * 1_000).toISOString(),
      pullZoneId: id,
      requestId: null,
      cacheStatus: 'HIT',
      statusCode: id === idOf(place) && n % 2 === 0 ? 503 : 200,
      bytesSent: 1,
      edgeLocation: 'DE',
      scheme: 'https',
      host: 'a.example',
      path: '/',
      url: 'https://a.example/',
    }));
  return (transport) => ({
    ...transport,
    async send(request, signal) {
      const to = new URL(request.path, 'http://a').searchParams.get('to') ?? '';
      const zone = /^\/v2\/pullzones\/(\d+)\/logs/.exec(request.path)?.[1];
      if (request.path.startsWith('/pullzone?')) {
        const sent = await transport.send(request, signal);
        const page = { Items: list, CurrentPage: 1, TotalItems: list.length, HasMoreItems: false };
        return sent.ok
          ? { ok: true, value: { ...sent.value, bytes: Buffer.from(JSON.stringify(page)) } }
          : sent;
      }
      if (zone === undefined) return transport.send(request, signal);
      const body = {
        data: rowsOf(Number(zone), Date.parse(to)),
        pagination: { offset: 0, limit: 500, returned: 100, hasMore: false },
      };
      const answer: Answer = {
        host: transport.hostOf(request),
        status: 200,
        headers: { 'content-type': 'application/json', date: new Date(OPENED).toUTCString() },
        bytes: Buffer.from(JSON.stringify(body)),
        sentAt: 0,
        receivedAt: 0,
        scrub: (text) => text,
      };
      return { ok: true, value: answer };
    },
  });
}

test('a zone that burns is found in two calls, wherever it stands in the list', async (t) => {
  for (const place of [0, 13, 29, 30, 44, 59]) {
    const { call } = await agent(t, { between: burning(place, (place * 11) % ZONES) });
    const first = await call('health');
    const found = (rows: Record<string, unknown>[]) => rows[0]?.['id'] === idOf(place);
    if (found(first.untrusted.rows)) continue;
    const second = await call('health');
    assert.ok(found(second.untrusted.rows), `place ${place}`);
    const rowIds = [...first.untrusted.rows, ...second.untrusted.rows].map(({ id }) => id);
    assert.deepEqual([rowIds.length, new Set(rowIds).size], [ZONES, ZONES], 'none was read twice');
  }
});

test('the zones with most traffic are read first, and what was not read is one sentence', async (t) => {
  const { call } = await agent(t, { between: burning(59, 0) });
  const first = await call('health');
  assert.equal(first.untrusted.rows[0]?.['id'], idOf(59));
  assert.deepEqual(
    [first.untrusted.rows.length, first.coverage?.read, first.coverage?.total, first.coverage?.isWhole],
    [30, 30, 60, false],
  );
  assert.deepEqual([first.remarks?.length, first.untrusted.said], [1, []]);
  assert.match(
    first.remarks?.[0] ?? '',
    /^the newest rows of 30 of 60 zones, those with most traffic first, were asked for.*; 30 were not asked yet: the next call goes on there$/,
  );
  assert.equal(first.price.requests, 31);
});
