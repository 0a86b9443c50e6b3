import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { readCommandLine } from '../../src/config/command/command-line.ts';
import { unlistedZone } from '../../src/domain/zone.ts';
import { expositionOf } from '../../src/print/keep/exposition.ts';
import { keepFollowed, serveMetrics } from '../../src/print/keep/keep-follow.ts';
import { keptFamilies } from '../../src/print/keep/kept-figures.ts';
import { createKeptStore } from '../../src/print/keep/kept-store.ts';
import { KeptZone } from '../../src/print/keep/kept-zone.ts';
import { fc, runs, unicodeText } from '../support/properties.ts';
import { ROOT } from '../support/source.ts';
import { Exposition } from './exposition.ts';
import { MemoryStore } from './memory-store.ts';
import { bench, MINUTE, ZONE } from './support.ts';

const HERE = { host: '127.0.0.1', port: 0 };

type Scraped = { status: number; type: string; body: string };

async function scrape(url: string, o: { method?: string; host?: string } = {}): Promise<Scraped> {
  const { method = 'GET', host } = o;
  const asked = get(url, { method, agent: false, headers: host === undefined ? {} : { host } });
  const [response] = await once(asked, 'response');
  return {
    status: response.statusCode,
    type: String(response.headers['content-type']),
    body: await text(response),
  };
}

async function serving(t: TestContext, said: () => string) {
  const server = await serveMetrics(HERE, said);
  assert.ok(typeof server !== 'string', String(server));
  t.after(server.close);
  return server;
}

test('a keep serves what it has done, in the format that Prometheus reads', async (t) => {
  const { sim, printing } = bench({ rate: 0.5 });
  const store = new MemoryStore();
  const zones = sim.zones.filter(({ name }) => ['api-gateway', ZONE].includes(String(name)));
  const [first, second] = zones.map(({ id }) => String(id)) as [string, string];
  const from = sim.clock.now() - 8 * MINUTE;
  for (const zone of [first, second])
    store.notes.push({ zone, from: 0, to: from, state: 'read', missing: null, mark: 0 });
  const words = ['keep', 'api-gateway', ZONE, '--metrics', '0'];
  const usage = readCommandLine(words, import.meta, { name: 'edgescope', version: '0', description: '' });
  assert.ok(usage.ok);
  const written = new Map<string, number>();
  store.onWrite = (_, rows) => {
    for (const { pullZoneId } of rows) written.set(pullZoneId, (written.get(pullZoneId) ?? 0) + 1);
  };
  let end: (code: number) => void = () => {};
  const { printer, client, texts } = printing({
    history: async () => ({ ok: true, value: store.open }),
    onEnd: (callback) => {
      end = callback;
    },
  });
  // Time stands still but where it is told to pass.
  const pass = (ms: number) => sim.ended(sim.clock.sleep(ms));
  const kept = keepFollowed(printer, usage.value);
  t.after(async () => {
    end(130);
    await sim.ended(kept).finally(() => client.close());
  });
  const scraped = async () => {
    const { status, type, body } = await scrape(/http:\S+/.exec(texts.err)?.[0] ?? '');
    assert.deepEqual([status, type], [200, 'text/plain; version=0.0.4; charset=utf-8']);
    return new Exposition(body);
  };
  store.isAway = true;
  await listening(texts, () => pass(10));
  const begun = await scraped();
  assert.match(texts.err, /metrics are served at http:\/\/127\.0\.0\.1:\d+\/metrics\n/);
  assert.equal(begun.value('edgescope_keep_zone_lag_seconds', { zone_id: first }), undefined);
  assert.equal(begun.value('edgescope_keep_zone_followed', { zone_id: first }), 0);
  assert.equal(begun.value('edgescope_keep_store_up'), 0);
  store.isAway = false;
  await pass(40 * MINUTE);
  const now = await scraped();
  const ofFirst = { zone_id: first };
  assert.ok(Number(written.get(first)) > 100);
  assert.equal(now.value('edgescope_keep_zone_rows_total', ofFirst), written.get(first));
  assert.equal(now.value('edgescope_keep_zone_rows_total', { zone_id: second }), written.get(second));
  assert.equal(now.value('edgescope_keep_zone_followed', ofFirst), 1);
  const lag = now.value('edgescope_keep_zone_lag_seconds', ofFirst) ?? 0;
  const notedTo = Math.max(...store.notes.filter(({ zone }) => zone === first).map(({ to }) => to));
  assert.ok(Math.abs(lag - (sim.clock.now() - notedTo) / 1_000) < 1, String(lag));
  assert.equal(now.value('edgescope_keep_store_up'), 1);
  assert.ok(Number(now.value('edgescope_keep_store_retries_total')) >= 1);
  const batches = store.writes.filter((what) => what === 'rows').length;
  assert.ok(Number(now.value('edgescope_keep_store_batches_total')) >= batches);
  assert.equal(now.value('edgescope_keep_zone_quota_limit', ofFirst), client.logQuota(first).cap);
  assert.equal(now.value('edgescope_keep_gap_seconds_total', { reason: 'refused' }), 0);
  const fault = { kind: 'forbidden', text: 'Pull zone is suspended.' } as const;
  sim.setFaults([{ match: { path: `/pullzones/${first}/` }, fault }]);
  await pass(20 * MINUTE);
  const later = await scraped();
  assert.equal(later.value('edgescope_keep_zone_followed', ofFirst), 0);
  assert.equal(later.value('edgescope_keep_zone_followed', { zone_id: second }), 1);
  assert.ok(Number(later.value('edgescope_keep_zone_lag_seconds', ofFirst)) > lag + 15 * 60);
  for (const { name } of later.samples) {
    assert.match(name, later.types.get(name) === 'counter' ? /_total$/ : /(?<!_total)$/);
    assert.ok(later.helps.get(name), name);
  }
  assertAlerts(later);
  end(130);
  assert.equal(await sim.ended(kept), 130);
  await assert.rejects(scrape(/http:\S+/.exec(texts.err)?.[0] ?? ''), /ECONNREFUSED/);
});

test('of a zone that another keeper has, nothing is served of its lag or of who follows it', () => {
  const { zone: listed, printing } = bench();
  const { printer, client } = printing();
  const store = createKeptStore(printer, new MemoryStore().open, new AbortController().signal);
  const of = { zone: unlistedZone({ id: String(listed.id), name: ZONE }), store, tellPast: () => {} };
  const zone = new KeptZone(printer, of);
  zone.keptTo = printer.clock.now() - MINUTE;
  const told = () => new Exposition(expositionOf(keptFamilies({ zones: [zone], store, client })));
  const figures = ['edgescope_keep_zone_lag_seconds', 'edgescope_keep_zone_followed'];
  assert.deepEqual(
    figures.map((name) => told().value(name)),
    [60, 0],
  );
  zone.isKept = false;
  assert.deepEqual(
    figures.map((name) => told().value(name)),
    [undefined, undefined],
  );
  assert.equal(told().value('edgescope_keep_zone_rows_total'), 0);
});

/** Each alert asks of a figure that is served; of one that only grows how much it grew. */
function assertAlerts({ types }: Exposition): void {
  const rules = readFileSync(join(ROOT, 'docs/keep-alerts.yml'), 'utf8');
  const asked = [...rules.matchAll(/^ +expr: (.+)$/gm)].map(([, expression = '']) => expression);
  assert.equal(asked.length, rules.match(/- alert: /g)?.length);
  for (const expression of asked.filter((each) => !each.startsWith('up{'))) {
    const [name = ''] = /edgescope_keep_\w+/.exec(expression) ?? [];
    assert.equal(types.get(name), expression.startsWith('increase(') ? 'counter' : 'gauge', expression);
  }
}

/** Sockets take turns of their own, in which no time of the platform passes. */
async function listening(texts: { err: string }, pass: () => Promise<unknown>): Promise<void> {
  while (!texts.err.includes('metrics are served')) await pass();
}

test('no name breaks a line, and each is read back as it is', () => {
  fc.assert(
    fc.property(
      fc.oneof(unicodeText(), fc.string({ unit: fc.constantFrom('\n', '\\', '"', '}', 'n', '#') })),
      (name) => {
        const labels = { zone: name, zone_id: `${name}"` };
        const told = expositionOf([
          { name: 'x_total', type: 'counter', help: name, samples: [{ labels, value: 1 }] },
        ]);
        assert.equal(told.split('\n').length, 4);
        const read = new Exposition(told);
        assert.equal(read.helps.get('x_total'), name);
        assert.deepEqual(read.samples, [{ name: 'x_total', labels, value: 1 }]);
      },
    ),
    { numRuns: runs(300) },
  );
});

test('a scraper that does not read keeps no other waiting', async (t) => {
  // More than the sockets between them hold.
  const large = 'x'.repeat(20_000_000);
  const { url } = await serving(t, () => large);
  const slow = connect(Number(new URL(url).port), HERE.host);
  t.after(() => slow.destroy());
  slow.pause();
  slow.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(slow, 'readable');
  const [one, other] = await Promise.all([scrape(url), scrape(url)]);
  assert.deepEqual([one.body.length, other.body.length], [large.length, large.length]);
});

test('what is served is read by GET at its path, by programs of this machine and by no page of another name', async (t) => {
  let scrapes = 0;
  const { url } = await serving(t, () => `x ${++scrapes}\n`);
  const { port } = new URL(url);
  const statuses = [];
  for (const [path, o] of [
    ['/metrics', {}],
    ['/metrics?x=1', { host: `localhost:${port}` }],
    ['/metrics', { method: 'HEAD' }],
    ['/metrics', { method: 'POST' }],
    ['/', {}],
    ['/metrics', { host: 'metrics.attacker.example' }],
    ['/metrics', { host: `127.0.0.1.attacker.example:${port}` }],
  ] as const)
    statuses.push((await scrape(new URL(path, url).href, o)).status);
  assert.deepEqual(statuses, [200, 200, 200, 405, 404, 403, 403]);
  assert.equal(scrapes, 3);
});

test('where another program listens, a keep says so and ends before anything is read', async (t) => {
  const other = createServer().listen(0, HERE.host);
  await once(other, 'listening');
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  const { printed } = bench({ rate: 0.5 });
  const store = new MemoryStore();
  const { code, err, requests } = await printed(['keep', ZONE, '--metrics', String(port)], {
    history: async () => ({ ok: true, value: store.open }),
  });
  assert.equal(code, 1);
  assert.match(
    err,
    new RegExp(`--metrics 127\\.0\\.0\\.1:${port}: another program listens there \\(EADDRINUSE\\)`),
  );
  assert.deepEqual(
    requests.filter(({ path }) => path.includes('/logs')),
    [],
  );
});
