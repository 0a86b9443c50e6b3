import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { wordsOf } from '../support/picture.ts';
import { drawn, PICTURES } from '../support/pictures.ts';

/** Screens that stand still once they are reached; that of a log goes on with the clock of the replay. */
const STILL = ['zones', 'shield', 'help'];

/** The replay has its own clock, which has gone on by what the machine took, and with it what a log on the way has read. */
function withoutClock(words: string): string {
  return words
    .split('\n')
    .filter((line) => !/ req\/s | rows *$|^ seen /.test(line))
    .map((line) => line.replace(/\d\d:\d\d(?::\d\d)?/g, 'hh:mm').trimEnd())
    .join('\n');
}

for (const name of STILL) {
  test(`the recorded or simulated session shows the ${name} of its picture, word for word (npm run pictures renews it)`, async () => {
    const picture = readFileSync(join(PICTURES, `${name}.svg`), 'utf8');
    assert.equal(withoutClock(wordsOf(await drawn(name))), withoutClock(wordsOf(picture)));
  });
}
