/** Mixes two 32-bit words into one; the whole simulator is keyed by chains of it, so every value is recomputable. */
export function mix(a: number, b: number): number {
  let h = (a ^ Math.imul(b | 0, 0x9e3779b1)) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A small sequential generator (mulberry32) for the values of one second of one stream. */
export class Rng {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** 32 uniform bits. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** Uniform in [0, 1). */
  unit(): number {
    return this.next() / 4294967296;
  }

  /** Uniform integer in [0, n). */
  below(n: number): number {
    return Math.floor((this.next() / 4294967296) * n);
  }

  chance(p: number): boolean {
    return this.next() < p * 4294967296;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

/** A sampler is a table of 4096 equally likely results: one look-up per draw. */
export type Sampler = Uint16Array;

const SLOTS = 4096;

/** Ranks 0…n−1 with weight 1/(rank+1)^exponent. */
export function zipf(n: number, exponent: number): Sampler {
  return weighted(Array.from({ length: n }, (_, i) => 1 / (i + 1) ** exponent));
}

/** Indexes of `weights` by their weight; any weight of at least 1/4096 gets a slot. */
export function weighted(weights: readonly number[]): Sampler {
  const total = weights.reduce((sum, w) => sum + w, 0);
  const table = new Uint16Array(SLOTS);
  let index = 0;
  let reached = weights[0] ?? 0;
  for (let slot = 0; slot < SLOTS; slot++) {
    const at = ((slot + 0.5) / SLOTS) * total;
    while (at > reached && index < weights.length - 1) reached += weights[++index] ?? 0;
    table[slot] = index;
  }
  return table;
}

export function draw(sampler: Sampler, rng: Rng): number {
  return sampler[rng.next() >>> 20] as number;
}

/** 32 hex digits in the groups of a UUID. */
export function uuid(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** 64 bits or more as lower-case hex, `length` digits. */
export function hex(seed: number, length: number): string {
  let out = '';
  for (let i = 0; out.length < length; i++)
    out += mix(seed, i + 1)
      .toString(16)
      .padStart(8, '0');
  return out.slice(0, length);
}
