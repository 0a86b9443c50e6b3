import { parseArgs } from 'node:util';
import { soakReally } from './real.ts';
import { soakVirtually } from './virtual.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '7' },
    hours: { type: 'string', default: '8' },
    minutes: { type: 'string', default: '20' },
  },
});
const seed = Number(values.seed);
let isSound = true;
if (Number(values.hours) > 0) {
  const virtual = await soakVirtually(seed, Number(values.hours));
  isSound = virtual.wrong.length === 0;
  console.log(
    `${virtual.hours} virtual hours of the tail with ${virtual.faults} faults (seed ${seed}): ${virtual.requests} requests, ${virtual.rowsShown} rows shown, ${virtual.gaps} gaps, rows lost ${virtual.lost}, rows doubled ${virtual.doubled}, timers left ${virtual.wrong.includes('timers are left after the stop') ? 'some' : 0}`,
  );
  if (!isSound) console.log(`wrong: ${virtual.wrong.join('; ')}`);
}
if (Number(values.minutes) > 0) {
  const real = await soakReally(seed, Number(values.minutes));
  const { printed, inHoles, lost, doubled } = real.piped;
  console.log(
    `${real.minutes} real minutes of the built program with ${real.faults} faults: ${real.requests} requests; in a pipe ${printed} rows, ${inHoles} in holes, rows lost ${lost}, rows doubled ${doubled}`,
  );
  for (const way of ['piped', 'screen'] as const) {
    console.log(
      `  ${way}: memory ${real.rss[way]}, ${real.slope[way]} MB/h in the second half, handles ${real.handles[way]}`,
    );
  }
}
process.exit(isSound ? 0 : 1);
