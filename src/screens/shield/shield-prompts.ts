import { LOG_RETENTION } from '../../domain/log-retention.ts';
import { shieldFieldOf } from '../../domain/query/fields.ts';
import { parseDay } from '../../domain/query/query-time.ts';
import type { ShieldGroup } from '../../domain/shield/shield.ts';
import { networkOf } from '../../domain/shield/shield-groups.ts';
import { dimensionOf, planRows } from '../../domain/shield/shield-question.ts';
import { NO_ROWS } from '../../domain/shield/shield-rows.ts';
import type { Prompt, State } from '../../state/model.ts';
import { mistaken } from '../../state/prompt.ts';
import { isShieldList, type ShieldRowsView } from '../../state/shield-model.ts';
import { DAY } from '../../text/units.ts';
import { remembered, topShield, topShieldList, unanswered } from './shield-ask.ts';
import { listOf } from './shield-lists.ts';

/** Values searched for completion, from the newest view down. */
const LOOKED_AT = 2000;

/** Values of a field seen on the views of this stack, most frequent first. */
export function seenInShield(state: State, field: string, most: number): string[] {
  const dimension = dimensionOf(field);
  const row = shieldFieldOf(field);
  if (!dimension || !row) return [];
  const counts = new Map<string, number>();
  const add = (value: string | null | undefined, count: number) => {
    if (value) counts.set(value, (counts.get(value) ?? 0) + count);
  };
  const addGroup = (group: ShieldGroup) => {
    if (dimension === 'country' || dimension === 'asn') {
      const shared = networkOf(group)[dimension];
      // Nobody knows how many events have the value of a single one.
      add(shared ?? group.context[dimension], shared === null ? 1 : group.count);
    } else add(row.get(group.key), group.count);
    if (dimension === 'feature') for (const name of group.context.features) add(name, 1);
    if (dimension === 'ruleId') for (const id of group.context.ruleIds) add(id, 1);
  };
  for (const view of state.views.filter(isShieldList)) {
    for (const line of listOf(view).held(view).slice(0, LOOKED_AT)) {
      if ('key' in line) addGroup(line);
      else add(row.get(line.fields), 1);
    }
  }
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([value]) => value);
}

/** The day that the prompt offers: that of the window on screen. */
export function dayOffered(state: State): string {
  const at = topShieldList(state)?.reading.range.from ?? state.now;
  return new Date(at).toISOString().slice(0, 10);
}

/** Starts to read a whole UTC day; the server says whether it still has it. */
export function daySubmitted(state: State, prompt: Prompt): State {
  const written = prompt.field.text.trim();
  const view = topShield(state);
  const read = parseDay(written, state.now);
  if (!read.ok || read.midnight > state.now) {
    const { message, hint } = read.ok
      ? { message: `${written} lies in the future`, hint: 'yesterday is the newest whole day' }
      : read;
    return mistaken(state, prompt, message, hint);
  }
  const from = read.midnight;
  const day = new Date(from).toISOString().slice(0, 10);
  if (!view || !state.shield) return { ...state, prompt: null };
  const before = remembered({ ...state, prompt: null });
  if (!before.shield) return before;
  const window = { kind: 'absolute', from, to: from + DAY } as const;
  const query = { ...view.query, groupBy: [], window };
  // The server sends what it still has of the day.
  const range = {
    from: Math.min(Math.max(from, state.now - LOG_RETENTION.shield), window.to),
    to: window.to,
  };
  // The day read takes no filters: every term is decided here.
  const base = unanswered(before, query, { ...planRows(query), local: query.terms });
  const rows: ShieldRowsView = {
    ...base,
    kind: 'shieldRows',
    rows: NO_ROWS,
    day: { day, token: null, tokens: [], pages: 0 },
    reading: { ...base.reading, range, sparks: null },
  };
  // A day over a day would keep the rows of both: the one before is in the history.
  const below = topShieldList(state)?.day ? before.views.slice(0, -1) : before.views;
  return { ...before, views: [...below, rows], shield: { ...before.shield, request: base.reading.request } };
}
