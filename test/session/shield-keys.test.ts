import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headsOf } from '../support/heads.ts';
import type { Platform } from '../support/platform.ts';
import { isLive, logRows, ZONE } from './log-screen.ts';
import { openSession } from './support.ts';

const title = (screen: readonly string[]) => screen[0] ?? '';
const isRead = (screen: readonly string[]) => /(COMPLETE|PARTIAL [\d,]+ of [\d,]+)$/.test(title(screen));
const cursorLine = (screen: readonly string[]) => screen.find((line) => line.startsWith('▌')) ?? '';
const heads = headsOf;
/** All but the hints, and but the edge of what is kept, which moves on with each minute. */
const stays = (screen: readonly string[]) =>
  screen.slice(0, -1).map((line) => line.replace(/kept since .*/, ''));

const searchesOf = (simulator: Platform) =>
  Object.values(simulator.stats().posts).reduce((sum, n) => sum + n, 0);

/** The key and the counts of the groups on screen, from the top. */
const groupsOn = (screen: readonly string[]) =>
  screen.slice(4).flatMap((line) => {
    const match = /^[▌ ](\S+) .*? ([\d,]+) +[\d.]+%/.exec(line);
    return match ? [{ key: match[1] ?? '', count: Number(match[2]?.replaceAll(',', '')) }] : [];
  });

test('s S c w order the groups, choose what is shown and unfold the dimensions, for one search in all', async (t) => {
  const { terminal, simulator } = await openSession({
    t,
    rows: 30,
    args: ['shield', ZONE, 'by:rule,action', 'last:1h'],
  });
  await terminal.waitFor((screen) => isRead(screen) && groupsOn(screen).length > 3);
  const byCount = groupsOn(terminal.screen());
  assert.deepEqual(
    byCount.map(({ count }) => count),
    byCount.map(({ count }) => count).toSorted((a, b) => b - a),
  );
  const searches = searchesOf(simulator);
  await terminal.type('S');
  await terminal.waitFor((screen) => /EVENTS↑/.test(heads(screen)));
  assert.deepEqual(groupsOn(terminal.screen()).at(-1), byCount[0]);
  await terminal.type('ss');
  await terminal.waitFor((screen) => /CHALL↓/.test(heads(screen)) && !/EVENTS[↓↑]/.test(heads(screen)));
  await terminal.type('sssss');
  await terminal.waitFor((screen) => /EVENTS↓/.test(heads(screen)));
  await terminal.type('c');
  await terminal.waitFor('[x] SHARE');
  await terminal.type('j<Space>jj<Space><Enter>');
  await terminal.waitFor((screen) => /BLOCK +LOG/.test(heads(screen)) && !/CHALL/.test(heads(screen)));
  assert.equal(searchesOf(simulator), searches);
  await terminal.type('w');
  await terminal.waitFor((screen) => isRead(screen) && /RULE .*ACTION/.test(heads(screen)));
  assert.equal(searchesOf(simulator), searches + 1);
});

test('2 and 3 go between the explorer and the logs, each as it was left, without a request for it', async (t) => {
  const { terminal, simulator } = await openSession({ t, args: ['shield', ZONE] });
  await terminal.waitFor((screen) => isRead(screen) && cursorLine(screen) !== '');
  await terminal.type('j<Enter>');
  await terminal.waitFor((screen) => isRead(screen) && /by:asn,ip/.test(screen[2] ?? ''));
  await terminal.type('j');
  await terminal.waitFor((screen) => / 2\/\d/.test(heads(screen)));
  const left = stays(terminal.screen());
  const searches = searchesOf(simulator);
  await terminal.type('2');
  await terminal.waitFor(isLive);
  await terminal.type('<Space>kkk');
  await terminal.waitFor((screen) => /PAUSED/.test(title(screen)) && cursorLine(screen) !== '');
  const row = cursorLine(terminal.screen());
  const shown = logRows(terminal.screen());
  await terminal.type('3');
  await terminal.waitFor((screen) => JSON.stringify(stays(screen)) === JSON.stringify(left), {
    what: 'the explorer as it was left',
  });
  await terminal.type('2');
  await terminal.waitFor((screen) => /PAUSED [\d,]+ new/.test(title(screen)) && cursorLine(screen) === row);
  assert.deepEqual(logRows(terminal.screen()), shown);
  assert.equal(searchesOf(simulator), searches);
});

test('/ n N search in groups, events and one event, & filters by it, and L gives bare text', async (t) => {
  const { terminal, simulator } = await openSession({
    t,
    columns: 100,
    rows: 30,
    args: ['shield', ZONE, 'by:action', 'last:1h'],
    // Several events of one rule, so that there is a next one.
    simulator: { surges: [{ from: 0, to: Number.POSITIVE_INFINITY, factor: 20 }] },
  });
  await terminal.waitFor((screen) => isRead(screen) && cursorLine(screen) !== '');
  await terminal.type('/logg<Enter>');
  await terminal.waitFor(
    (screen) => / \/logg 1\/1 /.test(screen.at(-1) ?? '') && /^▌logged/.test(cursorLine(screen)),
  );
  await terminal.type('L');
  await terminal.waitFor((screen) =>
    /^\d+ logged blocked \d+ challenged \d+ logged \d+/.test(screen[0] ?? ''),
  );
  await terminal.type('x<Enter>');
  await terminal.waitFor((screen) => /TIME +ACTION/.test(heads(screen)) && cursorLine(screen) !== '');
  await terminal.type('/920350<Enter>');
  await terminal.waitFor(
    (screen) => / \/920350 1\/[\d,]+/.test(screen.at(-1) ?? '') && / 920350 /.test(cursorLine(screen)),
  );
  await terminal.type('n');
  await terminal.waitFor(/ \/920350 2\/[\d,]+/);
  await terminal.type('N');
  await terminal.waitFor(/ \/920350 1\/[\d,]+/);
  const searches = searchesOf(simulator);
  await terminal.type('&');
  await terminal.waitFor((screen) => isRead(screen) && / 920350( |$)/.test(screen[2] ?? ''));
  assert.equal(searchesOf(simulator), searches + 1);
  await terminal.type('<Enter>/header<Enter>');
  await terminal.waitFor(
    (screen) => / \/header \d+\/\d+/.test(screen.at(-1) ?? '') && /^▌.*header/i.test(cursorLine(screen)),
  );
});
