import { unsanitise } from '../../text/sanitise.ts';

/** A place in the text, in UTF-16 units; `end` is exclusive. */
export type TextSpan = { start: number; end: number };

/**
 * A value with quotes and escapes taken away. `stars` counts `*` that mean any run, `literalStars` those written `\*`.
 */
export type WrittenValue = TextSpan & { text: string; quoted: boolean; stars: number; literalStars: number };

/** A word of the query: `name` and `op` are null for free text, which then has one value. */
export type Word = TextSpan & {
  negated: boolean;
  name: string | null;
  op: ':' | '~' | null;
  /** Where the first value begins. */
  valueStart: number;
  values: readonly WrittenValue[];
};

export type LexError = TextSpan & { message: string; hint: string };

/** A name before an operator: what follows it is a list of values. */
export const NAMED = /^([A-Za-z][A-Za-z0-9_-]*)([:~])/;

const SPACE = /\s/;

/** Chat programs turn straight quotes and hyphens into these; a pasted query must still be one. */
const QUOTES = '"\u201c\u201d';
const MINUS = '-\u2013\u2014\u2212';

/** The words of a query. `isField` says which names before `:` or `~` make a field of a word. */
export function lexQuery(text: string, isField: (name: string, word: string) => boolean): Word[] | LexError {
  const words: Word[] = [];
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const word = lexWord(text, at, isField);
    if ('message' in word) return word;
    words.push(word);
    at = skipSpace(text, word.end);
  }
  return words;
}

function isQuote(char: string | undefined): boolean {
  return char !== undefined && QUOTES.includes(char);
}

function lexWord(
  text: string,
  start: number,
  isField: (name: string, word: string) => boolean,
): Word | LexError {
  const negated = MINUS.includes(text[start] ?? '');
  const from = negated ? start + 1 : start;
  if (from >= text.length || SPACE.test(text[from] ?? '')) {
    return {
      start,
      end: from,
      message: 'a - must be followed by what it excludes',
      hint: 'for example -status:404, or "-" to search for a hyphen',
    };
  }
  const bare = text.slice(from, endOfBare(text, from, false));
  const named = NAMED.exec(bare);
  if (!named?.[1] || !isField(named[1], bare)) {
    const value = lexValue(text, from, false);
    if ('message' in value) return value;
    if (value.quoted && !isBreak(text[value.end], false)) return afterQuote(value.end);
    return { start, end: value.end, negated, name: null, op: null, valueStart: from, values: [value] };
  }
  const valueStart = from + named[0].length;
  const values: WrittenValue[] = [];
  for (let at = valueStart; ; ) {
    const value = lexValue(text, at, true);
    if ('message' in value) return value;
    values.push(value);
    const next = text[value.end];
    if (value.quoted && !isBreak(next, true)) return afterQuote(value.end);
    if (next !== ',') {
      return {
        start,
        end: value.end,
        negated,
        name: named[1],
        op: named[2] === '~' ? '~' : ':',
        valueStart,
        values,
      };
    }
    at = value.end + 1;
  }
}

function lexValue(text: string, start: number, inList: boolean): WrittenValue | LexError {
  if (!isQuote(text[start])) {
    const end = endOfBare(text, start, inList);
    const bare = text.slice(start, end);
    return { start, end, text: bare, quoted: false, stars: bare.split('*').length - 1, literalStars: 0 };
  }
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (isQuote(text[at]))
      return { start, end: at + 1, quoted: true, ...unquote(text.slice(start + 1, at)) };
  }
  return { start, end: text.length, message: 'the quote is not closed', hint: 'end the value with "' };
}

/**
 * Inside quotes `\"` is a quote, `\*` a star that is no wildcard, and the escapes that the screen shows for odd
 * characters (`\\ \n \x1b \u202e`) stand for those characters.
 */
function unquote(body: string): Pick<WrittenValue, 'text' | 'stars' | 'literalStars'> {
  let stars = 0;
  let literalStars = 0;
  const text = body.replace(/\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]{5,6}\}|.)|\*/gsu, (match) => {
    if (match === '*') {
      stars++;
      return match;
    }
    if (match === '\\*') literalStars++;
    return match === '\\"' || match === '\\*' ? match.slice(1) : unsanitise(match);
  });
  return { text, stars, literalStars };
}

function endOfBare(text: string, start: number, inList: boolean): number {
  let at = start;
  while (!isBreak(text[at], inList)) at++;
  return at;
}

function isBreak(char: string | undefined, inList: boolean): boolean {
  return char === undefined || SPACE.test(char) || (inList && char === ',');
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && SPACE.test(text[at] ?? '')) at++;
  return at;
}

function afterQuote(at: number): LexError {
  return {
    start: at,
    end: at + 1,
    message: 'something follows the closing quote',
    hint: 'put a space after it, or \\" for a quote inside',
  };
}
