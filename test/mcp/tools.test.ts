import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCommandLine } from '../../src/config/command/command-line.ts';
import { fieldIds } from '../../src/domain/query/fields.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { bench, objectsOf, ZONE } from '../print/support.ts';
import { shellWords } from '../support/shells.ts';
import { agent, settled } from './support.ts';

const PACKAGE = { name: 'edgescope', version: '0', description: '' };

/** A call of each tool whose answer does not change while time passes. */
const CALLS: Readonly<Record<string, object>> = {
  health: { zones: [ZONE, 'checkout'] },
  ask: { question: 'misses', zone: ZONE, query: settled(4) },
  shield: { zone: ZONE, query: settled(30) },
  logs: { zone: ZONE, query: `${settled(2)} status:4xx by:status,path` },
  zones: {},
  changes: { zone: ZONE, query: settled(2) },
  storage: { zone: 'press-images' },
};

test('there are at most eight tools; each says that it only reads, and what it costs', async (t) => {
  const { official } = await agent(t);
  const { tools } = await official.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    Object.keys(TOOLS),
  );
  assert.deepEqual(Object.keys(CALLS), Object.keys(TOOLS));
  assert.ok(tools.length <= 8);
  for (const { name, description = '', annotations } of tools) {
    assert.match(description, /\. Price: \S/, name);
    assert.deepEqual([annotations?.readOnlyHint, annotations?.destructiveHint], [true, false], name);
  }
  assert.match(official.getInstructions() ?? '', /Nothing can be changed/);
});

test('an answer is whole where all was read and no row can still come, and a sample never is', async (t) => {
  const wholeOf = async (question: string, query: string, rate = 5) => {
    const { call } = await agent(t, { rate });
    const asked = { question, zone: ZONE, query, limit: 100, requests: 50 };
    const { coverage, outcome } = await call('ask', asked);
    assert.equal(outcome, 'fine');
    return coverage?.isWhole;
  };
  for (const [question, term] of [
    ['misses', ''],
    ['through', ' country:DE'],
  ] as const) {
    assert.equal(await wholeOf(question, `${settled(2)}${term}`), true, question);
    assert.equal(await wholeOf(question, `last:2m${term}`), false, question);
  }
  assert.equal(await wholeOf('causes', 'last:2m'), false);
  assert.equal(await wholeOf('wrong', settled(15), 20), false);
});

test('every result says what it covers, what it cost, and the command that repeats it', async (t) => {
  const { call, sim } = await agent(t);
  let left = 61;
  for (const [name, args] of Object.entries(CALLS)) {
    const before = sim.stats().requests;
    const given = await call(name, args);
    assert.equal(given.outcome, 'fine', `${name}: ${given.untrusted.said}`);
    assert.ok(given.coverage !== null && given.untrusted.rows.length > 0, name);
    assert.equal(given.price.requests, sim.stats().requests - before, name);
    left -= given.price.requests;
    assert.deepEqual(given.price, { requests: given.price.requests, left, ofSession: 61 }, name);
    const [program, ...words] = shellWords(given.command ?? '') ?? [];
    const usage = readCommandLine(words, import.meta, PACKAGE);
    const wanted = name === 'changes' ? 'ask' : name;
    assert.ok(usage.ok && program === 'edgescope' && usage.value.command === wanted, given.command ?? name);
  }
});

test('the command of a result prints what the result has', async (t) => {
  const { call } = await agent(t);
  const { printed } = bench();
  for (const args of [CALLS['logs'] ?? {}, { zone: ZONE, query: `${settled(1)} -cache:HIT`, limit: 7 }]) {
    const { command, untrusted } = await call('logs', args);
    const [, ...words] = shellWords(command ?? '') ?? [];
    const rows = objectsOf((await printed(words)).out);
    assert.equal(rows.length, untrusted.rows.length);
    const told = (row: Record<string, unknown>) => [row['count'], row['requestId'], row['path']];
    assert.deepEqual(untrusted.rows.map(told), rows.map(told));
  }
});

test('a zone may be the number that results give, and an argument that a tool does not have is refused', async (t) => {
  const { call, official, sim } = await agent(t);
  const zone = sim.zones.find(({ name }) => name === ZONE);
  const query = settled(1);
  const [byNumber, byName] = [
    await call('logs', { zone: zone?.id, query, limit: 3 }),
    await call('logs', { zone: ZONE, query, limit: 3 }),
  ];
  assert.deepEqual(byNumber.untrusted.rows, byName.untrusted.rows);
  assert.equal((await call('health', { zones: [zone?.id] })).coverage?.read, 1);
  const before = sim.stats().requests;
  const { tools } = await official.listTools();
  for (const { name, inputSchema } of tools) {
    assert.equal(inputSchema['additionalProperties'], false, name);
    const asked = official.callTool({ name, arguments: { ...CALLS[name], colour: 'red' } });
    const { isError, content } = await sim.ended(asked);
    assert.equal(isError, true, name);
    assert.match(JSON.stringify(content), /colour/, 'the error names it');
  }
  assert.equal(sim.stats().requests, before, 'and costs nothing');
});

test('the schemas say by which fields a query asks', async (t) => {
  const { official } = await agent(t);
  const { tools } = await official.listTools();
  const said = (tool: string) => JSON.stringify(tools.find(({ name }) => name === tool)?.inputSchema);
  for (const field of fieldIds('logs')) assert.ok(said('logs').includes(field), field);
  for (const field of fieldIds('shield')) assert.ok(said('shield').includes(field), field);
});

/** Characters of JSON that a token holds at least, on average. */
const OF_A_TOKEN = 3;

test('answers with many findings end before 2,500 tokens unless more are asked for', async (t) => {
  for (const question of ['causes', 'compare', 'misses', 'incidents']) {
    const { call } = await agent(t);
    const zone = 'mobile-api';
    const { text, untrusted, coverage } = await call('ask', { question, zone, query: 'last:30m' });
    assert.ok(text.length / OF_A_TOKEN < 2_500, `${question}: ${text.length} characters`);
    const left = untrusted.rows[0]?.['left'];
    assert.ok(left === undefined || left === 0 || coverage?.isWhole === false, question);
  }
  const { call } = await agent(t);
  const all = await call('ask', { question: 'causes', zone: 'mobile-api', query: 'last:30m', limit: 40 });
  assert.equal(all.untrusted.rows.length, 41);
});

test('nothing is sent but what reads, although the account and the client could write', async (t) => {
  const { call, sim } = await agent(t, { most: 200 });
  for (const [name, args] of Object.entries(CALLS)) await call(name, args);
  // Words that would be options, changes or files, had they been taken for such.
  const crooked = [
    '--write',
    '-f',
    '--debug=/tmp/x',
    'press-images set OriginUrl=https://x',
    'set',
    "a' --write",
  ];
  for (const word of crooked) {
    const asked = call('storage', { zone: word });
    if (word.startsWith('-')) await assert.rejects(asked, word);
    else await asked;
    await call('logs', { zone: ZONE, query: `${settled(1)} "${word}"`, limit: 1 });
    await call('health', { zones: [`${ZONE}`, word] }).catch(() => null);
  }
  const posts = Object.keys(sim.stats().posts).filter(
    (path) => !/^\/shield\/event-logs\/\d+\/search$/.test(path),
  );
  assert.deepEqual(posts, []);
  assert.ok(Object.keys(sim.stats().posts).length > 0, 'the searches were counted');
});

test('a query that cannot be read is refused with what is wrong with it, and costs nothing', async (t) => {
  const { call } = await agent(t);
  const given = await call('logs', { zone: ZONE, query: 'colour:red' });
  assert.deepEqual([given.isError, given.outcome, given.price.requests], [true, 'wrong usage', 0]);
  assert.match(given.refused ?? '', /no field 'colour'/, 'the words of the program are no text of strangers');
  assert.deepEqual(given.untrusted.said, []);
  const unknown = await call('logs', { zone: 'no-such-zone' });
  assert.equal(unknown.isError, true);
  assert.match(unknown.remarks?.join() ?? '', /^no zone is called 'no-such-zone'/);
  assert.deepEqual(unknown.untrusted.said, []);
  // Names are given by whoever owns the zones.
  const near = await call('logs', { zone: 'shop-frontent' });
  assert.deepEqual(near.remarks, ["no zone is called 'shop-frontent'"]);
  assert.match(near.untrusted.said.join(), /^nearest: shop-frontend/);
});

test('what was cut short says so: a limit, a failure, a window that rows may still come into', async (t) => {
  const { call, sim } = await agent(t);
  const whole = await call('logs', { zone: ZONE, query: `${settled(1)} by:status` });
  assert.equal(whole.coverage?.isWhole, true);
  const limited = await call('logs', { zone: ZONE, query: `${settled(1)} by:status`, limit: 1 });
  assert.deepEqual([limited.coverage?.isWhole, limited.coverage?.given], [false, 1]);
  const recent = await call('logs', { zone: ZONE, query: 'last:1m by:status' });
  assert.equal(recent.coverage?.isWhole, false);
  assert.match(recent.remarks?.join() ?? '', /may still come/);
  await sim.setFaults([{ match: { host: 'logging' }, fault: { kind: 'serverError' } }]);
  const failed = await call('logs', { zone: ZONE, query: `${settled(2)} by:status` });
  assert.deepEqual([failed.isError, failed.coverage?.isWhole, failed.coverage?.gaps], [true, false, 1]);
});

test('rows that did not fit into a result are counted, and it is not called whole', async (t) => {
  const { call } = await agent(t, { rate: 20 });
  const { coverage, untrusted } = await call('logs', { zone: 'checkout', query: settled(1.5), limit: 100 });
  assert.ok(coverage !== null && coverage.rowsLeftOut > 0 && coverage.gaps === 0);
  assert.equal(coverage.given, untrusted.rows.length);
  assert.equal(coverage.read, coverage.given + coverage.rowsLeftOut);
  assert.equal(coverage.isWhole, false);
  assert.deepEqual(untrusted.said, []);
});

test('the list of zones is asked for once in five minutes', async (t) => {
  const { call, clock } = await agent(t);
  const prices: number[] = [];
  for (const _ of [1, 2]) prices.push((await call('zones')).price.requests);
  await clock.advance(5 * 60_000);
  prices.push((await call('zones')).price.requests);
  assert.deepEqual(prices, [2, 0, 2]);
});

test('a question that was clear before its plan was through covers what it asked', async (t) => {
  const { call } = await agent(t);
  const { coverage, price } = await call('ask', { question: 'wrong', zone: 'mobile-api', query: 'last:15m' });
  assert.equal(coverage?.['read'], coverage?.['total']);
  assert.ok(Number(coverage?.['total']) < 25 && price.requests <= 27, JSON.stringify([coverage, price]));
});
