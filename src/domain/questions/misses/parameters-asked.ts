import type { LogNeed, Met, Need } from '../inquiry/inquiry.ts';
import type { MissLens, MissLensTally } from './miss-lens.ts';
import { ROWS_EACH } from './miss-sections.ts';

/** Which parameters make query strings differ, asked of whoever counted these: of the pages that are told, once. */
export class ParametersAsked {
  readonly #needs = new Set<Need>();

  /** `counted`: what was asked for of the rows, some of it to be counted. */
  next(counted: readonly LogNeed[], explosions: MissLens['explosions']): readonly Need[] {
    if (this.#needs.size > 0) return [];
    const pages = Map.groupBy(explosions.slice(0, ROWS_EACH), ({ zone }) => zone);
    for (const need of counted) {
      const { counts, side, zoneId } = need;
      const exploded = pages.get(zoneId);
      if (counts === undefined || side !== 'now' || exploded === undefined) continue;
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
