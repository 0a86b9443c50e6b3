import { count, percent } from '../../../text/units.ts';
import type { PullZone } from '../../zone.ts';
import type { Inquiry, Side } from './inquiry.ts';
import type { LogReading } from './log-reading.ts';

/** Zones named one by one; of more of them the number of the others is told. */
const NAMED = 3;

/** `shop`, `shop and api`, `shop, api and 4 more`. Names are untrusted, and made safe where they are shown. */
export function namesOf(names: readonly string[]): string {
  const [last, ...others] = names.length > NAMED ? [] : names.toReversed();
  if (last === undefined) {
    return names.length === 0
      ? ''
      : `${names.slice(0, NAMED).join(', ')} and ${count(names.length - NAMED)} more`;
  }
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
}

export function zoneNames(zones: readonly PullZone[]): string {
  return namesOf(zones.map(({ name }) => name));
}

/** How a price is made up, rows in memory apart: `at most 4 of each of 3 zones`; empty for one zone. */
export function eachWords(zones: readonly PullZone[], { needs }: Pick<Inquiry, 'needs'>): string {
  if (zones.length < 2) return '';
  const each = zones.map(
    ({ id }) => needs.filter((need) => need.kind === 'logs' && need.zoneId === id).length,
  );
  return `at most ${count(Math.max(...each))} of each of ${count(zones.length)} zones`;
}

/** `of the 22.7% read: `, the beginning of a sentence about what was read; empty where that is all. */
export function hedgeOf(reading: LogReading): string {
  if (reading.isWhole) return '';
  const without = leftOut(reading);
  const but =
    without.length > 0 && without.length < reading.zones.length ? `, without ${zoneNames(without)}` : '';
  return `of the ${partOfAll(reading.shareOfAll)} read${but}: `;
}

/** `84% of the window read`; only a whole reading is called `all of the window`. */
export function readWords(reading: LogReading, side: Side, name: string): string {
  const share = reading.share(side);
  return share >= 1 ? `all of ${name} read` : `${partOfAll(share)} of ${name} read`;
}

/** Of several zones which were not read, and what rows count where they were not read alike; empty where all is even. */
export function zonesRead(reading: LogReading): string[] {
  if (reading.zones.length < 2) return [];
  const without = leftOut(reading);
  const unread = without.filter((zone) =>
    reading.sides.every((side) => reading.share(side, undefined, zone) === 0),
  );
  const half = without.filter((zone) => !unread.includes(zone));
  const sides = reading.sides.map((side) => reading.weights(side));
  const isUneven = sides.some(({ of }) => [...of.values()].some((weight) => weight < 1));
  const shares = [...new Set(sides.map(({ share }) => partOfAll(share)))].join(' and ');
  return [
    unread.length > 0 ? `${zoneNames(unread)} not read` : '',
    half.length > 0 ? `${zoneNames(half)} not counted: one of the windows was not read` : '',
    isUneven ? `zones read unevenly: rows weighed as if ${shares} of each was read` : '',
  ].filter((text) => text !== '');
}

function leftOut(reading: LogReading): PullZone[] {
  const { compared } = reading;
  return reading.zones.filter((zone) => !compared.includes(zone));
}

/** A share that is not all is never shown as all. */
export function partOfAll(share: number): string {
  return percent(share >= 1 ? 1 : Math.min(share, 0.999));
}
