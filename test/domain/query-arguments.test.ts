import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery, printQuery, queryOfArguments } from '../../src/domain/query/query-text.ts';
import { NOW } from './query-cases.ts';

test('arguments from which the shell took the quotes are the terms that were written', () => {
  const cases: [string[], string][] = [
    [['status:5xx', 'ua~curl'], 'status:5xx ua~curl'],
    [['union select'], '"union select"'],
    [['-union select'], '-"union select"'],
    [['ua~Mozilla 5.0', '-path:/a b'], 'ua~"Mozilla 5.0" -path:"/a b"'],
    [['status:5xx ua~curl'], 'status:5xx ua~curl'],
    [['status:5xx curl'], 'status:5xx curl'],
    [['last:15m by:ip'], 'last:15m by:ip'],
    [['"union select" ip:192.0.2.7'], '"union select" ip:192.0.2.7'],
    [['C:\\new x'], '"C:\\\\new x"'],
    [[], ''],
  ];
  for (const [args, expected] of cases) {
    const result = parseQuery(queryOfArguments(args, 'logs'), 'logs', NOW);
    assert.ok(result.ok, args.join('|'));
    assert.equal(printQuery(result.query), expected);
  }
});
