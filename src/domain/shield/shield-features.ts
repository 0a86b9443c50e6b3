import type { ShieldAnswer } from './shield.ts';

/** Rule id → the feature that it belongs to; null = it was seen under more than one. */
export type FeaturesOfRules = ReadonlyMap<string, string | null>;

/** Rules remembered; a zone has some hundreds, and only a server that invents ids has more. */
const MOST_RULES = 5000;

/** What an answer adds to what is known of rules and their features; the same map when that is nothing. */
export function featuresLearned(known: FeaturesOfRules, answer: ShieldAnswer): FeaturesOfRules {
  const learned = new Map(known);
  let isNew = false;
  for (const [rule, feature] of pairsOf(answer)) {
    const before = learned.get(rule);
    if (before === feature || before === null || learned.size >= MOST_RULES) continue;
    learned.set(rule, before === undefined ? feature : null);
    isNew = true;
  }
  return isNew ? learned : known;
}

function pairsOf({ events, groups }: ShieldAnswer): [string, string][] {
  const pairs: [string, string][] = [];
  for (const { fields } of events) {
    const [rule, feature] = [fields['ruleId'], fields['feature']];
    if (rule && feature) pairs.push([rule, feature]);
  }
  for (const { key, context } of groups) {
    const rules = key['ruleId'] ? [key['ruleId']] : context.ruleIds;
    const features = key['feature'] ? [key['feature']] : context.features;
    const [rule] = rules;
    const [feature] = features;
    // Several of one with several of the other do not tell which belongs to which.
    if (rule && feature && rules.length === 1 && features.length === 1) pairs.push([rule, feature]);
  }
  return pairs;
}
