import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directoryAsked, sharedDirectory } from '../../src/domain/query/directory.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { fc } from '../support/properties.ts';

const UPLOADS = '/wp-content/uploads/2026/11/';

test('the directory that paths share is made of whole segments', () => {
  const table: [(string | null)[], string][] = [
    [[`${UPLOADS}a.jpg`, `${UPLOADS}b.jpg`], UPLOADS],
    [[`${UPLOADS}img-1.jpg`, `${UPLOADS}img-2.jpg`], UPLOADS],
    [[`${UPLOADS}a.jpg`, '/wp-content/uploads/2026/12/a.jpg'], '/wp-content/uploads/2026/'],
    [[UPLOADS, `${UPLOADS}a.jpg`], UPLOADS],
    [[UPLOADS.slice(0, -1), `${UPLOADS}a.jpg`], '/wp-content/uploads/2026/'],
    [['/search/all?next=/account/a', '/search/all?next=/account/b'], '/search/'],
    [[`${UPLOADS}a.jpg`, '/'], ''],
    [[`${UPLOADS}a.jpg`, null], ''],
    [['/a/b', '/a/c'], ''],
    [['plain words/of/values', 'plain words/of/others'], ''],
    [['https://shop.example/a', 'https://shop.example/b'], 'https://shop.example/'],
    [['https://shop.example', 'https://shop.example/b'], ''],
    [['https://a.example/a', 'https://b.example/b'], ''],
    [[], ''],
  ];
  for (const [paths, shared] of table) assert.equal(sharedDirectory(paths), shared, paths.join(' '));
});

test('every path begins with what it shares', () => {
  const segments = fc.array(fc.constantFrom('assets', 'images', 'a', '?x', '#'), { maxLength: 5 });
  const paths = fc.array(
    segments.map((each) => `/${each.join('/')}`),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(paths, (all) => {
      const shared = sharedDirectory(all);
      assert.ok(shared === '' || shared.endsWith('/'));
      for (const path of all) assert.ok(path.startsWith(shared));
    }),
  );
});

test('a query names the directory of the paths that it asks for', () => {
  const table: [string, string][] = [
    [`path:${UPLOADS}*`, UPLOADS],
    [`page:${UPLOADS}img-*`, UPLOADS],
    [`url:${UPLOADS}*`, UPLOADS],
    [`path:${UPLOADS}a.jpg,${UPLOADS}b.jpg`, UPLOADS],
    [`path:${UPLOADS}a.jpg,/login`, ''],
    [`path:/wp-content/* path:${UPLOADS}*`, UPLOADS],
    [`-path:${UPLOADS}*`, ''],
    [`path~${UPLOADS}`, ''],
    [`referer:${UPLOADS}*`, ''],
    ['path:*/2026/11/*', ''],
    ['status:5xx', ''],
  ];
  for (const [text, directory] of table) {
    const parsed = parseQuery(text, 'logs', 0);
    assert.ok(parsed.ok);
    assert.equal(directoryAsked(parsed.query.terms), directory, text);
  }
});
