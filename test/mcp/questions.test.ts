import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ZONE } from '../print/support.ts';
import { OPENED } from '../support/platform.ts';
import { agent, settled } from './support.ts';

const MINUTE = 60_000;
const HITS = new Set(['HIT', 'REVALIDATED', 'STALE', 'UPDATING']);
const OTHERS = new Set(['MISS', 'BYPASS', 'EXPIRED']);

/** An agent, and what the simulator knows that it drew: rows of a zone, and the incident that goes on. */
async function told(t: Parameters<typeof agent>[0]) {
  const { call, sim } = await agent(t);
  const ask = async (question: string, args: object) => {
    const { untrusted, outcome, refused } = await call('ask', { question, ...args });
    assert.equal(outcome, 'fine', refused ?? untrusted.said.join());
    const [answer = {}, ...findings] = untrusted.rows;
    return { answer, findings, headline: String(answer['headline']) };
  };
  const idOf = (name: string) => Number(sim.zones.find((zone) => zone.name === name)?.id);
  /** The rows of settled minutes, `back` minutes before those. */
  const rows = (minutes: number, back = 0) => {
    const to = Math.floor(OPENED / MINUTE) * MINUTE - (10 + back) * MINUTE;
    return sim.truth(idOf(ZONE), to - minutes * MINUTE, to).map(({ entry }) => entry);
  };
  const failure = sim
    .incidents()
    .find(
      ({ kind, to, pullZoneId }) =>
        kind === 'originFailure' && to > OPENED && pullZoneId === String(idOf('mobile-api')),
    );
  assert.ok(failure, 'an origin fails when the demo opens');
  return { ask, idOf, rows, failure };
}

const near = (time: unknown, truth: number, within: number, what: string) =>
  assert.ok(Math.abs(Date.parse(String(time)) - truth) <= within, `${what}: ${time}`);

test('wrong: the cause comes first, and its beginning is that of the incident, to the minute', async (t) => {
  const { ask, failure } = await told(t);
  const { answer, headline } = await ask('wrong', {
    zone: Number(failure.pullZoneId),
    query: 'last:15m',
    requests: 27,
  });
  assert.equal(answer['verdict'], 'wrong');
  assert.match(headline, /answered 50[234]/);
  const since = /since (?:about )?(\d\d):(\d\d)/.exec(headline);
  assert.ok(since, headline);
  const at =
    Math.floor(failure.from / 86_400_000) * 86_400_000 + (Number(since[1]) * 60 + Number(since[2])) * MINUTE;
  assert.ok(Math.abs(at - failure.from) <= MINUTE, headline);
});

test('causes and incidents: the run of origin errors and the cause begin with the incident', async (t) => {
  const { ask, failure } = await told(t);
  const zone = Number(failure.pullZoneId);
  const causes = await ask('causes', { zone, query: 'last:30m' });
  assert.equal(causes.answer['verdict'], 'wrong');
  const [first] = causes.findings;
  near((first?.['run'] as { from: string } | undefined)?.from, failure.from, MINUTE, 'the run');
  const incidents = await ask('incidents', { zone, query: 'last:1h' });
  assert.equal(incidents.answer['verdict'], 'wrong');
  const cause = incidents.findings.find(({ what }) => what === 'origin fails');
  // A sample is every four minutes: the cause begins between two of them.
  near((cause?.['since'] as { to: string } | undefined)?.to, failure.from, 5 * MINUTE, 'the cause');
});

test('misses: the hit ratio is that of the rows', async (t) => {
  const { ask, rows } = await told(t);
  const { headline } = await ask('misses', { zone: ZONE, query: settled(5), requests: 40 });
  const words = rows(5).map(({ cacheStatus }) => String(cacheStatus));
  const hits = words.filter((word) => HITS.has(word)).length;
  const counted = hits + words.filter((word) => OTHERS.has(word)).length;
  assert.ok(headline.includes(`hit ratio ${((100 * hits) / counted).toFixed(1)}% now`), headline);
});

test('compare: counts of now and of before are those of the rows', async (t) => {
  const { ask, rows } = await told(t);
  const { findings } = await ask('compare', { zone: ZONE, query: settled(5), limit: 100, requests: 40 });
  const statuses = findings.filter(({ finding, field }) => finding === 'values' && field === 'status');
  assert.ok(statuses.length > 1);
  const count = (list: ReturnType<typeof rows>, value: unknown) =>
    list.filter(({ statusCode }) => String(statusCode) === value).length;
  for (const { value, count: now, countBefore } of statuses)
    assert.deepEqual([now, countBefore], [count(rows(5), value), count(rows(5, 5), value)], String(value));
});

test('through: the answers to the client are counted as the rows have them', async (t) => {
  const { ask, rows } = await told(t);
  const byClient = Map.groupBy(rows(5), ({ remoteIp }) => String(remoteIp));
  const [busiest] = [...byClient].toSorted(([, a], [, b]) => b.length - a.length);
  assert.ok(busiest);
  const [ip, own] = busiest;
  const { headline } = await ask('through', { zone: ZONE, query: `${settled(5)} ip:${ip}` });
  const good = own.filter(({ statusCode }) => Number(statusCode) < 400).length;
  assert.ok(headline.startsWith(`${good} of ${own.length} requests were answered 2xx or 3xx`), headline);
});
