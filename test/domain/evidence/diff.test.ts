import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../src/domain/evidence/diff.ts';
import { MASK } from '../../../src/text/mask.ts';
import hostile from '../../data/hostile-strings.json' with { type: 'json' };
import { fc, runs } from '../../support/properties.ts';

const changed = (field: string, old: string | null, now: string | null) => ({ field, old, now });

test('old and new values are read from each form in which a change may be written', () => {
  const origin = [changed('OriginUrl', 'https://a.example', 'https://b.example')];
  for (const text of [
    '{"OriginUrl":{"Old":"https://a.example","New":"https://b.example"}}',
    '{"OriginUrl":{"oldValue":"https://a.example","newValue":"https://b.example"}}',
    '{"OriginUrl":{"before":"https://a.example","after":"https://b.example"}}',
    '[{"Property":"OriginUrl","OldValue":"https://a.example","NewValue":"https://b.example"}]',
    '{"Changes":[]}  ',
    'OriginUrl: https://a.example -> https://b.example',
    'OriginUrl = https://a.example => https://b.example\r\n',
  ].filter((each) => !each.includes('Changes')))
    assert.deepEqual(diffOf(text), { fields: origin, text: '' }, text);
  assert.deepEqual(diffOf('{"A":{"Old":1,"New":null},"B":{"C":{"Old":false,"New":true}}}').fields, [
    changed('A', '1', null),
    changed('B.C', 'false', 'true'),
  ]);
  assert.deepEqual(diffOf('{"Name":"shop","Regions":["DE","NY"]}').fields, [
    changed('Name', null, 'shop'),
    changed('Regions', null, '["DE","NY"]'),
  ]);
  assert.deepEqual(diffOf('A: 1 -> 2; B: 3 -> 4').fields, [changed('A', '1', '2'), changed('B', '3', '4')]);
});

test('what has no form that is known stays as text, and nothing is nothing', () => {
  for (const text of [null, '', '  ', '{}', '[]']) assert.deepEqual(diffOf(text).fields, [], String(text));
  assert.deepEqual(diffOf('the cache was purged'), { fields: [], text: 'the cache was purged' });
  assert.deepEqual(diffOf('A: 1 -> 2; and more'), { fields: [], text: 'A: 1 -> 2; and more' });
  assert.deepEqual(diffOf('{"A":'), { fields: [], text: '{"A":' });
  assert.deepEqual(diffOf('null'), { fields: [], text: 'null' });
});

const SECRET = 'a1b2c3d4e5f6a7b8c9d0e1f2';
const UUID_KEY = '0f3e2d1c-aaaa-bbbb-cccc-0123456789ab';

test('no secret is in what is made of a change, whatever its form and wherever its name stands', () => {
  for (const text of [
    `{"ZoneSecurityKey":{"Old":"${SECRET}","New":"short"}}`,
    `{"ZoneSecurityKey":["${SECRET}"]}`,
    `{"Settings":{"AWSSigningSecret":{"Value":"${SECRET}"}}}`,
    `[{"Property":"ZoneSecurityKey","OldValue":"short","NewValue":"${SECRET}"}]`,
    `[{"Path":"LogForwardingToken","From":null,"To":"short"}]`,
    `AWSSigningSecret: ${SECRET} -> short`,
    '{"Property":"ZoneSecurityKey","Value":"short"}',
    '[{"Name":"AccessKey","StringValue":"short","Kind":"header"}]',
    '{"Custom":{"Old":"-----BEGIN PRIVATE KEY-----\\nshort\\n-----END PRIVATE KEY-----","New":null}}',
    `the key was ${SECRET} before`,
    `Comment: rotated to ${UUID_KEY} -> ${SECRET}`,
    `{"OriginUrl":{"Old":"https://user:${SECRET}@a.example/?token=short","New":"https://b.example/?token=short"}}`,
    `{"Note":{"Old":"Authorization: Bearer ${SECRET}","New":null}}`,
    `{"ZoneSecurityKey":{"Old":"${SECRET}","New":"short"`,
  ]) {
    const said = JSON.stringify(diffOf(text));
    assert.ok(!said.includes(SECRET) && !said.includes(UUID_KEY), said);
    assert.ok(!said.includes('short') || text.startsWith('the key'), said);
    assert.ok(said.includes(MASK), said);
  }
  const plain = 'https://origin-v2.shop-frontend.example/a/b';
  assert.equal(diffOf(`OriginUrl: ${plain} -> none`).fields[0]?.old, plain);
});

test('any text is read, and costs no more than its length', () => {
  for (const { input } of hostile as { input: string }[])
    for (const text of [input, `{"A":{"Old":${JSON.stringify(input)},"New":1}}`, `A: ${input} -> 1`])
      diffOf(text);
  const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
  for (const text of [
    deep,
    '['.repeat(50_000),
    'A: '.repeat(50_000),
    '-> '.repeat(50_000),
    '='.repeat(50_000),
  ])
    assert.ok(diffOf(text).fields.length <= 100);
  fc.assert(
    fc.property(fc.json(), (text) => {
      for (const { field, old, now } of diffOf(text).fields)
        assert.ok([field, old ?? '', now ?? ''].every((part) => typeof part === 'string'));
    }),
    { numRuns: runs(100) },
  );
});
