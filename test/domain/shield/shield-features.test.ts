import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FeaturesOfRules, featuresLearned } from '../../../src/domain/shield/shield-rows.ts';
import { answerOf, eventsOf, groupOf } from '../../support/shield.ts';

const NONE: FeaturesOfRules = new Map();

test('a rule and its feature are learned from rows and from groups that name one of each', () => {
  const [event] = eventsOf(0, 1);
  assert.ok(event);
  const touched = (features: string[], ruleIds: string[]) => {
    const group = groupOf({ ip: '192.0.2.1' }, 1);
    return { ...group, context: { ...group.context, features, ruleIds } };
  };
  const answer = answerOf({
    events: [{ ...event, fields: { ruleId: 'R1', feature: 'waf' } }],
    groups: [
      groupOf({ ruleId: 'R2', feature: 'bot' }, 1),
      touched(['ddos'], ['R3']),
      touched(['waf', 'bot'], ['R4']),
      touched(['waf'], ['R5', 'R6']),
    ],
  });
  const learned = featuresLearned(NONE, answer);
  assert.deepEqual(
    [...learned],
    [
      ['R1', 'waf'],
      ['R2', 'bot'],
      ['R3', 'ddos'],
    ],
  );
  assert.equal(featuresLearned(learned, answer), learned);
});

test('a rule under two features belongs to none that can be told, for good', () => {
  const of = (feature: string) => answerOf({ groups: [groupOf({ ruleId: 'R', feature }, 1)] });
  const both = featuresLearned(featuresLearned(NONE, of('waf')), of('bot'));
  assert.equal(both.get('R'), null);
  assert.equal(featuresLearned(both, of('waf')).get('R'), null);
});
