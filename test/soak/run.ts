import { parseArgs } from 'node:util';
import type { Range, Slope } from './measure.ts';
import { type RealFigures, soakReally } from './real.ts';
import { soakVirtually } from './virtual.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '7' },
    hours: { type: 'string', default: '8' },
    real: { type: 'string', default: '20' },
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
if (Number(values.real) > 0) {
  const real = await soakReally(seed, Number(values.real));
  isSound &&= real.wrong.length === 0;
  tell(real);
}
process.exit(isSound ? 0 : 1);

function tell({ minutes, warmUp, faults, requests, rows, use, keys, wrong }: RealFigures): void {
  console.log(
    `${minutes} real minutes of the built program with ${faults} faults set (seed ${seed}): ${requests} requests; measured after ${warmUp.toFixed(1)} min`,
  );
  for (const way of ['piped', 'screen'] as const) {
    const { printed, inGaps, lost, doubled } = rows[way];
    const { rss, rssSlope, heapSlope, parts, handles, threads, cpuPercent, resources } = use[way];
    const kinds = Object.entries(resources).map(([kind, n]) => `${kind} ${n}`);
    console.log(`  ${way}: ${printed} rows, ${inGaps} in gaps, rows lost ${lost}, rows doubled ${doubled}`);
    console.log(`    memory ${shown(rss)} MB, ${slope(rssSlope)}; heap in use ${slope(heapSlope)}`);
    const held = Object.entries({
      'taken by the heap': parts.heapTaken,
      outside: parts.external,
      rest: parts.rest,
    });
    console.log(
      `    ${held.map(([name, { range, slope: of }]) => `${name} ${shown(range)} MB, ${slope(of)}`).join('; ')}`,
    );
    console.log(
      `    open files ${shown(handles)}, threads ${shown(threads)}, active resources at most: ${kinds.join(', ')}; CPU ${cpuPercent.toFixed(1)} % of a core`,
    );
  }
  console.log(
    `  keys ${keys.pressed}, unheard ${keys.unheard.length}; at the end a key shows after ${keys.median.toFixed(0)} ms (median), ${keys.slowest.toFixed(0)} ms (slowest)`,
  );
  if (wrong.length > 0) console.log(`wrong: ${wrong.join('\n')}`);
}

function shown({ first, last, most }: Range): string {
  return `${first.toFixed(0)} -> ${last.toFixed(0)} (most ${most.toFixed(0)})`;
}

function slope(of: Slope | null): string {
  if (of === null) return 'not told: too few full collections';
  return `${of.perHour.toFixed(1)} ± ${of.error.toFixed(1)} MB/h (95 %, ${of.points} minutes)`;
}
