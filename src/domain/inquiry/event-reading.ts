import { count } from '../../text/units.ts';
import { shieldMatcher } from '../query/match.ts';
import { EMPTY_QUERY, type Query } from '../query/query.ts';
import {
  LARGEST_SHIELD_PAGE,
  type ShieldAnswer,
  type ShieldDimension,
  type ShieldEvent,
} from '../shield/shield.ts';
import { planRows } from '../shield/shield-question.ts';
import type { TimeRange } from '../tail/coverage.ts';
import { type Met, type Need, type Reading, type ShieldNeed, shieldNeed } from './inquiry.ts';

/** Searches of one reading in all rounds: ten thousand events with their context are some 20 MB. */
export const MOST_PAGES = 20;

/** Searches that read this many events or groups, as far as one reading goes; one where their number is not known. */
export function pagesFor(events: number | null): number {
  return Math.max(1, Math.min(MOST_PAGES, Math.ceil((events ?? 0) / LARGEST_SHIELD_PAGE)));
}

/** Shield events of one window being read page by page, and how many of them were. */
export class EventReading implements Reading {
  readonly needs: readonly ShieldNeed[];
  readonly #o: {
    shieldZoneId: string;
    range: TimeRange;
    query: Query;
    by: readonly ShieldDimension[];
    most: number;
  };
  readonly #pages = new Map<number, ShieldAnswer>();
  readonly #unheard: Set<Need>;
  #events: readonly ShieldEvent[] | null = null;

  /** `pages`: searches of the first round, or which pages it asks for; `most`: searches in all. With `by` each group of values stands for one event that has them. */
  constructor(o: {
    shieldZoneId: string;
    range: TimeRange;
    query?: Query;
    pages?: number | readonly number[];
    by?: readonly ShieldDimension[];
    most?: number;
  }) {
    this.#o = { query: EMPTY_QUERY, by: [], most: MOST_PAGES, ...o };
    const { pages = 1 } = o;
    const asked = typeof pages === 'number' ? Array.from({ length: pages }, (_, page) => page) : pages;
    this.needs = asked.map((page) => this.#needOf(page));
    this.#unheard = new Set(this.needs);
  }

  add(need: Need, met: Met): void {
    if (need.kind !== 'shield') return;
    this.#unheard.delete(need);
    if (met.kind !== 'shield') return;
    this.#pages.set(need.ask.page, met.answer);
    this.#events = null;
  }

  /** True when each search of the first round was answered, or has failed: a count may begin. */
  get isHeard(): boolean {
    return this.#unheard.size === 0;
  }

  /** Nothing more will come. */
  get isWhole(): boolean {
    return this.#isReadOut && !this.#isCut;
  }

  /** What was read and passes the terms that Shield cannot decide; an event that two pages tell counts once. */
  get events(): readonly ShieldEvent[] {
    this.#events ??= this.#gathered();
    return this.#events;
  }

  rest(): ShieldNeed[] {
    return this.#missing()
      .filter((page) => page < this.#o.most)
      .map((page) => this.#asked(page) ?? this.#needOf(page));
  }

  /** Of the first round what has no answer, though it was asked for. */
  unanswered(): ShieldNeed[] {
    return this.needs.filter(({ ask }) => !this.#pages.has(ask.page));
  }

  /** `all 1,204 events`, `500 of 1,204 events`. */
  words(name: string): string {
    const answers = [...this.#pages.values()];
    const [first] = answers;
    if (!first) return `${name} not read`;
    const read = answers.reduce((sum, { events, groups }) => sum + events.length + groups.length, 0);
    if (this.#isReadOut) return `all ${count(read)} ${name}${this.#isCut ? ' that are still kept' : ''}`;
    const most = this.rest().length === 0 ? ', the most that is read' : '';
    return `${count(read)} of ${count(first.total)} ${name}${most}`;
  }

  get #isReadOut(): boolean {
    return this.#pages.size > 0 && this.#missing().length === 0;
  }

  /** A part of the window was too old when it was asked for. */
  get #isCut(): boolean {
    return [...this.#pages.values()].some(({ gone }) => gone !== undefined);
  }

  #gathered(): ShieldEvent[] {
    const { by, range, query } = this.#o;
    const answers = [...this.#pages].toSorted(([a], [b]) => a - b).map(([, answer]) => answer);
    if (by.length > 0) {
      return answers.flatMap(({ groups }) =>
        groups
          .filter(({ raw }) => raw === null)
          .map(({ key, lastSeen }) => ({
            logId: null,
            timestamp: lastSeen ?? range.from,
            fields: key,
            log: null,
            raw: null,
          })),
      );
    }
    const { local } = planRows(query);
    const passes = local.length === 0 ? () => true : shieldMatcher(local);
    const ids = new Set<string>();
    return answers
      .flatMap(({ events }) => events)
      .filter(({ logId, raw, fields }) => {
        if (raw !== null || (logId !== null && ids.has(logId)) || !passes(fields)) return false;
        if (logId !== null) ids.add(logId);
        return true;
      });
  }

  /** Pages without an answer: those asked for, and those that the answers tell of. */
  #missing(): number[] {
    const known = Math.max(0, ...[...this.#pages.values()].map(({ totalPages }) => totalPages));
    const ends = [...this.#pages].filter(([, { events, groups }]) => events.length + groups.length === 0);
    const end = Math.min(Number.POSITIVE_INFINITY, ...ends.map(([page]) => page));
    // Before the first answer nobody knows how many there are; after it, pages beyond the end are none. One more than is
    // read already tells that it is not whole, whatever number of pages a server speaks of.
    const length = Math.min(this.#pages.size === 0 ? this.needs.length : known, end, MOST_PAGES + 1);
    return Array.from({ length }, (_, page) => page).filter((page) => !this.#pages.has(page));
  }

  #asked(page: number): ShieldNeed | undefined {
    return this.needs.find(({ ask }) => ask.page === page);
  }

  #needOf(page: number): ShieldNeed {
    const { shieldZoneId, range, query, by } = this.#o;
    return shieldNeed({ shieldZoneId, range, plan: { ...planRows(query), groupBy: by }, page });
  }
}
