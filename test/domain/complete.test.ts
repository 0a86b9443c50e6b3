import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { complete } from '../../src/domain/query/complete.ts';
import type { QuerySubject } from '../../src/domain/query/query.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { fc } from '../support/properties.ts';
import { NOW, oddText, RUNS } from './query-cases.ts';

const seen = (field: string): string[] =>
  ({ ip: ['192.0.2.7', '198.51.100.1'], ua: ['curl/8.4.0', 'Mozilla 5.0 "x"'], edge: ['DE', 'NY'] })[field] ??
  [];

/** The lines that the suggestions make of a line in which `|` is the cursor. */
function completed(marked: string, subject: QuerySubject = 'logs'): string[] {
  const cursor = marked.indexOf('|');
  const line = marked.replace('|', '');
  return complete(line, cursor, subject, seen).map(
    ({ from, to, insert }) => line.slice(0, from) + insert + line.slice(to),
  );
}

describe('completion', () => {
  test('quotes what must be quoted, also while the quote is open', () => {
    assert.deepEqual(completed('ua:moz|'), ['ua:"Mozilla 5.0 \\"x\\""']);
    assert.deepEqual(completed('ua:"moz|'), ['ua:"Mozilla 5.0 \\"x\\""']);
  });

  test('whatever is typed, an accepted suggestion for a value makes a word that can be read', () => {
    const names = fc.constantFrom(
      'status:',
      'cache:',
      'ua:',
      'ua~',
      'edge:',
      'ip:',
      'by:',
      'last:',
      '-ip:',
      '',
    );
    fc.assert(
      fc.property(names, oddText, fc.nat(12), (name, odd, at) => {
        const line = name + odd;
        const cursor = Math.min(at, line.length);
        for (const { from, to, insert } of complete(line, cursor, 'logs', seen)) {
          assert.ok(from >= 0 && from <= cursor && to >= cursor && to <= line.length);
          const head = line.slice(0, from) + insert;
          if (name !== '' && from === name.length && !insert.endsWith(':') && !insert.endsWith('~')) {
            assert.ok(parseQuery(head, 'logs', NOW).ok, head);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });
});
