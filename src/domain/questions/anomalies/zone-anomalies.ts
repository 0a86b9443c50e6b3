import { ORIGIN_TROUBLE } from '../../logs/counted/row-marks.ts';
import { addCacheSums, type CacheSums, hitRatios, noCacheSums, ratioOf } from '../../logs/sums/traffic.ts';
import type { PullZone } from '../../zone.ts';
import { type AnomalyWindow, NAMING, TELLING_ROWS } from './anomaly-windows.ts';
import type { Sample } from './samples.ts';
import type { ZoneSamples } from './zone-samples.ts';

/** A share of a zone's requests in an anomaly, and in its median sample; 0…1, null = nothing counted. */
export type ShareChange = { now: number | null; usual: number | null };

/** A moment that lies between two samples, Unix ms; `after` null: before the first of them. */
export type Between = { after: number | null; before: number };

/** What stood out in one zone, and when, as far as samples tell. */
export type ZoneAnomaly = {
  zone: PullZone;
  anomaly: AnomalyWindow;
  since: Between;
  /** Null: the newest sample that can tell shows it still. */
  until: Between | null;
  /** The end of the newest of its samples. */
  seenAt: number;
  errors: ShareChange;
  stale: ShareChange;
  hit: ShareChange;
};

/** What is one thing in one zone or several: it began at the same time as far as can be told, with the same values. */
export type Matter = Pick<ZoneAnomaly, 'since' | 'until' | 'seenAt'> & {
  anomalies: readonly [ZoneAnomaly, ...ZoneAnomaly[]];
};

/** Whether a sample can tell that nothing stands out in it: one of few rows cannot. */
export function canTell({ isFiltered }: ZoneSamples, { rows }: Sample): boolean {
  return isFiltered || rows >= TELLING_ROWS;
}

/** Fewer samples do not tell what is usual. */
export const SAMPLES_TELLING = 8;

/** What stood out in a zone, with the times between which it began and ended. */
export function zoneAnomalies(samples: ZoneSamples): ZoneAnomaly[] {
  const { read, found } = samples.looked;
  if (read.length < SAMPLES_TELLING) return [];
  const telling = read.filter((sample) => canTell(samples, sample));
  return found.map((anomaly): ZoneAnomaly => {
    const own = read.filter(({ from, to }) => from >= anomaly.from && to <= anomaly.to);
    const others = telling.filter((sample) => !own.includes(sample));
    const [first, last] = [own[0], own.at(-1)];
    const before = telling.findLast(({ from }) => from < anomaly.from);
    const next = telling.find(({ from }) => from >= anomaly.to);
    const seenAt = endOf(last) ?? anomaly.to;
    const changeOf = (share: (sums: CacheSums) => number | null): ShareChange => ({
      now: share(sumOf(own)),
      usual: median(others.flatMap(({ sums }) => share(sums) ?? [])),
    });
    return {
      zone: samples.zone,
      anomaly,
      since: { after: before?.from ?? null, before: endOf(first) ?? anomaly.from },
      until: next ? { after: last?.from ?? anomaly.from, before: endOf(next) ?? next.to } : null,
      seenAt,
      errors: changeOf(({ errors, requests }) => ratioOf(errors, requests)),
      stale: changeOf(({ stale, requests }) => ratioOf(stale, requests)),
      hit: changeOf((sums) => hitRatios(sums).requests),
    };
  });
}

/** What zones have in common is one matter. Those that go on come first, then those least likely by chance. */
export function mattersOf(all: readonly ZoneAnomaly[]): Matter[] {
  const matters: [ZoneAnomaly, ...ZoneAnomaly[]][] = [];
  for (const each of all.toSorted((a, b) => surpriseOf(b) - surpriseOf(a))) {
    const own = matters.find(
      (matter) => isSame(matter[0], each) && !matter.some(({ zone }) => zone.id === each.zone.id),
    );
    if (own) own.push(each);
    else matters.push([each]);
  }
  const weightOf = ({ anomalies }: Matter) => anomalies.reduce((sum, each) => sum + surpriseOf(each), 0);
  return matters
    .map(matterOf)
    .toSorted((a, b) => Number(b.until === null) - Number(a.until === null) || weightOf(b) - weightOf(a));
}

/** The begins of all its zones lie between the same two moments, and so do their ends, where all are over. */
function matterOf(anomalies: Matter['anomalies']): Matter {
  const afters = anomalies.flatMap(({ since }) => since.after ?? []);
  const ends = anomalies.flatMap(({ until }) => until ?? []);
  const afterEnds = ends.map(({ after, before }) => after ?? before);
  const latest = (times: readonly Between[]) => Math.max(...times.map(({ before }) => before));
  const since = {
    after: afters.length < anomalies.length ? null : Math.min(...afters),
    before: latest(anomalies.map((each) => each.since)),
  };
  const isOver = ends.length === anomalies.length;
  const until = isOver ? { after: Math.min(...afterEnds), before: latest(ends) } : null;
  return { anomalies, since, until, seenAt: Math.max(...anomalies.map(({ seenAt }) => seenAt)) };
}

/**
 * Their begins may be one moment, and so may their ends, unless both go on; and the same stands out in both: what names it, or
 * where nothing does, anything.
 */
function isSame(a: ZoneAnomaly, b: ZoneAnomaly): boolean {
  const isAtOnce =
    mayBeOne(a.since, b.since) && (a.until && b.until ? mayBeOne(a.until, b.until) : a.until === b.until);
  if (!isAtOnce) return false;
  const [ofA, ofB] = [keysOf(a), keysOf(b)];
  if (ofA.trouble || ofB.trouble) return ofA.trouble && ofB.trouble;
  const [namesA, namesB] = [ofA.names, ofB.names];
  if (namesA.size + namesB.size > 0) return !namesA.isDisjointFrom(namesB);
  return !ofA.all.isDisjointFrom(ofB.all);
}

function mayBeOne(a: Between, b: Between): boolean {
  const from = ({ after }: Between) => after ?? Number.NEGATIVE_INFINITY;
  return from(a) <= b.before && from(b) <= a.before;
}

function keysOf({ anomaly: { values } }: ZoneAnomaly) {
  const keys = values.map(({ field, value }) => ({ field, key: `${field} ${value}` }));
  return {
    trouble: keys.some(({ field }) => field === ORIGIN_TROUBLE),
    names: new Set(
      keys.filter(({ field }) => field !== ORIGIN_TROUBLE && NAMING.includes(field)).map(({ key }) => key),
    ),
    all: new Set(keys.map(({ key }) => key)),
  };
}

function surpriseOf({ anomaly: { values } }: ZoneAnomaly): number {
  return Math.max(0, ...values.map(({ g2 }) => g2));
}

function endOf(sample: Sample | undefined): number | undefined {
  return sample && sample.from + sample.span;
}

function sumOf(samples: readonly Sample[]): CacheSums {
  const sum = noCacheSums();
  for (const { sums } of samples) addCacheSums(sum, sums);
  return sum;
}

function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? null;
}
