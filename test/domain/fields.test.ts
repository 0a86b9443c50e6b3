import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_CAUSES } from '../../src/domain/origin-cause.ts';
import { networkOfAddress } from '../../src/domain/query/address.ts';
import {
  DIRECTIVES,
  fieldIds,
  fieldNamed,
  fieldRow,
  LOG_FIELDS,
  type LogField,
  nearestField,
  SHIELD_FIELDS,
  type ShieldField,
} from '../../src/domain/query/fields.ts';
import { editDistance, nearestNames } from '../../src/domain/query/nearest.ts';
import { parseQuery, printQuery } from '../../src/domain/query/query-text.ts';
import { describeTerm, termForValue } from '../../src/domain/query/terms.ts';
import { EVENT_COLUMNS, SHIELD_DIMENSIONS } from '../../src/domain/shield/shield.ts';
import { recordWith } from '../support/rows.ts';
import { NOW } from './query-cases.ts';

describe('the field tables', () => {
  for (const subject of ['logs', 'shield'] as const) {
    test(`no two fields of ${subject} share a name, and none has the name of a directive`, () => {
      const names = fieldIds(subject).flatMap((id) => [
        id,
        ...(fieldRow(subject, id)?.aliases ?? []).filter((name) => name !== id),
      ]);
      const lower = names.map((name) => name.toLowerCase());
      assert.deepEqual(lower, [...new Set(lower)]);
      for (const directive of Object.keys(DIRECTIVES)) assert.equal(fieldNamed(subject, directive), null);
    });

    test(`every example of ${subject} is a query of its field`, () => {
      for (const id of fieldIds(subject)) {
        const result = parseQuery(fieldRow(subject, id)?.example ?? '', subject, NOW);
        assert.ok(result.ok, id);
        assert.deepEqual(
          result.query.terms.map((term) => term.kind === 'field' && term.field),
          [id],
        );
      }
    });

    test(`every known value of ${subject} is one that its field reads as it stands`, () => {
      for (const id of fieldIds(subject)) {
        const row = fieldRow(subject, id);
        for (const { value } of row?.known ?? []) {
          const reading = row?.read(value);
          assert.ok(reading?.ok, `${id}:${value}`);
          assert.deepEqual(row?.read(reading.value), reading);
        }
      }
    });
  }

  test('every directive example is a query', () => {
    for (const { example } of Object.values(DIRECTIVES)) {
      const line = example.startsWith('to:') ? `from:02:00 ${example}` : example;
      assert.ok(parseQuery(line, 'logs', NOW).ok, example);
    }
  });

  test('the column of a log field is what it gets', () => {
    const record = recordWith({
      asn: '13335',
      referer: 'r',
      contentRange: 'c',
      requestId: 'i',
      ja4Fingerprint: 'j',
      asnOrganization: 'o',
    });
    for (const field of Object.values<LogField>(LOG_FIELDS)) {
      if (field.column === null) continue;
      const held = record[field.column];
      assert.equal(
        field.get(record, NO_CAUSES),
        field.derive ? field.derive(String(held)) : held,
        field.title,
      );
      if (field.derive && field.column !== 'raw')
        assert.equal(field.get({ ...record, [field.column]: null }, NO_CAUSES), null, field.title);
    }
    assert.equal(LOG_FIELDS.page.get(recordWith({ path: '/a/b?c=/d?' })), '/a/b');
  });

  test('an address is of the /24 or the /48 that it is in, also where its end was taken from it', () => {
    const nets = [
      ['192.0.2.7', '192.0.2.0/24'],
      ['192.0.2.*', '192.0.2.0/24'],
      ['::ffff:192.0.2.7', '192.0.2.0/24'],
      ['2001:db8:1:2::9', '2001:db8:1::/48'],
      ['2001:db8:1:2::', '2001:db8:1::/48'],
      ['10.*', null],
      ['unknown', null],
      ['', null],
    ] as const;
    for (const [address, net] of nets) assert.equal(networkOfAddress(address), net, address);
  });

  test('a network is written as it is grouped, or as one of its addresses, and no other length passes for it', () => {
    const told = (line: string) => {
      const read = parseQuery(line, 'logs', NOW);
      return read.ok ? printQuery(read.query) : `${read.error.message}; ${read.error.hint}`;
    };
    assert.equal(told('net:192.0.2.77'), 'net:192.0.2.0/24');
    assert.equal(told('-net:192.0.2.0/24,2001:DB8:1::/48'), '-net:192.0.2.0/24,2001:db8:1::/48');
    assert.equal(
      told('net:10.0.0.0/8'),
      "net: '10.0.0.0/8' is not a /24 or a /48 network; ip:10.0.0.0/8 takes any length",
    );
    assert.match(told('net:192.0.2.16/28'), /ip:192\.0\.2\.16\/28 takes any length/);
    assert.match(told('net:curl'), /192\.0\.2\.0\/24, 2001:db8:1::\/48 or an address$/);
  });

  test('every dimension that the API documents is one to ask by', () => {
    const documented = ['action', 'ruleId', 'ip', 'url', 'ua', 'country', 'asn', 'ja4', 'feature'];
    const known: readonly string[] = SHIELD_DIMENSIONS;
    assert.deepEqual(
      documented.filter((name) => !known.includes(name)),
      [],
    );
  });

  test('a Shield dimension is found by the name of the API, and each has a place of its own among the columns', () => {
    for (const [id, { dimension, derive }] of Object.entries<ShieldField>(SHIELD_FIELDS))
      if (!derive) assert.equal(fieldNamed('shield', dimension), id);
    assert.deepEqual(
      EVENT_COLUMNS.map(({ place }) => place),
      SHIELD_DIMENSIONS.map((_, n) => n + 1),
    );
  });
});

describe('a mistyped name', () => {
  test('is as far away as the edits between', () => {
    assert.equal(editDistance('statsu', 'status'), 1);
    assert.equal(editDistance('', 'abc'), 3);
    assert.equal(editDistance('kitten', 'sitting'), 3);
    assert.equal(editDistance('same', 'same'), 0);
  });

  test('gives the nearest field by its own name, or nothing when none is near', () => {
    assert.equal(nearestField('logs', 'statsu', true), 'status');
    assert.equal(nearestField('logs', 'usragent', true), 'ua');
    assert.equal(nearestField('logs', 'lst', true), 'last');
    assert.equal(nearestField('logs', 'refe', true), 'referer');
    assert.equal(nearestField('logs', 'zzzzzz', true), null);
    assert.deepEqual(nearestNames('foo', ['to', 'from', 'food'], 2), ['food']);
  });
});

describe('a term', () => {
  test('of a cell finds what the cell shows', () => {
    assert.deepEqual(termForValue('logs', 'statusCode', 404, false)?.values, ['404']);
    assert.equal(termForValue('logs', 'ua', null, true)?.values[0], '');
    assert.equal(termForValue('logs', 'rule', '1', false), null);
    for (const subject of ['logs', 'shield'] as const) {
      const into = termForValue(subject, 'net', '192.0.2.0/24', false);
      assert.deepEqual([into?.field, into?.op, into?.values], ['ip', 'cidr', ['192.0.2.0/24']]);
      assert.equal(termForValue(subject, 'net', null, false)?.field, 'net', 'that has no network');
    }
    const anonymised = termForValue('logs', 'ip', '1.2.3.*', false);
    assert.ok(anonymised);
    assert.equal(printQuery({ terms: [anonymised], window: null, groupBy: [] }), 'ip:"1.2.3.\\*"');
  });

  test('reads as a phrase', () => {
    const phrase = (line: string) => {
      const result = parseQuery(line, 'logs', NOW);
      return result.ok ? result.query.terms.map(describeTerm).join('; ') : result.error.message;
    };
    assert.equal(phrase('status:404,5xx -ip:10.0.0.0/8'), 'status is 404 or 5xx; ip is not in 10.0.0.0/8');
    assert.equal(phrase('-ua~"a b" path:/x*'), 'ua does not contain "a b"; path is like /x*');
    assert.equal(
      phrase('ua:"" -ua:* ua:* "union select"'),
      'ua is absent; ua is absent; ua is present; some text contains "union select"',
    );
  });
});
