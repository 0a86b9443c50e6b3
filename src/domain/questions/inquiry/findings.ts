import type { Query, QuerySubject } from '../../query/query.ts';

/** A value of JSON. */
export type FactValue =
  | string
  | number
  | boolean
  | null
  | readonly FactValue[]
  | { readonly [name: string]: FactValue };

/** What is told of one thing, by names that scripts rely on: figures are numbers, shares 0…1, times ISO 8601 in UTC, texts whole. */
export type Facts = Readonly<Record<string, FactValue>>;

/** The lines of a log behind something, of these of the zones by their ids; without them of all that the answer is about. */
export type Leads = { subject: QuerySubject; query: Query; zones?: readonly string[] };

/** One thing that an answer found, as data. */
export type AnswerFinding = { facts: Facts; leads?: Leads };

/** Findings of one list that are told as data; of more nobody reads them one by one. */
const MOST = 1_000;

type Called = { name: string; note?: string | undefined };

/** What a section found, as data. A finding is made when it is asked for: a screen has no use for it. */
export class Findings {
  /** What each of them is called by scripts. */
  readonly name: string;
  /** How many there are; those that a screen lists; and those that can be told, the first of them. */
  readonly all: number;
  readonly listed: number;
  readonly told: number;
  /** How their figures are made, and what they lack. */
  readonly note: string;
  readonly #make: (at: number) => AnswerFinding;

  private constructor(
    { name, note = '' }: Called,
    all: number,
    listed: number,
    make: (at: number) => AnswerFinding,
  ) {
    this.name = name;
    this.note = note;
    this.all = all;
    this.told = Math.min(all, MOST);
    this.listed = Math.min(listed, this.told);
    this.#make = make;
  }

  /** Of so many items that more cannot be told the others are let go. */
  static of<T>(
    called: Called,
    items: readonly T[],
    listed: number,
    make: (item: T, at: number) => AnswerFinding,
  ): Findings {
    const told = items.slice(0, MOST);
    return new Findings(called, items.length, listed, (at) => make(told[at] as T, at));
  }

  first(most: number): AnswerFinding[] {
    return Array.from({ length: Math.min(most, this.told) }, (_, at) => this.at(at));
  }

  at(place: number): AnswerFinding {
    const { facts, ...leading } = this.#make(place);
    return { facts: { finding: this.name, ...facts }, ...leading };
  }
}
