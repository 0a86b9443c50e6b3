import type { LogNeed, Met, Need } from '../inquiry/inquiry.ts';
import type { MissLens, MissLensTally } from './miss-lens.ts';
import { ROWS_EACH } from './miss-sections.ts';

/** Which parameters make query strings differ, asked of whoever counted these: of the pages that are told, once. */
export class ParametersAsked {
  readonly #needs = new Set<Need>();

  /** Requests that it costs at most. */
  most(counted: readonly LogNeed[]): number {
    return counted.filter(isCountedNow).length;
  }

  /** `counted`: what was asked for of the rows, some of it to be counted. */
  next(counted: readonly LogNeed[], explosions: MissLens['explosions']): readonly Need[] {
    if (this.#needs.size > 0) return [];
    const pages = Map.groupBy(explosions.slice(0, ROWS_EACH), ({ zone }) => zone);
    for (const need of counted.filter(isCountedNow)) {
      const { counts } = need;
      const exploded = pages.get(need.zoneId);
      if (counts === undefined || exploded === undefined) continue;
      const of = { kind: 'parameters', pages: exploded.map(({ path }) => path) } as const;
      this.#needs.add({ ...need, counts: { ...counts, of } });
    }
    return [...this.#needs];
  }

  /** True where the need was one of its own. */
  add(need: LogNeed, met: Met, lens: Pick<MissLensTally, 'addParameters'>): boolean {
    if (!this.#needs.has(need)) return false;
    if (met.kind === 'counts' && met.counts.kind === 'parameters')
      lens.addParameters(met.counts, need.zoneId);
    return true;
  }
}

function isCountedNow({ counts, side }: LogNeed): boolean {
  return counts !== undefined && side === 'now';
}
