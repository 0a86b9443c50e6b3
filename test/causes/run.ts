import { WRONG_BUDGET } from '../../src/domain/questions/wrong/ask-wrong.ts';
import { accountOf, placeOf, planted } from '../domain/questions/wrong-truth.ts';
import { KINDS, sceneOf } from './double/double.ts';
import { judged } from './judged.ts';
import { type Score, scored } from './scored.ts';

/**
 * What `edgescope ask wrong` says, and `ask incidents`, held against the truth, over two generators that share no code: the simulator's, and that of the
 * double, which was written from the published API alone. `-- --seeds 5 --kinds calm,purge --print` asks less of the double, and
 * prints each answer that is not right.
 */
const words = process.argv.slice(2);
const option = (name: string) => words[words.indexOf(`--${name}`) + 1];
const SEEDS = Number(words.includes('--seeds') ? option('seeds') : 20);
const kinds = words.includes('--kinds') ? (option('kinds') ?? '').split(',') : KINDS;
const CALM = /^(?:calm|stray|good|quiet)/;
/** Seeds of which `ask incidents` is asked, too: it takes ninety requests and not twenty. */
const LONG_SEEDS = 2;
/** A hundred hours or more in which nothing is wrong. */
const CALM_SEEDS = 12;
const NOON = Date.UTC(2026, 10, 19, 12);
const HOURS = 40;

let isBad = false;
const shareOf = (part: number, all: number) => (all === 0 ? '' : `${((100 * part) / all).toFixed(1)} %`);

async function ofDouble(): Promise<void> {
  const all: { kind: string; score: Score }[] = [];
  for (const kind of kinds) {
    const seeds = CALM.test(kind) ? Math.min(SEEDS, CALM_SEEDS) : SEEDS;
    for (let seed = 1; seed <= seeds; seed++) {
      const scene = sceneOf(kind, seed, NOON);
      const answer = await judged(scene);
      const score = scored(scene, answer);
      all.push({ kind, score });
      const isSaid = !score.isRight || score.isSinceRight === false || score.isInnocentBlamed;
      if (isSaid && words.includes('--print')) console.log(`${kind} ${seed}: ${answer.table.headline}`);
    }
  }
  const count = (own: typeof all, test: (score: Score) => boolean) =>
    own.filter(({ score }) => test(score)).length;
  for (const [kind, own] of Map.groupBy(all, (each) => each.kind)) {
    const since = count(own, (score) => score.isSinceRight !== null);
    const begun =
      since === 0
        ? ''
        : `, since within a minute ${count(own, (score) => score.isSinceRight === true)} of ${since}`;
    console.log(`${kind}: ${count(own, ({ isRight }) => isRight)} of ${own.length} right${begun}`);
  }
  const [calm, wrong] = [true, false].map((is) => all.filter(({ kind }) => CALM.test(kind) === is)) as [
    typeof all,
    typeof all,
  ];
  const [right, alarms] = [count(wrong, ({ isRight }) => isRight), count(calm, ({ isRight }) => !isRight)];
  const told = wrong.filter(({ score }) => score.isSinceRight !== null);
  const since = count(told, (score) => score.isSinceRight === true);
  const blamed = count(all, ({ isInnocentBlamed }) => isInnocentBlamed);
  const most = Math.max(...all.map(({ score }) => score.requests));
  console.log(
    `double: first cause right ${right} of ${wrong.length} (${shareOf(right, wrong.length)}), false alarms ${alarms} of ${calm.length}, since within a minute ${since} of ${told.length} (${shareOf(since, told.length)}), innocent changes blamed ${blamed}, at most ${most} requests`,
  );
  isBad ||=
    right < 0.99 * wrong.length ||
    alarms > 0.01 * calm.length ||
    since < 0.9 * told.length ||
    blamed > 0 ||
    most > WRONG_BUDGET;
}

/** `ask incidents` over the six hours up to each scene: its begin lies between two samples, four minutes apart. */
async function ofLongWindows(): Promise<void> {
  const all: Score[] = [];
  for (const kind of kinds) {
    for (let seed = 1; seed <= Math.min(SEEDS, LONG_SEEDS); seed++) {
      const scene = sceneOf(kind, seed, NOON);
      const answer = await judged(scene, 'incidents');
      const score = scored(scene, answer);
      all.push(score);
      if (!score.isRight) console.log(`incidents, ${kind} ${seed}: ${answer.table.headline}`);
    }
  }
  const right = all.filter(({ isRight }) => isRight).length;
  console.log(`incidents: verdict and first cause right ${right} of ${all.length}`);
  isBad ||= right < 0.99 * all.length;
}

function ofSimulator(): void {
  const sums = { incidents: 0, first: 0, second: 0, requests: 0, hours: 0, calm: 0 };
  const seeds = Array.from({ length: SEEDS }, (_, at) => at + 1);
  for (const seed of seeds) {
    const account = accountOf(seed);
    for (const { truth, range } of planted(account.truths)) {
      const { table, requests } = account.ask(account.zoneOf(truth), range);
      const place = placeOf(table(), truth);
      sums.incidents += 1;
      sums.requests = Math.max(sums.requests, requests);
      const isOtherFirst = account.besides(truth, range).some((other) => placeOf(table(), other) === 0);
      if (place === 0) sums.first += 1;
      else if (place > 0 && isOtherFirst) sums.second += 1;
      else console.log(`seed ${seed}, ${truth.id}: ${table().headline}`);
    }
    for (const { zone, range } of account.calm(HOURS / SEEDS)) {
      const { headline, verdict } = account.ask(zone, range).table();
      sums.hours += 1;
      if (verdict === 'calm') sums.calm += 1;
      else console.log(`seed ${seed}, ${zone.name} to ${new Date(range.to).toISOString()}: ${headline}`);
    }
  }
  console.log(
    `simulator: ${sums.first} of ${sums.incidents} incidents are the first cause, ${sums.second} come after another one of their window; ${sums.calm} of ${sums.hours} ordinary hours are calm; at most ${sums.requests} requests`,
  );
  isBad ||=
    sums.first + sums.second < sums.incidents || sums.calm < sums.hours || sums.requests > WRONG_BUDGET;
}

await ofDouble();
await ofLongWindows();
if (!words.includes('--kinds')) ofSimulator();
process.exitCode = isBad ? 1 : 0;
