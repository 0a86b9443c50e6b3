import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headsOf } from '../support/heads.ts';
import { openVirtualSession } from '../support/virtual-session.ts';
import { isPicker, isRead, leftStill, queryLine, searchesOf, title } from './shield-support.ts';

/** One thing a user does: the keys, how the screen tells that it is done, and the searches it may cost. */
type Act = { does: string; keys: string; until: (screen: string[]) => boolean; searches: number };

const heads = headsOf;
const readHeads = (pattern: RegExp) => (screen: string[]) => isRead(screen) && pattern.test(heads(screen));
const asked = (pattern: RegExp) => (screen: string[]) => isRead(screen) && pattern.test(queryLine(screen));

const WALK: readonly Act[] = [
  { does: 'opens the explorer', keys: '3', until: readHeads(/^ RULE 1\//), searches: 1 },
  { does: 'moves', keys: 'jjk', until: readHeads(/^ RULE 2\//), searches: 0 },
  { does: 'moves to the end and back', keys: 'Gg', until: readHeads(/^ RULE 1\//), searches: 0 },
  { does: 'goes into a rule', keys: '<Enter>', until: readHeads(/^ AS NUMBER/), searches: 1 },
  { does: 'goes into a network', keys: '<Enter>', until: readHeads(/^ CLIENT ADDRESS/), searches: 1 },
  { does: 'goes into an address', keys: '<Enter>', until: readHeads(/^ TIME/), searches: 1 },
  { does: 'opens an event', keys: '<Enter>', until: (screen) => /^ FIELD/.test(heads(screen)), searches: 0 },
  { does: 'goes up to the rows', keys: '<Esc>', until: readHeads(/^ TIME/), searches: 0 },
  { does: 'goes up to the addresses', keys: '<Esc>', until: readHeads(/^ CLIENT ADDRESS/), searches: 0 },
  { does: 'goes up to the networks', keys: '<Esc>', until: readHeads(/^ AS NUMBER/), searches: 0 },
  { does: 'goes up to the rules', keys: '<Esc>', until: readHeads(/^ RULE/), searches: 0 },
  { does: 'goes back in history', keys: '<:view-before>', until: readHeads(/^ AS NUMBER/), searches: 0 },
  { does: 'goes forward in history', keys: '<:view-after>', until: readHeads(/^ RULE/), searches: 0 },
  { does: 'sorts', keys: 's', until: readHeads(/BLOCKED↓/), searches: 0 },
  { does: 'reverses', keys: '<:reverse>', until: readHeads(/BLOCKED↑/), searches: 0 },
  {
    does: 'chooses columns',
    keys: '<:columns>',
    until: (screen) => / COLUMNS/.test(heads(screen)),
    searches: 0,
  },
  { does: 'shows them', keys: 'j<Space><Enter>', until: readHeads(/^ RULE/), searches: 0 },
  { does: 'excludes what is shown', keys: '-', until: asked(/ -rule:/), searches: 0 },
  { does: 'takes it away again', keys: 'x', until: asked(/^last:1h by/), searches: 0 },
  { does: 'unfolds the dimensions', keys: '<:unfold>', until: readHeads(/^ RULE.* AS /), searches: 1 },
  { does: 'folds them', keys: '<:unfold>', until: readHeads(/^ RULE.* then /), searches: 1 },
  {
    does: 'looks at the help',
    keys: '?',
    until: (screen) => screen.some((line) => / WHAT CAN/.test(line)),
    searches: 0,
  },
  { does: 'leaves the help', keys: '<Esc>', until: readHeads(/^ RULE/), searches: 0 },
  {
    does: 'takes a longer window three times',
    keys: '<:zoom-out><:zoom-out><:zoom-out>',
    until: asked(/^last:3d/),
    searches: 1,
  },
  { does: 'takes a shorter one', keys: '<:zoom-in>', until: asked(/^last:1d/), searches: 1 },
  { does: 'shifts it', keys: '<:earlier>', until: asked(/^from:/), searches: 1 },
  { does: 'shifts it back', keys: '<:later>', until: asked(/^(from|last):/), searches: 1 },
  { does: 'asks again', keys: '<C-r>', until: isRead, searches: 1 },
  { does: 'draws again', keys: '<C-l>', until: isRead, searches: 0 },
  { does: 'looks at the zones', keys: '1', until: isPicker, searches: 0 },
];

test('a walk through the explorer costs one search for each question, and none for going back or looking otherwise', async (t) => {
  const terminal = await openVirtualSession({
    t,
    columns: 100,
    rows: 30,
    simulator: { incidents: true, rate: 10 },
  });
  const { simulator } = terminal;
  await leftStill(terminal);
  await terminal.waitFor(isPicker);
  let before = searchesOf(simulator);
  assert.equal(before, 0);
  const picked = simulator.stats().byEndpoint;
  for (const { does, keys, until, searches } of WALK) {
    await terminal.type(keys);
    await terminal.waitFor((screen) => until(screen) && searchesOf(simulator) - before >= searches, {
      what: `${does} for ${searches} searches`,
    });
    await terminal.settled();
    assert.ok(!/SEARCHING|STALE/.test(title(terminal.screen())), does);
    assert.equal(searchesOf(simulator) - before, searches, does);
    before = searchesOf(simulator);
  }
  assert.deepEqual(
    Object.entries(simulator.stats().byEndpoint).flatMap(([each, requests]) =>
      requests === (picked[each] ?? 0) || each === 'wafRules' ? [] : [each],
    ),
    ['shieldSearch'],
  );
});
