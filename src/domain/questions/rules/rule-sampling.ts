import { count, percent } from '../../../text/units.ts';
import { EventReading, MOST_PAGES } from '../../inquiry/event-reading.ts';
import { type Met, type Need, type Reading, type ShieldNeed, shieldNeed } from '../../inquiry/inquiry.ts';
import type { Query } from '../../query/query.ts';
import { termForValue } from '../../query/terms.ts';
import { LARGEST_SHIELD_PAGE, type ShieldEvent } from '../../shield/shield.ts';
import { tableOf } from '../../shield/shield-groups.ts';
import { planGroups } from '../../shield/shield-question.ts';
import type { TimeRange } from '../../tail/coverage.ts';

/** Searches for the events of one rule: 1,500 of them tell of its clients as well as all. */
const PAGES_EACH = 3;

/**
 * The events of every rule in a window that has more than are read: first how many each rule has, then a part of each,
 * from pages that lie evenly in its list. The newest events alone would be those of the loudest rule.
 */
export class RuleSampling implements Reading {
  readonly needs: readonly ShieldNeed[];
  readonly #o: { shieldZoneId: string; range: TimeRange; query: Query };
  #counts: ReadonlyMap<string, number> | null = null;
  #isCut = false;
  #readings: readonly EventReading[] = [];
  #isRefused = false;
  #isNamed = false;
  #events: readonly ShieldEvent[] | null = null;

  constructor(o: { shieldZoneId: string; range: TimeRange; query: Query }) {
    this.#o = o;
    this.needs = [shieldNeed({ ...o, plan: planGroups(o.query, ['rule']) })];
  }

  add(need: Need, met: Met): void {
    if (need.kind !== 'shield') return;
    if (need !== this.needs[0]) {
      this.#readings.find((reading) => reading.needs.includes(need))?.add(need, met);
      this.#events = null;
      return;
    }
    this.#isRefused = met.kind !== 'shield';
    if (met.kind !== 'shield') return;
    const { groups, total } = met.answer;
    const { local } = planGroups(this.#o.query, ['rule']);
    const table = tableOf(groups, { dims: ['ruleId'], local, sort: 'count', reversed: false });
    this.#isCut = groups.length < total;
    this.#counts = new Map(table.groups.map((group) => [group.key['ruleId'] ?? '', group.count]));
    this.#readings = this.#planned();
    this.#events = null;
  }

  /** The pages to read, once, when the numbers of the rules are known. */
  next(): readonly Need[] {
    if (this.#isNamed) return [];
    this.#isNamed = this.#counts !== null;
    return this.#readings.flatMap(({ needs }) => needs);
  }

  get isHeard(): boolean {
    if (this.#counts === null) return this.#isRefused;
    return this.#readings.every((reading) => reading.isHeard);
  }

  get isWhole(): boolean {
    return (
      !this.#isCut &&
      this.#counts !== null &&
      this.#readings.length === this.#counts.size &&
      this.#readings.every((reading) => reading.isWhole)
    );
  }

  get events(): readonly ShieldEvent[] {
    this.#events ??= this.#readings.flatMap((reading) => reading.events);
    return this.#events;
  }

  /** Events of every rule, read or not; null before they are known. */
  get counts(): ReadonlyMap<string, number> | null {
    return this.#counts;
  }

  rest(): readonly Need[] {
    if (this.#counts === null) return this.needs;
    return this.#readings.flatMap((reading) => reading.unanswered());
  }

  /** `9,412 of 31,139 events, a part of each rule`. */
  words(name: string): string {
    if (this.#counts === null) return `${name} not read`;
    const all = [...this.#counts.values()].reduce((sum, each) => sum + each, 0);
    const read = this.events.length;
    const cut = this.#isCut ? `, of the ${LARGEST_SHIELD_PAGE} largest rules` : '';
    if (this.isWhole) return `all ${count(all)} ${name}`;
    return `${count(read)} of ${count(all)} ${name} (${percent(Math.min(0.999, read / Math.max(1, all)))}), a part of each rule${cut}`;
  }

  /** One page for each rule, the largest first, then a second and a third; all of them where they are few. */
  #planned(): EventReading[] {
    const rules = [...(this.#counts ?? [])]
      .filter(([ruleId]) => ruleId !== '')
      .slice(0, MOST_PAGES)
      .map(([ruleId, events]) => ({ ruleId, all: Math.ceil(events / LARGEST_SHIELD_PAGE), pages: 0 }));
    let left = MOST_PAGES;
    const isSmall = rules.reduce((sum, { all }) => sum + all, 0) <= MOST_PAGES;
    for (let round = 0; round < (isSmall ? MOST_PAGES : PAGES_EACH); round++) {
      for (const rule of rules) {
        if (left === 0 || rule.pages >= rule.all) continue;
        rule.pages++;
        left--;
      }
    }
    return rules.flatMap(({ ruleId, all, pages }) => {
      const term = termForValue('shield', 'rule', ruleId, false);
      if (term === null || pages === 0) return [];
      const query = { ...this.#o.query, groupBy: [], terms: [...this.#o.query.terms, term] };
      const at = Array.from({ length: pages }, (_, n) => Math.floor(((n + 0.5) * all) / pages));
      return [new EventReading({ ...this.#o, query, pages: at })];
    });
  }
}
