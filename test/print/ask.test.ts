import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCommandLine } from '../../src/config/command/command-line.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { openInputs } from '../../src/effects/saved/saved-input.ts';
import { printAskSaved } from '../../src/print/ask/ask-saved.ts';
import { systemClock } from '../../src/time/clock.ts';
import { ownFolder } from '../support/own-folder.ts';
import { bench, cellsOf, linesOfText, objectsOf, settledWindow, ZONE } from './support.ts';

/** The keys of the first line and their order, as scripts rely on them. */
const KEYS = [
  'question',
  'verdict',
  'zone',
  'headline',
  'coverage',
  'from',
  'to',
  'command',
  'left',
  'notes',
];

type Head = {
  verdict: 'wrong' | 'calm' | 'unknown';
  zone: string | null;
  headline: string;
  coverage: string;
  command: string | null;
  left: number;
};

type Finding = Record<string, unknown> & { finding: string; command: string | null };

function answerOf(out: string): Head & { findings: Finding[] } {
  const [head, ...findings] = objectsOf(out);
  return { ...(head as Head), findings: findings as Finding[] };
}

/** Saved logs asked as `edgescope ask --file` asks them. */
async function askedOfFile(argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const usage = readCommandLine(argv, import.meta, { name: 'edgescope', version: '0', description: '' });
  assert.ok(usage.ok, usage.ok ? '' : usage.message);
  const line = usage.value;
  const query = parseQuery(line.query, line.subject, Date.now());
  const opened = await openInputs(line.files, null);
  assert.ok(query.ok && opened.ok);
  const texts = { out: '', err: '' };
  const printer = {
    stderr: { write: (text: string) => (texts.err += text) } as never,
    format: line.format ?? ('ndjson' as const),
    clock: systemClock,
    write: async (text: string) => {
      texts.out += text;
    },
    onEnd() {},
    flags: [],
  };
  const code = await printAskSaved(printer, line, query.query, opened.inputs);
  return { code, ...texts };
}

test('the answer and then its findings: their counts are those of the server, and their commands have these rows', async () => {
  const { printed, truth, sim, zone } = bench({ rate: 10 });
  const { args, from, to } = settledWindow(5);
  const rows = truth(from, to);
  const [client] = [...Map.groupBy(rows, ({ entry }) => entry.remoteIp)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  assert.ok(client?.[0]);
  const [ip, own] = client;
  const asked = await printed(['ask', 'through', ZONE, `ip:${ip}`, ...args]);
  assert.equal(asked.code, 0);
  assert.deepEqual(Object.keys(objectsOf(asked.out)[0] ?? {}), KEYS);
  const answer = answerOf(asked.out);
  const good = own.filter(({ entry }) => Number(entry.statusCode) < 400).length;
  assert.ok(
    answer.headline.startsWith(`${good} of ${own.length} requests were answered 2xx or 3xx`),
    answer.headline,
  );
  assert.deepEqual([answer.verdict, answer.zone, answer.left], ['wrong', ZONE, 0]);
  assert.match(answer.command ?? '', new RegExp(`^edgescope ask through ${ZONE} 'from:.* ip:${ip}'$`));
  const cells = answer.findings.filter(({ finding }) => finding === 'answers');
  assert.ok(cells.length > 0);
  for (const { statusClass, cache, requests, isThrough, first, last, command } of cells) {
    const counted = own.filter(
      ({ entry }) =>
        `${Math.floor(Number(entry.statusCode) / 100)}xx` === statusClass && entry.cacheStatus === cache,
    );
    const times = counted.map(({ entry }) => Date.parse(String(entry.timestamp)));
    assert.deepEqual([requests, isThrough], [counted.length, statusClass === '2xx' || statusClass === '3xx']);
    assert.deepEqual(
      [first, last].map((time) => Date.parse(String(time))),
      [Math.min(...times), Math.max(...times)],
    );
    assert.match(command ?? '', new RegExp(`^edgescope logs ${ZONE} 'from:.* ip:${ip} status:\\dxx cache:`));
  }
  // The price is said before it is asked, and is what was sent: the list of zones and the join to Shield apart.
  const [, said] = /: (\d+) requests?/.exec(asked.err) ?? [];
  const sent = asked.requests.filter(({ path }) => /logs|search/.test(path)).length;
  assert.equal(Number(said), sent, asked.err);
  assert.ok(sim.zones.includes(zone));
});

test('the events of Shield are compared where they are asked for, whatever the list of zones says of them', async () => {
  const { printed } = bench();
  const { args } = settledWindow(5);
  const asked = await printed(['ask', 'compare', ZONE, '--shield', ...args]);
  assert.equal(asked.code, 0, asked.err);
  const sent = asked.requests.map(({ path }) => path);
  assert.ok(sent.some((path) => path.includes('/search')) && !sent.some((path) => path.includes('/logs')));
});

test('10 is said of something wrong alone, and only where it is asked for', async () => {
  const { printed, sim } = bench();
  const failing = sim
    .incidents()
    .find(({ kind, to }) => kind === 'originFailure' && to > sim.clock.now() - 60_000);
  const name = sim.zones.find(({ id }) => String(id) === failing?.pullZoneId)?.name ?? '';
  const asked = ['ask', 'misses', name, 'last:10m'];
  const found = await printed([...asked, '--fail-if-found']);
  assert.match(answerOf(found.out).headline, /origin fails: [a-z_]+ \d+ of \d+ since/);
  assert.deepEqual([found.code, (await printed(asked)).code], [10, 0]);
  const calm = settledWindow(5, 60 * 9);
  const nothing = await printed(['ask', 'through', ZONE, 'ip:192.0.2.99', '--fail-if-found', ...calm.args]);
  assert.equal(nothing.code, 0);
  assert.match(answerOf(nothing.out).headline, /^no request of this client$/);
});

test('a bound on requests is kept, and the answer says what was read under it', async () => {
  const { printed } = bench();
  const { code, out, err, requests } = await printed([
    'ask',
    'incidents',
    ZONE,
    'last:1h',
    '--most-requests',
    '4',
  ]);
  assert.equal(code, 0);
  assert.equal(requests.filter(({ path }) => path.includes('/logs')).length, 4);
  assert.match(err, /: 4 of 19 requests$/m);
  const { coverage, verdict } = answerOf(out);
  assert.notEqual(verdict, 'calm');
  assert.match(coverage, /^4 of 16 samples, .*; 4 of 19 requests answered$/);
});

test('requests that fail are in the coverage and the exit code, and nothing is called right for lack of them', async () => {
  const { printed, sim } = bench({ rate: 10 });
  await sim.setFaults([{ match: { host: 'logging' }, fault: { kind: 'serverError' } }]);
  const { code, out, err } = await printed(['ask', 'misses', ZONE, 'last:5m', '--fail-if-found']);
  assert.equal(code, 1);
  const answer = answerOf(out);
  assert.equal(answer.verdict, 'unknown');
  assert.match(answer.headline, /this window is not read yet$/);
  assert.match(answer.coverage, /16 requests failed$/);
  assert.match(err, /16 of 16 requests failed: /);
});

test('an interrupt ends it with what was read, which the answer says', async () => {
  const ended = Promise.withResolvers<number>();
  let sent = 0;
  const onRequest = () => {
    sent += 1;
    if (sent === 12) ended.resolve(130);
  };
  const { printed } = bench({ rate: 5, onRequest });
  const { code, out, err } = await printed(['ask', 'incidents', ZONE, 'last:3h'], {
    onEnd: (callback) => void ended.promise.then(callback),
  });
  assert.equal(code, 130);
  assert.match(err, /interrupted after \d+ of 49 requests; read: \d+ of 46 samples/);
  const answer = answerOf(out);
  assert.match(answer.coverage, /^[1-9]\d* of 46 samples, .*; [1-9]\d* of 49 requests answered$/);
  assert.ok(sent < 20);
});

test('what cannot be asked is wrong usage, with what to do next, and costs no request for a log', async () => {
  const { printed } = bench({ rate: 1 });
  const refused: Record<string, RegExp> = {
    'through last:5m': /through asks about one client: one of ip:/,
    'through ip:192.0.2.1 ua~curl': /one of ip:/,
    'timeline ip:192.0.2.1': /the moment by from:/,
    'timeline id:12*': /is no request id/,
    'misses by:ip': /leave out by:/,
    'misses last:70h': /no earlier window/,
    'misses --from -20m --to -10m --against last:15m': /--against last:15m overlaps/,
    'misses --from -20m --to -10m --against last:40m': /misses are compared with those of one window/,
    rule: /the query says what the rule would stop/,
    'compare last:30h --against 1d,2d': /overlap/,
    'misses last:5m --against 1d,2d': /misses are compared with those of one window/,
  };
  for (const [words, why] of Object.entries(refused)) {
    const [question = '', ...rest] = words.split(' ');
    const { code, err, requests, out } = await printed(['ask', question, ZONE, ...rest]);
    assert.deepEqual([code, out], [2, ''], `${words}: ${err}`);
    assert.match(err, why);
    assert.ok(requests.filter(({ path }) => path.includes('/v2/')).length <= 1, words);
  }
});

test('a saved log answers as the server does, without any request, in every format', async (t) => {
  const directory = ownFolder(t);
  const { printed } = bench({ rate: 20 });
  const { from, to } = settledWindow(10);
  const iso = (time: number) => new Date(time).toISOString();
  const middle = (from + to) / 2;
  const file = join(directory, 'rows.ndjson');
  writeFileSync(file, (await printed(['logs', ZONE, `from:${iso(from)}`, `to:${iso(to)}`])).out);
  const window = [`from:${iso(middle)}`, `to:${iso(to)}`, '--against', `${iso(from)}..${iso(middle)}`];
  const saved = await askedOfFile(['ask', 'compare', '--file', file, ...window]);
  const live = await printed(['ask', 'compare', ZONE, ...window]);
  assert.equal(saved.code, 0);
  assert.match(saved.err, /no request$/m);
  // What comes to the same in a list stands in the order in which it was read.
  const said = (out: string) => {
    const { headline, verdict, findings } = answerOf(out);
    const own = findings.filter(({ finding }) => finding === 'moreFrequent');
    return [
      headline,
      verdict,
      own.map(({ field, value, count, countBefore }) => [field, value, count, countBefore]),
    ];
  };
  assert.deepEqual(said(saved.out), said(live.out));
  assert.equal(answerOf(saved.out).zone, null);
  assert.ok(objectsOf(saved.out).every(({ command }) => command === null || String(command).includes(file)));
  const csv = await askedOfFile(['ask', 'compare', '--file', file, ...window, '--format', 'csv']);
  assert.deepEqual(cellsOf(linesOfText(csv.out)[0] ?? ''), [...KEYS.slice(0, -1), 'finding', 'facts']);
  assert.equal(linesOfText(csv.out).length, linesOfText(saved.out).length + 1);
  const ticket = await askedOfFile(['ask', 'compare', '--file', file, ...window, '--format', 'markdown']);
  assert.match(ticket.out, /^# edgescope: `compare`\n/);
  assert.match(ticket.out, /```sh\nedgescope ask compare --file=.*\n```\n$/);
});

test('why the origin fails and what was changed are printed; a host that refuses them costs an answer about rows nothing', async () => {
  const { printed, sim } = bench({ rate: 2, incidents: true });
  const causes = await printed(['ask', 'causes', ZONE, 'last:24h', '--fail-if-found']);
  assert.match(answerOf(causes.out).headline, /^origin fail(?:s|ed): [a-z_]+ \d/);
  assert.equal(causes.code, 10, causes.err);
  const changes = await printed(['ask', 'changes', ZONE, 'last:40d']);
  assert.equal(changes.code, 0);
  assert.match(answerOf(changes.out).coverage, /only the newest 31 of 41 days asked/);
  assert.match(changes.err, /: 31 requests$/m);
  await sim.setFaults([{ match: { host: 'originErrors' }, fault: { kind: 'serverError' } }]);
  const refused = await printed(['ask', 'causes', ZONE, 'last:1h']);
  assert.equal(refused.code, 1);
  const incidents = await printed(['ask', 'incidents', ZONE, 'last:2h']);
  assert.equal(incidents.code, 0, incidents.err);
});
