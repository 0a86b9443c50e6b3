export const LAST_POINT = 0x10ffff;

/** Code points: `has` changes its answer at `edges` alone. */
export type PointSet = { edges: readonly number[]; has: (point: number) => boolean };

type Place = 'start' | 'end' | 'edge' | 'inside';

/** A letter of some classes of code points, a place in the text, a fork, or the end of a match. */
type Step =
  | { kind: 'set'; set: PointSet }
  | { kind: 'at'; place: Place }
  | { kind: 'fork'; to: readonly number[] }
  | { kind: 'match' };

/** A part of a regular expression. */
export type Regex = {
  /** Its letters, each as often as it is repeated. */
  letters: number;
  /** Printable ASCII that each match holds, in whatever case; `isAll`: the one text is the whole of a match. */
  held: { texts: readonly string[]; isAll: boolean };
  /** The same for RE2, whatever its defaults are: each set is written out. */
  re2: () => string;
  /** Appends its steps; the part behind it goes on where they end. */
  append: (steps: Step[]) => void;
};

export function pointsBetween(from: number, to: number): PointSet {
  return { edges: [from, to + 1], has: (point) => point >= from && point <= to };
}

export function anyOfPoints(sets: readonly PointSet[]): PointSet {
  return { edges: sets.flatMap(({ edges }) => edges), has: (point) => sets.some(({ has }) => has(point)) };
}

export function letterOf(set: PointSet, letter = ''): Regex {
  const isPlain = /^[ -~]$/.test(letter);
  return {
    letters: 1,
    held: { texts: [isPlain ? letter : ''], isAll: isPlain },
    re2: () => re2OfPoints(set),
    append: (steps) => void steps.push({ kind: 'set', set }),
  };
}

export function placeOf(place: Place): Regex {
  return {
    letters: 1,
    held: { texts: [''], isAll: true },
    re2: () => ({ start: '\\A', end: '\\z', edge: '\\b', inside: '\\B' })[place],
    append: (steps) => void steps.push({ kind: 'at', place }),
  };
}

export function sequenceOf(parts: readonly Regex[]): Regex {
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

export function choiceOf(parts: readonly Regex[]): Regex {
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

export function repeatOf(part: Regex, min: number, max: number): Regex {
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

export const WORD = anyOfPoints([
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
