import { counted, duration } from '../../../text/units.ts';
import { ORIGIN_TROUBLE } from '../../logs/counted/row-marks.ts';
import type { CountedStep, Counting, ValuePair } from '../../logs/counts.ts';
import { noCacheSums } from '../../logs/sums/traffic.ts';
import type { Term } from '../../query/query.ts';
import { type TimeRange, timeShared } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import type { LogNeed, Met } from '../inquiry/inquiry.ts';
import { LEAST_TOGETHER, standingOut } from './anomaly-windows.ts';
import { LEAST_SHARE, SAMPLED_FIELDS, type Sample, sampleOfCounts } from './samples.ts';

/** Values of which it is asked how many rows have two of them: they travel with the question. */
const WANTED_MOST = 400;

const FIELDS = [...SAMPLED_FIELDS, ORIGIN_TROUBLE];

/** What a store counted of the steps, and in how much of their time. */
type Answer = { covered: readonly TimeRange[]; steps: ReadonlyMap<number, CountedStep> };

/** Samples of all rows of older times, which a store counts: first the values of each step, then how many rows have two that stand out. */
export class CountedSamples {
  readonly need: LogNeed;
  /** One for each step, the oldest first: what is asked for where the rows have to be read. */
  readonly steps: readonly LogNeed[];
  readonly #clock: { from: number; step: number; count: number };
  #answer: Answer | null = null;
  #refusal: string | null = null;
  #pairs: readonly ValuePair[] = [];
  #pairing: 'open' | 'asked' | 'told' | 'lost' = 'open';
  /** Samples whose values were too many to ask for. */
  #unpaired = 0;

  constructor(steps: readonly LogNeed[], step: number, terms: readonly Term[], zone: PullZone) {
    const [first, last] = [steps[0], steps.at(-1)];
    if (first === undefined || last === undefined) throw new RangeError('there are no steps to count');
    const { rows: _, ...asked } = first;
    const from = Math.floor(first.range.from / step) * step;
    this.steps = steps;
    this.#clock = { from, step, count: steps.length };
    const of = { kind: 'steps', fields: FIELDS, steps: this.#clock, share: 1 / LEAST_SHARE } as const;
    this.need = {
      ...asked,
      range: { from: first.range.from, to: last.range.to },
      counts: { terms, anonymisation: zone.anonymisation, of },
    };
  }

  /** True until it is known whether the store counts. */
  get isOpen(): boolean {
    return this.#answer === null && this.#refusal === null;
  }

  /** What is read step by step; what a store lacks cannot be read either. */
  get read(): readonly LogNeed[] {
    return this.#refusal === null ? [] : this.steps;
  }

  add(met: Met): void {
    if (met.kind === 'counts' && met.counts.kind === 'steps') {
      this.#answer = {
        covered: met.covered,
        steps: new Map(met.counts.steps.map((step) => [step.at, step])),
      };
    } else if (met.kind === 'counts' && met.counts.kind === 'pairs') {
      this.#pairs = met.counts.pairs;
      this.#pairing = 'told';
    } else if (this.#answer !== null) this.#pairing = 'lost';
    else if (met.kind === 'uncounted') this.#refusal = met.why;
  }

  /** By the begin of their time; none of a step of which the store lacks all. */
  samples(): [from: number, sample: Sample][] {
    const { covered, steps } = this.#answer ?? { covered: [], steps: new Map<number, CountedStep>() };
    const pairs = Map.groupBy(this.#pairs, ({ at }) => at);
    return this.steps.flatMap(({ range }): [number, Sample][] => {
      const span = timeShared(range, covered);
      const at = this.#at(range);
      const step = steps.get(at) ?? { sums: noCacheSums(), values: [] };
      return span === 0 ? [] : [[range.from, sampleOfCounts(range, span, step, pairs.get(at) ?? [])]];
    });
  }

  /** How many rows have two values that stand out, or that are common where one does; null = nothing of it has to be known. */
  pairsNeed(isFiltered: boolean): LogNeed | null {
    const { counts } = this.need;
    if (this.#answer === null || this.#pairing !== 'open' || counts === undefined) return null;
    this.#pairing = 'asked';
    const wanted = new Map<string, Set<string>>(FIELDS.map((field) => [field, new Set()]));
    const asked: Sample[] = [];
    let values = 0;
    for (const sample of standingOut(
      this.samples().map(([, each]) => each),
      isFiltered,
    ).toReversed()) {
      const least = sample.rows * LEAST_TOGETHER;
      const step = this.#answer.steps.get(this.#at(sample));
      for (const { field, value, count: rows } of values < WANTED_MOST ? (step?.values ?? []) : [])
        if (rows >= least) wanted.get(field)?.add(value);
      if (values < WANTED_MOST) asked.push(sample);
      else this.#unpaired++;
      values = [...wanted.values()].reduce((sum, { size }) => sum + size, 0);
    }
    const [newest, oldest] = [asked[0], asked.at(-1)];
    if (newest === undefined || oldest === undefined) return null;
    const of: Counting = {
      kind: 'pairs',
      wanted: new Map([...wanted].flatMap(([id, all]) => (all.size > 0 ? [[id, [...all]] as const] : []))),
      steps: this.#clock,
      least: Math.max(1, Math.floor(Math.min(...asked.map(({ rows }) => rows)) * LEAST_TOGETHER)),
    };
    return { ...this.need, range: { from: oldest.from, to: newest.to }, counts: { ...counts, of } };
  }

  /** Why the store cannot count; null = it can, or was not asked. */
  get refusal(): string | null {
    return this.#refusal;
  }

  /** Samples in which it is not known which values the same rows have. */
  get unpaired(): number {
    return this.#pairing === 'lost' ? this.samples().length : this.#unpaired;
  }

  /** Time of which the store has not all rows, ms. */
  get lacking(): number {
    const { range } = this.need;
    return this.#answer === null ? 0 : range.to - range.from - timeShared(range, this.#answer.covered);
  }

  #at({ from }: TimeRange): number {
    return Math.floor((from - this.#clock.from) / this.#clock.step);
  }
}

/** How samples of older times came, for the coverage of an answer. */
export function countedWords(all: readonly (CountedSamples | null)[]): string[] {
  const of = all.filter((each) => each !== null);
  const sumOf = (value: (each: CountedSamples) => number) => of.reduce((sum, each) => sum + value(each), 0);
  const samples = sumOf((each) => each.samples().length);
  const [lacking, unpaired] = [sumOf((each) => each.lacking), sumOf((each) => each.unpaired)];
  const refusals = new Set(of.flatMap(({ refusal }) => refusal ?? []));
  return [
    samples > 0 ? `all rows of ${counted(samples, 'sample')} counted by the store` : '',
    lacking > 0 ? `the store lacks ${duration(lacking)}` : '',
    unpaired > 0 ? `of ${counted(unpaired, 'sample')} not known which values the same rows have` : '',
    ...[...refusals].map((why) => `the store cannot count these rows (${why}): some are read`),
  ].filter((text) => text !== '');
}
