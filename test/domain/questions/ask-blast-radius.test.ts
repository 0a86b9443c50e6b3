import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QuerySubject } from '../../../src/domain/query/query.ts';
import { parseQuery } from '../../../src/domain/query/query-text.ts';
import { describeTerm } from '../../../src/domain/query/terms.ts';
import { draftRule } from '../../../src/domain/questions/rules/ask-blast-radius.ts';
import type { SimRow } from '../../../src/simulator/traffic/rows.ts';
import { NOON, type Scene, sceneOf } from '../scene.ts';
import { answered, asking } from './ask-scene.ts';

const shop = sceneOf('shop-frontend', 4);
const attack = shop.incident('layer7Attack');

function inquiryOf(scene: Scene, text: string, shieldZoneId = scene.zone.shieldZoneId ?? null) {
  const parsed = parseQuery(text, 'logs', NOON);
  assert.ok(parsed.ok, text);
  const { from, to } = attack;
  return asking('rule', {
    zones: [scene.zone],
    shieldZoneId,
    terms: parsed.query.terms,
    range: { from, to },
  });
}

const rows = shop.rows(attack.from, attack.to);
const acted = new Set(rows.filter(({ rule }) => rule !== null).map(({ client }) => client.ip));
const isFine = ({ status }: SimRow) => status >= 200 && status < 400;
const good = rows.filter((row) => !acted.has(row.client.ip) && isFine(row));
const clients = (some: readonly SimRow[]) => new Set(some.map(({ client }) => client.ip)).size;
const numbers = (cells: readonly string[]) =>
  cells.slice(1, 3).map((cell) => Number(cell.replaceAll(',', '')));

/** An inquiry that has asked for all that there is to ask. */
function whole(text: string) {
  const inquiry = answered(inquiryOf(shop, text), shop);
  return answered(inquiry, shop, inquiry.rest());
}

test('what a rule would hit of good and bad traffic is what a recount of the log says, by page and country too', () => {
  const isHit = ({ path }: SimRow) => path.startsWith('/search');
  const hit = good.filter(isHit);
  assert.ok(hit.length > 20);
  const table = whole('path:/search*').table();
  assert.equal(
    table.headline.replaceAll(',', ''),
    `would also hit ${hit.length} of ${good.length} good requests of ${clients(hit)} of ${clients(good)} clients`,
  );
  const sums = table.sections.find(({ title }) => title.startsWith('what it would hit'));
  const bad = rows.filter(({ client }) => acted.has(client.ip));
  const others = rows.length - good.length - bad.length;
  assert.deepEqual(
    sums?.rows.map(({ cells }) => numbers(cells)),
    [
      [hit.length, good.length],
      [clients(hit), clients(good)],
      [bad.filter(isHit).length, bad.length],
      [rows.filter(isHit).length - hit.length - bad.filter(isHit).length, others],
    ],
  );
  const countries = table.sections.find(({ title }) => title === 'good requests hit, by country');
  assert.ok((countries?.rows.length ?? 0) > 1);
  for (const { cells } of countries?.rows ?? []) {
    assert.equal(Number(cells[0]), hit.filter(({ client }) => client.country === cells[1]).length, cells[1]);
  }
});

test('the cause of an attack hits no good request, and says what of the filter was left out', () => {
  const table = whole(`ja4:${attack.cause['ja4']?.[0]} status:2xx`).table();
  assert.match(table.headline, /^would also hit 0 of /);
  assert.equal(table.verdict, 'calm');
  assert.deepEqual(
    table.sections
      .find(({ title }) => title.startsWith('what of the filter'))
      ?.rows.map(({ cells }) => cells),
    [['status:2xx', 'status is known only of the answer, or of one request']],
  );
  const [conditions] = table.sections;
  assert.match(conditions?.note ?? '', /never applies a rule/);
  assert.deepEqual(
    conditions?.rows.map(({ cells }) => cells[0]),
    [`whose ja4 is ${attack.cause['ja4']?.[0]}`],
  );
});

test('as long as bad clients are unread the good hits are only a most, and the rest is asked for', () => {
  const inquiry = answered(inquiryOf(shop, 'path:/search*'), shop);
  assert.ok(acted.size > 500);
  assert.equal(inquiry.needs.length, 5);
  assert.match(inquiry.table().headline, /^would also hit at most /);
  assert.match(
    inquiry.table().coverage,
    new RegExp(`500 of ${acted.size.toLocaleString('en')} bad clients$`),
  );
  assert.equal(inquiry.rest().length, Math.ceil(acted.size / 500) - 1);
  assert.match(answered(inquiry, shop, inquiry.rest()).table().headline, /^would also hit \d/);
});

test('without Shield no client is flagged, and that is said', () => {
  const parsed = parseQuery('path:/search*', 'logs', NOON);
  assert.ok(parsed.ok);
  const range = { from: attack.from, to: attack.to };
  const inquiry = asking('rule', { zones: [shop.zone], terms: parsed.query.terms, range });
  assert.ok(inquiry.needs.every(({ kind }) => kind === 'logs'));
  const { coverage, headline } = answered(inquiry, shop).table();
  assert.match(coverage, /no Shield: no client flagged$/);
  assert.match(headline.replaceAll(',', ''), new RegExp(`of ${rows.filter(isFine).length} good requests`));
});

test('a row of a value leads to the requests that the rule would hit there', () => {
  const table = whole('path:/search*').table();
  const pages = table.sections.find(({ title }) => title === 'good requests hit, by page');
  const [first] = pages?.rows ?? [];
  assert.deepEqual(
    first?.leads?.query.terms.map((term) => term.kind === 'field' && term.field),
    ['path', 'page'],
  );
  assert.equal(first?.value?.field, 'page');
});

test('a filter reads as a rule, without what no rule can go by', () => {
  const draft = (text: string, subject: QuerySubject = 'logs') => {
    const parsed = parseQuery(text, subject, NOON);
    assert.ok(parsed.ok, text);
    return draftRule(parsed.query.terms);
  };
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
