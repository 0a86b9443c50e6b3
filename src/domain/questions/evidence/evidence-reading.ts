import { clockMinute, count, counted, DAY, dayMinute, dayOf, HOUR } from '../../../text/units.ts';
import type { Change } from '../../evidence/change.ts';
import { codeWord, type ZoneError } from '../../evidence/origin-error.ts';
import type { OriginTally } from '../../evidence/origin-tally.ts';
import { explain, type Failure } from '../../failure.ts';
import type { EvidenceMet, EvidenceNeed, Met, Need } from '../../inquiry/inquiry.ts';
import { causeRow } from '../../origin-cause.ts';
import { missingForStrays } from '../../strays.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';

type Kind = EvidenceNeed['kind'];
type NeedOf<K extends Kind> = Extract<EvidenceNeed, { kind: K }>;
type ValueOf<K extends Kind> = Extract<EvidenceMet, { kind: K }>['value'];

/** All of it is optional: an address that is not there need not be a wrong one. */
const NOT_OFFERED = 'The platform may not offer it here; check the configured URLs';

/** How each kind is called. */
const WORDS: Readonly<Record<Kind, { one: string; many: string }>> = {
  originErrors: { one: 'origin error', many: 'origin errors' },
  changes: { one: 'change', many: 'changes' },
  statistics: { one: 'hour', many: 'statistics' },
};

/** What an answer may tell of what it lacks. */
type Told = { unread?: number; next?: string | null };

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

  /** Why a part of it was not told, and what to do: a sentence, or none. */
  trouble(): string[] {
    const [failure] = this.#failed.values();
    if (failure === undefined) return [];
    const { what: said, next } = explain(failure);
    const todo = failure.kind === 'notFound' ? NOT_OFFERED : next;
    return [`${this.#words.many} not read: ${said} ${todo.replace(/\.$/, '')}`];
  }

  /** What of it is missing, in words. */
  missing(): string[] {
    const { one, many } = this.#words;
    const read = this.read as readonly (readonly [{ day?: string }, Told])[];
    const unread = read.reduce((sum, [, told]) => sum + (told.unread ?? 0), 0);
    const cut = read.flatMap(([{ day }, { next = null }]) => (next === null ? [] : (day ?? [])));
    return [
      ...this.leftOut,
      ...this.trouble(),
      ...(unread > 0 ? [`${counted(unread, one)} without a time left out`] : []),
      ...(cut.length > 0 ? [`of ${cut.join(', ')} only the newest ${many}`] : []),
      ...missingForStrays(read.map(([, told]) => told)).map((words) => `${many}: ${words}`),
    ];
  }

  get #words(): { one: string; many: string } {
    return WORDS[this.#kind];
  }
}

/** The UTC days (`YYYY-MM-DD`) that meet a time, the newest first; `leftOut` says of how many only the newest are among them. */
function daysOf({ from, to }: TimeRange): { days: string[]; leftOut: string[] } {
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

/** Where nobody was told the price of more, so many zones are asked about: each is a request a day. */
const MOST_ZONES = 6;
/** Without an error for so long a run is over, as far as is told: errors come late, ms. */
const OVER = 3 * 60_000;

/** `most`: zones that are asked about, the first of them. */
export function originReading(
  zones: readonly PullZone[],
  range: TimeRange,
  most = MOST_ZONES,
): EvidenceReading<'originErrors'> {
  const known = zones.filter(({ id }) => id !== '');
  const asked = known.slice(0, most);
  const { days, leftOut } = daysOf(range);
  const others = known.length - asked.length;
  return new EvidenceReading(
    'originErrors',
    asked.flatMap(({ id: zoneId }) => days.map((day) => ({ kind: 'originErrors', zoneId, day }) as const)),
    [...leftOut, ...(others > 0 ? [`origin errors of ${counted(others, 'zone')} not asked for`] : [])],
  );
}

/** The errors told of a time, the newest first. */
export function errorsIn(reading: EvidenceReading<'originErrors'>, { from, to }: TimeRange): ZoneError[] {
  return reading.read
    .flatMap(([{ zoneId }, { errors }]) =>
      errors
        .filter(({ timestamp, raw }) => raw === null && timestamp >= from && timestamp < to)
        .map((error) => ({ ...error, zoneId })),
    )
    .sort((a, b) => b.timestamp - a.timestamp);
}

/**
 * `origin fails: dns_lookup 312 of 340 since 02:14`, of the newest run of the code that is told most, with its end where that is
 * well before the end of the range; null where no error is told.
 */
export function newestRunWords({ causes }: OriginTally, { to: end }: TimeRange): string | null {
  const [first] = causes;
  if (first === undefined) return null;
  const { from, to, count: own, of } = first.run;
  const isOver = to < end - OVER;
  const verb = isOver ? 'origin failed' : 'origin fails';
  const [begin, over] = [timeWord(from, end), timeWord(to, end)];
  const times = begin === over ? `at ${begin}` : `from ${begin} to ${over}`;
  const when = isOver ? times : `since ${begin}`;
  return `${verb}: ${codeWord(first.code)} ${count(own)} of ${count(of)} ${when}`;
}

/** With its day where that is another than the last. */
export function timeWord(time: number, end: number): string {
  return dayOf(time, 'utc') === dayOf(end - 1, 'utc') ? clockMinute(time) : dayMinute(time);
}

export function meaningOf(code: string): string {
  return causeRow(code)?.words ?? 'not a published code';
}

/** The platform keeps its counts by the hour for so long, ms. */
const KEPT = 30 * DAY;

/** All hours of a zone that are kept up to `now` (Unix ms), in one request. */
export function statisticsReading({ id: zoneId }: PullZone, now: number): EvidenceReading<'statistics'> {
  const from = Math.floor((now - KEPT) / HOUR) * HOUR + HOUR;
  return new EvidenceReading('statistics', [{ kind: 'statistics', zoneId, range: { from, to: now } }]);
}

/** The changes of the days of a time. */
export function changesReading(range: TimeRange): EvidenceReading<'changes'> {
  const { days, leftOut } = daysOf(range);
  return new EvidenceReading(
    'changes',
    days.map((day) => ({ kind: 'changes', day })),
    leftOut,
  );
}

/** The changes told of a time. */
export function changesIn(reading: EvidenceReading<'changes'>, { from, to }: TimeRange): Change[] {
  return reading.read.flatMap(([, page]) => page.changes.filter(({ timestamp: t }) => t >= from && t < to));
}
