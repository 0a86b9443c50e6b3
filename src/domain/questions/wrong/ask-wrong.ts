import { matcher } from '../../query/match.ts';
import type { Query } from '../../query/query.ts';
import type { ShieldAnswer, WafRule } from '../../shield/shield.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import type { Inquiry, Met, Need } from '../inquiry/inquiry.ts';
import { type Cause, causesOf, type Heard } from './causes.ts';
import { raisedRules } from './raised-rules.ts';
import { type WrongSource, wrongPlan } from './wrong-plan.ts';
import { WrongSamples } from './wrong-samples.ts';
import { wrongTable } from './wrong-table.ts';

type Question = {
  zone: PullZone;
  /** Null: it has no Shield. Undefined: nobody has told yet, and it is not asked. */
  shieldZoneId: string | null | undefined;
  query: Query;
  range: TimeRange;
  /** The oldest moment that is kept, Unix ms. */
  edge: number;
  rules: ReadonlyMap<string, WafRule> | null;
  sources?: readonly WrongSource[];
};

/**
 * What is wrong in a window, as at most five causes, the likeliest first: rules of Shield that act more than a day earlier,
 * and samples of the CDN log beside those of other times. The second round, of samples between the first ones, is asked only
 * where the first is not clear.
 */
export function wrongInquiry(o: Question): Inquiry {
  const { zone, query, range, sources = [] } = o;
  const plan = wrongPlan({ ...o, shieldZoneId: o.shieldZoneId ?? null, sources });
  const { first, second } = plan;
  const samples = new WrongSamples(matcher(query, zone.anonymisation));
  const events = new Map<Need, ShieldAnswer>();
  const all = [...first, ...second];
  const others = new Map(sources.flatMap((source) => source.needs.map((need) => [need, source] as const)));
  /** Nobody has to offer what is not of a log: a refusal is an answer, and the coverage says so. */
  const heardOthers = new Set<Need>();
  let isGoingOn = false;

  function isRead(need: Need): boolean {
    if (heardOthers.has(need)) return true;
    return need.kind === 'logs' ? samples.has(need) : events.has(need);
  }

  function left<N extends Need>(needs: readonly N[]): N[] {
    return needs.filter((need) => !isRead(need));
  }

  function heard(): Heard {
    const [now, before] = plan.events ? [events.get(plan.events.now), events.get(plan.events.before)] : [];
    const rules = plan.events && now && before ? raisedRules(now, before, range, plan.events.before.ask) : [];
    const samplesAsked = (isGoingOn ? all : first).filter(({ kind }) => kind === 'logs');
    const told = (kind: WrongSource['kind']) =>
      sources.flatMap((source) =>
        source.kind === kind ? source.told().map((one) => ({ ...one, source: source.name })) : [],
      );
    return {
      range,
      traffic: samples.result(),
      rules,
      isShieldRead: plan.events ? now !== undefined && before !== undefined : null,
      hasLog: zone.logging,
      unread: left(samplesAsked).length,
      trouble: told('trouble'),
      changes: told('change'),
    };
  }

  return {
    needs: first,
    follow: {
      most: all.length,
      next() {
        if (isGoingOn || isClear(causesOf(heard()))) return [];
        isGoingOn = true;
        return left(second);
      },
    },
    counts: matcher(query, zone.anonymisation),
    add(need: Need, met: Met) {
      const source = others.get(need);
      if (source) {
        source.add(need, met);
        heardOthers.add(need);
      } else if (need.kind === 'logs') samples.add(need, met);
      else if (met.kind === 'shield') events.set(need, met.answer);
    },
    table() {
      const known = heard();
      const asked = isGoingOn ? all : first;
      const causes = causesOf(known);
      return wrongTable(causes, known, {
        ...o,
        asked,
        read: asked.filter(isRead),
        // Until a cause is clear all that was planned has to be read before nothing is said to stand out.
        isWhole: all.every(isRead),
        missing: sources.flatMap((source) => source.missing()),
        cut: [...events.values()].some(({ groups, total }) => groups.length < total),
      });
    },
    rest() {
      const ofFirst = left(first);
      if (ofFirst.length > 0) return ofFirst;
      return isGoingOn || !isClear(causesOf(heard())) ? left(all) : [];
    },
  };
}

/** Whether what goes on is sure: more samples would change nothing. */
function isClear(causes: readonly Cause[]): boolean {
  const [first] = causes;
  return first !== undefined && !first.isOver && first.sureness === 'sure';
}
