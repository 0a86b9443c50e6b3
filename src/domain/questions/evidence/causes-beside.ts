import { counted } from '../../../text/units.ts';
import type { ZoneError } from '../../evidence/origin-error.ts';
import { type OriginTally, originTally } from '../../evidence/origin-tally.ts';
import type { AnswerSection } from '../../inquiry/answer-table.ts';
import type { Inquiry, Met, Need } from '../../inquiry/inquiry.ts';
import type { Query } from '../../query/query.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { causeSection } from './ask-causes.ts';
import { EvidenceReading, errorsIn, newestRunWords, originReading } from './evidence-reading.ts';

/** Origin errors in an answer about rows: asked for only where these say that origins fail, and missed by nothing else. */
export class CausesBeside {
  readonly #zones: readonly PullZone[];
  readonly #range: TimeRange;
  #reading: EvidenceReading<'originErrors'> = new EvidenceReading('originErrors', []);
  #isAsked = false;

  /** `zones`: those whose origins may fail. */
  constructor(zones: readonly PullZone[], range: TimeRange) {
    this.#zones = zones;
    this.#range = range;
  }

  /** Nothing that was asked for is missing. */
  get isWhole(): boolean {
    return this.#reading.rest().length + this.#reading.missing().length === 0;
  }

  /** Requests that it costs at most. */
  get most(): number {
    return originReading(this.#zones, this.#range).needs.length;
  }

  /** True where the need was one of its own. */
  add(need: Need, met: Met): boolean {
    const isOwn = this.#reading.add(need, met);
    this.#isAsked ||= isOwn;
    return isOwn;
  }

  /** What to ask for when the rows were read; once. `failing`: zones whose rows say so, the worst first. */
  follow(failing: readonly PullZone[]): readonly Need[] {
    if (this.#isAsked || failing.length === 0) return [];
    this.#isAsked = true;
    this.#reading = originReading(failing, this.#range);
    return this.#reading.needs;
  }

  rest(failing: readonly PullZone[]): readonly Need[] {
    if (failing.length === 0) return [];
    if (this.#reading.needs.length === 0) this.#reading = originReading(failing, this.#range);
    return this.#reading.rest();
  }

  /** `origin fails: …`; null where nothing is told. */
  words(): string | null {
    return newestRunWords(this.#tally(), this.#range);
  }

  /** The errors told of a zone. */
  errors(zone: string): readonly ZoneError[] {
    return errorsIn(this.#reading, this.#range).filter(({ zoneId }) => zoneId === zone);
  }

  sections(query: Query): AnswerSection[] {
    if (this.#reading.read.length === 0) return [];
    return [causeSection(this.#tally(), query, 'why the origin failed')];
  }

  coverage(): string[] {
    if (!this.#isAsked) return [];
    const { read, needs } = this.#reading;
    return [`origin errors of ${read.length} of ${counted(needs.length, 'day')}`, ...this.#reading.missing()];
  }

  #tally(): OriginTally {
    return originTally(errorsIn(this.#reading, this.#range), this.#range);
  }
}

/** An inquiry about rows that asks why origins fail as soon as its rows say that they do; without causes it is as it was. */
export function besideRows(
  rows: Inquiry,
  causes: CausesBeside | null,
  failing: () => readonly PullZone[],
): Inquiry {
  if (causes === null) return rows;
  const firstOf = (own: readonly Need[] | undefined, more: () => readonly Need[]) =>
    own && own.length > 0 ? own : more();
  return {
    ...rows,
    follow: {
      ...rows.follow,
      most: (rows.follow?.most ?? rows.needs.length) + causes.most,
      beside: causes.most,
      next: () => firstOf(rows.follow?.next(), () => causes.follow(failing())),
    },
    add(need, met) {
      if (!causes.add(need, met)) rows.add(need, met);
    },
    rest: () => firstOf(rows.rest(), () => causes.rest(failing())),
  };
}
