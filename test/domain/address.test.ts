import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import ipaddr from 'ipaddr.js';
import {
  addressTest,
  loggedNetwork,
  networkOfPattern,
  parseAddress,
  parseNetwork,
  printNetwork,
} from '../../src/domain/query/address.ts';
import { fc } from '../support/properties.ts';
import { RUNS } from './query-cases.ts';

const v4 = fc.ipV4();
const v6 = fc.ipV6();
const printed = (text: string) => {
  const network = parseNetwork(text);
  return network && printNetwork(network);
};

describe('addresses', () => {
  test('every address printed and parsed is the same address', () => {
    fc.assert(
      fc.property(fc.oneof(v4, v6), (text) => {
        const network = parseAddress(text);
        assert.ok(network, text);
        assert.deepEqual(parseAddress(printNetwork(network)), network);
      }),
      { numRuns: RUNS },
    );
  });

  test('all spellings of an IPv6 address print alike, and a mapped one as IPv4', () => {
    assert.equal(printed('2001:0DB8:0:0:0:0:0:1'), '2001:db8::1');
    assert.equal(printed('::ffff:192.0.2.7'), '192.0.2.7');
    assert.equal(printed('::ffff:192.0.2.0/120'), '192.0.2.0/24');
    assert.equal(parseAddress('fe80::1%eth0'), null);
  });

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

  test('stars that cut at an octet are networks', () => {
    const asNetwork = (pattern: string) => {
      const network = networkOfPattern(pattern);
      return network && printNetwork(network);
    };
    assert.equal(asNetwork('192.0.2.*'), '192.0.2.0/24');
    assert.equal(asNetwork('10.*'), '10.0.0.0/8');
    assert.equal(asNetwork('10.1.*.*'), '10.1.0.0/16');
    for (const pattern of ['*', '10*', '10.*.1.1', '300.*', '1.2.3.4.*', '1.2.3.*.*'])
      assert.equal(asNetwork(pattern), null, pattern);
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

  test('an anonymised address stands for its network', () => {
    const stands = (text: string, kind: 'none' | 'lastOctet') => {
      const network = loggedNetwork(text, kind);
      return network && printNetwork(network);
    };
    assert.equal(stands('1.2.3.*', 'none'), '1.2.3.0/24');
    assert.equal(stands('1.2.3.0', 'none'), '1.2.3.0');
    assert.equal(stands('1.2.3.0', 'lastOctet'), '1.2.3.0/24');
    assert.equal(stands('2001:db8:1:2::', 'lastOctet'), '2001:db8:1:2::/64');
    assert.equal(stands('hidden', 'lastOctet'), null);
  });
});
