import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ZONE } from '../print/support.ts';
import { OPENED } from '../support/platform.ts';
import { agent, settled } from './support.ts';

const MINUTE = 60_000;
const HITS = new Set(['HIT', 'REVALIDATED', 'STALE', 'UPDATING']);
const OTHERS = new Set(['MISS', 'BYPASS', 'EXPIRED']);

/** An agent, and what the simulator knows that it drew: rows of a zone, and the incident that goes on. */
async function told(...given: Parameters<typeof agent>) {
  const { call, sim } = await agent(...given);
  const ask = async (question: string, args: object) => {
    const { untrusted, outcome, refused } = await call('ask', { question, ...args });
    assert.equal(outcome, 'fine', refused ?? untrusted.said.join());
    const [answer = {}, ...findings] = untrusted.rows;
    return { answer, findings, headline: String(answer['headline']) };
  };
  const idOf = (name: string) => Number(sim.zones.find((zone) => zone.name === name)?.id);
  /** What the zone had in settled minutes, `back` minutes before those; and the rows of it. */
  const truths = (minutes: number, back = 0) => {
    const to = Math.floor(OPENED / MINUTE) * MINUTE - (10 + back) * MINUTE;
    return sim.truth(idOf(ZONE), to - minutes * MINUTE, to);
  };
  const rows = (minutes: number, back = 0) => truths(minutes, back).map(({ entry }) => entry);
  const failure = sim
    .incidents()
    .find(
      ({ kind, to, pullZoneId }) =>
        kind === 'originFailure' && to > OPENED && pullZoneId === String(idOf('mobile-api')),
    );
  assert.ok(failure, 'an origin fails when the demo opens');
  return { ask, sim, idOf, rows, truths, failure };
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

test('changes: what was set before the incident and set back at its end, from what to what', async (t) => {
  const { ask, sim, idOf } = await told(t);
  const failure = sim.incidents().findLast(({ kind, pullZoneId, to }) => {
    const isOwn = pullZoneId === String(idOf(ZONE));
    return kind === 'originFailure' && isOwn && to < OPENED && to > OPENED - 60 * MINUTE;
  });
  assert.ok(failure, 'an origin failed within the hour, and was mended');
  const { findings } = await ask('changes', { zone: ZONE, query: 'last:1h' });
  const own = findings.filter(({ isOwn }) => isOwn);
  const back = own.find(({ time }) => Date.parse(String(time)) === failure.to - 1_000);
  const set = own.find(({ time }) => Date.parse(String(time)) < failure.from);
  assert.ok(set && back, JSON.stringify(own));
  const [before] = set['fields'] as Record<string, string>[];
  const [after] = back['fields'] as Record<string, string>[];
  assert.equal(before?.['field'], 'OriginUrl');
  assert.deepEqual([after?.['old'], after?.['now']], [before?.['now'], before?.['old']]);
});

test('rule: what it hits, and what there is to hit, are counted as the rows have them', async (t) => {
  const { ask, rows } = await told(t);
  const { findings } = await ask('rule', { zone: ZONE, query: `${settled(5)} path:/login*`, requests: 40 });
  const sums = findings.filter(({ finding, of }) => finding === 'hits' && of !== 'goodClients');
  const all = (name: string) => sums.reduce((sum, each) => sum + Number(each[name]), 0);
  const hit = rows(5).filter(({ path }) => String(path).startsWith('/login'));
  assert.ok(hit.length > 0);
  assert.deepEqual([all('hit'), all('read')], [hit.length, rows(5).length]);
  const pages = findings.filter(({ finding, field }) => finding === 'values' && field === 'page');
  assert.deepEqual([...new Set(pages.map(({ value }) => value))], ['/login']);
});

test('false-positives: the events of each rule are those that Shield made', async (t) => {
  const { ask, truths } = await told(t);
  const { findings } = await ask('false-positives', {
    zone: ZONE,
    query: settled(5),
    limit: 100,
    requests: 40,
  });
  const rules = findings.filter(({ finding }) => finding === 'rules');
  const made = Map.groupBy(
    truths(5).flatMap(({ shield }) => shield ?? []),
    ({ ruleId }) => ruleId,
  );
  assert.ok(made.size > 1);
  assert.deepEqual(
    new Map(rules.map(({ rule, events }) => [rule, events])),
    new Map([...made].map(([ruleId, own]) => [ruleId, own.length])),
  );
});

test('timeline: both logs of the client within a minute of the request, as the rows have them', async (t) => {
  const { ask, truths } = await told(t, { rate: 20 });
  const all = truths(8);
  const inside = { from: (all[0]?.at ?? 0) + 2 * MINUTE, to: (all.at(-1)?.at ?? 0) - 2 * MINUTE };
  const nearOf = ({ at, entry: { remoteIp } }: (typeof all)[number]) =>
    all.filter((each) => each.entry['remoteIp'] === remoteIp && Math.abs(each.at - at) <= MINUTE);
  const [subject] = all
    .filter(({ shield, at }) => shield !== null && at > inside.from && at < inside.to)
    .filter((each) => nearOf(each).length <= 45)
    .toSorted((a, b) => nearOf(b).length - nearOf(a).length);
  assert.ok(subject, 'Shield acted on a client');
  const near = nearOf(subject);
  const { findings } = await ask('timeline', {
    zone: ZONE,
    query: `id:${subject.entry.requestId}`,
    limit: 100,
    requests: 40,
  });
  const times = (log: string) =>
    findings
      .filter((each) => each['log'] === log)
      .map(({ time }) => String(time))
      .toSorted();
  assert.deepEqual(times('cdn'), near.map(({ entry }) => entry.timestamp).toSorted());
  const events = near.filter(({ shield }) => shield !== null);
  assert.ok(near.length > 1 && events.length > 0);
  assert.deepEqual(times('shield'), events.map(({ entry }) => entry.timestamp).toSorted());
});
