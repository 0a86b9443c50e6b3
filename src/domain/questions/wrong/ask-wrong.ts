import { HOUR } from '../../../text/units.ts';
import { matcher } from '../../query/match.ts';
import { splitForServer } from '../../query/push-down.ts';
import type { Query } from '../../query/query.ts';
import type { ShieldAnswer, WafRule } from '../../shield/shield.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { populationOf } from '../deviation/population.ts';
import { SampledRows } from '../deviation/sampled-rows.ts';
import { changesIn, changesReading } from '../evidence/ask-changes.ts';
import { errorsIn, originMissing, originReading } from '../evidence/origin-reading.ts';
import { statisticsReading } from '../evidence/statistics-reading.ts';
import type { Inquiry, Met, Need } from '../inquiry/inquiry.ts';
import { raisedRules } from './raised-rules.ts';
import { type Cause, causesOf, chosenBy, type Heard } from './verdict.ts';
import { moreOf, narrowing, sampleNeed, unseenOf, WRONG_BUDGET, wrongPlan } from './wrong-plan.ts';
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
  /** Whether the platform may be asked for what it tells besides its logs. */
  withEvidence: boolean;
};

/** More would be a list of symptoms. */
const MOST_CAUSES = 5;

/** Changes are looked for so long before the window, ms: what they brought about may have begun before it. */
const CHANGED_BEFORE = 24 * HOUR;

/**
 * What is wrong in a window, as at most five causes, what spoils most requests first. A first round reads samples of the window and of
 * other times; what they leave open is read by a few more, one after the other: between samples where nothing stands out, and
 * between the moments of a beginning or an end until they are a minute apart.
 */
export function wrongInquiry(o: Question): Inquiry {
  const { zone, query, range, withEvidence } = o;
  const matches = matcher(query, zone.anonymisation);
  const sampled = new SampledRows(matches);
  const ofPlatform = withEvidence && zone.id !== '';
  const origin = originReading(ofPlatform ? [zone] : [], range);
  const changedIn = { from: range.from - CHANGED_BEFORE, to: range.to };
  const changes = ofPlatform ? changesReading(changedIn) : null;
  const statistics = statisticsReading(zone, range.to);
  const events = new Map<Need, ShieldAnswer>();
  const evidence = [...origin.needs, ...(changes?.needs ?? [])];
  const plan = wrongPlan({ ...o, shieldZoneId: o.shieldZoneId ?? null, evidence });
  const asked = [...plan.needs];
  /** Nobody has to offer what is not of a log: a refusal is an answer, and the coverage says so. */
  const refused = new Set<Need>();
  let known: { heard: Heard; causes: Cause[] } | null = null;
  let isSpread = false;

  function isRead(need: Need): boolean {
    return need.kind === 'logs' ? sampled.has(need) : events.has(need) || refused.has(need) || isTold(need);
  }

  function isTold(need: Need): boolean {
    const read: readonly Need[] = [...origin.read, ...(changes?.read ?? []), ...statistics.read].map(
      ([each]) => each,
    );
    return read.includes(need);
  }

  function judged() {
    if (known !== null) return known;
    const [now, before] = plan.events ? [events.get(plan.events.now), events.get(plan.events.before)] : [];
    const unread = asked.filter((need) => need.kind === 'logs' && !isRead(need)).length;
    const heard: Heard = {
      ...{ range, sampled, unread, hasLog: zone.logging },
      population: populationOf(sampled, range),
      zone: { pullZoneId: zone.id, shieldZoneId: o.shieldZoneId },
      rules: plan.events && now && before ? raisedRules(now, before, range, plan.events.before.ask) : [],
      isShieldRead: plan.events ? now !== undefined && before !== undefined : null,
      ...chosenBy(query),
      errors: errorsIn(origin, { from: Number.NEGATIVE_INFINITY, to: range.to }),
      changes: changes ? changesIn(changes, changedIn).changes : [],
      statistics: statistics.read.flatMap(([, hours]) => hours),
    };
    known = { heard, causes: causesOf(heard, { most: MOST_CAUSES }) };
    return known;
  }

  /** What the answers so far leave open, that tells most. */
  function open(): readonly Need[] {
    const { causes, heard } = judged();
    const { parts } = heard.population;
    const [lead] = causes;
    const samples = (times: readonly TimeRange[]) =>
      times.map((time) => sampleNeed(zone, splitForServer(query, zone).server, 'now', time));
    if (!zone.logging) return [];
    if (lead === undefined) {
      if (isSpread) return [];
      isSpread = true;
      return samples(moreOf(parts, range));
    }
    if (
      lead.since?.after === null &&
      !lead.isOnAndOff &&
      lead.deviation !== null &&
      ofPlatform &&
      !asked.includes(statistics.needs[0] as Need)
    )
      return statistics.needs;
    for (const { deviation, isOnAndOff } of causes) {
      const unseen =
        deviation === null || isOnAndOff ? [] : unseenOf(parts, deviation.stretch.begin.before, range.from);
      if (unseen.length > 0) return samples(unseen);
    }
    for (const { since, until, deviation } of causes) {
      const bounds = deviation === null ? [] : [since, until];
      for (const bound of bounds) {
        const next =
          bound === null || bound.after === null ? [] : narrowing(parts, bound.after, bound.before);
        if (next.length > 0) return samples(next);
      }
    }
    return [];
  }

  return {
    needs: plan.needs,
    follow: {
      most: Math.max(WRONG_BUDGET, plan.needs.length),
      next() {
        const next = open().slice(0, Math.max(0, WRONG_BUDGET - asked.length));
        asked.push(...next);
        return next;
      },
    },
    counts: matches,
    add(need: Need, met: Met) {
      known = null;
      if (need.kind === 'logs') sampled.add(need, met);
      else if (met.kind === 'shield') events.set(need, met.answer);
      else if (need.kind === 'originErrors') origin.add(need, met);
      else if (need.kind === 'changes') changes?.add(need, met);
      else if (need.kind === 'statistics') statistics.add(need, met);
      if (need.kind !== 'logs' && need.kind !== 'shield') refused.add(need);
    },
    table() {
      const { heard, causes } = judged();
      return wrongTable(causes, heard, {
        ...o,
        asked,
        read: asked.filter(isRead),
        isWhole: asked.every(isRead),
        missing: [
          ...originMissing(origin),
          ...(changes ? changesIn(changes, changedIn).missing : []),
          ...statistics.trouble('statistics'),
        ],
        isCut: [...events.values()].some(({ groups, total }) => groups.length < total),
      });
    },
    rest: () => asked.filter((need) => !isRead(need)),
  };
}
