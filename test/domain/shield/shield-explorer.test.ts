import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOG_RETENTION } from '../../../src/domain/log-retention.ts';
import { EMPTY_QUERY, type Query } from '../../../src/domain/query/query.ts';
import { formRows, textOfRow, withRow } from '../../../src/domain/query/query-form.ts';
import { parseQuery, printQuery } from '../../../src/domain/query/query-text.ts';
import { SHIELD_DIMENSIONS, type ShieldEvent, type ShieldGroup } from '../../../src/domain/shield/shield.ts';
import { placedRowColumns } from '../../../src/domain/shield/shield-columns.ts';
import { tableOf, withParts } from '../../../src/domain/shield/shield-groups.ts';
import { isFolded, planGroups, termsInto } from '../../../src/domain/shield/shield-question.ts';
import {
  eventFields,
  NO_ROWS,
  renewedRows,
  rowsOfEvents,
  withDayFields,
  withRows,
} from '../../../src/domain/shield/shield-rows.ts';
import { parseShieldQuery, rangeOf, shifted, zoomed } from '../../../src/domain/shield/shield-window.ts';
import { equalParts } from '../../../src/domain/tail/coverage.ts';
import { eventLabels } from '../../../src/simulator/shield/events.ts';
import type { SimRow } from '../../../src/simulator/traffic/rows.ts';
import { fc } from '../../support/properties.ts';
import { eventWith } from '../../support/rows.ts';
import { RUNS } from '../log-rows.ts';
import { NOW } from '../query-cases.ts';
import { MINUTE, sceneOf } from '../scene.ts';

const HOUR = 3_600_000;

function queryOf(text: string): Query {
  const parsed = parseQuery(text, 'shield', NOW);
  assert.ok(parsed.ok, text);
  return parsed.query;
}

function groupOf(key: ShieldGroup['key'], count: number, at = NOW): ShieldGroup {
  const context = {
    country: 'DE',
    asn: '1',
    blocked: count,
    challenged: 0,
    logged: 0,
    features: ['waf'],
    ruleIds: ['1'],
  };
  return { key, count, firstSeen: at - count, lastSeen: at, context, raw: null };
}

const eventOf = (n: number, more: Partial<ShieldEvent> = {}) =>
  eventWith({ logId: `e${n}`, timestamp: NOW - n, fields: { ip: `192.0.2.${n}` }, ...more });

test('a window that Shield would refuse is an error at its place', () => {
  const long = parseShieldQuery('country:DE last:73h', NOW);
  assert.ok(!long.ok);
  assert.deepEqual([long.error.column, long.error.length], [11, 8]);
  const old = parseShieldQuery('from:2026-07-01 to:2026-07-02', NOW);
  assert.ok(!old.ok);
  assert.match(old.error.hint, /2026-07-29T02:14Z/);
  assert.ok(parseShieldQuery('last:72h', NOW).ok);
});

test('what is asked for lies inside the retention, also at its edge', () => {
  const { from, to } = rangeOf({ kind: 'last', duration: LOG_RETENTION.shield }, NOW);
  assert.ok(from > NOW - LOG_RETENTION.shield);
  assert.equal(to, NOW);
});

test('a window moves by half its length, follows now again at the end, and zooms by the usual spans', () => {
  const hour = { kind: 'last', duration: HOUR } as const;
  const back = shifted(hour, -1, NOW);
  assert.deepEqual(back, { kind: 'absolute', from: NOW - 1.5 * HOUR, to: NOW - HOUR / 2 });
  assert.deepEqual(shifted(back, 1, NOW), hour);
  assert.deepEqual(shifted(back, 1, NOW + 4 * 60_000), hour);
  assert.equal(shifted(back, 1, NOW + HOUR / 4)?.kind, 'absolute');
  assert.equal(shifted(hour, 1, NOW), null);
  assert.deepEqual(zoomed(hour, 'out', NOW), { kind: 'last', duration: 6 * HOUR });
  assert.deepEqual(zoomed(hour, 'in', NOW), { kind: 'last', duration: HOUR / 4 });
  assert.equal(zoomed({ kind: 'last', duration: LOG_RETENTION.shield }, 'out', NOW), null);
});

test('parts of a window meet without a gap', () => {
  const buckets = equalParts({ from: 10, to: 111 }, 12);
  assert.equal(buckets.length, 12);
  assert.deepEqual([buckets[0]?.from, buckets.at(-1)?.to], [10, 111]);
  for (const [i, bucket] of buckets.entries()) if (i > 0) assert.equal(bucket.from, buckets[i - 1]?.to);
});

test('an exclusion on a dimension that is not shown is asked as one more, and its groups are left out of the sums', () => {
  const plan = planGroups(queryOf('-ip:192.0.2.1 country:DE'), ['rule']);
  assert.deepEqual(plan.groupBy, ['ruleId', 'ip']);
  assert.deepEqual(plan.filters, [{ field: 'country', op: 'eq', value: ['DE'] }]);
  const parts = [
    groupOf({ ruleId: 'A', ip: '192.0.2.1' }, 5),
    groupOf({ ruleId: 'A', ip: '192.0.2.2' }, 3),
    groupOf({ ruleId: 'B', ip: '192.0.2.1' }, 2),
  ];
  const table = tableOf(parts, { dims: plan.dims, local: plan.local, sort: 'count', reversed: false });
  assert.deepEqual(
    table.groups.map(({ key, count, context }) => [key, count, context.blocked]),
    [[{ ruleId: 'A' }, 3, 3]],
  );
  assert.deepEqual([table.events, table.hidden], [10, 7]);
});

test('a derived dimension is asked for as what it is derived from, and its groups are added up', () => {
  const plan = planGroups(queryOf('-page:https://a/x'), ['page']);
  assert.deepEqual([plan.groupBy, plan.dims, isFolded(plan)], [['url'], ['page'], true]);
  const parts = [
    groupOf({ url: 'https://a/s?1' }, 5, NOW - 9),
    groupOf({ url: 'https://a/s?2' }, 3, NOW),
    groupOf({ url: 'https://a/x?3' }, 9),
    groupOf({ url: null }, 1),
  ];
  const shape = { dims: plan.dims, local: plan.local, sort: 'count', reversed: false } as const;
  assert.deepEqual(
    tableOf(parts, shape).groups.map(({ key, count, firstSeen, lastSeen }) => [
      key,
      count,
      firstSeen,
      lastSeen,
    ]),
    [
      [{ page: 'https://a/s' }, 8, NOW - 14, NOW],
      [{ page: null }, 1, NOW - 1, NOW],
    ],
  );
  assert.equal(
    isFolded(planGroups(queryOf('country:DE'), ['url', 'page'])),
    false,
    'each group is one of the server',
  );
  assert.deepEqual(termsInto([], ['net'], { net: '192.0.2.0/24' }), [
    { kind: 'field', field: 'ip', op: 'cidr', values: ['192.0.2.0/24'], negated: false },
  ]);
});

test('free text that only rows can tell is named as not in the counts', () => {
  assert.deepEqual(
    planGroups(queryOf('one two -three'), ['rule']).undecided.map(
      (term) => term.kind === 'text' && term.value,
    ),
    ['two', 'three'],
  );
});

test('a part that a shifted page repeats is counted once', () => {
  const parts = withParts(
    [groupOf({ ip: 'a' }, 5)],
    [groupOf({ ip: 'a' }, 6), groupOf({ ip: 'b' }, 1)],
    ['ip'],
  );
  assert.deepEqual(
    parts.map(({ count }) => count),
    [6, 1],
  );
});

test('the way into a group whose value holds a masked secret asks for a pattern', () => {
  assert.deepEqual(termsInto([], ['url'], { url: 'https://a/?token=[masked]' }), [
    { kind: 'field', field: 'url', op: 'wildcard', values: ['https://a/?token=*'], negated: false },
  ]);
});

test('rows that a shifted page repeats are shown once, and exclusions hide without dropping', () => {
  const { terms } = queryOf('-ip:192.0.2.2');
  const first = withRows(NO_ROWS, rowsOfEvents([eventOf(1), eventOf(2)]), terms);
  const both = withRows(first, rowsOfEvents([eventOf(2), eventOf(3)]), terms);
  assert.deepEqual(
    both.rows.map((row) => row.id),
    ['e1', 'e2', 'e3'],
  );
  assert.deepEqual(
    both.shown.map((row) => row.id),
    ['e1', 'e3'],
  );
});

test('events without an id are kept apart from their twins', () => {
  const twins = rowsOfEvents([eventOf(1, { logId: null }), eventOf(1, { logId: null })]);
  assert.equal(withRows(NO_ROWS, twins, []).rows.length, 2);
});

test('a newer page comes on top; what left the window goes, but not the row under the cursor', () => {
  const before = withRows(NO_ROWS, rowsOfEvents([eventOf(10), eventOf(50), eventOf(60)]), []);
  const after = renewedRows(
    before,
    rowsOfEvents([eventOf(1), eventOf(10)]),
    { from: NOW - 40, meets: true, kept: before.rows[2] ?? null },
    [],
  );
  assert.deepEqual(
    after.rows.map((row) => row.id),
    ['e1', 'e10', 'e60'],
  );
});

test('a day read answers to the dimensions of the search', () => {
  const scene = sceneOf('shop-frontend');
  const { from } = scene.incident('layer7Attack');
  const to = from + 2 * MINUTE;
  const rows = scene.rows(from, to).filter(({ rule }) => rule !== null);
  assert.ok(rows.length > 20);
  scene.events(from, to).forEach((event, n) => {
    const labels = eventLabels(rows[n] as SimRow);
    const features = new Map([[event.fields['ruleId'] ?? '', event.fields['feature'] ?? '']]);
    const { fields } = withDayFields({ ...event, fields: labels }, features);
    for (const name of SHIELD_DIMENSIONS) assert.equal(fields[name] ?? '', event.fields[name], name);
  });
});

test('the columns of events fill every terminal, and the URL, which takes what the others leave, is the last', () => {
  for (let columns = 60; columns < 250; columns++) {
    const placed = placedRowColumns(columns, 12);
    assert.equal(placed.at(-1)?.dimension, 'url');
    assert.equal(
      placed.reduce((sum, { width }) => sum + 1 + width, 1 + 12),
      columns,
    );
  }
});

test('an event shows rule text, match, headers, body and what nobody documents', () => {
  const [row] = rowsOfEvents([
    eventOf(1, {
      fields: { ruleId: 'R', ip: '192.0.2.1', newThing: 'x' },
      log: {
        Message: 'from the log',
        TriggerMatch: { Key: '@rx', Value: 'union' },
        Headers: [{ Name: 'Host', Value: 'a.example' }],
        UrlEncodedBody: 'a=b',
        Depth: { Of: [1, { More: null }] },
      },
    }),
  ]);
  assert.ok(row);
  const rules = new Map([
    ['R', { ruleId: 'R', description: 'SQL injection', group: 'SQLi', ruleset: 'core' }],
  ]);
  const fields = Object.fromEntries(eventFields(row, rules).map(({ name, value }) => [name, value]));
  assert.equal(fields['rule text'], 'SQL injection');
  assert.equal(fields['message'], 'from the log');
  assert.equal(fields['matched'], 'union');
  assert.equal(fields['header Host'], 'a.example');
  assert.equal(fields['body'], 'a=b');
  assert.equal(fields['newThing'], 'x');
  assert.equal(fields['log.Depth.Of[0]'], '1');
  assert.equal(fields['log.Depth.Of[1].More'], 'null');
});

test('form and line are in step: every row of the form reads back as it is, and all changes print and parse', () => {
  const term = fc.constantFrom(
    'ip:192.0.2.7',
    'ip:10.0.0.0/8,192.0.2.7',
    'ip:2001:db8::1',
    '-country:CN,RU',
    'ua~curl',
    'url:/login*',
    '"union select"',
    '-probe',
    'asn:13335',
    'rule:AGD-U455',
    'action:blocked',
    'ja4:""',
    'ua:*',
  );
  const window = fc.constantFrom('', 'last:15m', 'from:2026-08-01T01:00Z to:2026-08-01T02:00Z');
  const by = fc.constantFrom('', 'by:ip', 'by:rule,asn,ip');
  const lines = fc.tuple(fc.array(term, { maxLength: 5 }), window, by);
  fc.assert(
    fc.property(
      lines,
      fc.array(fc.tuple(fc.nat(9), fc.nat(1)), { maxLength: 12 }),
      ([terms, w, b], changes) => {
        let query = queryOf([...terms, w, b].join(' '));
        for (const row of formRows(query)) {
          if (row.kind === 'add') continue;
          assert.deepEqual(withRow(query, row, queryOf(textOfRow(query, row))), query);
        }
        for (const [at, what] of changes) {
          const row = formRows(query)[at % formRows(query).length];
          const old = row?.kind === 'term' ? query.terms[row.at] : undefined;
          if (!row) continue;
          if (what === 0) query = withRow(query, row, EMPTY_QUERY);
          else if (row.kind === 'term' && old) {
            query = { ...query, terms: query.terms.with(row.at, { ...old, negated: !old.negated }) };
          }
          assert.deepEqual(queryOf(printQuery(query)), query);
        }
      },
    ),
    { numRuns: RUNS },
  );
});
