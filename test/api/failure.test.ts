import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, failureOfStatus } from '../../src/api/http/response.ts';
import {
  exitCodeOf,
  explain,
  FAILURES,
  type FailureKind,
  failureOf,
  mayHaveArrived,
} from '../../src/domain/failure.ts';
import { sourceFiles } from '../support/source.ts';

const KINDS = Object.keys(FAILURES) as FailureKind[];

test('every failure has sentences of its own, complete and filled in', () => {
  const seen = new Set<string>();
  for (const kind of KINDS) {
    for (const parts of [
      {},
      { host: 'logs.example', status: 418, detail: 'said', retryAt: Date.UTC(2026, 7, 1, 2, 3, 4) },
    ]) {
      const words = explain(failureOf(kind, parts));
      for (const sentence of [words.what, words.meaning, words.next]) {
        assert.doesNotMatch(sentence, /[{}]|null|undefined|NaN/, kind);
        assert.ok(sentence.length > 8, kind);
      }
    }
    seen.add(FAILURES[kind].what).add(FAILURES[kind].meaning);
  }
  assert.equal(seen.size, 2 * KINDS.length);
});

test('the next try is told in seconds, or as a time of day', () => {
  const failure = failureOf('rateLimited', { host: 'logs.example', retryAt: 20_400 });
  assert.match(explain(failure, 12_000).next, /in 9 s\.$/);
  assert.match(explain(failure, 30_000).next, /now\.$/);
  assert.match(explain(failure).next, /at 00:00:20 UTC\.$/);
});

test('the words of the server are told apart from ours, even with a dollar in them', () => {
  assert.equal(
    explain(
      failureOf('invalidRequest', {
        host: 'a.example',
        status: 400,
        detail: "$& $' {host}",
        field: 'OriginUrl',
      }),
    ).what,
    "a.example does not accept the request (HTTP 400). Field OriginUrl. It says: $& $' {host}",
  );
});

test('logging that is off says where it is switched on, and an unknown 403 names both reasons', () => {
  assert.match(explain(failureOf('loggingDisabled', { status: 404 })).next, /pull zone → Logging/);
  assert.match(explain(failureOf('forbidden', { status: 403 })).meaning, /key.*suspended/);
});

test('the columns of a row agree with each other', () => {
  for (const kind of KINDS) {
    const { next, meaning, what, traits } = FAILURES[kind];
    const isRateLimit = traits.retry === 'freeze';
    assert.deepEqual([traits.exit === 4, traits.tail === 'rateLimited'], [isRateLimit, isRateLimit], kind);
    if (traits.retry !== undefined) assert.ok(!['refused', 'denied'].includes(traits.tail), kind);
    if (traits.exit === 3) {
      assert.match(`${what} ${meaning} ${next}`, /key|password/i, kind);
      assert.equal(traits.tail, 'denied', kind);
    }
    if (traits.exit === 2) assert.deepEqual([traits.arrived, traits.retry], ['no', undefined], kind);
    // Nothing was heard of a server that was not reached, and one that refused did not fail.
    if (traits.arrived === 'no') assert.ok(!['server', 'content'].includes(traits.blames), kind);
    if (traits.arrived === 'refused') assert.equal(traits.blames, 'request', kind);
    if (traits.blames === 'address') assert.equal(traits.arrived, 'no', kind);
    assert.equal(mayHaveArrived(failureOf(kind)), traits.arrived === 'maybe', kind);
    assert.equal(exitCodeOf(failureOf(kind)), traits.exit, kind);
  }
});

test('exit codes tell credentials and rate limits from other failures', () => {
  const codes = Object.groupBy(KINDS, (kind) => String(exitCodeOf(failureOf(kind))));
  assert.deepEqual(codes['3'], ['noKey', 'refusedKey', 'refusedPassword', 'forbidden', 'storeRefused']);
  assert.deepEqual(codes['4'], ['rateLimited']);
  assert.deepEqual(codes['2'], ['insecure', 'readOnly']);
  assert.deepEqual(codes['130'], ['cancelled']);
});

test('only what surely never arrived, or was surely refused, leaves a write undone', () => {
  for (const kind of ['timeout', 'connectionLost', 'serverError', 'unreadable', 'cancelled'] as const) {
    assert.equal(mayHaveArrived(failureOf(kind)), true, kind);
  }
  for (const kind of ['readOnly', 'dns', 'tls', 'invalidRequest', 'refusedKey', 'rateLimited'] as const) {
    assert.equal(mayHaveArrived(failureOf(kind)), false, kind);
  }
});

test('each sign of an answer means one failure, and brings it with the wait that its row heeds', () => {
  const seen = new Set<string | number>();
  for (const kind of KINDS) {
    const {
      signs = [],
      traits: { retry },
    } = FAILURES[kind];
    for (const sign of signs) {
      assert.ok(!seen.has(sign), `${sign}`);
      seen.add(sign);
      const failure = failureOfStatus(
        typeof sign === 'number' ? answerOf(sign, '') : answerOf(400, sign.toUpperCase()),
      );
      assert.equal(failure?.kind, kind, `${sign}`);
      assert.equal(failure.retryAt, retry === 'told' || retry === 'freeze' ? 7_000 : null, `${sign}`);
    }
  }
});

test('an error code that nobody knows says nothing, whatever every object has by that name', () => {
  for (const code of ['odd', 'constructor', '__proto__', '404']) {
    assert.equal(failureOfStatus(answerOf(400, code))?.kind, 'invalidRequest', code);
    assert.equal(failureOfStatus(answerOf(404, code))?.kind, 'notFound', code);
    assert.equal(failureOfStatus(answerOf(500, code))?.kind, 'serverError', code);
  }
});

test('no file but its table lists failures: what one of them needs is a column', () => {
  const name = `(?:${KINDS.join('|')})`;
  const beside = `'${name}'(?:,|[^',\n]*(?:\\|\\||&&)[^',\n]*)\\s*'${name}'`;
  const listed = new RegExp(`${beside}|\\b${name}: .*\\n\\s*${name}: `);
  assert.match("kind === 'dns' || kind === 'tls'", listed);
  assert.match("new Set([\n  'dns',\n  'tls',\n])", listed);
  assert.match('{\n  dns: OFFLINE,\n  tls: REFUSED,\n}', listed);
  const lists = sourceFiles('src').filter(
    ({ path, text }) => path !== 'src/domain/failure.ts' && listed.test(text),
  );
  assert.deepEqual(
    lists.map(({ path }) => path),
    [],
  );
});

/** An answer that asks for 7 s. */
function answerOf(status: number, code: string): Answer {
  return {
    host: 'logs.example',
    status,
    headers: { 'retry-after': '7' },
    bytes: Buffer.from(JSON.stringify({ error: { code, message: '', details: null } })),
    sentAt: 0,
    receivedAt: 0,
    scrub: (text) => text,
  };
}
