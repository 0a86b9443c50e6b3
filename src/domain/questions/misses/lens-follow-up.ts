import { SIDES } from '../../differing.ts';
import type { LogNeed, Met, Need } from '../../inquiry/inquiry.ts';
import type { CountedNeed, LogReading } from '../../inquiry/log-reading.ts';
import { isCut } from '../../logs/counted/join-counts.ts';
import {
  type CountedParameter,
  type CountedValue,
  type Counts,
  partOfCounts,
  type Wanted,
} from '../../logs/counts.ts';
import { noCacheSums } from '../../logs/sums/traffic.ts';
import { LENS_FIELDS, type LensField, lensField, type MissLens } from './miss-lens.ts';

/** Pages of which it is asked which parameters differ: those that are listed. */
const PAGES_MOST = 6;

/** Values that travel with a question, and their characters in all. */
const NAMED_MOST = 400;
const NAMED_CHARACTERS = 50_000;

/**
 * What whoever counted the rows is asked for once more: values that one window has among its largest and the other has not, and which
 * parameters make query strings differ, of the pages that are told.
 */
export class LensFollowUp {
  readonly #of: LogReading;
  readonly #parameters = new Set<Need>();
  readonly #told: (CountedParameter & { zoneId: string })[] = [];
  readonly #named = new Map<Need, { of: CountedNeed; wanted: Wanted }>();
  #isAsked = false;

  constructor(of: LogReading) {
    this.#of = of;
  }

  /** Requests that it costs at most. */
  get most(): number {
    const { needs } = this.#of;
    return needs.reduce((sum, { counts, side }) => sum + (counts ? (side === 'now' ? 2 : 1) : 0), 0);
  }

  /** `explosions`: of the answer so far. */
  next(explosions: () => MissLens['explosions']): readonly Need[] {
    if (this.#isAsked) return [];
    this.#isAsked = true;
    const exploded = Map.groupBy(explosions().slice(0, PAGES_MOST), ({ zone }) => zone);
    for (const { id } of this.#of.zones) {
      const [now, before] = [this.#of.counted(id, 'now'), this.#of.counted(id, 'before')];
      for (const counted of [...now, ...before]) {
        const { need } = counted;
        if (need.counts === undefined) continue;
        const wanted = this.#unnamed(counted, [...now, ...before]);
        if (wanted.size > 0) {
          const most = Math.max(...[...wanted.values()].map(({ length }) => length)) + 1;
          const of = { kind: 'values', fields: [...wanted.keys()], most, sums: true, only: wanted } as const;
          this.#named.set({ ...need, counts: { ...need.counts, of } }, { of: counted, wanted });
        }
        const pages = need.side === 'now' ? exploded.get(id) : undefined;
        if (pages !== undefined) {
          const of = { kind: 'parameters', pages: pages.map(({ page }) => page) } as const;
          this.#parameters.add({ ...need, counts: { ...need.counts, of } });
        }
      }
    }
    return [...this.#named.keys(), ...this.#parameters];
  }

  /** True where the need was one of its own. */
  add(need: LogNeed, met: Met): boolean {
    const named = this.#named.get(need);
    if (named === undefined && !this.#parameters.has(need)) return false;
    if (met.kind !== 'counts') return true;
    if (met.counts.kind === 'parameters')
      for (const each of met.counts.parameters) this.#told.push({ ...each, zoneId: need.zoneId });
    if (named && met.counts.kind === 'values') {
      const { of, wanted } = named;
      of.counts = withNamed(of.counts, wanted, met.counts);
    }
    return true;
  }

  /** The parameters of a page, the one with the most values first. */
  parameters(zoneId: string, page: string): readonly CountedParameter[] {
    const told = this.#told.filter((each) => each.zoneId === zoneId && each.page === page);
    return told.length > 0 ? told : (this.#of.here('now', zoneId)?.queries?.parameters(page) ?? []);
  }

  /** The values that a cut list leaves out and another one of the zone has, those with most misses first. */
  #unnamed({ need, counts }: CountedNeed, lists: readonly CountedNeed[]): Wanted {
    const here = SIDES.map((side) => this.#of.here(side, need.zoneId)?.counts() ?? null);
    const all = [...lists.map((each) => each.counts), ...here];
    return new Map(
      LENS_FIELDS.flatMap((field) => {
        const values = unnamedOf(field, counts, all);
        return values.length > 0 ? [[field, values] as const] : [];
      }),
    );
  }
}

function unnamedOf(field: LensField, counts: Counts, all: readonly (Counts | null)[]): string[] {
  const list = lensField(counts, field);
  if (list === null || !isCut(list)) return [];
  const listed = new Set(list.values.map(({ value }) => value));
  const misses = new Map<string, number>();
  for (const { value, sums } of all.flatMap((each) => lensField(each, field)?.values ?? [])) {
    if (value === null || listed.has(value)) continue;
    misses.set(value, (misses.get(value) ?? 0) + (sums?.originRequests ?? 0));
  }
  let left = NAMED_CHARACTERS;
  return [...misses]
    .sort(([, a], [, b]) => b - a)
    .slice(0, NAMED_MOST)
    .flatMap(([value]) => {
      left -= value.length;
      return left < 0 ? [] : value;
    });
}

/** The counts with values that were asked for by name, none of some of them. */
function withNamed(counts: Counts, wanted: Wanted, named: Extract<Counts, { kind: 'values' }>): Counts {
  const values = partOfCounts(counts, 'values');
  if (values === null) return counts;
  const fields = new Map(
    [...values.fields].map(([id, field]) => {
      const known = new Map(named.fields.get(id)?.values.map((each) => [each.value, each]));
      const more = (wanted.get(id) ?? []).map(
        (value): CountedValue => known.get(value) ?? { value, count: 0, sums: noCacheSums() },
      );
      return [id, { ...field, values: [...field.values, ...more] }] as const;
    }),
  );
  const whole = { ...values, fields };
  if (counts.kind !== 'several') return whole;
  return { kind: 'several', parts: counts.parts.map((part) => (part === values ? whole : part)) };
}
