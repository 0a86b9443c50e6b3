import { ROW_COLUMNS } from '../domain/shield/shield-columns.ts';
import { eventFields } from '../domain/shield/shield-rows.ts';
import { listHeight } from '../state/layout.ts';
import type { State } from '../state/model.ts';
import type { ShieldView } from '../state/shield/shield-model.ts';
import { timeOfDay } from '../text/units.ts';
import type { Look } from './theme.ts';

/** What stands bare in the line of a row; the user agent has spaces and is quoted behind it. */
const BARE = ROW_COLUMNS.filter(({ dimension }) => dimension !== 'ua');

/** The lines of an explorer view from the cursor on, whole and as bare text; not sanitised yet. */
export function shieldTexts(state: State, view: ShieldView, look: Look): string[] {
  const zone = look.utc ? 'utc' : 'local';
  const time = (at: number | null) => (at === null ? '-' : timeOfDay(at, { zone, date: true }));
  const rules = state.shield?.rules ?? null;
  const ruleText = (id: string) => rules?.get(id)?.description ?? null;
  const end = view.cursor + listHeight(state);
  switch (view.kind) {
    case 'shieldEvent':
      return eventFields(view.row, rules)
        .slice(view.cursor, end)
        .map(({ name, value }) => `${name}: ${value}`);
    case 'shieldRows':
      return view.rows.shown.slice(view.cursor, end).map(({ at, fields, raw }) => {
        if (raw !== null) return `not understood: ${raw}`;
        const when = timeOfDay(at, { zone, date: true, millis: true });
        const parts = BARE.map(({ dimension }) => fields[dimension] || '-');
        return `${when} ${parts.join(' ')} "${fields['ua'] ?? '-'}"`;
      });
    case 'shieldGroups':
      return view.table.groups.slice(view.cursor, end).map((group) => {
        if (group.raw !== null) return `not understood: ${group.raw}`;
        const { blocked, challenged, logged, features, ruleIds } = group.context;
        const key = view.reading.plan.dims.map((dimension) => {
          const value = group.key[dimension] || '-';
          const text = dimension === 'ruleId' ? ruleText(value) : null;
          return text ? `${value} "${text}"` : value;
        });
        const counts = `blocked ${blocked ?? '?'} challenged ${challenged ?? '?'} logged ${logged ?? '?'}`;
        const times = `${time(group.firstSeen)} - ${time(group.lastSeen)}`;
        const touched = `features ${features.join(',') || '-'} rules ${ruleIds.join(',') || '-'}`;
        return `${group.count} ${key.join(' ')} ${counts} ${times} ${touched}`;
      });
  }
}
