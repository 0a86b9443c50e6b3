import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { searchTest } from '../../../src/domain/query/match.ts';
import { patternOfShape, shapeOf } from '../../../src/domain/query/path-shape.ts';
import { parseQuery, printQuery, queryOfArguments } from '../../../src/domain/query/query-text.ts';
import { shellCommand } from '../../../src/text/shell-command.ts';
import { excessGrowth } from '../../support/growth.ts';
import { anyUrl, fc, runs, unicodeText } from '../../support/properties.ts';
import { shellWords } from '../../support/shells.ts';

const RUNS = runs(2_000);

/** What the rules treat in a way of their own, and what is next to it. */
const PIECES = [
  ...[
    '/',
    '-',
    '_',
    '.',
    '@',
    '%',
    '%40',
    '%20',
    '%C3%A9',
    '<',
    '>',
    '<n>',
    '<id>',
    '<slug>',
    '…',
    '?',
    '*',
    ':',
    '//',
    '+',
  ],
  ...[
    '1',
    '12',
    '2026',
    '20261123',
    '11',
    '/2026/11/23',
    '2026-11-23',
    '2x',
    'x',
    'v2',
    'v1beta1',
    'a',
    'B',
    'com',
  ],
  ...[
    'example',
    'a1b2',
    '3f2a9c81',
    '550e8400-e29b-41d4-a716-446655440000',
    'aGVsbG8-d29ybGQ_x1',
    'm3u8',
    'mp4',
  ],
  ...['word-and-word', 'é', '日本', '\u202e', '\ud800', '\n', '\u0000', 'https', 'a@b.com', 'x'.repeat(39)],
];
const anyPath = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((parts) => `/${parts.join('')}`),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 120 }).map((parts) => parts.join('')),
  anyUrl,
  unicodeText({ maxLength: 80 }),
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: 200,
  }),
);

const FOLDED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a number is one wherever it stands': {
    '/reports/8123/export': '/reports/<n>/export',
    '/item-123': '/item-<n>',
    '/item123': '/item<n>',
    '/1080p/seg-00042.ts': '/<n>p/seg-<n>.ts',
    '/product_12_34.jpg': '/product_<n>_<n>.jpg',
    '/img/800x600.avif': '/img/<n>x<n>.avif',
    '/jquery-3.6.0.min.js': '/jquery-<n>.<n>.<n>.min.js',
    '/geo/192.0.2.7': '/geo/<n>.<n>.<n>.<n>',
    '/batch/1,2,3': '/batch/<n>,<n>,<n>',
    '/t;v=1/12': '/t;v=<n>/<n>',
    '/icon@2x.png': '/icon@<n>x.png',
    '/core@12.1.0-beta.next/a.js': '/core@<n>.<n>.<n>-beta.next/a.js',
  },
  'a UUID is told from its digits, in any case': {
    '/o/550e8400-e29b-41d4-a716-446655440000': '/o/<uuid>',
    '/o/user-550E8400-E29B-41D4-A716-446655440000.json': '/o/user-<uuid>.json',
    '/o/550e8400-e29b-41d4-a716-4466554400001': '/o/<hash>-<id>-<id>-a<n>-<n>',
  },
  'eight hex digits or more with letters among them are a hash, of one case': {
    '/app.3f2a9c81.js': '/app.<hash>.js',
    '/img/d41d8cd98f00b204e9800998ecf8427e.webp': '/img/<hash>.webp',
    '/c/DA39A3EE5E6B4B0D3255BFEF95601890AFD80709': '/c/<hash>',
    '/c/3f2a9c8': '/c/<id>',
    '/c/deadbeef': '/c/deadbeef',
    '/c/12345678': '/c/<n>',
  },
  'a day is a date, and what is no day is numbers': {
    '/log/2026-11-23.gz': '/log/<date>.gz',
    '/2026/11/23/news': '/<date>/news',
    '/2026/1/7': '/<date>',
    '/2026/11/31x': '/<n>/<n>/<n>x',
    '/20261123': '/<date>',
    '/IMG_20261123_142233.jpg': '/IMG_<date>_<n>.jpg',
    '/at/2026-11-23T14:05:06Z': '/at/<date>T<n>:<n>:<n>Z',
    '/2026-13-23': '/<n>-<n>-<n>',
    '/2026-11_23': '/<n>-<n>_<n>',
    '/2026/13/23': '/<n>/<n>/<n>',
    '/20261323': '/<n>',
    '/3026-11-23': '/<n>-<n>-<n>',
    '/2026/11': '/<n>/<n>',
  },
  'letters and digits that are mixed are an id, and a token stays one where it has hyphens': {
    '/watch/dQw4w9WgXcQ': '/watch/<id>',
    '/u/01ARZ3NDEKTSV4RRFFQ69G5FAV': '/u/<id>',
    '/k/0ujsswThIGTUYm2K8FjOOfXtY1K': '/k/<id>',
    '/t/aGVsbG8-d29ybGQ_x1.json': '/t/<id>.json',
    '/assets/app.7f3c1e.css': '/assets/app.<id>.css',
    '/t/Report-a1B2c3-Final': '/t/Report-<id>-Final',
  },
  'an address of mail is gone': {
    '/u/john.doe+x@example.com/inbox': '/u/<mail>/inbox',
    '/u/john%40example.co.uk': '/u/<mail>',
    '/to=a@b.example;cc=c@d.example': '/to=<mail>;cc=<mail>',
    '/@scope/a@b': '/@scope/a@b',
    [`/${'1'.repeat(60)}-john.doe@example.com`]: '/<n>-john.doe@example.com',
  },
  'many words, and long ones, are a slug': {
    '/blog/how-to-reset-your-password.html': '/blog/<slug>.html',
    '/blog/12345-how_to_reset_7_passwords': '/blog/<slug>',
    '/s/red%20shoes%20for%20men': '/s/<slug>',
    '/terms-and-conditions': '/terms-and-conditions',
    '/nike-air-max-90': '/nike-air-max-<n>',
    [`/${'a'.repeat(40)}`]: `/${'a'.repeat(40)}`,
    [`/${'a'.repeat(41)}.m3u8`]: '/<slug>.m3u8',
    [`/${'a.'.repeat(32)}js`]: '/<slug>.js',
    '/%E6%97%A5%E6%9C%AC/日本': '/%E6%97%A5%E6%9C%AC/日本',
    [`/${'%E6%97%A5'.repeat(5)}`]: '/<slug>',
  },
  'versions, languages and extensions stay': {
    '/v2/7.json': '/v2/<n>.json',
    '/api-v12/v1beta1/v1234': '/api-v12/v1beta1/v<n>',
    '/en-us/zh-Hant-TW': '/en-us/zh-Hant-TW',
    '/7.mp4': '/<n>.mp4',
    '/7.7z': '/<n>.7z',
    '/7.m3u8': '/<n>.m3u8',
    '/7.tar.gz': '/<n>.tar.gz',
    '/john.d42': '/john.d<n>',
  },
  'the query string does not count, and an origin stays': {
    '/a/7?b=8': '/a/<n>',
    '?only=1': '?',
    'https://cdn7.example:8443/a/7?b': 'https://cdn7.example:8443/a/<n>',
    'HTTP://h1': 'HTTP://h1',
    '/p/https://cdn7.example': '/p/https://cdn<n>.example',
  },
  'an escape is kept, and its digits are no number': {
    '/a%20b%2012': '/a%20b%20<n>',
    '/100%': '/<n>%',
    '/%zz%4': '/%zz%<n>',
    '/caf%C3%A9s': '/caf%C3%A9s',
  },
  'hostile text': {
    '': '',
    '//': '//',
    '/../../etc/passwd': '/../../etc/passwd',
    '/<n>/<N>/<x>/12<n>3': '/<n>/<N>/<x>/<n><n><n>',
    '/a\n1\u0000\u001b[31m': '/a\n<n>\u0000\u001b[<n>m',
    '/\u202e12\ud800': '/<id>',
    '/bcdn_token=[masked]&expires=1790000000/a.zip': '/bcdn_token=[masked]&expires=<n>/a.zip',
    [`/${'1'.repeat(256)}`]: '/<n>',
    [`/${'1'.repeat(60_000)}.js`]: '/<slug>.js',
  },
};

describe('the shape of a path', () => {
  for (const [rule, table] of Object.entries(FOLDED)) {
    test(rule, () => {
      for (const [path, shape] of Object.entries(table)) {
        assert.equal(shapeOf(path), shape, path.slice(0, 99));
        assert.equal(shapeOf(shape), shape, `again: ${shape}`);
      }
    });
  }

  test('ids of each kind have one shape, whichever they are', () => {
    const hex = (length: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
    fc.assert(
      fc.property(fc.nat(), fc.uuid(), hex(40), fc.ulid(), (number, uuid, hash, ulid) => {
        fc.pre(
          !/^20\d{6}$|^19\d{6}$/.test(String(number)) &&
            /[a-f]/.test(hash) &&
            /\d/.test(hash) &&
            /[G-Z]/.test(ulid),
        );
        assert.equal(shapeOf(`/o/${number}/x`), '/o/<n>/x');
        assert.equal(shapeOf(`/o/${uuid}/x`), '/o/<uuid>/x');
        assert.equal(shapeOf(`/o/a-${hash}.js`), '/o/a-<hash>.js');
        assert.equal(shapeOf(`/o/${ulid}/x`), '/o/<id>/x');
      }),
      { numRuns: RUNS },
    );
  });

  test('has a shape that is itself, the same each time, and no longer than 400 characters', () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        const shape = shapeOf(path);
        assert.equal(shapeOf(shape), shape);
        assert.equal(shapeOf(path), shape);
        assert.ok(shape.length <= 400, `${shape.length}`);
      }),
      { numRuns: 4 * RUNS },
    );
    // Once the digits are folded, there are more parts.
    assert.equal(shapeOf('…12%C3%A91x<n>a'), '<slug>');
    assert.equal(shapeOf('<slug>'), '<slug>');
  });

  test('is cut at a slash where it is long, also right at the bound', () => {
    const [five] = ['/aaaa'];
    assert.equal(shapeOf(five.repeat(80)), five.repeat(80));
    for (let more = 1; more < 12; more++) {
      const shape = shapeOf(five.repeat(80) + '/'.repeat(more));
      assert.equal(shape, `${five.repeat(79)}/…`);
      assert.equal(shapeOf(shape), shape);
    }
  });

  test('takes linear time, whatever the path is made of', () => {
    const pieces = [
      '1',
      'a1',
      'a-',
      'aB1-',
      'a@',
      'a@b.',
      '%40a',
      'a.',
      '%C3',
      '<n',
      '<n>',
      '/',
      '/2026/1',
      '\u202e',
    ];
    for (const piece of [...pieces, '2026-', '0123abcd-', 'a@b-', '/aaaaaaaaaaaaaaaa1-']) {
      for (const end of ['', '-a', '\u0000']) {
        const work = (size: number) => shapeOf(`/${piece.repeat(size / piece.length)}${end}`);
        assert.equal(excessGrowth(work, 65_536), null, JSON.stringify([piece, end]));
      }
    }
  });
});

describe('the pattern of a shape', () => {
  test('has a star for what varies', () => {
    assert.equal(patternOfShape('/reports/<n>/export'), '/reports/*/export');
    assert.equal(patternOfShape('/<date>/<slug>.html'), '/*/*.html');
    assert.equal(patternOfShape('/a/…'), '/a/*');
    assert.equal(patternOfShape('g>/x/<u'), '*/x/*');
    assert.equal(patternOfShape('/i*<n>*b'), '/i*b');
    assert.equal(patternOfShape('n'), '*');
    assert.equal(patternOfShape('/login'), '/login');
  });

  test('finds every path whose shape has the text', () => {
    fc.assert(
      fc.property(anyPath, fc.nat(), fc.nat(), fc.nat(), (path, a, b, c) => {
        const shape = shapeOf(path);
        const [from = 0, star = 0, to = 0] = [a, b, c]
          .map((n) => n % (shape.length + 1))
          .sort((x, y) => x - y);
        const texts = [
          shape,
          shape.slice(from, to),
          `${shape.slice(from, star)}*${shape.slice(star + 1, to)}`,
        ];
        // Half of a letter beyond the BMP is no text that anybody looks for.
        for (const text of texts.filter((each) => each.isWellFormed()))
          assert.ok(
            searchTest('wildcard', [`*${patternOfShape(text)}*`], false)(path),
            `${JSON.stringify(text)} of ${shape}`,
          );
      }),
      { numRuns: 2 * RUNS },
    );
  });
});

test('a shape is a value that needs no quotes in a query, and is one word of a shell', () => {
  for (const line of [
    'shape:/reports/<n>/export',
    '-shape:/<date>/<slug>.html',
    'shape~<id>',
    'shape:/r/<n>*',
  ]) {
    for (const subject of ['logs', 'shield'] as const) {
      const read = parseQuery(queryOfArguments([line], subject), subject, 0);
      assert.ok(read.ok, line);
      assert.equal(printQuery(read.query), line);
    }
    const words = ['edgescope', 'logs', 'shop', line];
    const command = shellCommand(words) ?? '';
    assert.equal(command, `edgescope logs shop '${line}'`);
    assert.deepEqual(shellWords(command), words);
  }
});
