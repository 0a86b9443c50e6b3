import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  exitCodeOf,
  explain,
  FAILURES,
  type FailureKind,
  failureOf,
  mayHaveArrived,
} from '../../src/domain/failure.ts';

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

test('exit codes tell credentials and rate limits from other failures', () => {
  const codes = Object.groupBy(KINDS, (kind) => String(exitCodeOf(failureOf(kind))));
  assert.deepEqual(codes['3'], ['noKey', 'refusedKey', 'forbidden']);
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
