import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { wordsOf } from '../support/picture.ts';
import { drawn, PICTURES } from '../support/pictures.ts';

/** Screens that stand still once they are reached; that of a log goes on. */
const STILL = ['shield', 'help', 'incidents'];

/** Time passes also while an answer is unpacked, so a slow machine reads more of the log on the way. */
function withoutClock(words: string): string {
  return words
    .split('\n')
    .filter((line) => !/ req\/s | rows *$|^ [\d,]+ requests? /.test(line))
    .map((line) => line.replace(/\d\d:\d\d(?::\d\d)?/g, 'hh:mm').trimEnd())
    .join('\n');
}

for (const name of STILL) {
  test(`the ${name} is shown as in its picture, word for word (npm run pictures renews it)`, async () => {
    const picture = readFileSync(join(PICTURES, `${name}.svg`), 'utf8');
    assert.equal(withoutClock(wordsOf(await drawn(name))), withoutClock(wordsOf(picture)));
  });
}

/** Which of many samples is read before another is up to the machine, and with it their figures and the order of zones. */
function withoutFigures(words: string): string[] {
  return words
    .split('\n')
    .map((line) =>
      line
        .replace(/[▁▂▃▄▅▆▇█·╱]+|<?\d[\d.,]*[%s]?/g, '#')
        .replace(/(?: +(?:-|#))+(?= |$)/g, ' #')
        .trimEnd(),
    )
    .sort();
}

test('the zones are shown as in their picture, each in its words (npm run pictures renews it)', async () => {
  const picture = wordsOf(readFileSync(join(PICTURES, 'zones.svg'), 'utf8'));
  const again = wordsOf(await drawn('zones'));
  assert.ok(withoutFigures(picture).some((line) => line.includes('shop-frontend')));
  assert.deepEqual(withoutFigures(again), withoutFigures(picture));
});
