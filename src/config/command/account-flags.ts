import { momentTime, parseMoment, printMoment } from '../../domain/query/query-time.ts';
import type { CommandLine } from './command-line.ts';

/** The simulator's, where none is named. */
const USUAL_SEED = 1;

/** What the simulator's rows are a function of. */
export function trafficOf({ seed, rate }: CommandLine, epoch: number) {
  return { seed: seed ?? USUAL_SEED, rate: rate ?? undefined, epoch };
}

/** What a colleague's start needs too, to see the same account or the same simulated one. */
export function accountFlags(line: CommandLine, epoch: number): string[] {
  const profile = line.profile === null ? [] : ['--profile', line.profile];
  const rate = line.rate === null ? [] : ['--rate', String(line.rate)];
  return line.demo
    ? ['--demo', '--seed', String(line.seed ?? USUAL_SEED), '--epoch', printMoment(epoch), ...rate]
    : profile;
}

/** The minute that the simulated incidents are counted from: with the same one and the same seed its rows are the same. */
export function epochOf(
  line: CommandLine,
  now: number,
): { ok: true; value: number } | { ok: false; message: string } {
  if (line.epoch === null) return { ok: true, value: Math.floor(now / 60_000) * 60_000 };
  const read = parseMoment(line.epoch, now);
  const time = read.ok ? momentTime(read.moment, now, null) : null;
  return time === null
    ? { ok: false, message: `--epoch takes a time such as 2026-08-01T02:10Z, not '${line.epoch}'` }
    : { ok: true, value: time };
}
