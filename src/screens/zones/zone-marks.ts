import { zonesCalled } from '../../domain/query/zone-search.ts';
import { canBeRead, type PullZone, type Zones } from '../../domain/zone.ts';
import { detailedHeight } from '../../state/list/screen-layout.ts';
import { placed } from '../../state/list.ts';
import { MOST_ZONES_WORDS, ZONES_OF_A_LOG } from '../../state/log-zones.ts';
import { noticed, type Prompt, type State, type ZonesView } from '../../state/model.ts';
import { topOf, withTop } from '../../state/view-stack.ts';
import { count, counted } from '../../text/units.ts';

/** Space marks the zone under the cursor or unmarks it, and moves to the next. */
export function zoneMarked(state: State, view: ZonesView): State {
  const { shown, marked } = state.zones;
  const zone = shown[view.cursor];
  if (!zone) return state;
  const others = [...marked].filter((id) => id !== zone.id);
  const next = withMarks(state, marked.has(zone.id) ? others : [...others, zone.id]);
  return withTop(next, {
    ...view,
    ...placed(view, view.cursor + 1, shown.length, detailedHeight(state)),
  });
}

export function withMarks(state: State, ids: readonly string[]): State {
  return { ...state, zones: { ...state.zones, marked: new Set(ids) } };
}

/** Enter on a pattern of names also marks the listed zones that it matches. */
export function patternSubmitted(state: State, prompt: Prompt): State {
  const closed: State = { ...state, prompt: null };
  const { items, marked, nextPage } = state.zones;
  const words = prompt.field.text.split(',').filter((word) => word.trim() !== '');
  if (words.length === 0) return withMarks(closed, []);
  const called = new Set(words.flatMap((word) => zonesCalled(items, word)).filter(canBeRead));
  const of = nextPage === null ? '' : ` of the ${count(items.length)} read so far; G reads more`;
  if (called.size === 0) return noticed(closed, 'info', `no zone with a log is called so${of}`);
  const next = withMarks(closed, [...marked, ...[...called].map(({ id }) => id)]);
  return noticed(next, 'info', `${counted(called.size, 'zone')} marked${of}`);
}

/** The marked zones in the order of the list, else the one under the cursor; or why they cannot be one log. */
export function zonesChosen({ zones }: State, under: PullZone): Zones | string {
  const { marked, items, shown } = zones;
  if (marked.size === 0) return [under];
  const listed = new Set([...shown, ...items]);
  const [first = under, ...others] = [...listed].filter(({ id }) => marked.has(id));
  if (others.length < ZONES_OF_A_LOG) return [first, ...others];
  return `${count(others.length + 1)} zones are marked; ${MOST_ZONES_WORDS}`;
}

/** The marked zones in words; null: none, or the picker is not on screen. */
export function marksTold(state: State): string | null {
  const { size } = state.zones.marked;
  if (size === 0 || !topOf(state, 'zones')) return null;
  return `${count(size)} marked: Enter ${size === 1 ? 'opens it' : 'opens one log'}`;
}
