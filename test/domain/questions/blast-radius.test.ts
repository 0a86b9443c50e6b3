import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientKeys, clientsActedOn } from '../../../src/domain/clients/client-identity.ts';
import type { LogRecord } from '../../../src/domain/log.ts';
import { createRowCounter } from '../../../src/domain/logs/counted/count-rows.ts';
import type { QuerySubject } from '../../../src/domain/query/query.ts';
import { parseQuery } from '../../../src/domain/query/query-text.ts';
import { describeTerm } from '../../../src/domain/query/terms.ts';
import {
  draftRule,
  type RuleDraft,
  radiusOf as radiusOfCounts,
  trialCounting,
} from '../../../src/domain/questions/rules/ask-blast-radius.ts';
import type { ShieldEvent } from '../../../src/domain/shield/shield.ts';
import type { Anonymisation } from '../../../src/domain/zone.ts';
import type { SimRow } from '../../../src/simulator/traffic/rows.ts';
import { fc } from '../../support/properties.ts';
import { anyRecord, RUNS } from '../log-rows.ts';
import { MINUTE, NOON, sceneOf } from '../scene.ts';

function draft(text: string, subject: QuerySubject = 'logs') {
  const parsed = parseQuery(text, subject, NOON);
  assert.ok(parsed.ok, text);
  return draftRule(parsed.query.terms);
}

function radiusOf(
  rule: RuleDraft,
  events: readonly ShieldEvent[],
  records: readonly LogRecord[],
  anonymisation: Anonymisation = 'none',
) {
  const counter = createRowCounter({ terms: [], anonymisation, of: trialCounting(rule) });
  for (const record of records) counter.add(record);
  const suspects = new Set(clientsActedOn(events, anonymisation).keys());
  return radiusOfCounts(counter.counts(), suspects, clientKeys(anonymisation));
}

test('a filter reads as a rule, without what no rule can go by', () => {
  const rule = draft('ip:198.18.0.0/20 ja4:t13d* -country:DE status:5xx cache:MISS "union select"');
  assert.deepEqual(rule.terms.map(describeTerm), [
    'ip is in 198.18.0.0/20',
    'ja4 is like t13d*',
    'country is not DE',
  ]);
  assert.deepEqual(
    rule.left.map(({ why }) => why),
    [
      'status is known only of the answer, or of one request',
      'cache is known only of the answer, or of one request',
      'free text looks into answers too; name the field it stands in',
    ],
  );
  assert.deepEqual(
    draft('rule:942100 action:blocked', 'shield').left.map(({ why }) => why),
    [
      'rule is what Shield made of a request, nothing that the request brings',
      'action is what Shield made of a request, nothing that the request brings',
    ],
  );
});

test('what a rule would hit of good traffic is what a recount of the log says', () => {
  const shop = sceneOf('shop-frontend');
  const { from, to, cause } = shop.incident('layer7Attack');
  const rows = shop.rows(from - 5 * MINUTE, to);
  const suspects = new Set(rows.filter(({ rule }) => rule !== null).map(({ client }) => client.ip));
  const good = rows.filter(({ client, status }) => !suspects.has(client.ip) && status >= 200 && status < 400);
  const clients = (some: readonly SimRow[]) => new Set(some.map(({ client }) => client.ip)).size;
  const records = shop.records(from - 5 * MINUTE, to);
  const events = shop.events(from - 5 * MINUTE, to);
  const third = Number(cause['ip']?.[0]?.split('.')[2]);
  const cases: [string, (each: SimRow) => boolean][] = [
    [`ja4:${cause['ja4']?.[0]}`, ({ client }) => client.ja4 === cause['ja4']?.[0]],
    [
      `ip:${cause['ip']?.[0]}`,
      ({ client }) =>
        client.ip.startsWith(cause['ip']?.[0]?.split('.').slice(0, 2).join('.') ?? '') &&
        Math.floor(Number(client.ip.split('.')[2]) / 16) * 16 === third,
    ],
    ['country:US', ({ client }) => client.country === 'US'],
    ['path:/search*', ({ path }) => path.startsWith('/search')],
  ];
  for (const [text, isHit] of cases) {
    const { values: _, isCut, ...radius } = radiusOf(draft(text), events, records);
    assert.equal(isCut, false);
    const hit = rows.filter(isHit);
    const goodHit = good.filter(isHit);
    assert.deepEqual(
      radius,
      {
        read: rows.length,
        hit: hit.length,
        good: good.length,
        goodHit: goodHit.length,
        goodClients: clients(good),
        goodClientsHit: clients(goodHit),
        suspect: rows.filter(({ client }) => suspects.has(client.ip)).length,
        suspectHit: hit.filter(({ client }) => suspects.has(client.ip)).length,
        anonymous: 0,
      },
      text,
    );
  }
});

test('in a zone that drops addresses nobody is known, so that all that is answered well counts as good', () => {
  const docs = sceneOf('docs-site', 200);
  const [from, to] = [NOON - 30 * MINUTE, NOON - 10 * MINUTE];
  const [events, records] = [docs.events(from, to), docs.records(from, to)];
  const { suspect, good, anonymous, goodClients } = radiusOf(draft('path:*'), events, records, 'drop');
  assert.ok(events.length > 0);
  assert.deepEqual([suspect, anonymous, goodClients], [0, good, 0]);
  assert.equal(good, docs.rows(from, to).filter(({ status }) => status >= 200 && status < 400).length);
});

test('what is hit is never more than what there is', () => {
  fc.assert(
    fc.property(
      fc.array(anyRecord),
      fc.constantFrom('ip:192.0.2.7', '-asn:13335', 'url~login'),
      (records, text) => {
        const r = radiusOf(draft(text), [], records);
        assert.ok(r.goodHit <= r.good && r.goodHit <= r.hit && r.good + r.suspect <= r.read);
        assert.ok(r.goodClientsHit <= r.goodClients && r.goodClients + r.anonymous <= r.good);
        assert.equal(
          r.good,
          records.filter(({ statusCode }) => statusCode >= 200 && statusCode < 400).length,
        );
      },
    ),
    { numRuns: RUNS },
  );
});
