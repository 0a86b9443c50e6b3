import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SHIELD_FIELDS } from '../../../src/domain/query/fields.ts';
import { shieldMatcher } from '../../../src/domain/query/match.ts';
import { parseQuery } from '../../../src/domain/query/query-text.ts';
import { describeTerm, termForValue } from '../../../src/domain/query/terms.ts';
import { splitForShield } from '../../../src/domain/shield/shield-question.ts';
import { fc } from '../../support/properties.ts';
import { NOW, RUNS } from '../query-cases.ts';

function split(line: string) {
  const result = parseQuery(line, 'shield', NOW);
  assert.ok(result.ok, line);
  const { local, ...asked } = splitForShield(result.query.terms);
  return { ...asked, local: local.map(describeTerm) };
}

test('Shield is asked for what it can decide, by its own names', () => {
  assert.deepEqual(
    split('rule:942100 country:CN,RU ip:10.0.0.0/8,192.0.2.7 ua~curl url:/a* "union select"'),
    {
      query: 'union select',
      filters: [
        { field: 'ruleId', op: 'eq', value: ['942100'] },
        { field: 'country', op: 'in', value: ['CN', 'RU'] },
        { field: 'ip', op: 'cidr', value: ['10.0.0.0/8', '192.0.2.7/32'] },
        { field: 'ua', op: 'contains', value: ['curl'] },
        { field: 'url', op: 'wildcard', value: ['/a*'] },
      ],
      local: [],
    },
  );
});

test('exclusions, absence and a second free text are left to decide here', () => {
  assert.deepEqual(split('-ip:192.0.2.7 ua:"" ja4:* one two -three'), {
    query: 'one',
    filters: [],
    local: [
      'ip is not 192.0.2.7',
      'ua is absent',
      'ja4 is present',
      'some text contains "two"',
      'no text contains "three"',
    ],
  });
});

test('a network is asked for as addresses, which is the same; a page as URLs that begin so, and the rest is left out here', () => {
  assert.deepEqual(split('net:192.0.2.0/24,2001:db8:1::/48'), {
    query: null,
    filters: [{ field: 'ip', op: 'cidr', value: ['192.0.2.0/24', '2001:db8:1::/48'] }],
    local: [],
  });
  assert.deepEqual(split('page:/login,https://a.example/x page~log -net:192.0.2.0/24 -page:/b net:""'), {
    query: null,
    filters: [
      { field: 'url', op: 'wildcard', value: ['*/login*', 'https://a.example/x*'] },
      { field: 'url', op: 'contains', value: ['log'] },
    ],
    local: [
      'page is /login or https://a.example/x',
      'page contains "log"',
      'net is not 192.0.2.0/24',
      'page is not /b',
      'net is absent',
    ],
  });
});

const pattern = (value: string) =>
  new RegExp(
    `^${value
      .split('*')
      .map((part) => RegExp.escape(part))
      .join('.*')}$`,
    'is',
  );

test('a shape is asked for as URLs with anything where it has a placeholder, as is a piece of one', () => {
  assert.deepEqual(
    split('shape:/r/<n>/e,https://a.example/<slug>.html shape~d>/x shape:*/<n> -shape:/r/<n>'),
    {
      query: null,
      filters: [
        { field: 'url', op: 'wildcard', value: ['*/r/*/e*', 'https://a.example/*.html*'] },
        { field: 'url', op: 'wildcard', value: ['*/x*'] },
        { field: 'url', op: 'wildcard', value: ['*/*'] },
      ],
      local: [
        'shape is /r/<n>/e or https://a.example/<slug>.html',
        'shape contains "d>/x"',
        'shape is like */<n>',
        'shape is not /r/<n>',
      ],
    },
  );
});

test('what Shield is asked for a shape, or a text in it, finds each row of it', () => {
  const segment = fc.constantFrom(
    'r',
    '12',
    'a1b2',
    '2026-11-23',
    '<n>',
    'é',
    'how-to-do-it',
    'x.js',
    'v2',
    '…',
    '*',
  );
  const urls = fc.tuple(
    fc.constantFrom('https://a7.example', 'http://B.example', ''),
    fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
    fc.constantFrom('', '?a=1', '?b=/c?d'),
  );
  fc.assert(
    fc.property(urls, fc.nat(), fc.nat(), fc.boolean(), ([origin, path, rest], a, b, isWhole) => {
      const url = origin + path + rest;
      const shape = SHIELD_FIELDS.shape.get({ url })?.slice(origin.length) ?? '';
      const [from = 0, to = 0] = [a, b].map((n) => n % shape.length).sort((x, y) => x - y);
      const text = shape.slice(from, to + 1);
      const term = isWhole
        ? termForValue('shield', 'shape', b % 2 === 0 ? shape : origin + shape, false)
        : ({ kind: 'field', field: 'shape', op: 'contains', values: [text], negated: false } as const);
      assert.ok(term && shieldMatcher([term])({ url }), `${text} is in the shape of ${url}`);
      const [filter] = splitForShield([term]).filters;
      assert.ok(
        filter?.value.some((each) => pattern(each).test(url)),
        `${filter?.value} finds ${url}`,
      );
    }),
    { numRuns: RUNS },
  );
});

test('what Shield is asked for a page finds each row of it', () => {
  const urls = fc.tuple(
    fc.constantFrom('https://a.example', 'http://B.example', ''),
    fc.webPath(),
    fc.constantFrom('', '?a=1', '?b=/c?d'),
  );
  fc.assert(
    fc.property(urls, fc.constantFrom('whole', 'path', 'host'), ([origin, path, rest], form) => {
      const url = origin + path + rest;
      const page = SHIELD_FIELDS.page.get({ url }) ?? '';
      const value =
        form === 'path' ? page.slice(origin.length) : form === 'host' ? page.replace(/^.*:\/\//, '') : page;
      const term = termForValue('shield', 'page', value, false);
      // A colon and two slashes make any value a whole URL.
      fc.pre(value !== '' && term !== null && path !== '' && !path.includes('://'));
      assert.ok(shieldMatcher([term])({ url }), `${value} is the page of ${url}`);
      for (const { value: asked } of splitForShield([term]).filters)
        assert.ok(
          asked.some((each) => pattern(each).test(url)),
          `${asked.join()} finds ${url}`,
        );
    }),
    { numRuns: RUNS },
  );
});
