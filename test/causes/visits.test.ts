// Traffic of page views, each of which is dozens of requests of one client: all seeds are the matter of `npm run test:causes`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sceneOf } from './double/double.ts';
import { judged } from './judged.ts';
import { scored } from './scored.ts';

const NOON = Date.UTC(2026, 10, 19, 12);

const HOURS = {
  'readers are no senders, of however few a zone has': ['calmRichPages 9', 'calmPages 5', 'calmPages 7'],
  'a client among readers is one, and so is a network': ['pagesGreedyClient 1', 'pagesScraper 2'],
  "what one scanner asks for in vain is nobody else's trouble": ['calmScanner 7', 'calmScanner 8'],
  'who is refused, and what loops, is told by its name': ['pagesRefusedCountry 1', 'redirectLoop 1'],
} as const;

for (const [name, hours] of Object.entries(HOURS))
  test(name, async () => {
    for (const hour of hours) {
      const [kind = '', seed] = hour.split(' ');
      const scene = sceneOf(kind, Number(seed), NOON);
      const answer = await judged(scene);
      assert.ok(scored(scene, answer).isRight, `${hour}: ${answer.table.headline}`);
    }
  });
