import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import type { ChangeEnd } from '../../src/domain/storage/storage-change.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { update } from '../../src/loop/update.ts';
import { editRows } from '../../src/screens/storage/edit-commands.ts';
import type { StorageEditView } from '../../src/state/account-model.ts';
import type { Action } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { listShown } from '../support/account-lists.ts';
import { played } from '../support/state.ts';
import { storageZoneOf } from '../support/storage.ts';

const ZONE = storageZoneOf({ id: '1', replicationRegions: ['NY'], custom404FilePath: '/404.html' });

/** The state after more has happened, `ms` later. */
function later(state: State, ms: number, ...actions: Action[]): State {
  return actions.reduce(
    (now, action, at) => update(now, action, state.now + (at === 0 ? ms : ms + 1))[0],
    state,
  );
}

function edit(state: State): StorageEditView {
  const view = state.views.find((each) => each.kind === 'storageEdit');
  assert.ok(view?.kind === 'storageEdit');
  return view;
}

const changes = (state: State) => subscriptions(state).filter((each) => each.kind === 'storageChange');

/** The settings of a zone on screen, read. */
function settings(more: Partial<State> = {}): State {
  const listed = listShown('storage', () => NAME, { mayWrite: true, ...more });
  const opened = played(listed, 'open').state;
  return played(opened, { type: 'storageZoneRead', request: opened.storage.asked, zone: ZONE }).state;
}

/** The form, with the switch turned. */
function turned(): State {
  const opening = played(settings(), 'editSettings').state;
  const form = played(opening, {
    type: 'storageZoneRead',
    request: opening.storage.asked,
    zone: ZONE,
  }).state;
  return played(form, 'first', 'open').state;
}

const confirming = () => played(turned(), 'previewChange', 'open').state;
const NAME = 'video-masters';
const AT_ONCE: Action = { type: 'typed', text: NAME };
const ENTER: Action = { type: 'submitted' };

/** The text, as somebody types it who is fast: `together` letters come over the link at once. */
function typed(state: State, text: string, together = 1): State {
  const reads = text.match(new RegExp(`.{1,${together}}`, 'g')) ?? [];
  return reads.reduce((now, read) => later(now, 60 * together, { type: 'typed', text: read }), state);
}

/** A confirmed change, on its way. */
function confirmed(): State {
  return later(typed(confirming(), NAME), 100, ENTER);
}

test('the name typed, a look, and Enter start exactly one change', () => {
  const state = confirmed();
  assert.equal(edit(state).stage.kind, 'writing');
  assert.deepEqual(
    changes(state).map((each) => each.kind === 'storageChange' && each.change),
    [{ zone: ZONE, patch: { Rewrite404To200: true } }],
  );
  assert.equal(changes(later(state, 1000, ENTER, { type: 'commanded', command: 'open' })).length, 1);
});

test('a wrong name, pasted text, and keys typed ahead start nothing', () => {
  const dialog = confirming();
  const wrong = later(later(dialog, 600, { type: 'typed', text: 'video-master' }), 100, ENTER);
  const pasted = later(dialog, 600, { type: 'pasted', text: 'video-masters' }, ENTER);
  const ahead = later(dialog, 0, AT_ONCE, ENTER);
  const early = later(typed(dialog, NAME), 20, ENTER);
  const burst = later(dialog, 5000, AT_ONCE, ENTER);
  const newline = later(dialog, 5000, { type: 'pasted', text: 'video-masters\n' });
  for (const state of [wrong, pasted, ahead, early, burst, newline]) {
    assert.deepEqual(changes(state), []);
    assert.equal(edit(state).stage.kind, 'confirming');
    assert.ok(state.prompt?.error);
  }
  assert.equal(pasted.prompt?.field.text, '');
  assert.equal(changes(later(early, 200, ENTER)).length, 1, 'a second Enter is an answer');
});

test('a name that came in a burst starts nothing, whenever Enter comes', () => {
  const dialog = confirming();
  const whole = later(later(dialog, 5000, AT_ONCE), 700, ENTER);
  const twice = later(later(whole, 700, ENTER), 700, ENTER);
  const halves = later(
    later(later(dialog, 600, { type: 'typed', text: 'video-' }), 2000, { type: 'typed', text: 'masters' }),
    700,
    ENTER,
  );
  const yanked = later(
    played(
      later(dialog, 600, AT_ONCE),
      { type: 'edited', edit: 'killLeft' },
      { type: 'edited', edit: 'yank' },
    ).state,
    700,
    ENTER,
  );
  for (const state of [whole, twice, halves, yanked]) {
    assert.deepEqual(changes(state), []);
    assert.match(state.prompt?.error?.message ?? '', /faster than anyone types/);
  }
  const cleared = played(whole, { type: 'edited', edit: 'killLeft' }).state;
  assert.equal(changes(later(typed(cleared, NAME), 100, ENTER)).length, 1, 'typed again it counts');
});

test('text behind the end of a paste is no answer, and takes what was typed before with it', () => {
  const dialog = typed(confirming(), 'video-maste');
  const forged = later(dialog, 600, { type: 'pasted', text: 'x' }, { type: 'typed', text: 'rs' });
  assert.equal(forged.prompt?.field.text, 'rs');
  assert.deepEqual(changes(later(forged, 700, ENTER)), []);
  const behind = later(confirming(), 600, { type: 'pasted', text: 'x' }, AT_ONCE, ENTER);
  assert.deepEqual(changes(later(behind, 700, ENTER)), []);
});

test('a session without --write opens no form and starts no change', () => {
  const state = played(settings({ mayWrite: false }), 'editSettings').state;
  assert.equal(state.views.at(-1)?.kind, 'storageZone');
  assert.match(state.notice?.text ?? '', /--write/);
  const forced = later(typed({ ...confirming(), mayWrite: false }, NAME), 100, ENTER);
  assert.deepEqual(changes(forced), []);
});

test('an unchanged form cannot be sent, and a wrong value does not get as far as the preview', () => {
  const form = turned();
  const same = played(form, 'first', 'open', 'previewChange').state;
  assert.equal(edit(same).stage.kind, 'editing');
  assert.match(same.notice?.text ?? '', /nothing is changed/);
  const at = editRows(edit(form)).findIndex((row) => row.kind === 'field' && row.field === 'OriginUrl');
  const line = played(
    form,
    'first',
    ...Array(at).fill('down'),
    'open',
    { type: 'typed', text: 'ftp://x' },
    ENTER,
  );
  assert.match(line.state.prompt?.error?.message ?? '', /http/);
  assert.equal(edit(line.state).draft.OriginUrl, undefined);
});

test('a change goes on whichever screen is on top, and its verdict is told there', () => {
  const writing = confirmed();
  const { request } = edit(writing).stage as { request: number };
  const away = played(writing, 'zonesScreen').state;
  assert.equal(changes(away).length, 1);
  const end: ChangeEnd = {
    kind: 'verdict',
    verdict: { kind: 'applied', fates: [], sideEffects: [], reasons: [], failure: null },
    after: { ...ZONE, rewrite404To200: true },
    undoFile: '/undo',
    open: null,
    unrecorded: null,
  };
  const ended = played(away, { type: 'changeEnded', request, end }).state;
  assert.deepEqual(changes(ended), []);
  assert.match(ended.notice?.text ?? '', /video-masters: APPLIED/);
  assert.equal(ended.storage.items[0]?.rewrite404To200, true);
});

test('a change that nobody answered is looked at again from the settings of its zone', () => {
  const writing = confirmed();
  const { request } = edit(writing).stage as { request: number };
  const end: ChangeEnd = {
    kind: 'verdict',
    verdict: { kind: 'unknown', fates: [], sideEffects: [], reasons: [], failure: failureOf('timeout') },
    after: ZONE,
    undoFile: '/undo',
    open: { id: 'aa', at: 0, zone: { id: ZONE.id, name: ZONE.name } },
    unrecorded: null,
  };
  const ended = played(writing, { type: 'changeEnded', request, end }).state;
  const looksAgain = (state: State) => subscriptions(state).some(({ kind }) => kind === 'storageIntent');
  assert.equal(looksAgain(ended), false);
  assert.equal(looksAgain(played(ended, 'open').state), true);
});

test('after a drift the values are kept and the zone is the one of now', () => {
  const writing = confirmed();
  const { request } = edit(writing).stage as { request: number };
  const now = { ...ZONE, replicationRegions: ['NY', 'LA'] };
  const end: ChangeEnd = { kind: 'drift', now, differences: [{ name: 'x', before: '', after: '' }] };
  const form = played(writing, { type: 'changeEnded', request, end }, 'open').state;
  assert.equal(edit(form).stage.kind, 'editing');
  assert.equal(edit(form).zone, now);
  assert.deepEqual(edit(form).draft, { Rewrite404To200: true });
});

test('a zone is undone where that is possible, and else it is said why not', () => {
  const state = played(settings(), 'undoChange').state;
  const request = state.storage.asked;
  const entry = (patch: object, before = ZONE) => ({
    id: 'a',
    at: 1,
    zone: { id: ZONE.id, name: ZONE.name },
    before,
    patch,
    inverse: { patch, impossible: [] },
  });
  const found = played(state, {
    type: 'undoFound',
    request,
    found: { ok: true, value: entry({ Rewrite404To200: true }) },
  }).state;
  const opened = played(found, { type: 'storageZoneRead', request: found.storage.asked, zone: ZONE }).state;
  assert.equal(edit(opened).stage.kind, 'preview');
  const never = {
    ...entry({}),
    inverse: { patch: {}, impossible: [{ field: 'OriginUrl' as const, why: 'it cannot be read' }] },
  };
  const none = played(state, { type: 'undoFound', request, found: { ok: true, value: never } }).state;
  assert.match(none.notice?.text ?? '', /the last change cannot be undone.*OriginUrl/);
});
