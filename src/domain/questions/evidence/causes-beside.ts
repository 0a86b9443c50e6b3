import { counted } from '../../../text/units.ts';
import { originTally } from '../../evidence/origin-tally.ts';
import type { Query } from '../../query/query.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import type { AnswerSection } from '../inquiry/answer-table.ts';
import type { Met, Need } from '../inquiry/inquiry.ts';
import { causeSection } from './cause-section.ts';
import type { EvidenceReading } from './evidence-reading.ts';
import { causeWords, errorsIn, originMissing, originReading } from './origin-reading.ts';

/** Origin errors in an answer about rows: asked for only where these say that the origin fails, and missed by nothing else. */
export class CausesBeside {
  readonly #reading: EvidenceReading<'originErrors'>;
  #isAsked = false;

  constructor(zones: readonly PullZone[], range: TimeRange) {
    this.#reading = originReading(zones, range);
  }

  /** Requests that it costs at most. */
  get most(): number {
    return this.#reading.needs.length;
  }

  /** True where the need was one of its own. */
  add(need: Need, met: Met): boolean {
    const isOwn = this.#reading.add(need, met);
    this.#isAsked ||= isOwn;
    return isOwn;
  }

  /** What to ask for when the rows were read; once. */
  follow(isFailing: boolean): readonly Need[] {
    if (!isFailing || this.#isAsked) return [];
    this.#isAsked = true;
    return this.#reading.rest();
  }

  rest(isFailing: boolean): readonly Need[] {
    return isFailing ? this.#reading.rest() : [];
  }

  /** `origin fails: …`; null where nothing is told. */
  words(range: TimeRange): string | null {
    return causeWords(originTally(errorsIn(this.#reading, range), range), range);
  }

  sections(query: Query, range: TimeRange): AnswerSection[] {
    if (this.#reading.read.length === 0) return [];
    return [
      {
        ...causeSection(originTally(errorsIn(this.#reading, range), range), query),
        title: 'why the origin failed',
      },
    ];
  }

  get coverage(): string[] {
    if (!this.#isAsked) return [];
    const { read, needs } = this.#reading;
    return [
      `origin errors of ${read.length} of ${counted(needs.length, 'day')}`,
      ...originMissing(this.#reading),
    ];
  }
}
