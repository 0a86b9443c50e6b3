import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskUrlSecrets } from '../../src/text/mask.ts';
import { bench, cellsOf, linesOfText, MINUTE, objectsOf, settledWindow, ZONE } from './support.ts';

const utcDay = (time: number) => new Date(time).toISOString().slice(0, 10);

test('every format prints each row of a closed window once, in order of time', async () => {
  const { printed, truth } = bench({ rate: 20 });
  const { from, to, args } = settledWindow(4);
  const ids = truth(from, to).map((row) => row.entry.requestId);
  const ndjson = await printed(['logs', ZONE, ...args]);
  const rows = objectsOf(ndjson.out);
  assert.equal(ndjson.code, 0);
  assert.ok(ids.length > 2_000);
  assert.deepEqual(rows.map((row) => String(row['requestId'])).toSorted(), ids.toSorted());
  const times = rows.map((row) => String(row['timestamp']));
  assert.deepEqual(times, times.toSorted());
  const [head = '', ...csv] = linesOfText((await printed(['logs', ZONE, ...args, '--format', 'csv'])).out);
  assert.deepEqual(cellsOf(head), [...Object.keys(rows[0] ?? {}), '_raw']);
  assert.deepEqual(
    csv.map((line) => cellsOf(line)[2]),
    rows.map((row) => row['requestId']),
  );
  assert.ok(csv.every((line) => cellsOf(line).length === cellsOf(head).length));
  const [title = '', ...table] = linesOfText(
    (await printed(['logs', ZONE, ...args, '--format', 'table'])).out,
  );
  assert.match(title, /^TIME +CACHE +ST +BYTES +EDG +CC +IP +URL$/);
  assert.equal(table.length, rows.length);
  assert.ok(table.every((line, at) => line.startsWith(`${times[at]} `)));
});

test('a window without rows prints the head alone, and --limit says whether there are more', async () => {
  const { printed } = bench();
  const { args } = settledWindow(1);
  const none = await printed(['logs', ZONE, ...args, 'ip:203.0.113.250', '--format', 'csv']);
  assert.equal(linesOfText(none.out).length, 1);
  const few = await printed(['logs', ZONE, ...args, '--limit', '3']);
  assert.equal(objectsOf(few.out).length, 3);
  assert.match(few.err, /stopped after 3 rows, as --limit asks; there are more/);
  assert.equal(few.requests.filter((each) => each.path.includes('/logs')).length, 1);
  const enough = await printed(['logs', ZONE, ...args, '--limit', '100000']);
  assert.doesNotMatch(enough.err, /stopped/);
});

test("the words of the platform's CLI are one more spelling: the same rows, newest first, and of a limit the newest", async () => {
  const { printed, truth } = bench({ rate: 20 });
  const { from, to, args } = settledWindow(10);
  const failed = truth(from, to).filter(({ entry }) => Number(entry['statusCode']) >= 400);
  const newest = failed.toSorted((a, b) => b.at - a.at).map(({ at }) => at);
  const read = async (...words: string[]) => {
    const { code, out, err, requests } = await printed(['logs', ZONE, ...args, ...words]);
    const times = objectsOf(out).map((row) => Date.parse(String(row['timestamp'])));
    return { code, out, err, times, sent: requests.filter(({ path }) => path.includes('/logs')).length };
  };
  assert.ok(failed.length > 100);
  assert.equal((await read('--status', '4xx,5xx')).out, (await read('status:4xx,5xx')).out);
  const whole = await read('--status', '4xx,5xx', '--order', 'desc');
  assert.deepEqual([whole.code, whole.times], [0, newest]);
  assert.equal(objectsOf(whole.out).length, new Set(linesOfText(whole.out)).size);
  const few = await read('--status', '4xx,5xx', '--limit', '20', '--order', 'desc');
  assert.deepEqual([few.code, few.times], [0, newest.slice(0, 20)]);
  assert.match(few.err, /stopped after 20 rows, as --limit asks; there are more/);
  assert.ok(few.sent < 5, `${few.sent} requests`);
});

test('newest first, a limit says from when rows may come, and a failure makes all older time a gap', async () => {
  const { sim, printed } = bench({ rate: 20 });
  const recent = await printed(['logs', ZONE, 'last:10m', '--limit', '5', '--order', 'desc']);
  assert.match(recent.err, /rows of the time since [\d:]+ UTC may still come/);
  const { from, to, args } = settledWindow(10);
  await sim.setFaults([{ match: { host: 'logging', from: 2 }, fault: { kind: 'serverError' } }]);
  const { code, out } = await printed(['logs', ZONE, ...args, '--order', 'desc']);
  const rows = objectsOf(out);
  const gaps = rows.flatMap((row) => (row['_gap'] as { from: string; to: string } | undefined) ?? []);
  const oldest = Math.min(...rows.flatMap((row) => Date.parse(String(row['timestamp'])) || []));
  assert.equal(code, 1);
  assert.ok(oldest < to, 'something was read before');
  assert.equal(Math.min(...gaps.map((gap) => Date.parse(gap.from))), from);
  assert.ok(gaps.some((gap) => Date.parse(gap.to) <= oldest && Date.parse(gap.to) > oldest - MINUTE));
});

test('terms that are decided here say what they hid', async () => {
  const { printed, truth } = bench();
  const { from, to, args } = settledWindow(3);
  const all = truth(from, to);
  const kept = all.filter((row) => row.entry['statusCode'] !== 200);
  const ended = await printed(['logs', ZONE, ...args, '-status:200']);
  assert.equal(objectsOf(ended.out).length, kept.length);
  const [, hidden, read] = /hidden here ([\d,]+) of ([\d,]+) rows read, by -status:200/.exec(ended.err) ?? [];
  assert.equal(Number(hidden?.replaceAll(',', '')), all.length - kept.length);
  assert.equal(Number(read?.replaceAll(',', '')), all.length);
});

test('of an hour of one page the server sends little more than its rows', async () => {
  const { printed, truth } = bench({ rate: 8 });
  const { from, to, args } = settledWindow(60);
  const pages = Map.groupBy(
    truth(from, to).filter(({ entry }) => /^\/products\/[^/?]{4,}$/.test(String(entry['path']))),
    ({ entry }) => String(entry['path']),
  );
  const [[page = '', rows = []] = []] = [...pages].sort(([, a], [, b]) => b.length - a.length);
  const read = async (...terms: string[]) => {
    const { out, err, requests } = await printed(['logs', ZONE, ...args, ...terms]);
    const ids = objectsOf(out).map((row) => String(row['requestId']));
    return { ids: ids.toSorted(), err, sent: requests.filter(({ path }) => path.includes('/logs')).length };
  };
  const asked = await read(`page:${page}`);
  const byHand = await read(`page:${page}`, `url~${page}`);
  assert.ok(rows.length > 5, page);
  assert.deepEqual(
    asked.ids.filter((id) => rows.some(({ entry }) => entry.requestId === id)),
    rows.map(({ entry }) => String(entry.requestId)).toSorted(),
  );
  assert.deepEqual(asked.ids, byHand.ids);
  // All rows would be as many requests as answers are full of them.
  assert.ok(truth(from, to).length > 20_000);
  assert.deepEqual([asked.sent, byHand.sent], [1, 1]);
  const [, hidden = '0', of] = /hidden here ([\d,]+) of ([\d,]+) rows read/.exec(asked.err) ?? [];
  // What the server kept back was not read, and is not called hidden.
  assert.ok(of === undefined || Number(of.replaceAll(',', '')) - Number(hidden) === asked.ids.length);
});

test('by: counts what a recount of the rows counts, with their bytes, hits and errors', async () => {
  const { printed, truth } = bench();
  const { from, to, args } = settledWindow(5);
  const groups = objectsOf((await printed(['logs', ZONE, ...args, 'by:country,status'])).out);
  const wanted = new Map<string, { count: number; bytes: number; first: number; last: number }>();
  for (const { entry, at } of truth(from, to)) {
    const id = JSON.stringify([entry['countryCode'] ?? null, String(entry['statusCode'])]);
    const known = wanted.get(id) ?? { count: 0, bytes: 0, first: at, last: at };
    wanted.set(id, {
      count: known.count + 1,
      bytes: known.bytes + Number(entry['bytesSent']),
      first: Math.min(known.first, at),
      last: Math.max(known.last, at),
    });
  }
  assert.equal(groups.length, wanted.size);
  for (const group of groups) {
    const key = group['key'] as Record<string, string | null>;
    const one = wanted.get(JSON.stringify([key['country'], key['status']]));
    const context = group['context'] as Record<string, number>;
    assert.deepEqual(
      [group['count'], context['bytesSent'], group['firstSeen'], group['lastSeen']],
      [one?.count, one?.bytes, one?.first, one?.last],
    );
    assert.equal(context['errors'], key['status']?.startsWith('5') ? one?.count : 0);
  }
  const counts = groups.map((group) => Number(group['count']));
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => b - a),
  );
  const top = await printed(['logs', ZONE, ...args, 'by:ip', '--limit', '2', '--format', 'csv']);
  assert.equal(linesOfText(top.out).length, 3);
  assert.match(top.err, /stopped after 2 groups/);
});

test('a v1 day has the rows of v2, and null where a line has no such field', async () => {
  const { printed, sim } = bench({ rate: 0.2, incidents: false });
  const day = utcDay(sim.clock.now() - 26 * 3_600_000);
  const v1 = await printed(['logs', ZONE, '--v1', '--day', day, 'status:4xx']);
  const v2 = await printed(['logs', ZONE, '--day', day, 'status:4xx']);
  assert.equal(v1.code, 0, v1.err);
  assert.match(v1.err, /v1 lines have no JA4/);
  const rows = objectsOf(v2.out);
  assert.ok(rows.length > 50);
  const absent = { ja4Fingerprint: null, asn: null, asnOrganization: null };
  const common = [
    'timestamp',
    'requestId',
    'cacheStatus',
    'statusCode',
    'bytesSent',
    'remoteIp',
    'userAgent',
  ];
  const pick = (row: Record<string, unknown>) => common.map((name) => row[name]);
  const lines = objectsOf(v1.out);
  assert.deepEqual(lines.map(pick).toSorted(byText), rows.map(pick).toSorted(byText));
  assert.ok(lines.every((row) => Object.entries(absent).every(([name]) => row[name] === null)));
  assert.deepEqual(Object.keys(lines[0] ?? {}), Object.keys(rows[0] ?? {}));
  const inVain = await printed(['logs', ZONE, '--v1', '--day', day, 'asn:3320', '--limit', '1']);
  assert.match(inVain.err, /asn: v1 has no value to compare/);
});

test('a v1 day comes through gzip, is empty without lines, and a broken stream leaves a gap', async () => {
  const { printed, sim } = bench({ rate: 0.2, incidents: false });
  const day = utcDay(sim.clock.now() - 26 * 3_600_000);
  const plain = await printed(['logs', ZONE, '--v1', '--day', day, '--limit', '50']);
  await sim.setFaults([{ match: { path: '.log' }, fault: { kind: 'gzip' } }]);
  assert.equal((await printed(['logs', ZONE, '--v1', '--day', day, '--limit', '50'])).out, plain.out);
  await sim.setFaults([]);
  const none = await printed(['logs', ZONE, '--v1', '--day', '2020-01-01']);
  assert.deepEqual([none.code, none.out], [0, '']);
  assert.match(none.err, /no lines for 2020-01-01/);
  const other = await printed(['logs', ZONE, '--v1', '--day', '2020-01-01', 'status:404,5xx']);
  assert.match(other.err, /no lines of status 4xx, 5xx for 2020-01-01/);
  const tomorrow = utcDay(sim.clock.now() + 86_400_000);
  for (const version of [['--v1'], []]) {
    const future = await printed(['logs', ZONE, ...version, '--day', tomorrow]);
    assert.deepEqual([future.code, future.out], [2, '']);
    assert.match(future.err, /lies in the future/);
  }
  await sim.setFaults([{ match: { path: '.log' }, fault: { kind: 'truncatedChunked' } }]);
  const broken = await printed(['logs', ZONE, '--v1', '--day', day]);
  assert.equal(broken.code, 1);
  const rows = objectsOf(broken.out);
  const last = rows.at(-1);
  assert.ok(last);
  const { from, to } = last['_gap'] as { from: string; to: string };
  assert.equal(Date.parse(to), Date.parse(`${day}T00:00:00Z`) + 86_400_000);
  assert.equal(from, rows.at(-2)?.['timestamp']);
});

test('a window that reaches beyond the three days begins with a gap; one that lies beyond fails', async () => {
  const { printed, sim } = bench();
  const part = await printed(['logs', ZONE, 'last:4d', '--limit', '1']);
  assert.equal(part.code, 0);
  const [gap, row] = objectsOf(part.out);
  assert.match(JSON.stringify(gap), /^\{"_gap":.*"reason":"retention"/);
  assert.equal(
    Math.round(Date.parse(String(row?.['timestamp'])) / MINUTE),
    Math.round((sim.clock.now() - 72 * 3_600_000 + MINUTE) / MINUTE),
  );
  const gone = await printed(['logs', ZONE, 'from:2020-01-01', 'to:2020-01-02']);
  assert.equal(gone.code, 1);
  assert.match(gone.err, /kept for 3 days/);
});

test('what is kept no more, but stored by the platform for good, is named with the command that loads it', async () => {
  const { printed } = bench();
  const command =
    /; edgescope keep --stored staging-shop --from 2026-11-14 --to 2026-11-15 loads them into a store/;
  const old = ['from:2026-11-14T03:00', 'to:2026-11-14T04:00'];
  for (const words of [['logs'], ['ask', 'compare']])
    assert.match((await printed([...words, 'staging-shop', ...old])).err, command);
  const last = await printed(['logs', 'staging-shop', 'last:5d', '--limit', '1']);
  assert.match(last.err, /keep --stored staging-shop --from 2026-11-14 --to 2026-11-17 loads them/);
  for (const [zone, window] of [
    ['staging-shop', 'last:3d'],
    ['docs-site', 'last:5d'],
  ] as const)
    assert.ok(!(await printed(['logs', zone, window, '--limit', '1'])).err.includes('--stored'));
});

test('signed-URL tokens are masked in what is printed', async () => {
  const { printed, truth } = bench();
  const { from, to, args } = settledWindow(5);
  const urls = truth(from, to).map((row) => String(row.entry['url']));
  const printedUrls = objectsOf((await printed(['logs', ZONE, ...args])).out).map((row) =>
    String(row['url']),
  );
  assert.deepEqual(printedUrls.toSorted(), urls.map(maskUrlSecrets).toSorted());
});

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

test('rows from outside the window or of another zone are left out, named, and the answer is not whole', async () => {
  const { sim, printed, truth } = bench();
  const { from, to, args } = settledWindow(4);
  const ids = truth(from, to).map((row) => row.entry.requestId);
  await sim.setFaults([{ match: { host: 'logging' }, fault: { kind: 'strayRows' } }]);
  let isWhole: boolean | null = null;
  const covered = (coverage: { isWhole: boolean }) => {
    isWhole = coverage.isWhole;
  };
  const { code, out, requests } = await printed(['logs', ZONE, ...args], { covered });
  const lines = objectsOf(out);
  const rows = lines.filter((line) => !('_gap' in line));
  assert.deepEqual(rows.map((row) => String(row['requestId'])).toSorted(), ids.toSorted());
  assert.deepEqual(
    [...new Set(lines.flatMap((line) => (line['_gap'] as { reason?: string })?.reason ?? []))],
    ['strays'],
  );
  assert.deepEqual([code, isWhole], [1, false]);
  const sent = requests.filter(({ strays }) => strays !== undefined);
  assert.ok(sent.every(({ strays }) => (strays?.outside ?? 0) > 0 && (strays?.ofOthers ?? 0) > 0));
  assert.ok(sent.length > 0);
  // Groups count none of them either.
  const groups = await printed(['logs', ZONE, ...args, 'by:status'], { covered });
  const counts = objectsOf(groups.out).map((line) => Number(line['count'] ?? 0));
  assert.deepEqual([counts.reduce((sum, n) => sum + n, 0), groups.code], [ids.length, 1]);
});

test('lines of a v1 day that are of another day or zone are left out, named, and a gap', async () => {
  const { sim, printed } = bench();
  const args = ['logs', ZONE, '--v1', '--day', utcDay(sim.clock.now()), 'status:5xx'];
  const own = await printed(args);
  await sim.setFaults([{ match: { host: 'logging' }, fault: { kind: 'strayRows' } }]);
  const { code, out, err } = await printed(args);
  const [gap = '', ...rows] = out.trimEnd().split('\n').toReversed();
  assert.ok(rows.length > 10);
  assert.deepEqual(rows.toReversed(), own.out.trimEnd().split('\n'));
  assert.match(gap, /^\{"_gap":.*"reason":"strays"/);
  assert.match(err, /1 entry from outside what was asked about and 1 entry of another zone: left out/);
  assert.deepEqual([own.code, code], [0, 1]);
});
