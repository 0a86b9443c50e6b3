import { WRONG_BUDGET } from '../../src/domain/questions/wrong/wrong-plan.ts';
import { accountOf, placeOf, planted } from '../domain/questions/wrong-truth.ts';

/** Every planted incident of twenty seeds, and forty ordinary hours, as `edgescope ask wrong` judges them. */
const SEEDS = Array.from({ length: 20 }, (_, at) => at + 1);
const HOURS = 40;

const sums = { incidents: 0, first: 0, second: 0, requests: 0, hours: 0, nothing: 0 };
const missed: string[] = [];
for (const seed of SEEDS) {
  const account = accountOf(seed);
  for (const { truth, range, isAlone } of planted(account.truths)) {
    const { table, requests } = account.ask(account.zoneOf(truth), range);
    const place = placeOf(table(), truth);
    sums.incidents += 1;
    sums.requests = Math.max(sums.requests, requests);
    if (place === 0) sums.first += 1;
    else if (place === 1 && !isAlone) sums.second += 1;
    else missed.push(`seed ${seed}, ${truth.id}: ${table().headline}`);
  }
  for (const { zone, range } of account.calm(HOURS / SEEDS.length)) {
    const { headline } = account.ask(zone, range).table();
    sums.hours += 1;
    if (/^nothing stands out from the usual/.test(headline)) sums.nothing += 1;
    else missed.push(`seed ${seed}, ${zone.name} to ${new Date(range.to).toISOString()}: ${headline}`);
  }
}
for (const line of missed) console.log(line);
console.log(
  `${sums.first} of ${sums.incidents} incidents are the first cause, ${sums.second} the second of two that overlap; at most ${sums.requests} requests of ${WRONG_BUDGET}`,
);
console.log(`${sums.nothing} of ${sums.hours} ordinary hours: nothing stands out`);
process.exitCode = missed.length > 0 || sums.requests > WRONG_BUDGET ? 1 : 0;
