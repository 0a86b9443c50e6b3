import { parseArgs } from 'node:util';
import { fuzzAnswers } from './answers.ts';
import { tryHostile } from './hostile.ts';
import { fuzzKeys } from './keys.ts';
import { fuzzStrings } from './strings.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '7' },
    strings: { type: 'string', default: '1000000' },
    answers: { type: 'string', default: '10000' },
    keys: { type: 'string', default: '10000' },
    /** The list of hostile strings alone. */
    hostile: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const timed = async <T>(what: string, work: () => T | Promise<T>): Promise<T> => {
  const started = performance.now();
  const done = await work();
  console.log(`${what} (${((performance.now() - started) / 1000).toFixed(0)} s)`, JSON.stringify(done));
  return done;
};
const isContained = await tryHostile();
if (values.hostile) process.exit(isContained ? 0 : 1);
const strings = await timed('strings', () => fuzzStrings(seed, Number(values.strings)));
const keys = await timed('keys', () => fuzzKeys(seed, Number(values.keys)));
const answers = await timed('answers', () => fuzzAnswers(seed, Number(values.answers)));
// A crash, a hang or a broken rule ends the run before this line.
console.log(
  `\ninputs tried ${strings.tried} strings, ${answers.tried} answers, ${keys.tried} key sequences (seed ${seed}): escapes leaked ${strings.leaked}, crashes 0`,
);
process.exit(strings.leaked === 0 && isContained ? 0 : 1);
