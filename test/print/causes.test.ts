import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FaultRule } from '../support/simulator/fault-plan.ts';
import { bench, MINUTE, objectsOf, programOf, ZONE } from './support.ts';

const HOUR = 60 * MINUTE;

type Group = { key: { cause: string | null; status?: string | number }; count: number };

const groupsOf = (out: string) => objectsOf(out) as unknown as Group[];
const iso = (time: number) => new Date(time).toISOString();

/** A window in which the origin of the zone failed, as the simulator knows it. */
function failing() {
  const made = bench({ rate: 5, incidents: true });
  const { sim, zone } = made;
  const failure = sim
    .incidents()
    .findLast(
      ({ kind, pullZoneId, to }) =>
        kind === 'originFailure' && pullZoneId === String(zone.id) && to < sim.clock.now() - HOUR / 4,
    );
  assert.ok(failure);
  const args = ['--from', iso(failure.from - MINUTE), '--to', iso(failure.to + MINUTE)];
  return { ...made, failure, args };
}

test('rows answered 5xx are counted by what was told of origin errors, whose price is said before they are read', async () => {
  const { printed, truth, failure, args } = failing();
  const { code, out, err, requests } = await printed(['logs', ZONE, 'by:cause,status', ...args]);
  assert.equal(code, 0, err);
  assert.match(err, /cause: is found by origin errors: 1 request before the rows, one a day of each zone/);
  assert.match(
    err,
    /by time and path: origin errors of 1 of 1 day read; how late they come is not documented/,
  );
  assert.equal(requests.filter(({ path }) => /^\/\d+\/\d\d-\d\d-\d{4}$/.test(path)).length, 1);
  const groups = groupsOf(out);
  const failed = groups.filter(({ key }) => key.cause !== null);
  assert.ok(
    failed.some(({ key }) => key.cause === 'dns_lookup'),
    out,
  );
  for (const { key } of failed) assert.match(String(key.status), /^5\d\d$/);
  const rows = truth(failure.from - MINUTE, failure.to + MINUTE).length;
  assert.equal(
    groups.reduce((sum, { count }) => sum + count, 0),
    rows,
  );
  const dns = failed
    .filter(({ key }) => key.cause === 'dns_lookup')
    .reduce((sum, { count }) => sum + count, 0);
  const filtered = await printed(['logs', ZONE, 'cause:dns_lookup', ...args]);
  assert.equal(objectsOf(filtered.out).length, dns);
  assert.match(filtered.requests.map(({ path }) => path).join(' '), /status=5xx/);
});

const TROUBLES: readonly { fault: FaultRule['fault']; said: RegExp }[] = [
  { fault: { kind: 'forbidden', text: 'Not for this plan.' }, said: /not read: .*forbids this \(HTTP 403\)/ },
  { fault: { kind: 'bare', status: 404 }, said: /not read: .*does not know this/ },
  {
    fault: { kind: 'literal', text: '{"Items":[]}' },
    said: /not read: .*is not what its documentation says/,
  },
  { fault: { kind: 'hang' }, said: /not read: .*did not answer in time/ },
];

test('origin errors that are refused, missing, of another shape or late cost their own words alone', async () => {
  for (const { fault, said } of TROUBLES) {
    const { printed, sim, args } = failing();
    await sim.setFaults([{ match: { host: 'originErrors' }, fault }]);
    const { code, out, err } = await printed(['logs', ZONE, 'status:5xx by:cause', ...args]);
    assert.equal(code, 0, err);
    assert.match(err, said);
    assert.match(err, /origin errors of 0 of 1 day read/);
    const [group, ...others] = groupsOf(out);
    assert.deepEqual([group?.key.cause, others.length], [null, 0]);
    assert.ok((group?.count ?? 0) > 0);
  }
});

test('rows that are followed have no cause yet, and the history keeps none', async () => {
  const { printed, sim } = bench({ rate: 5 });
  const followed = await printed(['logs', ZONE, 'cause:dns_lookup', '--follow']);
  assert.equal(followed.code, 2);
  assert.match(
    followed.err,
    /origin errors come late: cause: is asked of a window that ends; leave out --follow/,
  );
  let opened = 0;
  const open = async () => {
    opened += 1;
    throw new Error('nobody opens it');
  };
  const history = async () => ({ ok: true, value: open }) as never;
  const now = sim.clock.now();
  const old = ['--from', iso(now - 80 * HOUR), '--to', iso(now - 71 * HOUR)];
  const { err } = await printed(['logs', ZONE, 'status:5xx by:cause', ...old], { history });
  assert.match(err, /the history is left out: origin errors are known of what the platform keeps/);
  assert.equal(opened, 0);
  const question = await printed(['ask', 'compare', ZONE, 'cause:dns_lookup last:1h']);
  assert.equal(question.code, 2);
  assert.match(question.err, /only :causes and `ask causes` are asked by cause:/);
});

test('origin errors and changes of another day are left out and counted, and the answer is not whole', async () => {
  const { sim, printed, args } = failing();
  const asked = ['ask', 'causes', ZONE, '--limit', '1000', ...args];
  const answerOf = async () => {
    const answers: boolean[] = [];
    const { out } = await printed(asked, { covered: ({ isWhole }) => void answers.push(isWhole) });
    const [{ coverage = '', headline = '' } = {}] = objectsOf(out) as Record<string, string>[];
    return { coverage, headline, isWhole: answers[0] };
  };
  const own = await answerOf();
  assert.equal(own.isWhole, true, own.coverage);
  await sim.setFaults([{ match: { path: '/' }, fault: { kind: 'strayRows' } }]);
  const { coverage, headline, isWhole } = await answerOf();
  assert.deepEqual([isWhole, headline], [false, own.headline]);
  assert.match(coverage, /origin errors: 3 entries from outside what was asked about left out/);
  assert.match(coverage, /changes: [1-3] entr(y|ies) from outside what was asked about left out/);
});

test('the cause of rows is asked of a zone and a window that ends: saved logs and --until say so', async (t) => {
  const { run } = programOf(t);
  for (const [words, said] of [
    [
      ['open', '/etc/hosts', 'status:5xx', 'by:cause'],
      /saved logs hold none: .*\n {2}edgescope logs <zone> .*by:cause/,
    ],
    [['ask', 'compare', '--file=/etc/hosts', 'cause:dns_lookup'], /saved logs hold none/],
    [['logs', ZONE, 'cause:dns_lookup', '--until', '5xx>5%'], /origin errors come late/],
    [['shield', ZONE, 'by:cause'], /cause/],
  ] as const) {
    const { code, stdout, stderr } = await run(...words);
    assert.deepEqual([code, stdout], [2, ''], words.join(' '));
    assert.match(stderr, said);
  }
});
