/** Numbers that look random and are functions of what they are asked for: any moment can be asked for alone. */

const GOLDEN = 0x9e3779b1;
const UNIT = 2 ** -32;

/** Mixes 32 bits; each input has an output of its own, so it can be undone. */
export function mix(x: number): number {
  let h = x | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

export function unmix(x: number): number {
  let h = x | 0;
  h = Math.imul(h ^ (h >>> 16), 0x7ed1b41d);
  h = Math.imul(h ^ (h >>> 13) ^ (h >>> 26), 0xa5cb9243);
  return (h ^ (h >>> 16)) >>> 0;
}

export const hash = (a: number, b: number): number => mix((a + Math.imul(b, GOLDEN)) | 0);

/** A number from 0 to 1 of its own for each salt of a key. */
export const unit = (key: number, salt: number): number => mix((key + Math.imul(salt, GOLDEN)) | 0) * UNIT;

export function hashOfText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return mix(h);
}

export function normal(key: number, salt: number): number {
  const u = Math.max(unit(key, salt), 1e-9);
  return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * unit(key, salt + 0x5151));
}

/** How many of a stream's events fall into one second. */
export function poisson(mean: number, key: number): number {
  if (mean <= 0) return 0;
  if (mean > 40) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(key, 71)));
  let left = unit(key, 70);
  let p = Math.exp(-mean);
  let n = 0;
  while (left > p && n < 200) {
    left -= p;
    n += 1;
    p *= mean / n;
  }
  return n;
}

/** A lognormal factor of mean one. */
export const factor = (key: number, salt: number, sigma: number): number =>
  Math.exp(sigma * normal(key, salt) - (sigma * sigma) / 2);

export type Dice = {
  next: () => number;
  between: (low: number, high: number) => number;
  /** Each factor is as likely as any other: as many from 1 to 10 as from 10 to 100. */
  wide: (low: number, high: number) => number;
  int: (low: number, high: number) => number;
  chance: (p: number) => boolean;
  pick: <T>(list: readonly T[]) => T;
  hex: (digits: number) => string;
};

export function diceOf(seed: number): Dice {
  let n = 0;
  const next = () => {
    n += 1;
    return unit(seed, n);
  };
  const between = (low: number, high: number) => low + (high - low) * next();
  const int = (low: number, high: number) => Math.floor(between(low, high + 1));
  return {
    next,
    between,
    wide: (low, high) => Math.exp(between(Math.log(low), Math.log(high))),
    int,
    chance: (p) => next() < p,
    pick: <T>(list: readonly T[]) => list[int(0, list.length - 1)] as T,
    hex: (digits) => Array.from({ length: digits }, () => int(0, 15).toString(16)).join(''),
  };
}

export const zipf = (n: number, s: number): number[] => Array.from({ length: n }, (_, i) => 1 / (i + 1) ** s);

export const sum = (list: Iterable<number>): number => {
  let total = 0;
  for (const x of list) total += x;
  return total;
};

/** Draws an index by its weight with one number from 0 to 1, however many there are. */
export type Drawer = { readonly cut: Float64Array; readonly other: Uint32Array };

export function drawerOf(weights: readonly number[]): Drawer {
  const n = weights.length;
  const total = sum(weights);
  const scaled = weights.map((w) => (w * n) / total);
  const cut = new Float64Array(n).fill(1);
  const other = Uint32Array.from({ length: n }, (_, i) => i);
  const small: number[] = [];
  const large: number[] = [];
  for (const [i, p] of scaled.entries()) (p < 1 ? small : large).push(i);
  while (small.length > 0 && large.length > 0) {
    const s = small.pop() as number;
    const l = large.pop() as number;
    cut[s] = scaled[s] as number;
    other[s] = l;
    scaled[l] = (scaled[l] as number) + (scaled[s] as number) - 1;
    ((scaled[l] as number) < 1 ? small : large).push(l);
  }
  return { cut, other };
}

export function draw(drawer: Drawer, u: number): number {
  const x = u * drawer.cut.length;
  const i = Math.floor(x);
  return x - i < (drawer.cut[i] as number) ? i : (drawer.other[i] as number);
}

const BYTES = Array.from({ length: 65536 }, (_, i) => i.toString(16).padStart(4, '0'));

export const hex8 = (x: number): string => (BYTES[x >>> 16] as string) + (BYTES[x & 0xffff] as string);

export function uuidOf(key: number): string {
  const [a, b, c, d] = [hash(key, 901), hash(key, 902), hash(key, 903), hash(key, 904)].map(hex8) as [
    string,
    string,
    string,
    string,
  ];
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`;
}
