import { countApart } from '../../differing.ts';
import type { ShieldAnswer } from '../../shield/shield.ts';
import type { TimeRange } from '../../tail/coverage.ts';

/** A rule of Shield that acts far more often than it did. */
export type RaisedRule = {
  ruleId: string;
  count: number;
  /** Events that the window would have at the rate of the time that it is compared with. */
  usual: number;
  g2: number;
  /** The fingerprint that most of its events have; null: it acts on many kinds of clients. */
  ja4: string | null;
  /** When it was at work, Unix ms; null where the server does not tell. */
  firstSeen: number | null;
  lastSeen: number | null;
};

/** When a rule is raised: so many events, so many times the usual number, and too much for chance (χ² at p = 6e-7). */
const RAISED = { events: 15, factor: 5, g2: 25 } as const;

/** A share of a rule's events that makes its fingerprint that of all. */
const MOST = 0.5;

/** Groups that together are less than this of a rule's events say nothing of when it began. */
const TRIFLE = 0.1;

/** `range`, `rangeBefore`: the times of the two answers, the first by rule and fingerprint. Raised rules, the surest first. */
export function raisedRules(
  now: ShieldAnswer,
  before: ShieldAnswer,
  range: TimeRange,
  rangeBefore: TimeRange,
): RaisedRule[] {
  const was = new Map(before.groups.filter(isKnown).map(({ key, count }) => [key['ruleId'] ?? '', count]));
  const scale = (range.to - range.from) / Math.max(1, rangeBefore.to - rangeBefore.from);
  return [...Map.groupBy(now.groups.filter(isKnown), ({ key }) => key['ruleId'] ?? '')]
    .map(([ruleId, groups]): RaisedRule => {
      const count = groups.reduce((sum, each) => sum + each.count, 0);
      const usual = (was.get(ruleId) ?? 0) * scale;
      const [top] = groups.toSorted((a, b) => b.count - a.count);
      const own = withoutTrifles(groups, count);
      const times = (of: 'firstSeen' | 'lastSeen') => own.flatMap((group) => group[of] ?? []);
      return {
        ruleId,
        count,
        usual,
        g2: countApart(count, Math.max(1, usual)),
        ja4: top && top.count >= MOST * count ? (top.key['ja4'] ?? null) : null,
        firstSeen: times('firstSeen').length > 0 ? Math.min(...times('firstSeen')) : null,
        lastSeen: times('lastSeen').length > 0 ? Math.max(...times('lastSeen')) : null,
      };
    })
    .filter(
      ({ count, usual, g2 }) => count >= RAISED.events && count >= RAISED.factor * usual && g2 >= RAISED.g2,
    )
    .toSorted((a, b) => b.g2 - a.g2);
}

function isKnown({ raw }: ShieldAnswer['groups'][number]): boolean {
  return raw === null;
}

/** The groups without the few events of before: noise begins earlier than what raised the rule. */
function withoutTrifles(groups: readonly ShieldAnswer['groups'][number][], count: number) {
  const inOrder = groups.toSorted((a, b) => (a.firstSeen ?? 0) - (b.firstSeen ?? 0));
  let passed = 0;
  return inOrder.filter((group, at) => {
    const isTrifle = passed + group.count <= TRIFLE * count && at < inOrder.length - 1;
    passed += group.count;
    return !isTrifle;
  });
}
