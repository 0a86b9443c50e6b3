import type { PullZone } from '../../../domain/zone.ts';
import { type ThemeSlot, ZONE_SLOTS } from '../../../paint/theme.ts';
import { fit, width } from '../../../text/fit.ts';
import { sanitise } from '../../../text/sanitise.ts';

/** How a zone stands in a list of several: its name in as many cells as there are, and its colour. */
export type ZoneMark = { label: string; slot: ThemeSlot };

/** A name that is cut must not become that of another zone: it is cut where the names differ. */
const CUTS: readonly ((name: string, cells: number, cut: string) => string)[] = [
  (name, cells, cut) => fit(name, cells, 'left', cut),
  (name, cells, cut) => cut + [...name].slice(1 - cells).join(''),
  (name, cells, cut) => {
    const letters = [...name];
    const head = cells >> 1;
    return [...letters.slice(0, head), cut, ...letters.slice(1 + head - cells)].join('');
  },
];

/** The marks of zones by their ids. The letters tell zones apart where there is no colour, and no two have one colour before all are taken. */
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

/** Names in as many cells, all different where the names are; else each with its place in the list before it. */
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

/** A zone has its colour by its id wherever that is free, so that it is the same colour in most logs. */
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
