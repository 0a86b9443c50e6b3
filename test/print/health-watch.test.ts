import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bench, objectsOf } from './support.ts';

const RATE = 40;
const QUIET = 'downloads,images-eu,images-us,status-page';

/** An interrupt that can be sent. */
function interrupt() {
  const ended = Promise.withResolvers<number>();
  return {
    onEnd: (callback: (code: number) => void) => void ended.promise.then(callback),
    now: () => ended.resolve(130),
  };
}

test('it ends with 10 when any zone meets the condition, and tells the zone, the sample and the price', async () => {
  const { printed, sim } = bench({ rate: RATE });
  const opened = sim.clock.now();
  const { code, out, err } = await printed(['health', '--until', 'any 5xx>5%']);
  assert.equal(code, 10);
  assert.match(
    err,
    /not watched, without a log: legacy-no-logs \(\d+\), suspended-promo \(\d+\), disabled-archive/,
  );
  assert.match(err, /watching any 5xx>5% in 15 zones: 15 requests a round of 15s, 60 a minute/);
  const met = /edgescope: (\S+) \((\d+)\): 5xx [\d.]+ % of (\d+) requests in \S+ is above 5 %\n$/.exec(err);
  assert.ok(met !== null && (met[1] === 'checkout' || met[1] === 'mobile-api'), err);
  assert.ok(sim.clock.now() - opened < 5_000, 'what holds already is told soon');
  const lines = objectsOf(out);
  assert.equal(lines.length, sim.zones.length);
  const line = lines.find(({ name }) => name === met[1]);
  assert.deepEqual([line?.['id'], line?.['rows']], [Number(met[2]), Number(met[3])]);
  assert.equal(lines.find(({ name }) => name === 'staging-shop')?.['why'], 'its log was not read');
});

test('while no zone meets it nothing is printed, each zone is asked once a round, and an interrupt ends it', async () => {
  const { printed, sim } = bench({ rate: RATE });
  const stop = interrupt();
  sim.clock.after(65_000, stop.now);
  const { code, out, err, requests } = await printed(['health', QUIET, '--until', 'any 5xx>60%'], {
    onEnd: stop.onEnd,
  });
  assert.deepEqual([code, out], [130, '']);
  assert.equal(err, 'edgescope: watching any 5xx>60% in 4 zones: 4 requests a round of 15s, 16 a minute\n');
  const logs = requests.filter(({ path }) => path.includes('/logs?'));
  assert.ok(logs.length >= 4 * 4 && logs.length <= 4 * 6, `${logs.length} requests in 65 s`);
});

test('what Shield blocks is waited for by searches of the zones that have it', async () => {
  const { printed } = bench({ rate: RATE });
  const { code, err, requests } = await printed(['health', '--until', 'any blocked>3/min']);
  assert.equal(code, 10);
  assert.match(err, /watching any blocked>3\/min in 11 zones: 11 searches a round of 16s, 40 a minute/);
  assert.match(err, /: blocked events [\d.]+\/min, \d+ events in \S+, is above 3\/min\n$/);
  assert.ok(!requests.some(({ path }) => path.includes('/logs?')));
});

test('a zone that fails is told once and is watched on; one that is refused is told and left alone', async () => {
  const { printed, sim } = bench({ rate: RATE });
  const idOf = (name: string) => sim.zones.find((zone) => zone.name === name)?.id;
  const stop = interrupt();
  await sim.setFaults([
    { match: { path: `/pullzones/${idOf('downloads')}/` }, fault: { kind: 'serverError' } },
    { match: { path: `/pullzones/${idOf('images-eu')}/` }, fault: { kind: 'unauthorized' } },
  ]);
  sim.clock.after(40_000, () => void sim.setFaults([]));
  sim.clock.after(70_000, stop.now);
  const { code, err, requests } = await printed(['health', QUIET, '--until', 'any 5xx>60%'], {
    onEnd: stop.onEnd,
  });
  assert.equal(code, 130);
  assert.equal(err.match(/downloads \(\d+\): .* Still watching\./g)?.length, 1, err);
  assert.match(err, /downloads \(\d+\) answers again/);
  assert.equal(err.match(/images-eu \(\d+\): .* No longer watched\./g)?.length, 1, err);
  const refused = requests.filter(({ path }) => path.includes(`/pullzones/${idOf('images-eu')}/`));
  assert.equal(refused.length, 1);
});
