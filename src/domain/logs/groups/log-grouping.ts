import { IN_VIEW, type LogColumns } from '../columns/log-columns.ts';
import type { TrafficMeter } from '../sums/traffic-meter.ts';
import { allOf, BookWork, type Parts } from './book-work.ts';
import { sampleParts } from './group-sample.ts';
import { groupParts, type LogGroup, type LogGroups } from './log-group.ts';

/** `total`: distinct groups; `rows`: those in all of them. */
export type BookGroups = LogGroups & { rows: number };

/** What grouping asks of the book. */
type GroupedView = {
  /** Rows in the view. */
  shown(): number;
  /** Asks the filter of all rows. */
  settle(): void;
  /** Another number after each change of the view but for rows that are new. */
  epoch(): number;
};

/** The rows of a view by the values of fields. */
export class LogGrouping {
  readonly #columns: LogColumns;
  readonly #meter: TrafficMeter;
  readonly #view: GroupedView;
  #known: { question: string; groups: BookGroups } | null = null;

  constructor(columns: LogColumns, meter: TrafficMeter, view: GroupedView) {
    this.#columns = columns;
    this.#meter = meter;
    this.#view = view;
  }

  /** At once; what was counted last is kept. `version` of the book. */
  all(fields: readonly string[], limit: number, version: number): BookGroups {
    const question = `${version} ${limit} ${fields.join(',')}`;
    if (this.#known?.question !== question) {
      this.#known = { question, groups: allOf(this.#parts(fields, limit)) };
    }
    return this.#known.groups;
  }

  count(fields: readonly string[], limit: number): BookWork<BookGroups> {
    return this.#work(() => this.#parts(fields, limit));
  }

  sample(fields: readonly string[], groups: readonly LogGroup[], most: number): BookWork<number[][]> {
    return this.#work(() => sampleParts(this.#columns, fields, groups, most, IN_VIEW));
  }

  *#parts(fields: readonly string[], limit: number): Parts<BookGroups> {
    const rows = this.#view.shown();
    return { ...(yield* groupParts(this.#columns, this.#meter, fields, limit, IN_VIEW)), rows };
  }

  #work<T>(begin: () => Parts<T>): BookWork<T> {
    const settled = () => {
      this.#view.settle();
      return begin();
    };
    return new BookWork(settled, () => this.#view.epoch());
  }
}
