import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import type { Action } from '../../src/state/messages.ts';
import { noticed, reported, type State } from '../../src/state/model.ts';
import { bottomLines } from '../../src/ui/chrome.ts';
import { fc } from '../support/properties.ts';
import { played, startState } from '../support/state.ts';

const look = createLook('mono', false, true);
const NOT_KEPT = '--resume unavailable: no space is left';
const HIDDEN = 'the key stays hidden: showing it could not be recorded. no space is left';

function said(text: string): Action {
  return { type: 'remarked', remark: { tone: 'warning', remark: text } };
}

/** What the last line says beside the keys that matter; empty = only those. */
function line(state: State): string {
  const text = stripped(bottomLines(state, look).join('')).trim();
  return text === stripped(bottomLines(startState(), look).join('')).trim() ? '' : text;
}

test('a remark takes no answer to a key away: it waits, and is shown after it', () => {
  const answered = reported(played(startState(), 'down').state, 'error', HIDDEN);
  const both = played(answered, said(NOT_KEPT)).state;
  assert.match(line(both), /^the key stays hidden/);
  const after = played(both, 'down').state;
  assert.equal(line(after), NOT_KEPT);
  assert.equal(line(played(after, 'down').state), '');
});

test('an answer goes before the remark that stands, which comes back after it', () => {
  const remarked = played(startState(), said(NOT_KEPT)).state;
  assert.equal(line(remarked), NOT_KEPT);
  const answered = reported(remarked, 'error', HIDDEN);
  assert.match(line(answered), /^the key stays hidden/);
  assert.equal(line(played(answered, 'down').state), NOT_KEPT);
});

test('how an order ended waits where a later key has its own answer', () => {
  const answered = noticed(startState(), 'info', 'there is no view before this one');
  const ended = reported(answered, 'info', 'copied 3 characters');
  assert.equal(line(ended), 'there is no view before this one');
  assert.equal(line(played(ended, 'down').state), 'copied 3 characters');
});

test('remarks come one after another, a key each, and say how many there are; the same is said once', () => {
  const three = played(startState(), said('one'), said('two'), said('one'), said('three')).state;
  assert.equal(line(three), '(1 of 3) one');
  const second = played(three, 'down').state;
  assert.equal(line(second), '(1 of 2) two');
  const refused = played(second, { type: 'refused', why: 'no such key' }).state;
  assert.equal(line(refused), 'no such key');
  assert.equal(line(played(refused, 'down').state), 'three');
});

test('a line that is edited, or the plain rows, hide a remark and take none away', () => {
  const editing = played(startState(), 'find', said(NOT_KEPT)).state;
  assert.notEqual(editing.prompt, null);
  const typed = played(editing, { type: 'typed', text: 'shop' }, { type: 'cancelled' }).state;
  assert.equal(line(typed), NOT_KEPT);
  const plain = played(startState(), 'plainText', said(NOT_KEPT)).state;
  assert.equal(plain.overlay?.kind, 'plain');
  assert.equal(line(played(plain, 'leave').state), NOT_KEPT);
});

test('whatever comes in whatever order, each remark is shown until a key, and no answer is replaced by one', () => {
  const event = fc.oneof(
    fc.record({ kind: fc.constant('key' as const) }),
    fc.record({ kind: fc.constant('refused' as const), n: fc.nat(3) }),
    fc.record({ kind: fc.constant('remark' as const), n: fc.nat(30) }),
  );
  const property = fc.property(fc.array(event, { maxLength: 40 }), (events) => {
    let state = startState();
    const [told, seen] = [new Set<string>(), new Set<string>()];
    const look = () => {
      const [, text] = /^(?:\(1 of \d+\) )?(remark \d+)$/.exec(line(state)) ?? [];
      if (text !== undefined) seen.add(text);
    };
    for (const each of events) {
      if (each.kind === 'key') state = played(state, 'down').state;
      if (each.kind === 'refused') state = played(state, { type: 'refused', why: `answer ${each.n}` }).state;
      if (each.kind === 'remark') {
        const before = state.notice;
        state = played(state, said(`remark ${each.n}`)).state;
        told.add(`remark ${each.n}`);
        assert.equal(state.notice, before);
      }
      if (state.notice !== null) assert.equal(line(state), state.notice.text);
      look();
    }
    for (let left = state.remarks.length + 1; left > 0; left--) {
      state = played(state, 'down').state;
      look();
    }
    assert.deepEqual([...seen].sort(), [...told].sort());
    assert.equal(line(state), '');
  });
  fc.assert(property, { seed: 3, numRuns: 100 });
});
