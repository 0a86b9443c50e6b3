import { count, DAY } from '../../../text/units.ts';
import { explain, type Failure } from '../../failure.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { EvidenceMet, EvidenceNeed, Met, Need } from '../inquiry/inquiry.ts';

type Kind = EvidenceNeed['kind'];
type NeedOf<K extends Kind> = Extract<EvidenceNeed, { kind: K }>;
type ValueOf<K extends Kind> = Extract<EvidenceMet, { kind: K }>['value'];

/** All of it is optional: an address that is not there need not be a wrong one. */
const NOT_OFFERED = 'The platform may not offer it here; check the configured URLs';

/** Days of one question: each is a request, of each zone where it is of zones. */
const MOST_DAYS = 31;

/** What the platform told of one kind of evidence, and what it did not. */
export class EvidenceReading<K extends Kind> {
  readonly needs: readonly NeedOf<K>[];
  /** What was asked about and is in none of the needs, in words. */
  readonly leftOut: readonly string[];
  readonly #kind: K;
  readonly #read = new Map<NeedOf<K>, ValueOf<K>>();
  readonly #failed = new Map<NeedOf<K>, Failure>();

  constructor(kind: K, needs: readonly NeedOf<K>[], leftOut: readonly string[] = []) {
    this.#kind = kind;
    this.needs = needs;
    this.leftOut = leftOut;
  }

  /** True where the need was one of these. */
  add(need: Need, met: Met): boolean {
    const own = this.needs.find((each) => each === need);
    if (own === undefined) return false;
    if (met.kind === 'failed') this.#failed.set(own, met.failure);
    if (met.kind === this.#kind) {
      this.#failed.delete(own);
      this.#read.set(own, (met as Extract<EvidenceMet, { kind: K }>).value as ValueOf<K>);
    }
    return true;
  }

  /** What was told, with what it was an answer to. */
  get read(): readonly [NeedOf<K>, ValueOf<K>][] {
    return [...this.#read];
  }

  rest(): readonly NeedOf<K>[] {
    return this.needs.filter((need) => !this.#read.has(need));
  }

  /** Why a part of it was not told, and what to do: a sentence, or none. `what`: how it is called. */
  trouble(what: string): string[] {
    const [failure] = this.#failed.values();
    if (failure === undefined) return [];
    const { what: said, next } = explain(failure);
    const todo = failure.kind === 'notFound' ? NOT_OFFERED : next;
    return [`${what} not read: ${said} ${todo.replace(/\.$/, '')}`];
  }
}

/** The UTC days (`YYYY-MM-DD`) that meet a time, the newest first; `leftOut` says of how many only the newest are among them. */
export function daysOf({ from, to }: TimeRange): { days: string[]; leftOut: string[] } {
  const last = Math.floor(Math.max(from, to - 1) / DAY);
  const all = last - Math.floor(from / DAY) + 1;
  const days = Array.from({ length: Math.min(all, MOST_DAYS) }, (_, i) =>
    new Date((last - i) * DAY).toISOString().slice(0, 10),
  );
  return {
    days,
    leftOut: all > MOST_DAYS ? [`only the newest ${MOST_DAYS} of ${count(all)} days asked`] : [],
  };
}
