import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Transport } from '../../src/api/http/transport.ts';
import { HEALTH_ROW_NAMES } from '../../src/domain/handover/health-shapes.ts';
import { bench, MINUTE, objectsOf } from './support.ts';

/** The keys of a line and their order, as scripts rely on them. */
const KEYS = [
  'id',
  'name',
  'requestsPerSecond',
  'hitRatio',
  'errorRatio',
  'clientErrorRatio',
  'blockedPerMinute',
  'rows',
  'from',
  'to',
  'score',
  'why',
];

type Line = {
  id: number;
  name: string;
  requestsPerSecond: number | null;
  hitRatio: number | null;
  errorRatio: number | null;
  clientErrorRatio: number | null;
  blockedPerMinute: number | null;
  rows: number | null;
  from: string | null;
  to: string | null;
  score: number | null;
  why: string;
};

const RATE = 40;

function linesOf(out: string): Line[] {
  return objectsOf(out) as Line[];
}

function named(lines: readonly Line[], name: string): Line {
  const found = lines.find((line) => line.name === name);
  assert.ok(found, name);
  return found;
}

/** A reader of standard output that can interrupt, and how long it took by the clock of the platform. */
function interrupt() {
  const ended = Promise.withResolvers<number>();
  return {
    onEnd: (callback: (code: number) => void) => void ended.promise.then(callback),
    now: () => ended.resolve(130),
  };
}

test('a line for each zone with these keys, the worst first, and the two of the failing origin on top', async () => {
  const { printed, sim } = bench({ rate: RATE });
  const { code, out, err } = await printed(['health']);
  assert.equal(code, 0);
  assert.equal(err, '');
  const lines = linesOf(out);
  assert.deepEqual(HEALTH_ROW_NAMES, KEYS);
  for (const line of lines) assert.deepEqual(Object.keys(line), KEYS);
  assert.deepEqual(lines.map(({ name }) => name).sort(), sim.zones.map(({ name }) => name).sort());
  const scores = lines.map(({ score }) => score ?? -1);
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  );
  assert.deepEqual(
    lines
      .slice(0, 2)
      .map(({ name }) => name)
      .sort(),
    ['checkout', 'mobile-api'],
  );
  for (const line of lines.slice(0, 2)) assert.match(line.why, /^5xx \d+\.\d% of \d+ rows, 0(\.\d)?% before/);
});

test('the figures are those of the rows between from and to, and no later ones are missing from them', async () => {
  const { printed, sim } = bench({ rate: RATE });
  const opened = sim.clock.now();
  const { out } = await printed(['health', 'mobile-api,downloads']);
  for (const line of linesOf(out)) {
    const [from, to] = [Date.parse(line.from ?? ''), Date.parse(line.to ?? '')];
    assert.ok(to > opened - 10_000 && to - from <= 5 * MINUTE && from < to, line.name);
    const rows = sim.truth(line.id, from, to).filter((row) => row.visibleAt <= opened);
    assert.equal(line.rows, rows.length, line.name);
    const share = (isIt: (status: number) => boolean) =>
      rows.filter(({ entry }) => isIt(Number(entry['statusCode']))).length / rows.length;
    const near = (told: number | null, truth: number) => Math.abs((told ?? Number.NaN) - truth) < 1e-4;
    assert.ok(
      near(
        line.errorRatio,
        share((status) => status >= 500),
      ),
      line.name,
    );
    assert.ok(
      near(
        line.clientErrorRatio,
        share((status) => status >= 400 && status < 500),
      ),
      line.name,
    );
    assert.ok(Math.abs((line.requestsPerSecond ?? 0) - (rows.length * 1000) / (to - from)) < 0.01, line.name);
  }
});

test('what Shield blocks is told of the zones that have it, by one search each, and is unknown of the others', async () => {
  const { printed, sim } = bench({ rate: RATE });
  const { out, requests } = await printed(['health', 'news-portal,images-eu']);
  const lines = linesOf(out);
  assert.equal(named(lines, 'images-eu').blockedPerMinute, null);
  assert.equal(typeof named(lines, 'news-portal').blockedPerMinute, 'number');
  const searches = requests.filter(({ path }) => path.includes('/event-logs/'));
  assert.equal(searches.length, 1);
  const logs = requests.filter(({ path }) => path.includes('/logs'));
  assert.ok(logs.length <= 2 * 6, `${logs.length} requests`);
  assert.ok(Math.max(...Object.values(sim.stats().maxInWindow)) <= 10, 'a third of the quota');
});

test('zones without a log are printed without figures and with the reason, and are not asked', async () => {
  const { printed, sim } = bench();
  const words = ['legacy-no-logs', 'suspended-promo', 'disabled-archive', 'quiet-landing'];
  const { code, out, err, requests } = await printed(['health', ...words]);
  assert.deepEqual([code, err], [0, '']);
  const lines = linesOf(out);
  const why = {
    'legacy-no-logs': /keeps no CDN log/,
    'suspended-promo': /suspended/,
    'disabled-archive': /disabled/,
  };
  for (const [name, reason] of Object.entries(why)) {
    const line = named(lines, name);
    const { id: _, name: __, why: told, ...figures } = line;
    assert.ok(
      Object.values(figures).every((figure) => figure === null),
      name,
    );
    assert.match(told, reason);
    const id = sim.zones.find((zone) => zone.name === name)?.id;
    assert.ok(!requests.some(({ path }) => path.includes(`/pullzones/${id}/`)), name);
  }
  assert.equal(lines[0]?.name, 'quiet-landing', 'those without figures come last');
});

test('a zone that is refused and one that never answers are told with why, and the others have their figures', async () => {
  const { printed, sim } = bench({ rate: RATE });
  const idOf = (name: string) => sim.zones.find((zone) => zone.name === name)?.id;
  await sim.setFaults([
    { match: { path: `/pullzones/${idOf('downloads')}/` }, fault: { kind: 'hang' } },
    { match: { path: `/pullzones/${idOf('images-us')}/` }, fault: { kind: 'serverError' } },
  ]);
  const opened = sim.clock.now();
  const { code, out, err } = await printed(['health']);
  assert.equal(code, 0);
  // The searches of what Shield blocks take some ten seconds of it.
  assert.ok(sim.clock.now() - opened < 18_000, `${sim.clock.now() - opened} ms`);
  const again = sim.clock.now();
  assert.equal((await printed(['health', 'downloads'])).code, 1);
  assert.ok(sim.clock.now() - again < 7_000, `${sim.clock.now() - again} ms`);
  const lines = linesOf(out);
  for (const [name, why] of [
    ['downloads', /did not answer|no answer|in time/i],
    ['images-us', /500/],
  ] as const) {
    const line = named(lines, name);
    assert.deepEqual([line.rows, line.score, line.requestsPerSecond], [null, null, null], name);
    assert.match(line.why, why);
    assert.match(err, new RegExp(`${name} \\(\\d+\\) could not be read: `));
  }
  const healthy = lines.filter(({ rows }) => rows !== null);
  assert.equal(healthy.length, 13);
});

test('many zones that never answer do not hold up those behind them', async () => {
  const { printed, sim } = bench({ rate: RATE, zones: 80 });
  const slow = sim.zones.slice(19, 60).map(({ id }) => ({
    match: { path: `/pullzones/${id}/` },
    fault: { kind: 'hang' } as const,
  }));
  await sim.setFaults(slow);
  const opened = sim.clock.now();
  const { out, requests } = await printed(['health']);
  assert.equal(linesOf(out).length, 80);
  const behind = sim.zones.slice(60).map(({ id }) => `/pullzones/${id}/`);
  const begun = requests.filter(({ path }) => behind.some((part) => path.includes(part)));
  assert.ok(begun.length > 15);
  const last = Math.max(...begun.map(({ at }) => at - opened));
  assert.ok(last < 12_000, `${last} ms`);
});

test('an interrupt prints nothing, because the order is not known yet, and says so', async () => {
  const { printed, sim } = bench({ rate: RATE });
  const stop = interrupt();
  await sim.setFaults([{ match: { host: 'logging' }, fault: { kind: 'hang' } }]);
  sim.clock.after(2_000, stop.now);
  const { code, out, err } = await printed(['health'], { onEnd: stop.onEnd });
  assert.deepEqual([code, out], [130, '']);
  assert.match(err, /interrupted; nothing is printed/);
});

test('rows of others are no figures of a zone: it says so, and the answer is not whole', async () => {
  const { sim, printed } = bench({ rate: RATE });
  const asked = async () => {
    const answers: boolean[] = [];
    const { out } = await printed(['health', 'shop-frontend'], {
      covered: ({ isWhole }) => void answers.push(isWhole),
    });
    return { line: named(linesOf(out), 'shop-frontend'), isWhole: answers[0] };
  };
  const own = await asked();
  assert.equal(own.isWhole, true);
  await sim.setFaults([{ match: { host: 'logging' }, fault: { kind: 'strayRows' } }]);
  const strayed = await asked();
  assert.equal(strayed.isWhole, false);
  assert.match(strayed.line.why, /of too few rows: some that the server sent are not of this zone and time/);
});

test('the newest rows are those of the log, whatever the clock of the other server says', async () => {
  const errorsBy = async (main: number, logging: number) => {
    const { printed } = bench({ rate: RATE, incidents: true, between: datedBy({ main, logging }) });
    const { out } = await printed(['health', 'mobile-api']);
    return named(linesOf(out), 'mobile-api').errorRatio ?? 0;
  };
  const own = await errorsBy(0, 0);
  assert.ok(own > 0.2, 'its origin fails since a few minutes');
  for (const [main, logging] of [
    [-10, 0],
    [10, 0],
    [0, 10],
    [60, -60],
  ] as const) {
    const told = await errorsBy(main * MINUTE, logging * MINUTE);
    assert.ok(Math.abs(told - own) < 0.05, `${main}, ${logging}: ${told} is not ${own}`);
  }
});

/** Servers whose Date is wrong, each by its own. */
function datedBy(off: { main: number; logging: number }): (transport: Transport) => Transport {
  return (transport) => ({
    ...transport,
    async send(request, signal) {
      const sent = await transport.send(request, signal);
      const date = sent.ok && sent.value.headers['date'];
      if (!sent.ok || typeof date !== 'string') return sent;
      const by = request.host === 'logging' ? off.logging : off.main;
      const told = new Date(Date.parse(date) + by).toUTCString();
      return { ok: true, value: { ...sent.value, headers: { ...sent.value.headers, date: told } } };
    },
  });
}
