import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordFields } from '../../src/domain/logs/record-fields.ts';
import { termMatcher } from '../../src/domain/query/match.ts';
import { termForValue } from '../../src/domain/query/terms.ts';
import { row } from './log-rows.ts';

const FULL = row({
  referer: 'https://example.org/',
  ja4Fingerprint: 't13d1516h2_8daaf6152771_02713d6af862',
  contentRange: 'bytes 0-99/1000',
  authorizationHeader: '[masked]',
  raw: '{"odd":1}',
});

test('a row is found by every line of its detail for which the query language has a field', () => {
  const lines = recordFields(FULL);
  assert.deepEqual(
    lines.filter(({ field }) => field === null).map(({ name }) => name),
    ['timestamp', 'bodyBytesSent', 'authorizationHeader', 'as it came'],
  );
  for (const { field, value } of lines) {
    if (field === null) continue;
    const term = termForValue('logs', field, value, false);
    assert.ok(term, field);
    assert.ok(termMatcher(term)(FULL), field);
  }
});
