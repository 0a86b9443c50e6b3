import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agent, settled } from '../mcp/support.ts';
import { changedAnswers } from '../support/changed-answers.ts';
import { CREDENTIALS } from '../support/credentials.ts';
import { MemoryStore } from './memory-store.ts';
import { bench, MINUTE, settledWindow, ZONE } from './support.ts';

/** What finds its row or group, and what others than visitors write: names and settings of zones. */
const KEPT = /^(?:pullZoneId|PullZoneId|requestId|logId|resourceId|ResourceType|timestamp)$/;
const OF_OWNERS = /^\/(?:pullzone|shield\/shield-zone|shield\/waf|storagezone)/;

/** A server on whose every text a visitor has put a credential, of each kind in turn. */
function withCredentials() {
  let next = 0;
  const between = changedAnswers((text, name, path) => {
    if (KEPT.test(name) || OF_OWNERS.test(path)) return text;
    next += 1;
    const [before, secret] = CREDENTIALS[next % CREDENTIALS.length] as (typeof CREDENTIALS)[number];
    // Base64 has signs that end a parameter of a URL, where nothing else does.
    return name === 'url' || name === 'path' ? `${text}/${before}${secret}` : `${text} ${before}${secret}`;
  });
  return { between, put: () => next };
}

function assertNone(text: string, what: string): void {
  for (const [, secret] of CREDENTIALS) {
    const at = text.indexOf(secret);
    assert.ok(at < 0, `${what}: ${text.slice(Math.max(0, at - 200), at + 100)}`);
  }
}

test('no credential that a visitor wrote leaves in any format of any command', async () => {
  const { between, put } = withCredentials();
  const { printed } = bench({ rate: 2, between, incidents: true });
  const window = settledWindow(1).args;
  const longer = settledWindow(10).args;
  const listed = [
    ['logs', ZONE, ...window],
    ['logs', ZONE, 'by:ua,path,cache', ...window],
    ['shield', ZONE, ...window],
    ['shield', ZONE, 'by:rule,country', ...window],
  ].flatMap((args) => ['ndjson', 'csv', 'table'].map((format) => [...args, '--format', format]));
  const questions = ['causes', 'changes', 'wrong'].map((question) => ['ask', question, ZONE, ...longer]);
  let lines = 0;
  for (const args of [...listed, ...questions]) {
    const { out, err } = await printed([...args, '--limit', '200']);
    assertNone(out, args.join(' '));
    assertNone(err, args.join(' '));
    lines += out.split('\n').length;
  }
  assert.ok(lines > 500, `${lines} lines`);
  assert.ok(put() > 10_000, `${put()} credentials`);
});

test('no credential that a visitor wrote reaches an agent', async (t) => {
  const { between } = withCredentials();
  const { call } = await agent(t, { most: 200, between });
  const calls: [string, object][] = [
    ['logs', { zone: ZONE, query: settled(1), limit: 100 }],
    ['logs', { zone: ZONE, query: `${settled(1)} by:path,ua,host` }],
    ['shield', { zone: ZONE, query: settled(10) }],
    ['ask', { question: 'misses', zone: ZONE, query: settled(2) }],
    ['ask', { question: 'causes', zone: ZONE, query: 'last:3h' }],
    ['changes', { zone: ZONE, query: 'last:24h' }],
  ];
  for (const [name, args] of calls) {
    const { text, untrusted } = await call(name, args);
    assert.ok(untrusted.rows.length > 0, `${name}: ${text}`);
    assertNone(text, name);
  }
});

test('no credential that a visitor wrote is stored', async () => {
  const { between } = withCredentials();
  const { sim, zone, printed } = bench({ rate: 0.5, between });
  const store = new MemoryStore();
  const from = Math.floor(sim.clock.now() / MINUTE) * MINUTE - 15 * MINUTE;
  store.notes.push({ zone: String(zone.id), from: 0, to: from, state: 'read', missing: null, mark: 0 });
  await printed(['keep', ZONE], {
    history: async () => ({ ok: true, value: store.open }),
    onEnd: (callback) => void sim.clock.after(3 * MINUTE, () => callback(130)),
  });
  assert.ok(store.rows.size > 100, String(store.rows.size));
  assertNone(JSON.stringify([...store.rows.values()]), 'stored rows');
});
