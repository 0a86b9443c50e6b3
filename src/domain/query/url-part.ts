import { MASK, maskUrlSecrets } from '../../text/mask.ts';
import { logField } from './fields.ts';
import type { Term } from './query.ts';

/** A shorter text is in most URLs: it would save nothing, and what was read for it answers no other question. */
const LEAST = 3;

/** Longer texts are cut: a URL has only so much room. */
export const LONGEST_PUSHED = 256;

/** Everything but printable ASCII, and the sign for any run. How the server compares other letters is not documented. */
const BETWEEN_PIECES = /[^ -~]+|\*+/;

const MASKED = MASK.toLowerCase();
const MASKS = new RegExp(RegExp.escape(MASK), 'i');

/** Terms never change, and those of the query on screen are asked about in every frame. */
const known = new WeakMap<Term, string | null>();

/**
 * A text that stands in host and path of every row that the term matches, so that the server need not send the others: the longest
 * one. Null where there is none that helps. A URL on the wire has ASCII alone, so no letter beyond it is taken for one of a text.
 */
export function urlPartOf(term: Term): string | null {
  let part = known.get(term);
  if (part === undefined) {
    part = longestOf(term);
    known.set(term, part);
  }
  return part;
}

function longestOf(term: Term): string | null {
  const wider = term.kind === 'field' && !term.negated ? logField(term.field)?.wider : undefined;
  if (term.kind === 'text' || wider === undefined) return null;
  // The server has the secret that rows here have masked.
  const [first = [], ...others] = term.values.map((value) => piecesOf(wider(maskUrlSecrets(value))));
  const small = others.map((pieces) => pieces.map((piece) => piece.toLowerCase()));
  const isInAll = (text: string) => small.every((pieces) => pieces.some((piece) => piece.includes(text)));
  const parts = first.map((piece) => longestCommon(piece, isInAll).trim().slice(0, LONGEST_PUSHED).trim());
  const longest = parts.reduce((most, part) => (part.length > most.length ? part : most), '');
  return longest.length < LEAST ? null : longest;
}

function piecesOf(pattern: string): string[] {
  return pattern.split(BETWEEN_PIECES).flatMap(besideMasks);
}

/** The longest run of a text whose small form is in all of the others. What is in them, so is each run of it: one way through will do. */
function longestCommon(piece: string, isInAll: (text: string) => boolean): string {
  const small = piece.toLowerCase();
  let [best, from] = ['', 0];
  for (let to = 1; to <= small.length; to++) {
    while (from < to && !isInAll(small.slice(from, to))) from++;
    if (to - from > best.length) best = piece.slice(from, to);
  }
  return best;
}

/** What of a text can only be found beside a mask, not in one or across its ends: there the server has other text. */
export function besideMasks(text: string): string[] {
  return text.split(MASKS).map(trimmedOfMask);
}

function trimmedOfMask(text: string): string {
  const small = text.toLowerCase();
  if (MASKED.includes(small)) return '';
  const lengths = Array.from(MASKED, (_, at) => at + 1).reverse();
  const end = lengths.find((length) => small.endsWith(MASKED.slice(0, length))) ?? 0;
  const start = lengths.find((length) => small.startsWith(MASKED.slice(-length))) ?? 0;
  return text.slice(start, Math.max(start, text.length - end));
}
