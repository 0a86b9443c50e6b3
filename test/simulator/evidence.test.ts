import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, type Bench, bench, main, NOON, type Reply } from './ask.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const DAY = '08-20-2026';
const AUDIT = '/user/audit/2026-08-20T00:00:00Z';
const START = Date.UTC(2026, 7, 20);
const HOURLY = '/statistics?hourly=true';

type ErrorRow = {
  timestamp: number;
  log: string;
  labels: { ErrorCode: string; StatusCode: string; ServerZone: string };
};
type Entry = { Timestamp: string; ResourceId: string | null; Action: string; Diff?: string | null };

async function originErrors(sim: Bench, id: number | string, day = DAY): Promise<ErrorRow[]> {
  const reply = await asked(sim, id, day);
  return (JSON.parse(reply.text) as { logs: ErrorRow[] }).logs;
}

function asked(
  sim: Bench,
  id: number | string,
  day: string,
  headers?: Record<string, string>,
): Promise<Reply> {
  return ask(`${sim.originErrorsUrl}/${id}/${day}`, { headers: headers ?? { AccessKey: sim.accessKey } });
}

async function audit(sim: Bench, query = ''): Promise<{ Logs: Entry[]; ContinuationToken: string | null }> {
  return JSON.parse((await main(sim, AUDIT + query)).text);
}

/** A path and a minute, which is as close as the two logs can be told to belong together. */
const placeOf = (at: number, path: string) => `${Math.floor(at / MINUTE)} ${path}`;

test('every origin error is that of a 502 or 504 of the log, by time, path and edge', async (t) => {
  const sim = await bench(t, { rate: 5 });
  const zone = sim.zone('checkout');
  const errors = await originErrors(sim, zone.id);
  const failed = sim
    .truth(zone.id, START, NOON)
    .filter(({ entry }) => entry['statusCode'] === 502 || entry['statusCode'] === 504);
  const known = new Set(
    failed.flatMap(({ at, entry }) =>
      [at, at + 1_000].map((time) => `${placeOf(time, String(entry['path']))} ${entry['edgeLocation']}`),
    ),
  );
  assert.ok(errors.length > 4, `${errors.length} errors`);
  assert.ok(errors.length <= failed.length);
  for (const { timestamp, log, labels } of errors) {
    const inner = JSON.parse(log) as { RequestUrl: string; PullZoneId: number; ErrorCode: string };
    assert.ok(known.has(`${placeOf(timestamp, inner.RequestUrl)} ${labels.ServerZone}`), inner.RequestUrl);
    assert.deepEqual([inner.PullZoneId, inner.ErrorCode], [zone.id, labels.ErrorCode]);
  }
});

test('an origin fails by a cause that fits: a name that was changed does not resolve, one that is shared is slow', async (t) => {
  const sim = await bench(t, { rate: 5 });
  for (const [name, code] of [
    ['shop-frontend', 'dns_lookup'],
    ['checkout', 'http_timeout'],
  ] as const) {
    const zone = sim.zone(name);
    const failure = sim
      .incidents()
      .findLast(({ kind, pullZoneId }) => kind === 'originFailure' && pullZoneId === String(zone.id));
    assert.ok(failure);
    const errors = (await originErrors(sim, zone.id)).filter(
      ({ timestamp }) => timestamp >= failure.from && timestamp < failure.to,
    );
    const own = errors.filter(({ labels }) => labels.ErrorCode === code);
    assert.ok(own.length > errors.length / 2, `${name}: ${own.length} of ${errors.length}`);
  }
});

test('the failing origin of the busiest zone follows a change of it in the audit log, and ends with the change back', async (t) => {
  const sim = await bench(t, { rate: 5 });
  const zone = sim.zone('shop-frontend');
  const failures = sim
    .incidents()
    .filter(
      ({ kind, pullZoneId, from }) =>
        kind === 'originFailure' && pullZoneId === String(zone.id) && from >= START,
    );
  const { Logs } = await audit(sim, `?ResourceId=${zone.id}&Limit=1000`);
  assert.ok(failures.length >= 2);
  for (const { from, to } of failures) {
    const changes = Logs.filter(({ Diff }) => Diff?.includes('OriginUrl')).map((entry) =>
      Date.parse(entry.Timestamp),
    );
    assert.ok(changes.some((at) => from - at >= 3 * MINUTE && from - at <= 5 * MINUTE));
    if (to < NOON) assert.ok(changes.some((at) => Math.abs(to - at) <= MINUTE));
  }
});

test('the audit log is paged by tokens, filtered by each of its filters, and has either order', async (t) => {
  const sim = await bench(t, { rate: 5 });
  const all = (await audit(sim, '?Limit=10000')).Logs;
  const paged: Entry[] = [];
  for (let token: string | null = ''; token !== null; ) {
    const page = await audit(sim, `?Limit=2&ContinuationToken=${encodeURIComponent(token)}`);
    assert.ok(page.Logs.length <= 2);
    paged.push(...page.Logs);
    token = page.ContinuationToken;
  }
  assert.deepEqual(paged, all);
  assert.deepEqual((await audit(sim, '?Order=Ascending&Limit=10000')).Logs, all.toReversed());
  const id = all.find(({ ResourceId }) => ResourceId !== null)?.ResourceId;
  assert.deepEqual(
    (await audit(sim, `?ResourceId=${id}&ResourceId=none&Limit=10000`)).Logs,
    all.filter(({ ResourceId }) => ResourceId === id),
  );
  assert.deepEqual((await audit(sim, '?Product=Nothing')).Logs, []);
  for (const bad of ['?Limit=10001', '?Order=asc', '?ContinuationToken=x'])
    assert.equal((await main(sim, AUDIT + bad)).status, 400, bad);
  assert.equal((await main(sim, '/user/audit/yesterday')).status, 400);
  assert.equal((await main(sim, '/user/audit/2026-08-20')).status, 400);
});

test('the statistics of the hours that have rows are the sums of these rows', async (t) => {
  const sim = await bench(t, { rate: 5 });
  const zone = sim.zone('staging-shop');
  const from = NOON - 30 * HOUR;
  const of = async (query: string) =>
    JSON.parse(
      (await main(sim, `${HOURLY}&pullZone=${zone.id}&dateFrom=${new Date(from).toISOString()}${query}`))
        .text,
    ) as {
      TotalRequestsServed: number;
      RequestsServedChart: Record<string, number>;
      Error4xxChart: Record<string, number> | null;
    };
  const hourly = await of('&loadRequestsServed=true&loadErrors=true');
  // The hour that ended a moment ago is told later.
  const to = NOON - HOUR;
  const rows = sim
    .truth(zone.id, from, to)
    .map(({ entry, at }) => ({ status: Number(entry['statusCode']), at }));
  assert.ok(rows.length > 500, `${rows.length} rows`);
  assert.equal(hourly.TotalRequestsServed, rows.length);
  for (const [time, requests] of Object.entries(hourly.RequestsServedChart)) {
    const start = Date.parse(time);
    const own = rows.filter(({ at }) => at >= start && at < start + HOUR);
    assert.equal(requests, own.length, time);
    const refused = own.filter(({ status }) => status >= 400 && status < 500).length;
    assert.equal(hourly.Error4xxChart?.[time], refused, time);
  }
  assert.equal((await of('&loadRequestsServed=true')).Error4xxChart, null);
});

test('older statistics go on as ordinary traffic does, the same whenever they are asked for', async (t) => {
  const sim = await bench(t, { rate: 5 });
  const zone = sim.zone('staging-shop');
  const path = `${HOURLY}&pullZone=${zone.id}&dateFrom=2026-07-01&dateTo=2026-08-10&loadRequestsServed=true`;
  const first = JSON.parse((await main(sim, path)).text) as { RequestsServedChart: Record<string, number> };
  const hours = Object.entries(first.RequestsServedChart);
  // Thirty days are kept.
  assert.equal(hours[0]?.[0], '2026-07-21T12:00:00Z');
  const days = Map.groupBy(hours, ([time]) => time.slice(0, 10));
  days.delete('2026-07-21');
  const sums = [...days.values()].map((own) => own.reduce((sum, [, requests]) => sum + requests, 0));
  assert.equal(sums.length, 19);
  assert.ok(Math.max(...sums) < 2 * Math.min(...sums));
  assert.deepEqual(JSON.parse((await main(sim, path)).text), first);
  assert.equal((await main(sim, `${HOURLY}&pullZone=7`)).status, 404);
  assert.equal((await main(sim, `/statistics?pullZone=${zone.id}`)).status, 400);
});

test('origin errors take the key, or the token as a whole header, and know their zones', async (t) => {
  const sim = await bench(t, { rate: 5 });
  const { id } = sim.zone('staging-shop');
  assert.equal((await asked(sim, id, DAY, { Authorization: sim.token })).status, 200);
  assert.equal((await asked(sim, id, DAY, { Authorization: `Bearer ${sim.token}` })).status, 401);
  assert.equal((await asked(sim, id, DAY, { AccessKey: 'x' })).status, 401);
  assert.equal((await asked(sim, 7, DAY)).status, 404);
  assert.equal((await asked(sim, id, '13-45-2026')).status, 400);
  assert.deepEqual(await originErrors(sim, id, '08-01-2026'), []);
});
