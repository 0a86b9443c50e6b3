import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../../src/domain/failure.ts';
import { type Scene, sceneOf } from '../scene.ts';
import { answered, asking, figuresOf, metBy } from './ask-scene.ts';

const gateway = sceneOf('api-gateway');
const misfire = gateway.incident('wafMisfire');

function inquiryOf({ zone }: Scene, { from, to }: { from: number; to: number }, known: number | null = 0) {
  const shieldZoneId = zone.shieldZoneId ?? '';
  return asking('false-positives', { zones: [zone], shieldZoneId, range: { from, to }, events: known });
}

/** By the simulator's own rows: events, clients, and clients with a 2xx that no rule looked at. */
function recount(scene: Scene, ruleId: string, { from, to }: { from: number; to: number }): number[] {
  const rows = scene.rows(from, to);
  const own = rows.filter(({ rule }) => rule?.ruleId === ruleId);
  const clients = new Set(own.map(({ client }) => client.ip));
  const clean = rows.filter(({ rule, status }) => rule === null && status >= 200 && status < 300);
  const good = new Set(clean.map(({ client }) => client.ip));
  return [own.length, clients.size, [...clients].filter((ip) => good.has(ip)).length];
}

test('the rule that misfires comes first with the counts of a recount, whatever the order of the answers', () => {
  const table = answered(inquiryOf(gateway, misfire), gateway).table();
  const [ranking] = table.sections;
  const [first] = ranking?.rows ?? [];
  const ruleId = misfire.cause['ruleId']?.[0] ?? '';
  assert.equal(first?.cells[0], ruleId);
  assert.deepEqual(first?.cells.slice(1, 4).map(Number), recount(gateway, ruleId, misfire));
  assert.equal(first?.cells[6], 'misfire');
  for (const { cells } of ranking?.rows ?? []) {
    assert.deepEqual(cells.slice(1, 4).map(Number), recount(gateway, cells[0] ?? '', misfire), cells[0]);
  }
  assert.match(table.headline, new RegExp(`^rule ${ruleId}: `));
  assert.ok(table.sections.some(({ title }) => title === `rule ${ruleId} looks like misfire`));
});

test('what the worst rule matched adds up to its events that tell it', () => {
  const table = answered(inquiryOf(gateway, misfire), gateway).table();
  const fragments = table.sections.find(({ title }) => title.startsWith('what rule 942100 matched'));
  const told = /as ([\d,]+) of its/.exec(fragments?.title ?? '')?.[1];
  const events = gateway
    .events(misfire.from, misfire.to)
    .filter(({ fields }) => fields['ruleId'] === '942100');
  assert.equal(Number(told), events.length);
  const counts = (fragments?.rows ?? []).map(({ cells }) => Number(cells[0]));
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => b - a),
  );
});

test('nobody is called clean before the events were heard, and a failed search is asked again', () => {
  const inquiry = inquiryOf(gateway, misfire);
  const [search, ...slices] = inquiry.needs;
  assert.ok(search?.kind === 'shield');
  answered(inquiry, gateway, slices);
  assert.deepEqual(inquiry.table().sections, []);
  inquiry.add(search, { kind: 'failed', failure: failureOf('serverError', {}) });
  assert.match(inquiry.table().coverage, /^events not read; /);
  assert.deepEqual(inquiry.rest(), [search]);
  answered(inquiry, gateway, inquiry.rest());
  assert.equal(inquiry.table().sections[0]?.rows[0]?.cells[0], '942100');
  assert.deepEqual(inquiry.rest(), []);
});

test('more events than one search tells are said and asked for, and then nothing differs from reading all at once', () => {
  const shop = sceneOf('shop-frontend', 4);
  const attack = shop.incident('layer7Attack');
  const events = shop.events(attack.from, attack.to).length;
  assert.ok(events > 500);
  const inquiry = answered(inquiryOf(shop, attack), shop);
  assert.match(inquiry.table().coverage, new RegExp(`^500 of ${events.toLocaleString('en')} events; `));
  const rest = inquiry.rest();
  assert.equal(rest.length, Math.ceil(events / 500) - 1);
  for (const need of rest) inquiry.add(need, metBy(shop, need));
  const whole = answered(inquiryOf(shop, attack, events), shop);
  assert.deepEqual(figuresOf(inquiry.table()), figuresOf(whole.table()));
  assert.equal(inquiry.table().coverage, whole.table().coverage);
  assert.deepEqual(inquiry.rest(), []);
});

test('a reading has a most, and says when it stops there', () => {
  const calm = sceneOf('shop-frontend');
  const attack = calm.incident('layer7Attack');
  const shop: Scene = {
    ...calm,
    events: (from, to) => Array.from({ length: 15 }, () => calm.events(from, to)).flat(),
  };
  assert.ok(shop.events(attack.from, attack.to).length > 10_000);
  const inquiry = answered(inquiryOf(shop, attack), shop);
  answered(inquiry, shop, inquiry.rest());
  assert.match(inquiry.table().coverage, /^10,000 of [\d,]+ events, the most that is read; /);
  assert.deepEqual(inquiry.rest(), []);
});
