import { FLAGS, MAX_STYLES, type Style, styleOf, TRUE_COLOUR } from './cells.ts';

/** Parameters that switch a flag on, and the one that switches it off. */
export const FLAG_CODES = [
  { flag: FLAGS.bold, on: 1, off: 22 },
  { flag: FLAGS.dim, on: 2, off: 22 },
  { flag: FLAGS.italic, on: 3, off: 23 },
  { flag: FLAGS.underline, on: 4, off: 24 },
  { flag: FLAGS.inverse, on: 7, off: 27 },
  { flag: FLAGS.strike, on: 9, off: 29 },
] as const;

const WEIGHT = FLAGS.bold | FLAGS.dim;
const transitions = new Map<number, string>();

/** The shortest sequences from one interned style to another; empty when they are the same. */
export function transition(from: number, to: number): string {
  if (from === to) return '';
  const key = from * MAX_STYLES + to;
  const known = transitions.get(key);
  if (known !== undefined) return known;
  const { link } = styleOf(to);
  const made = (link === styleOf(from).link ? '' : linkSequence(link)) + shortest(from, to);
  transitions.set(key, made);
  return made;
}

/** OSC 8: what is printed next opens the address; without one nothing does. */
function linkSequence(url: string): string {
  return /^(?:https:\/\/[\x21-\x7e]+)?$/.test(url) ? `\x1b]8;;${url}\x1b\\` : '';
}

function shortest(from: number, to: number): string {
  if (to === 0) return '\x1b[m';
  const target = styleOf(to);
  const change = sequence(changes(styleOf(from), target));
  // An empty first parameter is a reset.
  const anew = sequence(['', ...additions(target, 0), ...colour(target)]);
  return anew.length < change.length ? anew : change;
}

function changes(from: Style, to: Style): Parameter[] {
  const lost = from.flags & ~to.flags;
  const removals = new Set(FLAG_CODES.filter(({ flag }) => (lost & flag) !== 0).map(({ off }) => off));
  const kept = (lost & WEIGHT) === 0 ? from.flags : from.flags & ~WEIGHT;
  const colours = from.foreground === to.foreground ? [] : to.foreground === 0 ? [39] : colour(to);
  return [...removals, ...additions(to, kept), ...colours];
}

function additions(to: Style, already: number): Parameter[] {
  return FLAG_CODES.filter(({ flag }) => (to.flags & ~already & flag) !== 0).map(({ on }) => on);
}

function colour({ foreground }: Style): Parameter[] {
  if (foreground === 0) return [];
  if (foreground >= TRUE_COLOUR) {
    return [`38;2;${(foreground >> 16) & 255};${(foreground >> 8) & 255};${foreground & 255}`];
  }
  const index = foreground - 1;
  if (index < 8) return [30 + index];
  return [index < 16 ? 82 + index : `38;5;${index}`];
}

type Parameter = number | string;

function sequence(parameters: readonly Parameter[]): string {
  return `\x1b[${parameters.join(';')}m`;
}
