import type { ApiKey } from '../../../domain/api-key.ts';
import { smallTable, type TextColumn } from '../../../paint/list-columns.ts';
import type { Painting } from '../../../paint/painting.ts';
import {
  type Area,
  cut,
  emptyListWords,
  paragraphs,
  readingBadge,
  type Strip,
  textLine,
} from '../../../paint/row.ts';
import type { ListView } from '../../../state/account-model.ts';
import { listHeight } from '../../../state/list/screen-layout.ts';
import type { State } from '../../../state/model.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { count } from '../../../text/units.ts';

/** Cells of all columns but the roles, with the blanks between; from this width on the value has room. */
const FIXED_CELLS = 28;
const VALUE_CELLS = 14;
const VALUE_FROM = 60;

/** The keys of the account: id, roles, fingerprint. Below them one value at a time, for ten seconds. */
function keysBody(state: State, { cursor, top: first }: ListView<'keys'>, area: Area): string[] {
  const { keys } = state;
  if (keys.items.length === 0) return paragraphs(emptyListWords(keys, 'keys', state), area, 'text');
  const value = shownValue(state, area);
  const room = Math.max(1, listHeight(state) - value.length);
  // The value takes rows of the list, and the cursor stays in what is left.
  const top = Math.max(first, cursor - room + 1);
  const shown = keys.items.slice(top, top + room);
  return [...smallTable(columnsOf(state, area), shown, cursor - top, area), ...value];
}

function columnsOf({ keys: { revealed, recording } }: State, { columns, look }: Strip): TextColumn<ApiKey>[] {
  const hasValue = columns >= VALUE_FROM;
  const roles = Math.max(6, columns - FIXED_CELLS - (hasValue ? VALUE_CELLS : 0));
  const shownAs = ({ id, secret }: ApiKey) => {
    if (secret === null) return 'not given';
    if (revealed?.id === id) return 'shown below';
    return recording?.id === id ? 'recording' : 'hidden';
  };
  return [
    { title: 'ID', cells: 8, align: 'right', text: ({ id }) => sanitise(id, 'strict') },
    {
      title: 'ROLES',
      cells: roles,
      text: (key) => sanitise(key.roles.join(' ') || 'none', 'strict', roles * 2),
    },
    { title: 'FINGERPRINT', cells: 11, text: ({ secret }) => secret?.fingerprint ?? look.glyph.dash },
    ...(hasValue ? [{ title: 'VALUE', cells: 12, text: shownAs }] : []),
  ];
}

/** The value asked for, whole, on as many lines as it takes. */
function shownValue({ keys: { revealed, items }, now }: State, { columns, look }: Strip): string[] {
  const secret = items.find((key) => key.id === revealed?.id)?.secret;
  if (!revealed || !secret) return [];
  const left = Math.max(0, Math.ceil((revealed.until - now) / 1000));
  const text = sanitise(secret.reveal(), 'strict', 1000);
  const lines = [
    look.paint('warning', cut(` value of ${revealed.id}, hidden again in ${left} s:`, columns, look)),
  ];
  for (let at = 0; at < text.length; at += columns - 2) {
    lines.push(` ${text.slice(at, at + columns - 2)}`);
  }
  return lines;
}

export const KEYS_PAINTING = {
  body: keysBody,
  crumb: () => 'keys',
  badge: (state: State) => readingBadge(state, state.keys.loading, 'KEYS'),
  head: (state: State, { cursor }: ListView<'keys'>, strip: Strip) => {
    const { items, total, nextPage } = state.keys;
    const more = nextPage === null ? '' : ', more on the way down';
    const place = `${count(cursor + 1)} of ${count(total ?? items.length)} keys${more}; `;
    const words = items.length === 0 ? 'values are hidden' : `${place}values are hidden, r shows one`;
    return textLine(` ${words}`, strip, 'dim');
  },
} as const satisfies Painting<ListView<'keys'>>;
