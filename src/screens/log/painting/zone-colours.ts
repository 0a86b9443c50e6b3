import type { PullZone } from '../../../domain/zone.ts';
import { type ThemeSlot, ZONE_SLOTS } from '../../../paint/theme.ts';
import { fit, width } from '../../../text/fit.ts';
import { sanitise } from '../../../text/sanitise.ts';

/** How a list shows a zone among several: its name in so many cells, and its colour. */
export type ZoneMark = { label: string; slot: ThemeSlot };

/** A truncated name must not look like that of another zone: it is cut where the names differ. */
const CUTS: readonly ((name: string, cells: number, cut: string) => string)[] = [
  (name, cells, cut) => fit(name, cells, 'left', cut),
  (name, cells, cut) => cut + [...name].slice(1 - cells).join(''),
  (name, cells, cut) => {
    const letters = [...name];
    const head = cells >> 1;
    return [...letters.slice(0, head), cut, ...letters.slice(1 + head - cells)].join('');
  },
];

/**
 * The marks of zones by their ids. Letters tell zones apart without colour, and no two share a colour until all are
 * taken.
 */
export function zoneMarks(
  zones: readonly PullZone[],
  cells: number,
  cut: string,
): ReadonlyMap<string, ZoneMark> {
  const labels = labelsOf(
    zones.map(({ name }) => sanitise(name, 'strict')),
    cells,
    cut,
  );
  const slots = slotsOf(zones);
  return new Map(zones.map(({ id }, at) => [id, { label: labels[at] ?? '', slot: slots[at] ?? 'text' }]));
}

/** Names in so many cells, all different where the names are; else each behind its place in the list. */
function labelsOf(names: readonly string[], cells: number, cut: string): string[] {
  const isDifferent = (labels: readonly string[]) => new Set(labels).size === new Set(names).size;
  const fitted = (shorten: (name: string) => string) =>
    names.map((name) => fit(width(name) <= cells ? name : shorten(name), cells, 'left', cut));
  for (const shorten of CUTS) {
    const labels = fitted((name) => shorten(name, cells, cut));
    if (isDifferent(labels)) return labels;
  }
  return names.map((name, at) => fit(`${at + 1} ${name}`, cells, 'left', cut));
}

/** A zone has the colour of its id wherever that is free, so the same one in most logs. */
function slotsOf(zones: readonly PullZone[]): ThemeSlot[] {
  let free = [...ZONE_SLOTS];
  return zones.map(({ id }) => {
    if (free.length === 0) free = [...ZONE_SLOTS];
    const wanted = ZONE_SLOTS[hashOf(id) % ZONE_SLOTS.length];
    const at = Math.max(0, free.indexOf(wanted ?? 'zone1'));
    return free.splice(at, 1)[0] ?? 'text';
  });
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) >>> 0;
  return hash;
}
