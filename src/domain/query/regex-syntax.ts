import { type Refusal, refuse, type TermOp } from './query.ts';
import {
  anyOfPoints,
  choiceOf,
  LAST_POINT,
  letterOf,
  type PointSet,
  placeOf,
  pointsBetween,
  type Regex,
  repeatOf,
  sequenceOf,
  WORD,
} from './regex.ts';

/** `at`: where in what is written, of so many letters. */
export type RegexRefusal = Refusal & { at: number; length: number };

/** A text takes at most about as many steps a letter. RE2 refuses more repetitions than fit into it. */
const MOST_LETTERS = 2_000;
const MOST_DEPTH = 100;
/** Letters of a range that are looked for in both cases. */
const MOST_FOLDED = 1_000;

const ANY = pointsBetween(0, LAST_POINT);
const NO_LINE_END = anyOfPoints([pointsBetween(0, 9), pointsBetween(11, LAST_POINT)]);
/** As RE2 means them: ASCII, and no vertical tab. */
const CLASSES: Readonly<Record<string, PointSet>> = {
  d: pointsBetween(48, 57),
  s: anyOfPoints([pointsBetween(9, 10), pointsBetween(12, 13), pointsBetween(32, 32)]),
  w: WORD,
};
const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };
const PLACES = {
  '^': 'start',
  $: 'end',
  '\\A': 'start',
  '\\z': 'end',
  '\\b': 'edge',
  '\\B': 'inside',
} as const;

/** Thrown inside of the parser alone. */
class Refused extends Error {
  readonly refusal: RegexRefusal;

  constructor(refusal: RegexRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/**
 * Reads a regular expression as it stands in a term: between slashes, with `i` behind them where case does not count. It
 * is of the part of RE2's syntax that needs no tables of Unicode, and means the same to RE2.
 */
export function parseRegex(written: string): { ok: true; regex: Regex } | RegexRefusal {
  try {
    const end = written.lastIndexOf('/');
    return { ok: true, regex: new Parser(written.slice(0, end), written.slice(end + 1) === 'i').whole() };
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}

class Parser {
  readonly #text: string;
  #at = 1;
  #depth = 0;
  #isFolded: boolean;
  #dot = NO_LINE_END;

  constructor(text: string, isFolded: boolean) {
    this.#text = text;
    this.#isFolded = isFolded;
  }

  whole(): Regex {
    const regex = this.#choice();
    if (this.#next !== '') this.#fail(this.#at, 'a ) has no (', 'write \\) for the sign itself');
    if (regex.letters > MOST_LETTERS)
      this.#fail(1, 'it repeats too much', 'write * or + in place of a number');
    return regex;
  }

  #choice(): Regex {
    const parts = [this.#sequence()];
    while (this.#take(/\|/y)) parts.push(this.#sequence());
    return parts.length === 1 ? (parts[0] as Regex) : choiceOf(parts);
  }

  #sequence(): Regex {
    const parts: Regex[] = [];
    while (!/^[|)]?$/.test(this.#next)) parts.push(this.#repeated());
    return sequenceOf(parts);
  }

  #repeated(): Regex {
    const part = this.#atom();
    const start = this.#at;
    const [sign, least, comma, most] = this.#take(/[*+?]|\{(\d{1,4})(,?)(\d{0,4})\}/y) ?? [];
    if (sign === undefined) return part;
    const min = least === undefined ? Number(sign === '+') : Number(least);
    const isEndless = least === undefined ? sign !== '?' : comma === ',' && most === '';
    const max = isEndless ? Number.POSITIVE_INFINITY : Number(most || least || 1);
    if (max < min) this.#fail(start, 'the second number is less than the first', 'write {2,5}');
    // One that takes as little as it can matches the same texts.
    this.#take(/\?/y);
    if (this.#take(/[*+?]|\{\d+,?\d*\}/y))
      this.#fail(
        this.#at - 1,
        'what repeats is repeated again',
        'write (?:…) around it, or \\ before the sign',
      );
    return repeatOf(part, min, max);
  }

  #atom(): Regex {
    const [place] = this.#take(/[$^]|\\[bBAz]/y) ?? [];
    if (place !== undefined) return placeOf(PLACES[place as keyof typeof PLACES]);
    if (this.#take(/\./y)) return letterOf(this.#dot);
    const start = this.#at;
    if (this.#next === '(') return this.#group(start);
    if (this.#take(/\[/y)) return letterOf(this.#class(start));
    if (/[*+?]/.test(this.#next))
      this.#fail(start, 'there is nothing to repeat', 'write \\ before the sign itself');
    const point = this.#point();
    if (typeof point !== 'number') return letterOf(point);
    return regexOfText(String.fromCodePoint(point), this.#isFolded);
  }

  #group(start: number): Regex {
    const [isFolded, dot] = [this.#isFolded, this.#dot];
    if (this.#take(/\(\?<?[=!]/y))
      this.#fail(
        start,
        'it cannot look ahead or behind in linear time',
        'add a second term: -field~… for what must not match',
      );
    const [group, flags = '', end] = this.#take(/\((?!\?)|\(\?(?:(-?[is]{1,2}|)([:)])|P?<\w+>)/y) ?? [];
    if (group === undefined || this.#depth > MOST_DEPTH)
      this.#fail(start, 'there is no such group', 'write (…), (?:…) or (?i)');
    if (flags.includes('i')) this.#isFolded = !flags.startsWith('-');
    if (flags.includes('s')) this.#dot = flags.startsWith('-') ? NO_LINE_END : ANY;
    // Flags alone act to the end of the group around them.
    if (end === ')') return sequenceOf([]);
    this.#depth++;
    const regex = this.#choice();
    if (!this.#take(/\)/y)) this.#fail(start, 'a ( is not closed', 'end the group with ), or write \\(');
    this.#depth--;
    [this.#isFolded, this.#dot] = [isFolded, dot];
    return regex;
  }

  #class(start: number): PointSet {
    const isNegated = this.#take(/\^/y) !== null;
    const sets: PointSet[] = [];
    while (sets.length === 0 || !this.#take(/\]/y)) {
      const at = this.#at;
      if (this.#next === '') this.#fail(start, 'a [ is not closed', 'end the class with ], or write \\[');
      if (this.#take(/\[:/y)) this.#fail(at, 'classes have no names here', 'write a-z, 0-9 or \\w');
      const from = this.#point();
      const to = this.#take(/-(?!\]|$)/y) ? this.#point() : from;
      if (typeof from === 'number' && typeof to === 'number' && from <= to)
        sets.push(pointsBetween(from, to), ...this.#otherCases(from, to));
      else if (from === to) sets.push(to as PointSet);
      else this.#fail(at, 'a range runs from a lesser sign to a greater', 'write \\- for a hyphen');
    }
    const set = anyOfPoints(sets);
    return isNegated ? { ...set, has: (point) => !set.has(point) } : set;
  }

  #otherCases(from: number, to: number): PointSet[] {
    if (!this.#isFolded) return [];
    const points = Array.from({ length: Math.min(to - from + 1, MOST_FOLDED) }, (_, at) => from + at);
    return points.flatMap((point) => casesOf(String.fromCodePoint(point)).slice(1).map(onePoint));
  }

  /** A sign or an escape: its code point, or those of its class. */
  #point(): number | PointSet {
    const at = this.#at;
    const [all = '', hex, two, name = ''] =
      this.#take(/\\(?:x\{([\da-f]{1,6})\}|x([\da-f]{2})|(.?))|./isuy) ?? [];
    if (!all.startsWith('\\')) return all.codePointAt(0) as number;
    const code = Number.parseInt(hex ?? two ?? '', 16);
    if (code <= LAST_POINT) return code;
    const set = CLASSES[name.toLowerCase()];
    if (set) return name === name.toLowerCase() ? set : { ...set, has: (point) => !set.has(point) };
    if (/\d/.test(name))
      this.#fail(at, 'it cannot refer to a group in linear time', 'write its pattern again');
    if ((/[^!-~]|[a-z]/i.test(name) && CONTROLS[name] === undefined) || name === '')
      this.#fail(at, `${all} has no meaning here`, 'write the sign alone, or \\x{…} with its code');
    return CONTROLS[name] ?? name.charCodeAt(0);
  }

  /** The next sign; '' at the end. */
  get #next(): string {
    return this.#text[this.#at] ?? '';
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    this.#at += found?.[0].length ?? 0;
    return found;
  }

  #fail(at: number, message: string, hint: string): never {
    throw new Refused({ ...refuse(message, hint), at, length: Math.max(1, this.#at - at) });
  }
}

/** In both cases. No letter of ASCII has another case beyond it. */
function casesOf(letter: string): string[] {
  return [letter, letter.toLowerCase(), letter.toUpperCase()].filter(
    (each) => each.length === letter.length && each < '\x80' === letter < '\x80',
  );
}

function letterIn(letters: readonly string[], letter: string): Regex {
  return letterOf(anyOfPoints(letters.map(onePoint)), letter);
}

function onePoint(letter: string): PointSet {
  const point = letter.codePointAt(0) as number;
  return pointsBetween(point, point);
}

function regexOfText(text: string, isFolded: boolean): Regex {
  return sequenceOf(Array.from(text, (letter) => letterIn(isFolded ? casesOf(letter) : [letter], letter)));
}

/** What a value stands for under an operator that looks into texts; null = it is no expression. */
export function regexOf(op: TermOp, value: string, isFolded: boolean): Regex | null {
  if (op === 'wildcard') return regexOfPattern(value, isFolded);
  if (op !== 'regex') return regexOfText(value, isFolded);
  const read = parseRegex(value);
  return read.ok ? read.regex : null;
}

/** A whole text in which `*` is any run. */
function regexOfPattern(pattern: string, isFolded: boolean): Regex {
  const run = repeatOf(letterOf(ANY), 0, Number.POSITIVE_INFINITY);
  const texts = pattern.split(/\*+/).map((text) => regexOfText(text, isFolded));
  return sequenceOf([
    placeOf('start'),
    ...texts.flatMap((text, at) => (at === 0 ? text : [run, text])),
    placeOf('end'),
  ]);
}

/** All but printable ASCII, and the sign for any run. */
const BETWEEN_TEXTS = /[^ -~]+|\*+/;

/** Texts of printable ASCII that are, in whatever case, in each value that a term with this one matches. */
export function textsHeld(op: TermOp, value: string): readonly string[] {
  const texts = op === 'regex' ? (regexOf(op, value, false)?.held.texts ?? []) : [value];
  return texts.flatMap((text) => text.split(BETWEEN_TEXTS));
}
