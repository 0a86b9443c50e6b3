import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Change, startsIn } from '../../../src/domain/evidence/change.ts';
import { diffOf } from '../../../src/domain/evidence/diff.ts';
import type { OriginError } from '../../../src/domain/evidence/origin-error.ts';
import { originBeginnings } from '../../../src/domain/evidence/origin-tally.ts';
import { failureOf } from '../../../src/domain/failure.ts';
import type { AnswerRow } from '../../../src/domain/inquiry/answer-table.ts';
import type { Inquiry, Met, Need } from '../../../src/domain/inquiry/inquiry.ts';
import { noTraffic } from '../../../src/domain/logs/sums/traffic.ts';
import { EMPTY_QUERY, type Query } from '../../../src/domain/query/query.ts';
import { parseQuery } from '../../../src/domain/query/query-text.ts';
import { namesBy } from '../../../src/domain/questions/evidence/ask-changes.ts';
import { unlistedZone } from '../../../src/domain/zone.ts';
import { asking } from './ask-scene.ts';

const DAY = Date.UTC(2026, 7, 20);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const zone = unlistedZone({ id: '7', name: 'shop' });
const nameOf = namesBy([zone]);
const range = { from: DAY + 2 * HOUR, to: DAY + 3 * HOUR };
const refused: Met = {
  kind: 'failed',
  failure: failureOf('forbidden', { host: 'errors.example', status: 403 }),
};

const errors = (n: number, from: number, parts: Partial<OriginError> = {}): OriginError[] =>
  Array.from({ length: n }, (_, i) => ({
    logId: null,
    timestamp: from + i * 1_000,
    url: '/checkout?x=1',
    code: 'dns_lookup',
    status: 502,
    edge: 'DE',
    message: null,
    raw: null,
    ...parts,
  }));

const change = (timestamp: number, parts: Partial<Change> = {}): Change => ({
  timestamp,
  product: 'CDN',
  resourceType: 'PullZone',
  resourceId: '7',
  action: 'Update',
  actorId: 'ops@example.com',
  actorType: 'User',
  diff: diffOf('OriginUrl: https://a.example -> https://b.example'),
  ...parts,
});

function told(inquiry: Inquiry, answers: (need: Need) => Met | null): Inquiry {
  for (const need of inquiry.needs) {
    const met = answers(need);
    if (met) inquiry.add(need, met);
  }
  return inquiry;
}

const causes = ({ terms }: Query = EMPTY_QUERY) => asking('causes', { zones: [zone], terms, range, nameOf });
const sectionOf = (inquiry: Inquiry, title: RegExp) =>
  inquiry.table().sections.find((section) => title.test(section.title));

const termsBehind = (row: AnswerRow | undefined) =>
  row?.leads?.query.terms.map((term) =>
    term.kind === 'field' ? `${term.field}:${term.values.join(',')}` : '',
  );

const FAILING = [
  ...errors(60, range.to - 20 * MINUTE),
  ...errors(20, range.to - 20 * MINUTE, { code: 'http_timeout', status: 504, edge: 'NY', url: '/' }),
];

const answers = (need: Need): Met | null => {
  if (need.kind === 'originErrors') return { kind: need.kind, value: { errors: FAILING, unread: 1 } };
  if (need.kind !== 'changes') return null;
  const changes = [change(range.to - 24 * MINUTE), change(range.to - 24 * MINUTE, { resourceId: '8' })];
  return { kind: need.kind, value: { changes, next: null, unread: 0 } };
};

test('why an origin fails is told by its errors, since when, and by a change of the zone right before', () => {
  const inquiry = told(causes(), answers);
  const { headline, coverage, verdict } = inquiry.table();
  assert.equal(
    headline,
    'origin failed: dns_lookup 60 of 80 at 02:40; the name of the origin was not found; changed 4m before: OriginUrl of PullZone shop',
  );
  assert.equal(verdict, 'wrong');
  assert.match(
    coverage,
    /^origin errors: 1 of 1 day read; changes: 1 of 1 day read; .*1 origin error without a time/,
  );
  const [first] = sectionOf(inquiry, /by cause/)?.rows ?? [];
  assert.deepEqual(first?.cells.slice(0, 4), ['dns_lookup', '60', '75.0%', '08-20 02:40']);
  assert.deepEqual(
    sectionOf(inquiry, /by page/)?.rows.map(({ cells }) => [cells[0], cells[3]]),
    [
      ['60', '/checkout'],
      ['20', '/'],
    ],
  );
  assert.deepEqual(termsBehind(first), ['cause:dns_lookup']);
  // Of the change of another zone at the same time nothing is said.
  assert.equal(sectionOf(inquiry, /right before/)?.rows.length, 2);
  assert.equal(sectionOf(inquiry, /the newest first/)?.rows.length, 80);
  assert.deepEqual(inquiry.rest(), []);
});

test('a filter applies to what errors tell, and the coverage says what of it does not', () => {
  const parsed = parseQuery('edge:NY country:DE', 'logs', range.to);
  assert.ok(parsed.ok);
  const { headline, coverage } = told(causes(parsed.query), answers).table();
  assert.match(headline, /^origin failed: http_timeout 20 of 20/);
  assert.match(coverage, /1 term of the filter left out/);
});

test('an error of a status that is no 5xx leads to all rows of its time: none of them can be told to have it', () => {
  const inquiry = told(causes(), (need) =>
    need.kind === 'originErrors'
      ? {
          kind: need.kind,
          value: {
            errors: [
              ...errors(3, range.from, { code: 'http_invalid_range', status: 416 }),
              ...errors(2, range.from, { code: '', status: null }),
            ],
            unread: 0,
          },
        }
      : answers(need),
  );
  assert.deepEqual(sectionOf(inquiry, /by cause/)?.rows.map(termsBehind), [[], ['cause:no code']]);
});

test('what was refused costs its own lines, and says what to do', () => {
  const half = told(causes(), (need) => (need.kind === 'changes' ? refused : answers(need)));
  assert.match(half.table().headline, /^origin failed: dns_lookup 60 of 80/);
  assert.match(
    half.table().coverage,
    /changes: 0 of 1 day read.*changes not read: errors.example forbids this/,
  );
  assert.deepEqual(
    half.rest().map(({ kind }) => kind),
    ['changes'],
  );
  const other = told(causes(), (need) => (need.kind === 'changes' ? answers(need) : refused));
  assert.match(other.table().headline, /^origin errors not read: errors.example forbids this \(HTTP 403\)/);
  assert.equal(other.table().verdict, 'unknown');
});

test('no error is told as no more than that, and nothing is said before anything was read', () => {
  const none = told(causes(), (need) =>
    need.kind === 'originErrors' ? { kind: need.kind, value: { errors: [], unread: 0 } } : null,
  );
  assert.match(none.table().headline, /^no origin error was reported of these times/);
  assert.notEqual(none.table().verdict, 'calm');
  assert.equal(causes().table().headline, 'why does the origin fail?');
});

test('stray errors are no beginning, nor is an edge of what was told', () => {
  const begin = range.to - 20 * MINUTE;
  const strays = Array.from({ length: 15 }, (_, n) =>
    errors(1, DAY + n * 12 * MINUTE, { code: 'http_timeout' }),
  ).flat();
  const at = (told: readonly OriginError[], from = DAY) => originBeginnings(told, { from, to: range.to });
  assert.deepEqual(at(strays), []);
  const one = errors(1, begin - 5 * MINUTE);
  assert.deepEqual(at([...strays, ...one, ...errors(60, begin)]), [{ at: begin, code: 'dns_lookup' }]);
  assert.deepEqual(at(errors(60, begin), begin - MINUTE), []);
});

test('changes are listed by zone, those right before a beginning marked; of other zones none is blamed', () => {
  const starts = [{ at: range.to - 20 * MINUTE, what: '5xx rose' }];
  const of = (name: string, id: string) =>
    told(
      asking('changes', {
        ...{ zones: [unlistedZone({ id, name })], range: { from: DAY, to: range.to }, starts, nameOf },
      }),
      answers,
    ).table();
  const own = of('shop', '7');
  assert.equal(
    own.headline,
    'changed 4m before: OriginUrl of PullZone shop; 1 change of shop, 1 of the rest of the account',
  );
  assert.deepEqual(
    own.sections.map(({ title, rows }) => [title, rows.map(({ cells, tone }) => [cells[1], cells[2], tone])]),
    [
      [
        'of shop',
        [
          ['4m', 'Update PullZone shop by ops@example.com', 'bad'],
          ['', '  OriginUrl: https://a.example -> https://b.example', 'bad'],
        ],
      ],
      [
        'of the rest of the account',
        [
          ['', 'elsewhere: Update PullZone 8 by ops@example.com', 'faint'],
          ['', '  OriginUrl: https://a.example -> https://b.example', 'faint'],
        ],
      ],
    ],
  );
  // A change is one finding, of however many lines it is on screen.
  const [shop] = own.sections;
  assert.deepEqual(
    [shop?.rows.map((row) => row.of), shop?.findings.all, own.verdict],
    [[0, 0], 1, 'unknown'],
  );
  const { finding, before, fields, isOwn } = shop?.findings.at(0).facts ?? {};
  assert.deepEqual(
    [finding, isOwn, before, fields],
    [
      'changes',
      true,
      { what: '5xx rose', at: new Date(range.to - 20 * MINUTE).toISOString(), seconds: 240 },
      [{ field: 'OriginUrl', old: 'https://a.example', now: 'https://b.example' }],
    ],
  );
  const other = of('news', '9');
  assert.match(other.headline, /^0 changes of news, 2 of the rest/);
  assert.equal(other.sections[0]?.note, 'no change of it is recorded');
});

test('where errors rose and the hit ratio fell is a beginning, but not where the time begins', () => {
  const bucket = (i: number, errorCount: number, hits: number) => ({
    ...noTraffic(),
    from: DAY + i * MINUTE,
    to: DAY + (i + 1) * MINUTE,
    requests: 100,
    errors: errorCount,
    edgeRequests: hits,
    originRequests: 100 - hits,
  });
  const calm = [1, 2, 3, 4, 5].map((i) => bucket(i, 1, 80));
  assert.deepEqual(startsIn([...calm, bucket(6, 30, 80), bucket(7, 30, 80), bucket(8, 1, 40)]), [
    { at: DAY + 6 * MINUTE, what: '5xx rose' },
    { at: DAY + 8 * MINUTE, what: 'misses rose' },
  ]);
  assert.deepEqual(startsIn([bucket(0, 30, 80), ...calm]), []);
  assert.deepEqual(startsIn([]), []);
});
