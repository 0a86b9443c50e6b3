import { readdirSync, readFileSync } from 'node:fs';

export type Sample = {
  at: number;
  rssMb: number;
  /** Open files and sockets. */
  handles: number;
  threads: number;
  cpuMs: number;
};

/** What the process said of itself, see `probe.mjs`; `alive` in MB, null where no full collection had been. */
export type Told = {
  at: number;
  alive: number | null;
  /** MB. */
  memory: NodeJS.MemoryUsage;
  resources: Readonly<Record<string, number>>;
};

/** Per hour, with half the width of the interval that holds the true slope in 95 of 100 cases. */
export type Slope = { perHour: number; error: number; points: number };

export type Range = { first: number; last: number; most: number };

/** The kernel counts CPU time in hundredths of a second, ms. */
const TICK = 10;
/** Samples of one such span are one point of the line: neighbours resemble each other, and would feign certainty, ms. */
const SPAN = 60_000;
/** The 97.5 % quantile of Student's distribution, by degrees of freedom from 1. */
const STUDENT = [
  12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.1,
];

export function sampleOf(pid: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // User and system time are the 14th and 15th field; the second is a name that may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    at: Date.now(),
    rssMb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    threads: Number(/Threads:\s+(\d+)/.exec(status)?.[1]),
    cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK,
  };
}

/** Least squares over the means of whole minutes. */
export function slopeOf<T extends { at: number }>(list: readonly T[], of: (each: T) => number): Slope {
  const spans = Map.groupBy(list, ({ at }) => Math.floor((at - (list[0]?.at ?? 0)) / SPAN));
  const points = [...spans.values()].map((span) => ({ x: mean(span, ({ at }) => at), y: mean(span, of) }));
  const [x, y] = [mean(points, (p) => p.x), mean(points, (p) => p.y)];
  const spread = points.reduce((sum, p) => sum + (p.x - x) ** 2, 0);
  const perMs = points.reduce((sum, p) => sum + (p.x - x) * (p.y - y), 0) / spread;
  const freedom = points.length - 2;
  const off = points.reduce((sum, p) => sum + (p.y - y - perMs * (p.x - x)) ** 2, 0);
  const quantile = STUDENT[freedom - 1] ?? 2;
  return {
    perHour: perMs * 3_600_000,
    error: freedom < 1 ? Number.POSITIVE_INFINITY : quantile * Math.sqrt(off / freedom / spread) * 3_600_000,
    points: points.length,
  };
}

export function rangeOf(list: readonly number[]): Range {
  return { first: list[0] ?? 0, last: list.at(-1) ?? 0, most: Math.max(...list) };
}

/** Share of one core, in percent. */
export function cpuOf(list: readonly Sample[]): number {
  const [first, last] = [list[0], list.at(-1)];
  if (first === undefined || last === undefined || last.at === first.at) return 0;
  return (100 * (last.cpuMs - first.cpuMs)) / (last.at - first.at);
}

export function toldIn(file: string): Told[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** The most that a process held of each kind of resource that keeps it running. */
export function mostResources(list: readonly Told[]): Record<string, number> {
  const most: Record<string, number> = {};
  for (const { resources } of list) {
    for (const [kind, n] of Object.entries(resources)) most[kind] = Math.max(most[kind] ?? 0, n);
  }
  return most;
}

function mean<T>(list: readonly T[], of: (each: T) => number): number {
  return list.reduce((sum, each) => sum + of(each), 0) / list.length;
}
