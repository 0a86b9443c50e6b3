import type { CommandId } from '../../keys/bindings.ts';
import type { State, ZonesView } from '../model.ts';
import { renewed, withReadings } from './health.ts';
import { ZONE_SORTS } from './health-model.ts';
import { zoneMarked } from './zone-marks.ts';

/** What a key does to the figures in the picker, and to its marks; null: nothing. */
export function healthCommanded(state: State, view: ZonesView, command: CommandId): State | null {
  const { health } = state;
  switch (command) {
    case 'markZone':
      return zoneMarked(state, view);
    case 'sort': {
      const sort = ZONE_SORTS[(ZONE_SORTS.indexOf(health.sort) + 1) % ZONE_SORTS.length] ?? 'worst';
      return atFirstZone({ ...state, health: { ...health, sort } });
    }
    case 'reverse':
      return atFirstZone({ ...state, health: { ...health, reversed: !health.reversed } });
    case 'follow':
      return withReadings({ ...state, health: { ...health, isStopped: !health.isStopped } });
    default:
      return null;
  }
}

/** The list from its first line on, in its order of now. */
export function atFirstZone(state: State): State {
  const views = state.views.map((view) => (view.kind === 'zones' ? { ...view, cursor: 0, top: 0 } : view));
  return renewed({ ...state, views });
}
