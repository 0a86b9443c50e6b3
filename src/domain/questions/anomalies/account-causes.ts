import { counted } from '../../../text/units.ts';
import { originTally } from '../../evidence/origin-tally.ts';
import type { Query } from '../../query/query.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { daysOf, type EvidenceReading } from '../evidence/evidence-reading.ts';
import {
  causeWords,
  errorsIn,
  MOST_ZONES,
  originMissing,
  originReading,
} from '../evidence/origin-reading.ts';
import { rest, words } from '../inquiry/answer-columns.ts';
import { type AnswerSection, within } from '../inquiry/answer-table.ts';
import type { Met, Need } from '../inquiry/inquiry.ts';

/** Why the origins of several zones fail: asked for once their samples say which do, the worst first. */
export class AccountCauses {
  readonly #range: TimeRange;
  #zones: readonly PullZone[] = [];
  #reading: EvidenceReading<'originErrors'> | null = null;

  constructor(range: TimeRange) {
    this.#range = range;
  }

  /** Requests that it costs at most. */
  mostOf(zones: number): number {
    return Math.min(zones, MOST_ZONES) * daysOf(this.#range).days.length;
  }

  follow(failing: readonly PullZone[]): readonly Need[] {
    if (this.#reading !== null || failing.length === 0) return [];
    this.#zones = failing;
    this.#reading = originReading(failing, this.#range);
    return this.#reading.needs;
  }

  /** True where the need was one of its own. */
  add(need: Need, met: Met): boolean {
    return this.#reading?.add(need, met) ?? false;
  }

  rest(): readonly Need[] {
    return this.#reading?.rest() ?? [];
  }

  sections(query: Query): AnswerSection[] {
    const reading = this.#reading;
    if (reading === null || reading.read.length === 0) return [];
    const errors = errorsIn(reading, this.#range);
    const told = this.#zones.filter(({ id }) => reading.read.some(([{ zoneId }]) => zoneId === id));
    return [
      {
        title: 'why their origins failed',
        columns: [words('ZONE', 20), rest('WHY')],
        rows: told.map(({ id, name }) => {
          const own = errors.filter(({ zoneId }) => zoneId === id);
          const words = causeWords(originTally(own, this.#range), this.#range);
          return {
            cells: [name, words ?? 'no origin error is told of these times; one may come late'],
            leads: { subject: 'logs', query: within(query, this.#range), zones: [id] },
            value: { field: 'zone', value: id },
          };
        }),
      },
    ];
  }

  get coverage(): string[] {
    if (this.#reading === null) return [];
    const { read, needs } = this.#reading;
    return [
      `origin errors: ${read.length} of ${counted(needs.length, 'day of a zone', 'days of zones')} read`,
      ...originMissing(this.#reading),
    ];
  }
}
