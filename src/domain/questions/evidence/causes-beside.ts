import { counted } from '../../../text/units.ts';
import { type OriginTally, originTally } from '../../evidence/origin-tally.ts';
import type { Query } from '../../query/query.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { onScreen, sectionOf, within, words } from '../inquiry/answer-section.ts';
import type { AnswerSection } from '../inquiry/answer-table.ts';
import type { Facts } from '../inquiry/findings.ts';
import type { Inquiry, Met, Need } from '../inquiry/inquiry.ts';
import { causeSection, runFacts } from './cause-section.ts';
import type { EvidenceReading } from './evidence-reading.ts';
import { codeWord, errorsIn, newestRunWords, originMissing, originReading } from './origin-reading.ts';

/** Origin errors in an answer about rows: asked for only where these say that origins fail, and missed by nothing else. */
export class CausesBeside {
  readonly #zones: readonly PullZone[];
  readonly #range: TimeRange;
  #failing: readonly PullZone[] = [];
  #reading: EvidenceReading<'originErrors'> | null = null;
  #isAsked = false;

  /** `zones`: those whose origins may fail. */
  constructor(zones: readonly PullZone[], range: TimeRange) {
    this.#zones = zones;
    this.#range = range;
  }

  /** Nothing that was asked for is missing. */
  get isWhole(): boolean {
    const reading = this.#reading;
    return reading === null || reading.rest().length + originMissing(reading).length === 0;
  }

  /** Requests that it costs at most. */
  get most(): number {
    return originReading(this.#zones, this.#range).needs.length;
  }

  /** True where the need was one of its own. */
  add(need: Need, met: Met): boolean {
    const isOwn = this.#reading?.add(need, met) ?? false;
    this.#isAsked ||= isOwn;
    return isOwn;
  }

  /** What to ask for when the rows were read; once. `failing`: zones whose rows say so, the worst first. */
  follow(failing: readonly PullZone[]): readonly Need[] {
    if (this.#isAsked || failing.length === 0) return [];
    this.#isAsked = true;
    return this.#readingOf(failing).needs;
  }

  rest(failing: readonly PullZone[]): readonly Need[] {
    return failing.length === 0 ? [] : (this.#reading ?? this.#readingOf(failing)).rest();
  }

  /** `origin fails: …`; null where nothing is told. */
  words(range: TimeRange): string | null {
    return newestRunWords(this.#tally(range), range);
  }

  /** The code that is told most, and its newest run, as data; null where nothing is told. */
  facts(range: TimeRange, zone?: string): Facts | null {
    const [first] = this.#tally(range, zone).causes;
    return first === undefined
      ? null
      : { code: codeWord(first.code), errors: first.count, ...runFacts(first) };
  }

  sections(query: Query, range: TimeRange): AnswerSection[] {
    if (this.#reading === null || this.#reading.read.length === 0) return [];
    return [causeSection(this.#tally(range), query, 'why the origin failed')];
  }

  /** The cause of each zone, where several fail. */
  zoneSections(query: Query): AnswerSection[] {
    const told = this.#failing.filter(({ id }) => this.#reading?.read.some(([{ zoneId }]) => zoneId === id));
    if (told.length === 0) return [];
    const wordsOf = (id: string) => newestRunWords(this.#tally(this.#range, id), this.#range);
    const section = sectionOf('origins', 'why their origins failed', told, {
      columns: [
        words('zone', 'ZONE', 20, ({ name }) => name),
        onScreen(
          'WHY',
          'rest',
          ({ id }) => wordsOf(id) ?? 'no origin error is told of these times; one may come late',
        ),
      ],
      also: ({ id }) => ({ cause: this.facts(this.#range, id) }),
      row: ({ id }) => ({
        leads: { subject: 'logs', query: within(query, this.#range), zones: [id] },
        value: { field: 'zone', value: id },
      }),
    });
    return [section];
  }

  /** `wordsOf`: how it is said what was read. */
  coverage(
    wordsOf = (read: number, all: number) => `origin errors of ${read} of ${counted(all, 'day')}`,
  ): string[] {
    if (!this.#isAsked || this.#reading === null) return [];
    const { read, needs } = this.#reading;
    return [wordsOf(read.length, needs.length), ...originMissing(this.#reading)];
  }

  /** The errors of a time, of one zone where it is named. */
  #tally(range: TimeRange, zone?: string): OriginTally {
    const errors = this.#reading === null ? [] : errorsIn(this.#reading, range);
    return originTally(zone === undefined ? errors : errors.filter(({ zoneId }) => zoneId === zone), range);
  }

  #readingOf(failing: readonly PullZone[]): EvidenceReading<'originErrors'> {
    this.#failing = failing;
    this.#reading = originReading(failing, this.#range);
    return this.#reading;
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
