import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPseudonyms } from '../../../src/domain/handover/pseudonyms.ts';
import { fc } from '../../support/properties.ts';
import { RUNS } from '../log-rows.ts';

/** Numbers addresses as they come. */
function masked(...lines: string[]): string[] {
  const numbers = new Map<string, number>();
  return withPseudonyms(lines, (address) => {
    const number = numbers.get(address) ?? numbers.size + 1;
    numbers.set(address, number);
    return number;
  });
}

test('the same address has the same pseudonym, with the network it is of', () => {
  assert.deepEqual(masked('`203.0.113.7` to `198.51.100.9`', 'again 203.0.113.7.'), [
    '`ip-1 (203.0.113.x)` to `ip-2 (198.51.100.x)`',
    'again ip-1 (203.0.113.x).',
  ]);
});

test('an IPv6 address is one however it is written, and keeps its first 48 bits', () => {
  assert.deepEqual(
    masked('2001:db8:85a3::8a2e:370:7334 2001:DB8:85A3:0:0:8a2e:370:7334 ip:2001:db8::1,::1'),
    ['ip-1 (2001:db8:85a3::x) ip-1 (2001:db8:85a3::x) ip:ip-2 (2001:db8:0::x),ip-3 (0:0:0::x)'],
  );
});

test('addresses in URLs, networks and lists are meant; versions, times and dates are not', () => {
  assert.deepEqual(masked('https://203.0.113.7/a?ip=203.0.113.8&x /ip/203.0.113.9 10.0.0.0/8,10.1.1.1'), [
    'https://ip-1 (203.0.113.x)/a?ip=ip-2 (203.0.113.x)&x /ip/ip-3 (203.0.113.x) ip-4 (10.0.0.x)/8,ip-5 (10.1.1.x)',
  ]);
  for (const text of [
    'Mozilla/5.0 Chrome/131.0.0.0 Edg/131.0.2903.51',
    '2026-11-20T12:00:05.123Z 12:00:05 to 12:15:00Z',
    'rule 1.2.3.4.5, 999.1.1.1, 12:30, std::string, ::, :::::::, a:::::b',
  ])
    assert.deepEqual(masked(text), [text]);
});

test('what is left of an address that was cut is masked, too', () => {
  const [line = ''] = masked('| `2001:db8:85a3:8d3:1319...(+12)` |');
  assert.match(line, /^\| `ip-1\.\.\.\(\+12\)` \|$/);
});

test('a command holds the short form and says that it does not run; one without an address stays as it is', () => {
  assert.deepEqual(masked('```sh', "edgescope logs shop 'last:1h -ip:203.0.113.7'", '```'), [
    '```sh',
    "edgescope logs shop 'last:1h -ip:ip-1'",
    '```',
    '',
    'Addresses are pseudonyms here: the command does not run as it stands.',
  ]);
  const plain = ['```sh', "edgescope logs shop 'last:1h status:5xx'", '```', ''];
  assert.deepEqual(masked(...plain), plain);
});

test('no address is left, whatever it stands between', () => {
  const around = fc.constantFrom(
    ' ',
    '`',
    '|',
    '"',
    '(',
    ')',
    ',',
    '=',
    '/',
    '?',
    '&',
    ';',
    '\\',
    '-',
    '_',
    'x=',
  );
  const address = fc.oneof(
    fc.ipV4(),
    // Two colons alone name no address of anybody.
    fc.ipV6().filter((text) => text !== '::'),
  );
  fc.assert(
    fc.property(around, address, around, (before, text, after) => {
      const [line = ''] = masked(`a${before}${text}${after === 'x=' ? ' ' : after}z`);
      // The network in the parentheses is meant to be seen.
      assert.ok(!line.replace(/ip-1 \([^)]*\)/, '').includes(text), line);
      assert.match(line, /ip-1/);
    }),
    { numRuns: RUNS * 5 },
  );
});
