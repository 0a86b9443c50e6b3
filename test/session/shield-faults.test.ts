import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FAILURES, type FailureKind } from '../../src/domain/failure.ts';
import { headsOf } from '../support/heads.ts';
import type { Fault } from '../support/simulator/faults.ts';
import type { SimRequest } from '../support/simulator/stats.ts';
import type { VirtualSession } from '../support/virtual-session.ts';
import { ZONE } from './log-screen.ts';
import { groupLines, isPicker, isRead, leftStill, searchesOf, title } from './shield-support.ts';
import { openSession, type Session, type SessionOptions, wholeDay } from './support.ts';

/** A fault of the search endpoint for each way on: another key, a wait, another try; api/failure.test.ts has the words of all. */
type Case = { name: string; fault: Fault; kind: FailureKind; says?: RegExp };

const CASES: readonly Case[] = [
  { name: '401', fault: { kind: 'unauthorized' }, kind: 'refusedKey', says: /HTTP 401/ },
  { name: '429', fault: { kind: 'rateLimited', text: '1' }, kind: 'rateLimited', says: /HTTP 429/ },
  { name: 'a reset', fault: { kind: 'reset' }, kind: 'connectionLost' },
];

const SEARCH = { host: 'main', path: /\/search$/ } as const;
/** Days of many pages: ten times the everyday events. */
const MANY_EVENTS = { rate: 10, surges: [{ from: 0, to: Number.POSITIVE_INFINITY, factor: 10 }] };
const DAY = { host: 'main', path: /\/event-logs\/\d+\/\d\d-\d\d-\d{4}/ } as const;

describe('when Shield does not answer as it should', () => {
  for (const each of CASES) {
    test(`${each.name} is told with what to do, keeps what was read, and is over with Ctrl-r`, async (t) => {
      const { terminal, simulator } = await atPicker(t);
      await simulator.setFaults([{ match: SEARCH, fault: each.fault }]);
      await terminal.type('3');
      await terminal.waitFor(/ FAILED$/m);
      toldWhole(terminal, each);
      await simulator.setFaults([]);
      if (each.kind === 'rateLimited') await terminal.waitFor(/the next try makes sense now\./);
      await untilRead(terminal, '<C-r>');
      const groups = groupLines(terminal.screen());
      assert.ok(groups.length > 3);

      await simulator.setFaults([{ match: SEARCH, fault: each.fault }]);
      await terminal.type('<C-r>');
      await terminal.waitFor(
        (screen) => / STALE \S+ old$/.test(title(screen)) && isTold(screen.at(-1), each),
        { what: 'STALE and what to do' },
      );
      assert.deepEqual(groupLines(terminal.screen()), groups);
      await simulator.setFaults([]);
      if (each.kind === 'rateLimited') await terminal.waitFor(/the next try makes sense now\./);
      await untilRead(terminal, '<C-r>');
      assert.ok(groupLines(terminal.screen()).length >= groups.length);
    });
  }

  test('what to do is on the smallest screen too, however much the server had to say', async (t) => {
    const text = 'a sentence of the server, '.repeat(11);
    const { terminal, simulator } = await atPicker(t, { columns: 60, rows: 15 });
    await simulator.setFaults([{ match: SEARCH, fault: { kind: 'forbidden', text } }]);
    await terminal.type('3');
    await terminal.waitFor(/ FAILED$/m);
    assert.match(terminal.text().replaceAll(/\s+/g, ' '), /if the zone is fine, check the key\./);
  });

  test('no answer at all: a spinner with the time, keys that act, and Esc ends it within a frame', async (t) => {
    const { terminal, simulator } = await atPicker(t);
    await simulator.setFaults([{ match: SEARCH, fault: { kind: 'hang' } }]);
    await terminal.type('3');
    await terminal.waitFor(/ SEARCHING . \d+ms, Esc cancels$/m);
    await terminal.waitFor(/ SEARCHING . [12]s, Esc cancels$/m);
    await terminal.type('?');
    await terminal.waitFor('WHAT CAN BE DONE in the Shield groups');
    await terminal.type('<Esc>');
    await terminal.waitFor(/ SEARCHING /);
    const pressed = simulator.clock.now();
    await terminal.type('<Esc>');
    await terminal.waitFor(/ CANCELLED, Ctrl-r asks again$/m);
    assert.equal(simulator.clock.now() - pressed, 0);
    assert.match(terminal.text(), /cancelled before an answer came\s+Ctrl-r asks again, Esc goes back/);
    assert.equal(searchesOf(simulator), 1);
    await simulator.setFaults([]);
    await untilRead(terminal, '<C-r>');
  });

  test('a slow refresh leaves what was read under the keys, and Esc leaves it as STALE', async (t) => {
    const { terminal, simulator } = await atPicker(t);
    await untilRead(terminal, '3');
    await simulator.setFaults([{ match: SEARCH, fault: { kind: 'slow', ms: 20_000 } }]);
    await terminal.type('<C-r>');
    await terminal.waitFor(/ STALE \S+ old . \S+, Esc cancels$/m);
    await terminal.type('jj');
    await terminal.waitFor((screen) => / 3\/\d/.test(headsOf(screen)));
    await terminal.type('<Esc>');
    await terminal.waitFor(/ STALE \S+ old$/m);
    assert.match(headsOf(terminal.screen()), / 3\/\d/);
    await simulator.setFaults([]);
    await untilRead(terminal, '<C-r>');
  });

  test('a page that fails leaves PARTIAL with what was read; a held key does not ask again, Ctrl-r does', async (t) => {
    const { terminal, simulator } = await openSession({
      t,
      args: ['shield', ZONE, 'last:1d', 'by:ip'],
      simulator: MANY_EVENTS,
    });
    await terminal.waitFor(/ PARTIAL 500 of [\d,]+$/m);
    await terminal.type('jjj');
    await terminal.waitFor((screen) => / 4\/[\d,]+/.test(headsOf(screen)));
    assert.equal(searchesOf(simulator), 1, 'far from the end nothing is read on');
    await simulator.setFaults([{ match: SEARCH, fault: { kind: 'serverError' } }]);
    await terminal.type('G');
    await terminal.waitFor(/ PARTIAL 500 of [\d,]+, then a failure$/m);
    assert.match(terminal.screen().at(-1) ?? '', /Try again/);
    const searches = searchesOf(simulator);
    await terminal.type('kkkGkG');
    await terminal.waitFor((screen) => / 500\/[\d,]+/.test(headsOf(screen)));
    assert.equal(searchesOf(simulator), searches);
    await simulator.setFaults([]);
    await terminal.type('<C-r>');
    await terminal.waitFor(/ (PARTIAL [\d,]+ of [\d,]+|COMPLETE)$/m);
    await simulator.setFaults([{ match: SEARCH, fault: { kind: 'slow', ms: 20_000 } }]);
    await terminal.type('G');
    await terminal.waitFor(/ PARTIAL [\d,]+ of [\d,]+ . \S+, Esc cancels$/m);
    await terminal.type('<Esc>');
    await terminal.waitFor(/ PARTIAL [\d,]+ of [\d,]+, then cancelled$/m);
  });

  test('a window without events is EMPTY, which is no failure', async (t) => {
    const { terminal, simulator } = await openSession({ t, args: ['shield', 'quiet-landing'] });
    await terminal.waitFor(/ (EMPTY|COMPLETE)$/m);
    // Even this zone has an event in some hours, but not in every minute.
    const id = simulator.zones.find(({ name }) => name === 'quiet-landing')?.id ?? '';
    const minute = Math.floor(simulator.clock.now() / 60_000) * 60_000;
    const from = [5, 6, 7, 8, 9]
      .map((ago) => minute - ago * 60_000)
      .find((at) => simulator.truth(id, at, at + 60_000).length === 0);
    assert.ok(from !== undefined);
    const time = (at: number) => new Date(at).toISOString();
    await terminal.type(`t<C-u>from:${time(from)} to:${time(from + 60_000)}<Enter>`);
    await terminal.waitFor((screen) => / EMPTY$/.test(screen[0] ?? '') && /from:/.test(screen[1] ?? ''));
    assert.match(terminal.text(), /no events from .* to .*\s+:zoom-out takes a longer window/);
  });

  test('a day that leads back to a page that was read is PARTIAL and ends; Ctrl-r goes on from there', async (t) => {
    const { terminal, simulator } = await openSession({ t, args: ['shield', ZONE], simulator: { rate: 10 } });
    await terminal.waitFor(isRead);
    await simulator.setFaults([{ match: DAY, fault: { kind: 'repeatedToken' } }]);
    await terminal.type(`<:day><C-u>${wholeDay(simulator)}<Enter>`);
    await terminal.waitFor(/ PARTIAL [\d,]+, then a failure$/m);
    assert.match(terminal.text(), /Check the configured URLs/);
    const asked = simulator.stats().byEndpoint['shieldDay'] ?? 0;
    assert.ok(asked <= 2, `${asked} pages`);
    await simulator.setFaults([]);
    await terminal.type('<C-r>');
    await terminal.waitFor((screen) => /[3-9] pages/.test(screen.at(-2) ?? ''), { what: 'more pages' });
  });

  test('a day that is gone is told from a bad key; a refused key on the way is told as one', async (t) => {
    const { terminal, simulator } = await openSession({ t, args: ['shield', ZONE], simulator: { rate: 10 } });
    await terminal.waitFor(isRead);
    await terminal.type('<:day><C-u>2020-01-01<Enter>');
    await terminal.waitFor(/ FAILED$/m);
    const text = terminal.text().replaceAll(/\s+/g, ' ');
    assert.match(text, /HTTP 401.*the key is fine\..*:day takes another day\./);
    assert.doesNotMatch(text, /refused the key|was revoked/);
    await simulator.setFaults([{ match: DAY, fault: { kind: 'unauthorized' } }]);
    await terminal.type('<:day><C-u>2020-01-02<Enter>');
    await terminal.waitFor(/refused the key/);
    await simulator.setFaults([]);
    await terminal.type(`<:day><C-u>${wholeDay(simulator)}<Enter>`);
    await terminal.waitFor(
      (screen) => /\d pages/.test(screen.at(-2) ?? '') && !/ 0 pages/.test(screen.at(-2) ?? ''),
    );
  });

  test('pages of a day without events do not end it while the server has more', async (t) => {
    const { terminal, simulator } = await openSession({ t, args: ['shield', ZONE], simulator: MANY_EVENTS });
    await terminal.waitFor(isRead);
    await simulator.setFaults([{ match: { ...DAY, nth: [1, 2] }, fault: { kind: 'emptyWithMore' } }]);
    await terminal.type(`<:day><C-u>${wholeDay(simulator)}<Enter>`);
    await terminal.waitFor((screen) => /[3-9] pages/.test(screen.at(-2) ?? ''), { what: 'a third page' });
    assert.match(terminal.screen().at(-2) ?? '', /^ [1-9][\d,]* of [1-9][\d,]* events read/);
  });
});

/** What happened stands on the screen whole, then what it means, then what to do. */
function toldWhole(terminal: VirtualSession, { kind, says }: Case): void {
  const { what, meaning, next } = FAILURES[kind];
  const text = terminal.text().replaceAll(/\s+/g, ' ');
  const parts = [what, meaning, next].map((sentence) =>
    sentence.split(/\{\w+\}|\(HTTP/).map((part) => part.trim()),
  );
  for (const part of parts.flat()) {
    if (part.length > 2)
      assert.ok(text.includes(part.replace(/[.;)]$/, '')), `"${part}" is missing\n${terminal.text()}`);
  }
  assert.match(text, says ?? /./);
}

/** A line that has room for one thing says what to do. */
function isTold(line: string | undefined, { kind }: Case): boolean {
  const [first = ''] = FAILURES[kind].next.split(/\{\w+\}/);
  return (line ?? '').includes(first.trim().slice(0, 40));
}

/** Presses until the question is answered: a server that was in trouble is left alone for a moment. */
async function untilRead(terminal: VirtualSession, keys: string): Promise<void> {
  await terminal.type(keys);
  await terminal.waitFor((screen) => isRead(screen) && !/STALE|FAILED/.test(title(screen)), {
    what: 'an answer',
  });
}

async function atPicker(
  t: SessionOptions['t'],
  size: { columns?: number; rows?: number } = {},
  onRequest: (path: string) => void = () => undefined,
): Promise<Session> {
  const simulator = { incidents: true, rate: 10, onRequest: ({ path }: SimRequest) => onRequest(path) };
  const session = await openSession({ t, ...size, simulator });
  await leftStill(session.terminal);
  await session.terminal.waitFor(isPicker);
  return session;
}
