import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Asked, answererOf, KINDS, type Scene, sceneOf } from './double.ts';

const NOW = Date.UTC(2026, 10, 23, 14, 23, 41, 123);
const MINUTE = 60_000;

type Words = Record<'timestamp' | 'requestId' | 'cacheStatus' | 'path', string>;
type Entry = Words & { statusCode: number; remoteIp?: string | null; userAgent?: string | null };
type Page = { data: Entry[]; pagination: { hasMore: boolean; returned: number } };

const answerers = new WeakMap<Scene, ReturnType<typeof answererOf>>();

/** One answerer for all questions of a scene, as making it takes longer than most answers. */
function ask(scene: Scene, host: Asked['host'], path: string, body: unknown = null, now = scene.now) {
  const answer = answerers.get(scene) ?? answererOf(scene);
  answerers.set(scene, answer);
  const text = body === null ? null : JSON.stringify(body);
  return answer(
    { method: text === null ? 'GET' : 'POST', host, path, headers: { accesskey: 'any' }, body: text },
    now,
  );
}

function logs(scene: Scene, from: number, to: number, rest = 'limit=10000', now = scene.now): Page {
  const window = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
  const answer = ask(scene, 'logging', `/v2/pullzones/${scene.zone.id}/logs?${window}&${rest}`, null, now);
  assert.equal(answer.status, 200, answer.body);
  return JSON.parse(answer.body) as Page;
}

const shareOf = (rows: readonly Entry[], wanted: (row: Entry) => boolean) =>
  rows.filter(wanted).length / Math.max(1, rows.length);
const failed = (row: Entry) => row.statusCode >= 500;

test('the same question at the same time has the same answer, whatever was asked before', () => {
  const scene = sceneOf('twoAtOnce', 7, NOW);
  assert.deepEqual(sceneOf('twoAtOnce', 7, NOW), scene);
  const path = `/v2/pullzones/${scene.zone.id}/logs?limit=300`;
  const first = ask(scene, 'logging', path);
  const other = answererOf(scene);
  const get = (text: string, now: number) =>
    other({ method: 'GET', host: 'logging', path: text, headers: { AccessKey: 'k' }, body: null }, now);
  get(`${path}&order=asc&status=4xx`, NOW - MINUTE);
  get(`${path}&offset=5`, NOW + MINUTE);
  assert.deepEqual(get(path, NOW), first);
});

for (const [kind, seed] of [
  ['calmNight', 4],
  ['calmPages', 1],
] as const)
  test(`a window of ${kind} read in two halves, or page by page in either order, is the whole`, () => {
    const scene = sceneOf(kind, seed, NOW);
    const to = NOW - 5 * MINUTE;
    const from = to - 3 * MINUTE;
    const whole = logs(scene, from, to).data;
    assert.ok(whole.length > 20);
    const halves = [...logs(scene, from + MINUTE, to).data, ...logs(scene, from, from + MINUTE).data];
    assert.deepEqual(halves, whole);
    assert.deepEqual(logs(scene, from, to, 'limit=10000&order=asc').data.reverse(), whole);
    const pages: Entry[] = [];
    for (let more = true; more; ) {
      const page = logs(scene, from, to, `limit=${Math.ceil(whole.length / 7)}&offset=${pages.length}`);
      pages.push(...page.data);
      more = page.pagination.hasMore;
    }
    assert.deepEqual(pages, whole);
    assert.equal(new Set(whole.map((row) => row.requestId)).size, whole.length);
  });

test('rows come late, none is there before its time, and none goes away', () => {
  const scene = sceneOf('calmBusy', 2, NOW);
  const ids = (now: number) =>
    new Set(logs(scene, NOW - MINUTE / 2, NOW, 'limit=10000', now).data.map((row) => row.requestId));
  const early = ids(NOW);
  const later = ids(NOW + 3 * MINUTE);
  assert.ok(early.size < later.size * 0.98);
  assert.ok([...early].every((id) => later.has(id)));
});

test("requests come as page views, as many of them and as many from the cache as the zone's statistics say", () => {
  const scene = sceneOf('calmPages', 5, NOW);
  const [from, to] = [Date.UTC(2026, 10, 23, 12), Date.UTC(2026, 10, 23, 13)];
  const { data: rows, pagination } = logs(scene, from, to, 'limit=10000&order=asc');
  assert.ok(rows.length > 3000 && !pagination.hasMore);
  assert.ok(rows.every(({ timestamp }, i) => i === 0 || timestamp >= (rows[i - 1] as Entry).timestamp));
  const hour = `hourly=true&dateFrom=${new Date(from).toISOString()}&dateTo=${new Date(to).toISOString()}`;
  const told = JSON.parse(ask(scene, 'main', `/statistics?pullZone=${scene.zone.id}&${hour}`).body);
  const [more, hit] = [
    rows.length / told.TotalRequestsServed,
    shareOf(rows, (row) => row.cacheStatus === 'HIT') - told.CacheHitRate / 100,
  ];
  assert.ok(Math.abs(more - 1) < 0.15 && Math.abs(hit) < 0.03, `${more}, ${hit}`);
  const opened = new Map<string, number>();
  const [pages, images] = [/^\/$|^\/(products|category|blog|docs|en)\//, /\.(webp|jpg)$/];
  const people = rows.filter((row) => !/bot/i.test(row.userAgent ?? ''));
  const inPages = people.filter((row) => {
    const client = `${row.remoteIp} ${row.userAgent}`;
    if (pages.test(row.path)) opened.set(client, Date.parse(row.timestamp));
    return images.test(row.path) && Date.parse(row.timestamp) - (opened.get(client) ?? 0) < 3000;
  });
  const count = (name: RegExp) => people.filter((row) => name.test(row.path)).length;
  assert.ok(inPages.length > 0.95 * count(images), `${inPages.length} of ${count(images)}`);
  const each = count(images) / count(pages);
  assert.ok(each >= 5 && each <= 12, `${each}`);
});

test('as many answers fail as the truth says', () => {
  for (const [kind, seed] of [
    ['originStanding', 1],
    ['originAll', 4],
    ['originStarted', 5],
    ['originOnePath', 3],
    ['originOneEdge', 2],
    ['pagesOnePath', 2],
  ] as const) {
    const scene = sceneOf(kind, seed, NOW);
    const [cause] = scene.causes;
    assert.ok(cause !== undefined);
    const to = Math.min(cause.to ?? NOW, NOW);
    const rows = logs(scene, Math.max(cause.from, to - 20 * MINUTE), to, 'limit=3000').data;
    const error = 4 * Math.sqrt((cause.share * (1 - cause.share)) / rows.length);
    const share = shareOf(rows, failed);
    assert.ok(
      Math.abs(share - cause.share) < error + 0.12 * cause.share + 0.003,
      `${kind}: ${share} of ${cause.share}`,
    );
  }
});

test('a calm scene has few failures and no cause', () => {
  const calm = KINDS.filter((kind) => sceneOf(kind, 1, NOW).verdict === 'calm');
  assert.ok(calm.length >= 6 && KINDS.length >= 32);
  for (const kind of calm) {
    const scene = sceneOf(kind, 9, NOW);
    assert.deepEqual(scene.causes, []);
    assert.ok(
      shareOf(logs(scene, scene.asked.from, scene.asked.to, 'limit=2000').data, failed) < 0.005,
      kind,
    );
  }
});

test("the groups of Shield's events add up to its rows, and a blocked one is a refused request", () => {
  const scene = sceneOf('wafFalsePositive', 2, NOW);
  const search = (more: object) => {
    const window = { from: NOW - 40 * MINUTE, to: NOW };
    const path = `/shield/event-logs/${scene.zone.shieldZoneId}/search`;
    return JSON.parse(ask(scene, 'main', path, { ...window, ...more }).body);
  };
  const flat = search({ pageSize: 500 });
  const groups = search({ pageSize: 500, groupBy: ['ruleId', 'action'], buckets: 10 }).groups;
  const total = (list: { count: number; sparkline: number[] }[]) => list.reduce((n, g) => n + g.count, 0);
  assert.equal(total(groups), flat.total);
  for (const group of groups)
    assert.equal(
      group.sparkline.reduce((n: number, x: number) => n + x, 0),
      group.count,
    );
  const event = flat.rows.find(
    (r: { log: object | null; fields: { action: string } }) =>
      r.log !== null && r.fields.action === 'blocked',
  );
  const id = event.log.Headers.find((h: { Name: string }) => h.Name === 'CDN-RequestId').Value;
  const [row] = logs(scene, event.timestamp, event.timestamp + 1, `requestId=${id}`, NOW + 5 * MINUTE).data;
  assert.equal(row?.requestId, id);
  assert.ok(row?.statusCode === 403 || row?.statusCode === 200);
});

test('what is not allowed is refused as the contract says', () => {
  const scene = sceneOf('calm', 1, NOW);
  const { id } = scene.zone;
  const old = new Date(NOW - 73 * 60 * MINUTE).toISOString();
  const statuses = (paths: readonly string[], host: Asked['host']) =>
    paths.map((path) => ask(scene, host, path).status);
  assert.deepEqual(
    statuses([`/v2/pullzones/${id}/logs?from=${old}`, `/v2/pullzones/${id}/logs?limit=0`, '/x'], 'logging'),
    [400, 400, 404],
  );
  assert.deepEqual(
    statuses(['/user/audit/2026-11-23', '/user/audit/2026-11-23T00:00:00Z', '/x', '/pullzone/1'], 'main'),
    [400, 200, 404, 404],
  );
  assert.deepEqual(statuses([`/${id}/11-23-2026`, `/${id}/2026-11-23`], 'originErrors'), [200, 400]);
  const none = { method: 'GET', path: '/pullzone', headers: {}, body: null } as const;
  for (const host of ['main', 'logging', 'originErrors'] as const) {
    assert.equal(answererOf(scene)({ ...none, host }, NOW).status, 401);
  }
});
