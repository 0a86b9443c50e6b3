import { EMPTY_QUERY, type Query, type Term } from '../domain/query/query.ts';
import { printQuery } from '../domain/query/query-text.ts';
import { offIn } from '../state/log-zones.ts';
import type { State } from '../state/model.ts';
import { width } from '../text/fit.ts';
import { inAscii } from '../text/sanitise.ts';
import { count, counted, shortCount } from '../text/units.ts';
import { cut, type Strip, stripped } from './row.ts';
import type { Look, ThemeSlot, Words } from './theme.ts';

/** The number of gaps; none is said, too. */
export function gapsPart(missing: number, look: Look): string {
  return missing > 0 ? look.paint('gap', counted(missing, 'gap')) : 'no gaps';
}

/** The number of requests read, long and short. */
export function requestWords(n: number): { long: string; short: string } {
  return { long: counted(n, 'request'), short: `${shortCount(n)} requests` };
}

/** The number of what should not be; no part where there is none. */
export function warnedPart(n: number, words: string, look: Look): string[] {
  return n > 0 ? [look.paint('warning', `${count(n)} ${words}`)] : [];
}

/** The first form whose parts fit; else the last, since a gap is named even where nothing else is. */
export function fittingForm(forms: readonly (readonly string[])[], room: number, { glyph }: Look): string {
  const texts = forms.map((parts) => parts.join(` ${glyph.dot} `));
  return texts.find((text) => stripped(text).length <= room) ?? texts.at(-1) ?? '';
}

/** A line with a text at either end. */
export function withEnds(left: string, right: string, columns: number): string {
  const blank = columns - 2 - width(stripped(left)) - width(stripped(right));
  return ` ${left}${' '.repeat(Math.max(1, blank))}${right} `;
}

/**
 * A query as chips: its terms in the colours of who decides them, then those switched off in the form, so that nobody
 * believes them asked; at the right end what they hid.
 */
export function termLine(
  state: State,
  { window, terms, groupBy }: Query,
  o: { times?: string; slotOf: (term: Term) => ThemeSlot; hidden: Words },
  strip: Strip,
): string {
  const chip = (part: Partial<Query>, slot: ThemeSlot, word = '') => ({
    text: word + printQuery({ ...EMPTY_QUERY, ...part }),
    slot,
  });
  const chips = [
    o.times === undefined ? chip({ window }, 'dim') : { text: o.times, slot: 'dim' as const },
    ...terms.map((term) => chip({ terms: [term] }, o.slotOf(term))),
    ...(groupBy.length > 0 ? [chip({ groupBy }, 'dim')] : []),
    ...offIn(state).map((term) => chip({ terms: [term] }, 'dim', 'off: ')),
  ];
  return chipLine(chips, o.hidden, strip);
}

/** As many parts as fit. No part is truncated. */
function chipLine(chips: readonly Words[], right: Words, { columns, look }: Strip): string {
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

/** Most cells of a crumb. */
const MOST = 40;

/** What a query asks beyond the one below; empty where that is nothing. */
export function addedTerms(below: Query, { terms }: Query): string {
  const known = new Set(below.terms.map((term) => JSON.stringify(term)));
  const added = terms.filter((term) => !known.has(JSON.stringify(term)));
  return inAscii(printQuery({ terms: added, window: null, groupBy: [] }), MOST);
}
