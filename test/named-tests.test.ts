import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FAULTS } from './faults/faults.ts';
import { PLANTED } from './mutation/defects.ts';
import { STORIES } from './session/stories.ts';
import { ROOT } from './support/source.ts';

/** Its tests have their titles from data. */
const STORY_TESTS = 'test/session/stories.test.ts';
const TITLE = /^ *(?:await )?(?:test|it)\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`]*)`)/gm;

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('every test that the table of faults names is in its file, under that title', () => {
  const named = Object.values(FAULTS).flatMap(({ tests }) => tests);
  const lost = [...Map.groupBy(named, ([file]) => file)].flatMap(([file, tests]) => {
    const titles = file === STORY_TESTS ? STORIES.map(({ title }) => exactly(title)) : titlesIn(textOf(file));
    return tests.filter(([, name]) => !titles.some((title) => title.test(name)));
  });
  assert.ok(named.length > 100, `${named.length} tests named`);
  assert.deepEqual(lost, []);
});

test('every planted defect has the one place in the source that it replaces, and tests that are there', () => {
  const stale = PLANTED.filter(({ file, find }) => textOf(file).split(find).length !== 2);
  assert.deepEqual(
    stale.map(({ file, find }) => `${file}: ${find}`),
    [],
  );
  const tests = new Set(PLANTED.flatMap((each) => each.tests));
  assert.deepEqual(
    [...tests].filter((path) => !existsSync(join(ROOT, path))),
    [],
  );
});

function exactly(text: string): RegExp {
  return new RegExp(`^${RegExp.escape(text)}$`);
}

/** The titles of tests in a source; a value that stands in one is any text. */
function titlesIn(source: string): RegExp[] {
  return [...source.matchAll(TITLE)].map(([, single, double, template]) => {
    const parts = (template ?? single ?? double ?? '').replace(/\\(.)/g, '$1').split(/\$\{[^}]*\}/);
    return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.*')}$`, 's');
  });
}
