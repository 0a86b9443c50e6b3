import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { splitForServer } from '../../../src/domain/query/push-down.ts';
import type { Term } from '../../../src/domain/query/query.ts';
import { parseQuery, printQuery, queryOfArguments } from '../../../src/domain/query/query-text.ts';
import { parseRegex, regexTest } from '../../../src/domain/query/regex.ts';
import { planRows } from '../../../src/domain/shield/shield-question.ts';
import { fc, runs } from '../../support/properties.ts';
import { zoneOf } from '../../support/state.ts';
import { NOW } from '../query-cases.ts';

const regexOf = (written: string) => {
  const read = parseRegex(written);
  assert.ok(read.ok, `${written}: ${read.ok || read.message}`);
  return read.regex;
};
const finds = (written: string, text: string) => regexTest(regexOf(written))(text);

/** Patterns that RE2 and V8 read alike. */
const { pattern } = fc.letrec<{ atom: string; part: string; pattern: string }>((tie) => ({
  atom: fc.oneof(
    fc.constantFrom('a', 'b', 'A', '1', '_', ' ', '\\/', '\\.', 'é', '中', '\u{1f600}', '\\x61', '-'),
    fc.constantFrom(
      '.',
      '\\d',
      '\\W',
      '\\w',
      '\\b',
      '\\B',
      '^',
      '$',
      '[ab]',
      '[^a-c1]',
      '[\\w-]',
      '[^\\d\\n]',
      '[é-ü]',
    ),
    tie('pattern').chain((inner) => fc.constantFrom(`(${inner})`, `(?:${inner})`, `(?<x>${inner})?`)),
  ),
  part: fc
    .tuple(tie('atom'), fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,2}', '{1,}', '*?'))
    .map(([atom, sign]) => (/^(?:\\[bB]|\^|\$)$/.test(atom) || atom.endsWith('?') ? atom : atom + sign)),
  pattern: fc
    .array(
      fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 3 },
    )
    .map((choices) => choices.join('|')),
}));
const SIGNS = [
  'a',
  'b',
  'A',
  'B',
  'c',
  '1',
  '_',
  ' ',
  '/',
  '.',
  '-',
  '\n',
  'é',
  'É',
  '中',
  '\u{1f600}',
] as const;
const text = fc.array(fc.constantFrom(...SIGNS), { maxLength: 12 }).map((signs) => signs.join(''));

/** The expression that stores are asked for, in the spelling of V8. */
const inV8 = (re2: string) =>
  new RegExp(
    re2
      .replaceAll('\\x', '\\u')
      .replaceAll('\\A', '^')
      .replaceAll('\\z', '$')
      .replaceAll(/\[\^?\]/g, '$&'),
    'u',
  );

describe('regular expressions', () => {
  test('find what V8 finds, as stores are asked for them too, and hold the texts that they are narrowed by', () => {
    const seen = { found: 0, lost: 0, held: 0 };
    fc.assert(
      fc.property(
        pattern,
        fc.boolean(),
        fc.array(text, { minLength: 6, maxLength: 6 }),
        (source, isFolded, texts) => {
          const flags = isFolded ? 'i' : '';
          const regex = regexOf(`/${source}/${flags}`);
          const test = regexTest(regex);
          const [oracle, stored] = [
            new RegExp(source.replaceAll('(?<x>', '('), `${flags}u`),
            inV8(regex.re2()),
          ];
          for (const each of texts) {
            const isFound = oracle.test(each);
            seen[isFound ? 'found' : 'lost']++;
            assert.equal(test(each), isFound, `/${source}/${flags} in ${JSON.stringify(each)}`);
            assert.equal(stored.test(each), isFound, `${regex.re2()} in ${JSON.stringify(each)}`);
            if (!isFound) continue;
            for (const held of regex.held.texts) {
              if (held !== '') seen.held++;
              assert.ok(
                each.toLowerCase().includes(held.toLowerCase()),
                `/${source}/ holds ${held} in ${each}`,
              );
            }
          }
        },
      ),
      { numRuns: runs(600) },
    );
    for (const [what, times] of Object.entries(seen)) assert.ok(times > runs(20), `${what}: ${times}`);
  });

  test('take linear time, whatever the pattern and the text are', () => {
    const long = `${'a'.repeat(100_000)}!`;
    for (const written of [
      '/(a+)+$/',
      '/^(a|aa)*$/',
      '/^(?:a?){200}a{200}$/',
      '/(.*)(.*)(.*)b/',
      '/^(?:a*)*$/',
    ])
      assert.equal(finds(written, long), false, written);
    assert.equal(finds('/(a+)+!$/', long), true);
  });

  test('answer rightly when their table of states has to be begun anew', () => {
    // To know whether the fifteenth letter from the end was an a takes 2^15 states.
    const test = regexTest(regexOf('/a[ab]{14}$/'));
    let seed = 7;
    for (let n = 0; n < 60; n++) {
      let letters = '';
      for (let at = 0; at < 500; at++) {
        seed = (seed * 48_271) % 2_147_483_647;
        letters += seed % 2 === 0 ? 'a' : 'b';
      }
      assert.equal(test(letters), letters.at(-15) === 'a', letters.slice(-20));
    }
  });

  test('are RE2: what it has and V8 has not, and what it means otherwise', () => {
    assert.ok(finds('/(?i)BOT/', 'a bot') && finds('/(?i:B)ot/', 'bot') && !finds('/(?i:B)ot/', 'bOT'));
    assert.ok(finds('/a(?s:.)b/', 'a\nb') && !finds('/a.b/', 'a\nb') && finds('/^(?P<n>a)\\z/', 'a'));
    assert.ok(!finds('/\\s/', '\u00a0\v') && finds('/\\x{1F600}/', '\u{1f600}') && finds('/[]a]]/', ']]'));
    assert.ok(finds('/a{,2}/', 'a{,2}') && finds('/[a-]]/', '-]'));
    // The sign of Kelvin and the long s are no letters of ASCII in another case.
    assert.ok(!finds('/k/i', '\u212a') && !finds('/[a-z]/i', '\u017f'));
  });

  test('say at its column what is none, and what to write', () => {
    for (const [query, column, length, message] of [
      ['ua~/a(?=b)/', 5, 3, 'look ahead'],
      ['ua~/(a)\\1/', 7, 2, 'refer to a group'],
      ['-ua~/a|*b/i', 7, 1, 'nothing to repeat'],
      ['ua~/a**/', 6, 1, 'repeated again'],
      ['ua~/(a{100}){100}/', 4, 13, 'too much'],
      ['ua~/a(b/', 5, 2, '( is not closed'],
      ['path~/a)b/', 7, 1, 'has no ('],
      ['ua~/[z-a]/', 5, 3, 'range'],
      ['ua~/[[:alpha:]]/', 5, 2, 'no names'],
      ['ua~/\\pL/', 4, 2, '\\p has no meaning'],
      ['ua~/a{3,2}/', 5, 5, 'second number'],
      ['ua~/bot|x/g', 10, 1, 'g is no flag'],
      ['ua~curl,/a+/,/b(/', 15, 1, '( is not closed'],
    ] as const) {
      const read = parseQuery(query, 'logs', NOW);
      assert.ok(
        !read.ok && read.error.message.includes(message),
        `${query}: ${read.ok || read.error.message}`,
      );
      assert.deepEqual([read.error.column, read.error.length], [column, length], query);
      assert.match(read.error.hint, /or quote it to find the text$/);
    }
  });
});

/** What a query is, as its terms print it and by their operators. */
function read(line: string, subject: 'logs' | 'shield' = 'logs'): readonly Term[] {
  const result = parseQuery(line, subject, NOW);
  assert.ok(result.ok, `${line}: ${result.ok || result.error.message}`);
  const again = parseQuery(printQuery(result.query), subject, NOW);
  assert.deepEqual(again, result, line);
  return result.query.terms;
}
const kindOf = (term: Term) => (term.kind === 'field' ? term.op : term.isRegex ? 'regex' : 'contains');

describe('a regular expression in a query', () => {
  test('is told from a text with slashes by its signs, and by its field', () => {
    for (const line of [
      'path~/api/',
      'url~/v1.2/',
      'path~/img/i',
      'referer~/a-b/',
      'path~/a+b/c/',
      'path~/login?next=/account',
      'path~/a?q=b/',
    ]) {
      assert.deepEqual(read(line).map(kindOf), ['contains'], line);
    }
    for (const line of ['/api/', 'ua~"/bot|x/"', 'path~"/c++/"', 'path~/^\\/api', 'path~"/a b/"'])
      assert.deepEqual(read(line).map(kindOf), ['contains'], line);
    for (const line of [
      'path~/^\\/api\\//',
      'uri~/a|b/i',
      'ua~/bot/',
      'host~/cdn/i',
      '/wp-(login|admin)/',
      '-ua~/a b+/',
    ])
      assert.deepEqual(read(line).map(kindOf), ['regex'], line);
    assert.deepEqual(read('ua~/Windows NT 1[01]/ path~/x ua~/y|z/').map(kindOf), [
      'regex',
      'contains',
      'regex',
    ]);
    assert.deepEqual(read('path~/a+ url~/').map(kindOf), ['contains', 'contains']);
    assert.equal(queryOfArguments(['ua~/Windows NT (6|10)/'], 'logs'), 'ua~/Windows NT (6|10)/');
    assert.equal(queryOfArguments(['ua~a - b'], 'logs'), 'ua~"a - b"');
  });

  test('makes one of each text in its list, and shows no character as itself that a terminal would not', () => {
    assert.deepEqual(read('path~/a|b/,/c.d/'), [
      { kind: 'field', field: 'path', op: 'regex', values: ['/a|b/', '/(?i:\\/c\\.d\\/)/'], negated: false },
    ]);
    assert.deepEqual(read('ua~/\u202e+é/')[0], { ...read('ua~/x/')[0], values: ['/\\x{202e}+\\x{e9}/'] });
  });

  test('asks the server for a text that each match holds', () => {
    for (const [line, asked] of [
      ['path~/^\\/api\\/v[12]\\//', { urlContains: '/api/v' }],
      ['page~/^\\/shop\\/(cart|pay)$/', { urlContains: '/shop/' }],
      ['url~/wp-(login|admin)\\.php/i', { urlContains: '.php' }],
      ['ua~/Googlebot\\/2/', { userAgentContains: 'Googlebot/2' }],
      ['ua~/bot|crawl/', {}],
      ['-path~/^\\/api/', {}],
      ['path~/(login)?x/', {}],
    ] as const) {
      const { terms } = { terms: read(line) };
      const { server, local } = splitForServer({ terms, window: null, groupBy: [] }, zoneOf('4711', 'shop'));
      assert.deepEqual([server, local], [asked, terms], line);
    }
  });

  test('asks Shield for such a text, too, which is not all of what it asks', () => {
    const plan = (line: string) => planRows({ terms: read(line, 'shield'), window: null, groupBy: [] });
    assert.deepEqual(plan('url~/\\/wp-(a|b)/').filters, [{ field: 'url', op: 'contains', value: ['/wp-'] }]);
    assert.deepEqual(plan('ua~/bot|crawl/').filters, []);
    for (const line of ['url~/\\/wp-(a|b)/', 'ua~/bot|crawl/', '/a|b/']) {
      assert.deepEqual(plan(line).local, read(line, 'shield'), line);
      assert.equal(plan(line).query, null);
    }
  });
});
