import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, inspect } from 'node:util';
import { Secret } from '../../src/text/secret.ts';

const VALUE = 'canary-3f9c1a7e-do-not-show';
const secret = new Secret(VALUE);

test('a secret is told from another by the first eight digits of its SHA-256', () => {
  assert.equal(new Secret('abc').fingerprint, 'ba7816bf');
  assert.equal(String(new Secret('abc')), '[secret ba7816bf]');
});

test('a secret gives its value to reveal alone', () => {
  assert.equal(secret.reveal(), VALUE);
});

const leaks: Record<string, () => string> = {
  'a template': () => `${secret}`,
  'string addition': () => `x${secret as unknown as string}`,
  'JSON, also inside an object': () => JSON.stringify({ a: [secret], b: secret }),
  'an inspection of everything hidden': () =>
    inspect({ a: secret, b: [secret] }, { depth: null, showHidden: true, getters: true }),
  'an inspection without custom inspectors': () =>
    inspect(secret, { customInspect: false, showHidden: true, getters: false }),
  'console formatting': () => format('%s %o %O %j %d', secret, secret, secret, secret, secret),
  'a spread': () => inspect({ ...secret }),
  'an assignment': () => inspect(Object.assign({}, secret)),
  'a structured clone': () => inspect(structuredClone(secret), { customInspect: false, showHidden: true }),
  'property names and entries': () =>
    JSON.stringify([Reflect.ownKeys(secret), Object.entries(secret), Object.values(secret)]),
  'an error that names it': () => inspect(new Error(`bad key ${secret}`, { cause: secret })),
  'an assertion that fails on it': () => {
    try {
      assert.deepEqual({ key: secret }, { key: null });
      return '';
    } catch (error) {
      return inspect(error);
    }
  },
  'a failed call on it': () => {
    try {
      (secret as unknown as { nothing(): void }).nothing();
      return '';
    } catch (error) {
      return inspect(error);
    }
  },
};

for (const [way, print] of Object.entries(leaks)) {
  test(`a secret does not leak through ${way}`, () => {
    const printed = print();
    assert.ok(printed.length > 0);
    assert.ok(!printed.includes(VALUE), printed);
  });
}

test('nothing can be written into a secret or over it', () => {
  assert.throws(() => Object.assign(secret, { toString: () => VALUE }), TypeError);
});
