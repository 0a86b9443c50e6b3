import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import type { ChangeEnd } from '../../src/domain/storage/storage-change.ts';
import type { CommandId } from '../../src/keys/bindings.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { update } from '../../src/loop/update.ts';
import { editRows } from '../../src/screens/storage/storage-edit.ts';
import type { StorageEditView } from '../../src/state/account-model.ts';
import type { Action } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { listedState, played, startState } from '../support/state.ts';
import { storageZoneOf } from '../support/storage.ts';

const ZONE = storageZoneOf({ replicationRegions: ['NY'], custom404FilePath: '/404.html' });

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
  const asked = played(startState({ mayWrite: true, ...more }), 'storageScreen').state;
  const listed = played(asked, {
    type: 'storageArrived',
    request: asked.storage.listRequest,
    page: { items: [ZONE], page: 1, total: 1, hasMore: false },
  }).state;
  const opened = played(listed, 'open').state;
  return played(opened, { type: 'storageZoneRead', request: opened.storage.request, zone: ZONE }).state;
}

/** The form, with the switch turned. */
function turned(): State {
  const opening = played(settings(), 'editSettings').state;
  const form = played(opening, {
    type: 'storageZoneRead',
    request: opening.storage.request,
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

test('a link that hands over two letters at once lets a typed name through', () => {
  assert.equal(changes(later(typed(confirming(), NAME, 2), 100, ENTER)).length, 1);
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

test('a region that is there cannot be taken off the form, one that was chosen can', () => {
  const form = turned();
  const rowOf = (state: State, code: string) =>
    editRows(edit(state)).findIndex((row) => row.kind === 'region' && row.code === code);
  const at = (state: State, code: string) =>
    played(state, 'first', ...Array(rowOf(state, code)).fill('down'), 'pause').state;
  const kept = at(form, 'NY');
  assert.match(kept.notice?.text ?? '', /never be removed/);
  assert.equal(edit(kept).draft.ReplicationZones, undefined);
  const added = at(form, 'LA');
  assert.deepEqual(edit(added).draft.ReplicationZones, ['LA']);
  assert.equal(edit(at(added, 'LA')).draft.ReplicationZones, undefined);
});

test('what comes before and after a change scrolls by lines, pages and to its ends, and no further', () => {
  const small = { ...played(turned(), 'previewChange').state, size: { columns: 80, rows: 10 } };
  const top = (state: State, ...commands: CommandId[]) => edit(played(state, ...commands).state).top;
  const end = top(small, 'last');
  assert.ok(end > 1, String(end));
  assert.deepEqual([top(small, 'down'), top(small, 'last', 'down', 'pageDown', 'up')], [1, end - 1]);
  const { request } = edit(confirmed()).stage as { request: number };
  const told = { kind: 'unrecorded', problem: 'disk full '.repeat(90) } as ChangeEnd;
  const ended = {
    ...played(confirmed(), { type: 'changeEnded', request, end: told }).state,
    size: { columns: 80, rows: 10 },
  };
  assert.ok(top(ended, 'last') > 4);
  assert.equal(top(ended, 'pageDown'), 7);
  assert.equal(top(ended, 'last', 'pageDown', 'first', 'up'), 0);
});

test('Esc climbs one step each time, and a change that is only checked is called off', () => {
  const writing = confirmed();
  const { request } = edit(writing).stage as { request: number };
  const off = played(writing, 'leave').state;
  assert.equal(edit(off).stage.kind, 'preview');
  assert.deepEqual(changes(off), []);
  assert.equal(edit(played(off, 'leave').state).stage.kind, 'editing');
  const sent = played(writing, { type: 'changeStepped', request, step: 'posting' }, 'leave').state;
  assert.equal(changes(sent).length, 1, 'what was sent cannot be called back');
  assert.match(sent.notice?.text ?? '', /cannot be recalled/);
  const looking = played(sent, { type: 'changeStepped', request, step: 'verifying' }, 'leave');
  assert.deepEqual(looking.effects, [{ type: 'stopLooking', request }]);
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

test('an answer to an older question changes nothing', () => {
  const state = settings();
  const other = { ...ZONE, name: 'other' };
  const told = played(
    state,
    { type: 'storageZoneRead', request: 99, zone: other },
    { type: 'storageArrived', request: 99, page: { items: [], page: 1, total: 0, hasMore: false } },
  ).state;
  assert.deepEqual(told, state);
});

test('a zone is undone where that is possible, and else it is said why not', () => {
  const state = played(settings(), 'undoChange').state;
  const request = state.storage.request;
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
  const opened = played(found, { type: 'storageZoneRead', request: found.storage.request, zone: ZONE }).state;
  assert.equal(edit(opened).stage.kind, 'preview');
  const never = {
    ...entry({}),
    inverse: { patch: {}, impossible: [{ field: 'OriginUrl' as const, why: 'it cannot be read' }] },
  };
  const none = played(state, { type: 'undoFound', request, found: { ok: true, value: never } }).state;
  assert.match(none.notice?.text ?? '', /the last change cannot be undone.*OriginUrl/);
});

test('2 and 3 from the storage zones say where a zone is opened when none is', () => {
  for (const command of ['logsScreen', 'shieldScreen'] as const) {
    const { state } = played(listedState([]), 'storageScreen', command);
    assert.match(state.notice?.text ?? '', /no zone is open/);
  }
});
