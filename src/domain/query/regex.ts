import { type Refusal, refuse, type TermOp } from './query.ts';

const LAST_POINT = 0x10ffff;

/** Code points: `has` changes its answer at `edges` alone. */
type PointSet = { edges: readonly number[]; has: (point: number) => boolean };

type Place = 'start' | 'end' | 'edge' | 'inside';

/** A letter of some classes of code points, a place in the text, a fork, or the end of a match. */
type Step =
  | { kind: 'set'; set: PointSet }
  | { kind: 'at'; place: Place }
  | { kind: 'fork'; to: readonly number[] }
  | { kind: 'match' };

/** A part of a regular expression. */
type Regex = {
  /** Its letters, each as often as it is repeated. */
  letters: number;
  /** Printable ASCII that each match holds, in whatever case; `isAll`: the one text is the whole of a match. */
  held: { texts: readonly string[]; isAll: boolean };
  /** The same for RE2, whatever its defaults are: each set is written out. */
  re2: () => string;
  /** Appends its steps; the part behind it goes on where they end. */
  append: (steps: Step[]) => void;
};

function pointsBetween(from: number, to: number): PointSet {
  return { edges: [from, to + 1], has: (point) => point >= from && point <= to };
}

function anyOfPoints(sets: readonly PointSet[]): PointSet {
  return { edges: sets.flatMap(({ edges }) => edges), has: (point) => sets.some(({ has }) => has(point)) };
}

function letterOf(set: PointSet, letter = ''): Regex {
  const isPlain = /^[ -~]$/.test(letter);
  return {
    letters: 1,
    held: { texts: [isPlain ? letter : ''], isAll: isPlain },
    re2: () => re2OfPoints(set),
    append: (steps) => void steps.push({ kind: 'set', set }),
  };
}

function anchorOf(place: Place): Regex {
  return {
    letters: 1,
    held: { texts: [''], isAll: true },
    re2: () => ({ start: '\\A', end: '\\z', edge: '\\b', inside: '\\B' })[place],
    append: (steps) => void steps.push({ kind: 'at', place }),
  };
}

function sequenceOf(parts: readonly Regex[]): Regex {
  const texts = [''];
  for (const { held } of parts) {
    const [first = '', ...others] = held.texts;
    if (held.isAll) texts.push(`${texts.pop()}${first}`);
    else texts.push(first, ...others, '');
  }
  return {
    letters: parts.reduce((sum, { letters }) => sum + letters, 0),
    held: { texts, isAll: parts.every(({ held }) => held.isAll) },
    re2: () => parts.map((part) => part.re2()).join(''),
    append: (steps) => {
      for (const part of parts) part.append(steps);
    },
  };
}

function alternativesOf(parts: readonly Regex[]): Regex {
  return {
    letters: parts.reduce((sum, { letters }) => sum + letters + 1, 0),
    held: { texts: [commonText(parts.map(({ held }) => held.texts))], isAll: false },
    re2: () => `(?:${parts.map((part) => part.re2()).join('|')})`,
    append: (steps) => {
      const start = steps.push({ kind: 'match' }) - 1;
      const [to, ends]: [number[], number[]] = [[], []];
      for (const part of parts) {
        to.push(steps.length);
        part.append(steps);
        ends.push(steps.push({ kind: 'match' }) - 1);
      }
      steps[start] = { kind: 'fork', to };
      for (const end of ends) steps[end] = { kind: 'fork', to: [steps.length] };
    },
  };
}

function repeatOf(part: Regex, min: number, max: number): Regex {
  const isEndless = max === Number.POSITIVE_INFINITY;
  return {
    letters: (Math.max(1, part.letters) + 1) * Math.max(1, isEndless ? min + 1 : max),
    held: { texts: min > 0 ? part.held.texts : [''], isAll: false },
    re2: () => `(?:${part.re2()}){${min},${isEndless ? '' : max}}`,
    append: (steps) => {
      for (let n = 0; n < min; n++) part.append(steps);
      for (let n = min; n < (isEndless ? min + 1 : max); n++) {
        const start = steps.push({ kind: 'match' }) - 1;
        part.append(steps);
        if (isEndless) steps.push({ kind: 'fork', to: [start] });
        steps[start] = { kind: 'fork', to: [start + 1, steps.length] };
      }
    },
  };
}

function re2OfPoints({ edges, has }: PointSet): string {
  const points = [...new Set([0, ...edges])]
    .filter((edge) => edge >= 0 && edge <= LAST_POINT)
    .sort((a, b) => a - b);
  const named = (point: number) => `\\x{${point.toString(16)}}`;
  const ranges = points.flatMap((from, at) =>
    has(from) ? `${named(from)}-${named((points[at + 1] ?? LAST_POINT + 1) - 1)}` : [],
  );
  return ranges.length > 0 ? `[${ranges.join('')}]` : `[^${named(0)}-${named(LAST_POINT)}]`;
}

/** The longest text that is, in whatever case, in one of the texts of each list. */
export function commonText([first = [], ...others]: readonly (readonly string[])[]): string {
  const small = others.map((texts) => texts.map((text) => text.toLowerCase()));
  const isInAll = (text: string) => small.every((texts) => texts.some((each) => each.includes(text)));
  let best = '';
  for (const text of first) {
    // Every part of a common run is common, too, so one pass suffices.
    let from = 0;
    for (let to = 1; to <= text.length; to++) {
      while (from < to && !isInAll(text.slice(from, to).toLowerCase())) from++;
      if (to - from > best.length) best = text.slice(from, to);
    }
  }
  return best;
}

const WORD = anyOfPoints([
  pointsBetween(48, 57),
  pointsBetween(65, 90),
  pointsBetween(95, 95),
  pointsBetween(97, 122),
]);

/** What a row of the table says beside states, which count from `FIRST` on. */
const [UNKNOWN, MATCHED, DEAD, FIRST] = [0, 1, 2, 3];

/** Cells of the states, some 4 bytes each; when they are too many, the table is begun anew. */
const MOST_CELLS = 1 << 19;
/** Cells that a state takes for each of its steps. */
const STEP_CELLS = 6;

/** Steps that a text may stand at, and what is before them. */
type Standing = { at: readonly number[]; before: 'start' | 'word' | 'other' };

/**
 * Whether a text holds a match, in time linear in the text whatever the expression is. A state is a set of steps, made
 * when a text first leads to it, so that a letter mostly takes one look into a table (a lazily built DFA).
 */
export function regexTest(regex: Regex): (text: string) => boolean {
  const steps: Step[] = [];
  regex.append(steps);
  steps.push({ kind: 'match' });
  const sets = steps.flatMap((step) => (step.kind === 'set' ? step.set : step.kind === 'at' ? WORD : []));
  // Between two of these all code points are alike. The last column is for the end of the text.
  const points = [...new Set([0, ...sets.flatMap(({ edges }) => edges)])].sort((a, b) => a - b);
  const end = points.length;
  const columnOf = (point: number) => points.findLastIndex((edge) => edge <= point);
  const ascii = Uint16Array.from({ length: 128 }, (_, point) => columnOf(point));

  /** The letters that stand next, in the order of their steps; null = a match has ended. */
  const reached = (from: readonly number[], holds: (place: Place) => boolean): number[] | null => {
    const [seen, open] = [new Set<number>(), [...from]];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const step = steps[at] as Step;
      if (seen.has(at)) continue;
      if (step.kind === 'match') return null;
      seen.add(at);
      if (step.kind === 'fork') open.push(...step.to);
      if (step.kind === 'at' && holds(step.place)) open.push(at + 1);
    }
    return [...seen].filter((at) => steps[at]?.kind === 'set').sort((a, b) => a - b);
  };
  /** Where a match begins: at each letter, unless only the start of the text will do. */
  const anew = reached([0], (place) => place !== 'start')?.length === 0 ? [] : [0];

  const rows: Int32Array[] = [];
  const standings: Standing[] = [];
  const known = new Map<string, number>();
  let cells = 0;
  const stateOf = (standing: Standing): number => {
    const key = `${standing.before} ${standing.at}`;
    const state = known.get(key) ?? standings.push(standing) - 1 + FIRST;
    known.set(key, state);
    if (rows[state] === undefined) {
      rows[state] = new Int32Array(end + 1);
      cells += end + STEP_CELLS * standing.at.length;
    }
    return state;
  };
  const begin = () => stateOf({ at: [0], before: 'start' });
  begin();

  const nextOf = (state: number, column: number): number => {
    const { at, before } = standings[state - FIRST] as Standing;
    const point = points[column] ?? -1;
    const isWord = WORD.has(point);
    const letters = reached(at, (place) => {
      if (place === 'start') return before === 'start';
      if (place === 'end') return column === end;
      return ((before === 'word') !== isWord) === (place === 'edge');
    });
    if (letters === null) return MATCHED;
    const passed = letters.filter((each) => (steps[each] as Step & { kind: 'set' }).set.has(point));
    const after = [...passed.map((each) => each + 1), ...anew];
    return after.length === 0 || column === end
      ? DEAD
      : stateOf({ at: after, before: isWord ? 'word' : 'other' });
  };
  const moved = (state: number, column: number): number => {
    const next = nextOf(state, column);
    (rows[state] as Int32Array)[column] = next;
    if (next < FIRST || cells < MOST_CELLS) return next;
    const standing = standings[next - FIRST] as Standing;
    rows.length = 0;
    standings.length = 0;
    known.clear();
    cells = 0;
    begin();
    return stateOf(standing);
  };

  return (text) => {
    let state = FIRST;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      let column = 0;
      if (unit < 128) column = ascii[unit] as number;
      else {
        const point = text.codePointAt(at) as number;
        column = columnOf(point);
        if (point > 0xffff) at++;
      }
      const next = (rows[state] as Int32Array)[column] as number;
      state = next === UNKNOWN ? moved(state, column) : next;
      if (state < FIRST) return state === MATCHED;
    }
    const last = (rows[state] as Int32Array)[end] as number;
    return (last === UNKNOWN ? nextOf(state, end) : last) === MATCHED;
  };
}

/** `at`: where in what is written, of so many letters. */
type RegexRefusal = Refusal & { at: number; length: number };

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
    return parts.length === 1 ? (parts[0] as Regex) : alternativesOf(parts);
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
    if (place !== undefined) return anchorOf(PLACES[place as keyof typeof PLACES]);
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
    anchorOf('start'),
    ...texts.flatMap((text, at) => (at === 0 ? text : [run, text])),
    anchorOf('end'),
  ]);
}

/** All but printable ASCII, and the sign for any run. */
const BETWEEN_TEXTS = /[^ -~]+|\*+/;

/** Texts of printable ASCII that are, in whatever case, in each value that a term with this one matches. */
export function textsHeld(op: TermOp, value: string): readonly string[] {
  const texts = op === 'regex' ? (regexOf(op, value, false)?.held.texts ?? []) : [value];
  return texts.flatMap((text) => text.split(BETWEEN_TEXTS));
}
