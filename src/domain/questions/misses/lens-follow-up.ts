import type { Wanted } from '../../logs/counts.ts';
import type { LogNeed, Met, Need } from '../inquiry/inquiry.ts';
import type { LensTally } from './lens-tally.ts';
import type { MissLens } from './miss-lens.ts';
import { ROWS_EACH } from './miss-sections.ts';

/**
 * What whoever counted the rows is asked for once more: values that one window has among its largest and the other has not, and which
 * parameters make query strings differ, of the pages that are told.
 */
export class LensFollowUp {
  readonly #parameters = new Set<Need>();
  readonly #named = new Map<Need, { of: LogNeed; wanted: Wanted }>();
  #isAsked = false;

  /** Requests that it costs at most. `counted`: what was asked for of the rows, some of it to be counted. */
  most(counted: readonly LogNeed[]): number {
    return counted.reduce((sum, { counts, side }) => sum + (counts ? (side === 'now' ? 2 : 1) : 0), 0);
  }

  next(
    counted: readonly LogNeed[],
    lenses: ReadonlyMap<string, Pick<LensTally, 'unnamed'>>,
    explosions: MissLens['explosions'],
  ): readonly Need[] {
    if (this.#isAsked) return [];
    this.#isAsked = true;
    const exploded = Map.groupBy(explosions.slice(0, ROWS_EACH), ({ zone }) => zone);
    for (const need of counted) {
      const { counts } = need;
      if (counts === undefined) continue;
      const wanted: Wanted = new Map(
        lenses
          .get(need.zoneId)
          ?.unnamed(need)
          .entries()
          .filter(([, values]) => values.length > 0),
      );
      if (wanted.size > 0) {
        const fields = [...wanted.keys()];
        const most = Math.max(...[...wanted.values()].map(({ length }) => length)) + 1;
        const of = { kind: 'values', fields, most, sums: true, only: wanted } as const;
        this.#named.set({ ...need, counts: { ...counts, of } }, { of: need, wanted });
      }
      const pages = need.side === 'now' ? exploded.get(need.zoneId) : undefined;
      if (pages !== undefined) {
        const of = { kind: 'parameters', pages: pages.map(({ path }) => path) } as const;
        this.#parameters.add({ ...need, counts: { ...counts, of } });
      }
    }
    return [...this.#named.keys(), ...this.#parameters];
  }

  /** True where the need was one of its own. */
  add(need: LogNeed, met: Met, lens: LensTally): boolean {
    const named = this.#named.get(need);
    if (named === undefined && !this.#parameters.has(need)) return false;
    if (met.kind !== 'counts') return true;
    if (met.counts.kind === 'parameters') lens.queries.now.addParameters(met.counts);
    if (named && met.counts.kind === 'values') lens.addNamed(named.of, named.wanted, met.counts);
    return true;
  }
}
