import { EMPTY_QUERY, type Query } from '../domain/query/query.ts';
import { printQuery } from '../domain/query/query-text.ts';
import { offIn } from '../state/log-zones.ts';
import type { State } from '../state/model.ts';
import { width } from '../text/fit.ts';
import { inAscii } from '../text/sanitise.ts';
import { cut, type Strip } from './row.ts';
import type { Words } from './theme.ts';

/** As many parts of a query as fit, and at the right end what they hid. No part is truncated. */
export function chipLine(chips: readonly Words[], right: Words, { columns, look }: Strip): string {
  let room = columns - right.text.length - 3;
  let line = ' ';
  for (const { text, slot } of chips) {
    if (text === '' || room <= 1) continue;
    const shown = inAscii(text, room);
    const kept = cut(shown, Math.min(width(shown), room), look);
    line += `${look.paint(slot, kept)} `;
    room -= width(kept) + 1;
  }
  return `${line}${' '.repeat(Math.max(0, room))} ${look.paint(right.slot, right.text)}`;
}

/** The terms switched off in the form, so that nobody believes them asked. */
export function offChips(state: State): Words[] {
  return offIn(state).map((term) => ({
    text: `off: ${printQuery({ ...EMPTY_QUERY, terms: [term] })}`,
    slot: 'dim',
  }));
}

/** Most cells of a crumb. */
const MOST = 40;

/** What a query asks beyond the one below; empty where that is nothing. */
export function addedTerms(below: Query, { terms }: Query): string {
  const known = new Set(below.terms.map((term) => JSON.stringify(term)));
  const added = terms.filter((term) => !known.has(JSON.stringify(term)));
  return inAscii(printQuery({ terms: added, window: null, groupBy: [] }), MOST);
}
