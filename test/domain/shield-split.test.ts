import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { describeTerm } from '../../src/domain/query/terms.ts';
import { splitForShield } from '../../src/domain/shield/shield-split.ts';
import { NOW } from './query-cases.ts';

function split(line: string) {
  const result = parseQuery(line, 'shield', NOW);
  assert.ok(result.ok, line);
  const { local, ...asked } = splitForShield(result.query.terms);
  return { ...asked, local: local.map(describeTerm) };
}

test('Shield is asked for what it can decide, by its own names', () => {
  assert.deepEqual(
    split('rule:942100 country:CN,RU ip:10.0.0.0/8,192.0.2.7 ua~curl url:/a* "union select"'),
    {
      query: 'union select',
      filters: [
        { field: 'ruleId', op: 'eq', value: ['942100'] },
        { field: 'country', op: 'in', value: ['CN', 'RU'] },
        { field: 'ip', op: 'cidr', value: ['10.0.0.0/8', '192.0.2.7/32'] },
        { field: 'ua', op: 'contains', value: ['curl'] },
        { field: 'url', op: 'wildcard', value: ['/a*'] },
      ],
      local: [],
    },
  );
});

test('exclusions, absence and a second free text are left to decide here', () => {
  assert.deepEqual(split('-ip:192.0.2.7 ua:"" ja4:* one two -three'), {
    query: 'one',
    filters: [],
    local: [
      'ip is not 192.0.2.7',
      'ua is absent',
      'ja4 is present',
      'some text contains "two"',
      'no text contains "three"',
    ],
  });
});
