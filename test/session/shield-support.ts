import { ZONE_SORTS } from '../../src/state/account-model.ts';
import type { Platform } from '../support/platform.ts';
import type { Simulated } from '../support/simulator/simulated.ts';
import type { TruthRow } from '../support/simulator/truth.ts';

type GroupLine = { key: string; events: number; isCursor: boolean };

/** A planted row that a Shield rule looked at. */
type PlantedEvent = TruthRow & { shield: NonNullable<TruthRow['shield']> };

/** An incident as the simulator tells it. */
export type Incident = ReturnType<Simulated['incidents']>[number];

export const title = (screen: readonly string[]): string => screen[0] ?? '';
export const queryLine = (screen: readonly string[]): string => (screen[1] ?? '').trim();
export const isRead = (screen: readonly string[]): boolean =>
  /(COMPLETE|PARTIAL [\d,]+ of [\d,]+|EMPTY)$/.test(title(screen));
export const isPicker = (screen: readonly string[]): boolean =>
  /> zones +\S/.test(title(screen)) && screen.some((line) => /^[▌● ]\S+ .* \d+s( |$)/.test(line));

/**
 * Keeps the picker from reading figures, and its zones as the platform lists them: what is asked from then on is asked by the
 * test.
 */
export async function leftStill(terminal: { type: (keys: string) => Promise<void> }): Promise<void> {
  await terminal.type(`<:follow>${'s'.repeat(ZONE_SORTS.indexOf('list'))}`);
}
export const cursorLine = (screen: readonly string[]): string =>
  screen.find((line) => line.startsWith('▌')) ?? '';

/** The lines of a table of groups, from the top: the first word of the key and the number of events or rows. */
export function groupLines(screen: readonly string[]): GroupLine[] {
  return screen.flatMap((whole) => {
    // Top values may stand beside the list.
    const [line = ''] = whole.split('│');
    const match =
      /^([▌ ])(\S+)(?: .*?)? +([\d,]+)\+?(?: +<?[\d.]+% |(?: +[\d,?]+\+?){2,3} +\d\d:\d\d:\d\d)/.exec(line);
    if (!match) return [];
    const events = Number(match[3]?.replaceAll(',', ''));
    return [{ key: match[2] ?? '', events, isCursor: match[1] === '▌' }];
  });
}

/** The value of a named line of an event. */
export function eventValue(screen: readonly string[], name: string): string {
  const line = screen.find((each) => each.slice(1).startsWith(`${name} `)) ?? '';
  return line.slice(1 + name.length).trim();
}

export function searchesOf(simulator: Pick<Simulated, 'stats'>): number {
  return simulator.stats().byEndpoint['shieldSearch'] ?? 0;
}

/** The events of an incident's time that the simulator planted and shows by `by`, Unix ms. */
export function plantedEvents(
  simulator: Platform,
  incident: Incident,
  by = simulator.clock.now(),
): PlantedEvent[] {
  return simulator
    .truth(incident.pullZoneId, incident.from, Math.min(incident.to, by))
    .filter((row) => row.visibleAt <= by)
    .flatMap((row) => (row.shield === null ? [] : [{ ...row, shield: row.shield }]));
}
