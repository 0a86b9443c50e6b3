import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, testFiles } from '../runner/jobs.ts';
import { fuzzAnswers } from './answers.ts';
import { tryHostile } from './hostile.ts';
import { fuzzKeys } from './keys.ts';
import { fuzzStrings } from './strings.ts';

const { values } = parseArgs({
  options: {
    /** Another one each time, unless it is named. */
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    strings: { type: 'string', default: '1000000' },
    answers: { type: 'string', default: '10000' },
    keys: { type: 'string', default: '10000' },
    /** How many times as many inputs as in `npm test` each property is tried with. */
    times: { type: 'string', default: '10' },
    /** The list of hostile strings alone. */
    hostile: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
if (!values.hostile) console.log(`seed ${seed}: --seed ${seed} tries the same again`);
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
const properties = await timed('properties', async () => ({ code: tryProperties() }));
// A crash, a hang or a broken rule ends the run before this line.
console.log(
  `\ninputs tried ${strings.tried} strings, ${answers.tried} answers, ${keys.tried} key sequences (seed ${seed}): escapes leaked ${strings.leaked}, crashes 0`,
);
process.exit(strings.leaked === 0 && isContained && properties.code === 0 ? 0 : 1);

/** The properties of `npm test` with other inputs, and more of them. */
function tryProperties(): number | null {
  const files = testFiles().filter((file) => /\bfc\.assert\(/.test(readFileSync(join(ROOT, file), 'utf8')));
  const env = { ...process.env, EDGESCOPE_TEST_SEED: String(seed), EDGESCOPE_TEST_TIMES: values.times };
  return spawnSync(process.execPath, ['test/run.ts', ...files], { cwd: ROOT, env, stdio: 'inherit' }).status;
}
