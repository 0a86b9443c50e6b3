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
