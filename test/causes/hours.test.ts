// Hours of the double that each turn on one rule of the verdict: all seeds are the matter of `npm run test:causes`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sceneOf } from './double/double.ts';
import { judged } from './judged.ts';
import { scored } from './scored.ts';

const NOON = Date.UTC(2026, 10, 19, 12);

const HOURS = {
  'readers are no senders, of however few a zone has': ['calmRichPages 9', 'calmPages 5', 'calmPages 7'],
  'a client among readers is one, and so is a network': ['pagesGreedyClient 1', 'pagesScraper 2'],
  "what one scanner asks for in vain is nobody else's trouble": ['calmScanner 7', 'calmScanner 8'],
  'who is refused, and what loops, is told by its name': ['pagesRefusedCountry 1', 'redirectLoop 1'],
  'what brings more requests is told, however well they are answered': ['hotlink 1', 'updaterLoop 2'],
  'a version that takes the requests of the one before brings none': ['calmRelease 1', 'calmRelease 2'],
  'an app that many people open is no program that asks again and again': ['calmOpened 1', 'calmOpened 2'],
  'one version on all systems, and one folder of many alike, are names': ['oldVersion 1', 'lostRendition 1'],
  'what comes at this time of each day is nothing wrong': ['calmNightly 1', 'calmNightly 2'],
  'more requests for what is never cached are no misses': ['calmPush 1', 'calmPush 2', 'calmPush 3'],
  'an origin that has several times as much to do has them': ['overrun 1'],
  'misses that are usual, and twice as many now, are misses': ['evicted 1', 'evicted 2'],
  'pages of a section that are kept no more have its name': ['cookieVaried 4'],
  'misses are no more alike than other times show, however many a page has': [
    'pagesEvicted 1',
    'pagesEvicted 2',
  ],
  'what comes on the minute is no news': ['calmMinutely 8', 'calmMinutely 11', 'calmMinutely 2'],
  'what was met by chance in a window of days does not come first': ['failsBesideJob 1', 'failsBesideJob 2'],
} as const;

for (const [name, hours] of Object.entries(HOURS))
  test(name, async () => {
    for (const hour of hours) {
      const [kind = '', seed] = hour.split(' ');
      const scene = sceneOf(kind, Number(seed), NOON);
      const answer = await judged(scene);
      assert.ok(scored(scene, answer).isRight, `${hour}: ${answer.table.headline}`);
    }
  });

test('what is on and off began with the first outbreak that origin errors tell of', async () => {
  const scene = sceneOf('originIntermittent', 8, NOON);
  const { table } = await judged(scene);
  const [told, truth] = [table.findings?.[0], scene.causes[0]];
  assert.ok(told && truth);
  const { to } = told.facts['since'] as { to: string };
  assert.ok(Math.abs(Date.parse(to) - truth.from) < 60_000, table.headline);
});

test('a name with a star leads to the rows that it is of', async () => {
  const { table } = await judged(sceneOf('lostRendition', 1, NOON));
  const [term] = table.findings?.[0]?.leads?.query.terms ?? [];
  assert.ok(term?.kind === 'field' && term.op === 'wildcard', JSON.stringify(term));
  const values = table.sections.flatMap(({ rows }) => rows.flatMap(({ value }) => value ?? []));
  assert.deepEqual(values, [], 'further questions are of one value, which a pattern is not');
});

test('a page that fails is told beside a calm hour, however few ask for it', async () => {
  const { table } = await judged(sceneOf('calmRarePage', 3, NOON));
  assert.match(table.headline, /calm: .*; but [\d.]+% of \d+ requests for shape:\S+ answered 50\d$/);
});

test('what fades neither pauses nor comes again', async () => {
  for (const seed of [10, 17]) {
    const { table } = await judged(sceneOf('purge', seed, NOON));
    assert.doesNotMatch(table.headline, /on and off/);
  }
});
