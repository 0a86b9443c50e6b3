import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BypassField } from '../../../src/domain/clients/client-identity.ts';
import { bypassInquiry, bypassQuestion } from '../../../src/domain/questions/clients/ask-bypass.ts';
import { termsInto } from '../../../src/domain/shield/shield-question.ts';
import type { IncidentKind } from '../../../src/simulator/traffic/incidents.ts';
import { sceneOf } from '../scene.ts';
import { answered } from './ask-scene.ts';

const shop = sceneOf('shop-frontend', 4);
const COLUMNS = { ja4: 'ja4Fingerprint', ip: 'remoteIp', asn: 'asn' } as const;

function asked(field: BypassField, value: string, range: { from: number; to: number }, isShield: boolean) {
  const question = bypassQuestion(field, value, shop.zone);
  assert.ok(question.ok);
  const shield = isShield
    ? { shieldZoneId: shop.zone.shieldZoneId ?? '', terms: termsInto([], [field], { [field]: value }) }
    : null;
  return bypassInquiry({ asked: [{ zone: shop.zone, question }], left: [], range, shield });
}

test('the client of each planted incident is told by its look, with the numbers of a recount, from either log', () => {
  const cases: [IncidentKind, keyof typeof COLUMNS, string][] = [
    ['layer7Attack', 'ja4', 'botnet'],
    ['scanner', 'asn', 'scanner'],
    ['credentialStuffing', 'ja4', 'stuffing'],
  ];
  for (const [kind, field, tag] of cases) {
    const { from, to, cause } = shop.incident(kind);
    const value = cause[field]?.[0] ?? '';
    const requests = shop.records(from, to).filter((record) => record[COLUMNS[field]] === value);
    const events = shop.events(from, to).filter(({ fields }) => fields[field] === value);
    for (const isShield of [false, true]) {
      const inquiry = answered(asked(field, value, { from, to }, isShield), shop);
      answered(inquiry, shop, inquiry.rest());
      const { headline, sections } = inquiry.table();
      assert.match(headline, new RegExp(`; ${tag}$`), kind);
      assert.ok(sections.some(({ title }) => title === `this client looks like ${tag}`));
      const note = sections.at(-1)?.note?.replaceAll(',', '') ?? '';
      assert.match(
        note,
        new RegExp(`judged by ${requests.length} requests and ${isShield ? events.length : 0} events`),
      );
    }
  }
});

test('an ordinary client looks like nothing typical, and no word is lost on that', () => {
  const { from, to, cause } = shop.incident('scanner');
  const planted = new Set(cause['ip']);
  const [other] = shop
    .records(from, to)
    .filter(({ remoteIp }) => remoteIp !== null && !planted.has(remoteIp));
  const inquiry = answered(asked('ip', other?.remoteIp ?? '', { from, to }, false), shop);
  const { headline, sections } = inquiry.table();
  assert.doesNotMatch(headline, /;/);
  assert.deepEqual(
    sections.map(({ findings }) => findings.name),
    ['answers'],
  );
});
