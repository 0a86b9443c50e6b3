import type { PullZone } from '../../zone.ts';
import type { NameField } from '../deviation/sampled-rows.ts';
import type { Between } from '../deviation/stretch.ts';
import type { Cause } from '../wrong/verdict.ts';

/** A cause in one zone. */
export type ZoneCause = Cause & { zone: PullZone };

/** What is one thing in one zone or several: it began at the same time as far as can be told, with the same names. */
export type Matter = {
  causes: readonly [ZoneCause, ...ZoneCause[]];
  since: Between | null;
  until: Between | null;
};

/** Values that name somebody or something; by the others two different matters can be alike. */
const NAMING: readonly NameField[] = ['page', 'path', 'shape', 'asn', 'ja4', 'ip'];

/** What zones have in common is one matter. What goes on comes first, then what spoils most requests. */
export function mattersOf(all: readonly ZoneCause[]): Matter[] {
  const matters: [ZoneCause, ...ZoneCause[]][] = [];
  for (const each of all.toSorted((a, b) => b.harm - a.harm)) {
    const own = matters.find(
      (matter) => isSame(matter[0], each) && !matter.some(({ zone }) => zone.id === each.zone.id),
    );
    if (own) own.push(each);
    else matters.push([each]);
  }
  const harmOf = ({ causes }: Matter) => causes.reduce((sum, { harm }) => sum + harm, 0);
  const isOn = ({ until }: Matter) => Number(until === null);
  return matters.map(matterOf).toSorted((a, b) => isOn(b) - isOn(a) || harmOf(b) - harmOf(a));
}

/** The begins of all its zones lie between the same two moments, and so do their ends, where all are over. */
function matterOf(causes: Matter['causes']): Matter {
  const begins = causes.flatMap(({ since }) => since ?? []);
  const ends = causes.flatMap(({ until }) => until ?? []);
  return {
    causes,
    since: begins.length < causes.length ? null : around(begins),
    until: ends.length < causes.length ? null : around(ends),
  };
}

function around(times: readonly Between[]): Between {
  const afters = times.flatMap(({ after }) => after ?? []);
  return {
    after: afters.length < times.length ? null : Math.min(...afters),
    before: Math.max(...times.map(({ before }) => before)),
  };
}

/** Their begins may be one moment, and so may their ends, unless both go on; and it is the same that stands out in both. */
function isSame(a: ZoneCause, b: ZoneCause): boolean {
  const isAtOnce =
    mayBeOne(a.since, b.since) && (a.until && b.until ? mayBeOne(a.until, b.until) : a.until === b.until);
  if (!isAtOnce || a.deviation === null || b.deviation === null) return false;
  if (a.deviation.harm !== b.deviation.harm) return false;
  // Zones have other pages, and may have one origin.
  if (a.deviation.harm === 'trouble') return true;
  const [namesA, namesB] = [namesOf(a), namesOf(b)];
  return namesA.size + namesB.size === 0 || !namesA.isDisjointFrom(namesB);
}

function mayBeOne(a: Between | null, b: Between | null): boolean {
  if (a === null || b === null) return a === b;
  const from = ({ after }: Between) => after ?? Number.NEGATIVE_INFINITY;
  return from(a) <= b.before && from(b) <= a.before;
}

function namesOf({ deviation }: ZoneCause): Set<string> {
  const names = (deviation?.names ?? []).filter(({ field }) => NAMING.includes(field));
  return new Set(names.map(({ field, value }) => `${field} ${value}`));
}
