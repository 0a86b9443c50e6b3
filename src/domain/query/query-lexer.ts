import { unsanitise } from '../../text/sanitise.ts';

/** A place in the text, in UTF-16 units; `end` is exclusive. */
export type TextSpan = { start: number; end: number };

/**
 * A value with quotes and escapes taken away. `stars` counts `*` that mean any run, `literalStars` those written `\*`.
 * `isRegex`: a regular expression, its slashes and flags included.
 */
export type WrittenValue = TextSpan & {
  text: string;
  quoted: boolean;
  isRegex: boolean;
  stars: number;
  literalStars: number;
};

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

/** What no path is thought to hold: between slashes it makes a regular expression. */
const REGEX_SIGN = /[\\^$|?*+()[\]{}]/;
const QUERY_STRING = /\?[\w-]+=/;
const TERM_INSIDE = /\s-?[A-Za-z][\w-]*[:~]/;

/**
 * Where a regular expression ends that begins here; -1 = none does. It lies between slashes, with flags behind them.
 * Where a text would as likely have slashes at both ends (`holdsSlashes`), and where it has spaces, a sign of
 * regular expressions must be in it: `path~/api/` is a text.
 */
export function regexEnd(text: string, start: number, inList: boolean, holdsSlashes: boolean): number {
  if (text[start] !== '/') return -1;
  let classStart = 0;
  for (let at = start + 1; at < text.length; at++) {
    const sign = text[at];
    if (sign === '\\') at++;
    else if (classStart > 0) {
      if (sign === ']' && at > classStart) classStart = 0;
    } else if (sign === '[') classStart = text[at + 1] === '^' ? at + 2 : at + 1;
    else if (sign === '/') {
      const body = text.slice(start + 1, at);
      const [flags = ''] = /^[dgimsuvxy]?/.exec(text.slice(at + 1, at + 2)) ?? [];
      const isSigned = REGEX_SIGN.test(body.replace(QUERY_STRING, '')) || !(holdsSlashes || /\s/.test(body));
      const isIt = body !== '' && isSigned && !TERM_INSIDE.test(body);
      return isIt && isBreak(text[at + 1 + flags.length], inList) ? at + 1 + flags.length : -1;
    }
  }
  return -1;
}

/**
 * The words of a query. `isField` says which names before `:` or `~` make a field of a word, `holdsSlashes` of which
 * fields values begin and end with slashes.
 */
export function lexQuery(
  text: string,
  isField: (name: string, word: string) => boolean,
  holdsSlashes: (name: string) => boolean,
): Word[] | LexError {
  const words: Word[] = [];
  let at = skipSpace(text, 0);
  while (at < text.length) {
    const word = lexWord(text, at, isField, holdsSlashes);
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
  holdsSlashes: (name: string) => boolean,
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
    const value = lexValue(text, from, false, regexEnd(text, from, false, true));
    if ('message' in value) return value;
    if (value.quoted && !isBreak(text[value.end], false)) return afterQuote(value.end);
    return { start, end: value.end, negated, name: null, op: null, valueStart: from, values: [value] };
  }
  const valueStart = from + named[0].length;
  const values: WrittenValue[] = [];
  for (let at = valueStart; ; ) {
    const end = named[2] === '~' ? regexEnd(text, at, true, holdsSlashes(named[1])) : -1;
    const value = lexValue(text, at, true, end);
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

/** `regex`: where the regular expression ends that the value is; -1 = it is none. */
function lexValue(text: string, start: number, inList: boolean, regex: number): WrittenValue | LexError {
  if (!isQuote(text[start])) {
    const isRegex = regex >= 0;
    const end = isRegex ? regex : endOfBare(text, start, inList);
    const bare = text.slice(start, end);
    const stars = isRegex ? 0 : bare.split('*').length - 1;
    return { start, end, text: bare, quoted: false, isRegex, stars, literalStars: 0 };
  }
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (isQuote(text[at]))
      return { start, end: at + 1, quoted: true, isRegex: false, ...unquote(text.slice(start + 1, at)) };
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
