import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import ipaddr from 'ipaddr.js';
import { addressTest, parseNetwork, printNetwork } from '../../src/domain/query/address.ts';
import { fc } from '../support/properties.ts';
import { RUNS } from './query-cases.ts';

const v4 = fc.ipV4();
const v6 = fc.ipV6();
const printed = (text: string) => {
  const network = parseNetwork(text);
  return network && printNetwork(network);
};

describe('addresses', () => {
  test('host bits of a network are cleared, impossible lengths refused', () => {
    assert.equal(printed('10.1.2.3/8'), '10.0.0.0/8');
    assert.equal(printed('2001:db8:1::/33'), '2001:db8::/33');
    assert.equal(printed('1.2.3.4/0'), '0.0.0.0/0');
    for (const text of [
      '1.2.3.4/33',
      '::/129',
      '1.2.3.4/',
      '1.2.3.4/a',
      '/8',
      '1.2.3.4/8/8',
      '::ffff:1.2.3.4/20',
    ]) {
      assert.equal(printed(text), null, text);
    }
  });

  test('an address lies in a network exactly when ipaddr.js says so', () => {
    const near = fc.tuple(fc.oneof(v4, v6), fc.nat(128), fc.option(fc.nat(127)));
    fc.assert(
      fc.property(near, fc.oneof(v4, v6), ([base, length, flipped], stranger) => {
        const network = ipaddr.process(base);
        const bits = network.toByteArray().length * 8;
        const prefix = length % (bits + 1);
        // A near miss: the address of the network with one bit turned round.
        const bytes = network.toByteArray();
        if (flipped !== null)
          bytes[Math.floor((flipped % bits) / 8)] =
            (bytes[Math.floor((flipped % bits) / 8)] ?? 0) ^ (1 << (7 - (flipped % 8)));
        for (const text of [ipaddr.fromByteArray(bytes).toString(), stranger]) {
          const address = ipaddr.process(text);
          const expected = address.kind() === network.kind() && address.match(network, prefix);
          assert.equal(
            addressTest([`${network.toString()}/${prefix}`])(text),
            expected,
            `${text} in ${base}/${prefix}`,
          );
        }
      }),
      { numRuns: RUNS * 2 },
    );
  });
});
