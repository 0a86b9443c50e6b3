import type { PullZone } from '../../domain/zone.ts';
import type { State } from '../model.ts';

/**
 * The Shield zone of a pull zone as far as anything on the way here told it; null = it has none, undefined = nobody has
 * told yet. A log that was opened by name is there before the list that joins both kinds of zones.
 */
export function shieldZoneOf(
  { shield, zones }: Pick<State, 'shield' | 'zones'>,
  zone: PullZone,
): string | null | undefined {
  if (zone.shieldZoneId !== undefined) return zone.shieldZoneId;
  if (shield?.zone.id === zone.id && shield.shieldZoneId !== null) return shield.shieldZoneId;
  return zones.shieldOf ? (zones.shieldOf.get(zone.id) ?? null) : undefined;
}
