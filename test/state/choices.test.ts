import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PICKERS } from '../../src/across/input/pickers.ts';
import { printQuery } from '../../src/domain/query/query-text.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { queryOnTop } from '../../src/screens/screens.ts';
import type { State } from '../../src/state/model.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { chromeLines } from '../../src/ui/chrome.ts';
import { plainBody } from '../support/plain-body.ts';
import { pressed } from '../support/pressed.ts';
import { rules } from '../support/shield.ts';
import { followedState, rowsOf } from '../support/state.ts';

const look = createLook('mono', false, true);
const log = followedState(rowsOf(0, 100));

const listed = (state: State) =>
  plainBody(state, look).flatMap((line) => /^.\[(.)\] (.*?)(?: {2,}|$)/.exec(line)?.[2]?.trim() ?? []);
const queryOf = (state: State) => printQuery(queryOnTop(state)?.query ?? assert.fail('no query'));

test('each list out of which some are chosen is narrowed by /, kept narrow by Enter and whole again by Esc', () => {
  const lists = [
    [pressed(log, 'b'), 'groupPick', 'agent', ['user agent']],
    [pressed(log, '<:columns>'), 'columnPick', 'edge', ['EDG']],
    [pressed(rules, 'b'), 'groupPick', 'net', ['client network']],
    [pressed(rules, '<:columns>'), 'columnPick', 'oldest', ['FIRST']],
  ] as const;
  for (const [open, kind, text, found] of lists) {
    assert.equal(open.overlay?.kind, kind);
    const all = listed({ ...open, size: { columns: 80, rows: 60 } });
    const subject = open.shield ? 'shield' : 'logs';
    assert.equal(all.length, PICKERS[kind][subject].ids.length, kind);
    const typing = pressed(open, `/${text}`);
    assert.deepEqual(listed(typing), found, kind);
    const kept = pressed(typing, '<Enter>');
    assert.deepEqual([kept.prompt, kept.overlay?.kind, listed(kept)], [null, kind, found]);
    assert.match(stripped(bodyLines(kept, look)?.[0] ?? ''), new RegExp(`/${text}`));
    assert.deepEqual(listed({ ...pressed(typing, '<Esc>'), size: { columns: 80, rows: 60 } }), all);
    const none = pressed(open, '/zzz<Enter><Space>');
    assert.deepEqual(
      [listed(none), none.overlay],
      [[], { ...none.overlay, chosen: 'chosen' in open.overlay ? open.overlay.chosen : [] }],
    );
    assert.match(plainBody(none, look).join('\n'), /nothing has this text/);
  }
});

test('what is under the cursor of a narrowed list is taken, and what was chosen before stays chosen', () => {
  assert.equal(queryOf(pressed(log, 'b/agent<Enter><Enter>')), 'by:ua');
  assert.equal(queryOf(pressed(log, 'bj<Space>/netw<Enter><Space><Enter>')), 'by:status,net');
  assert.match(queryOf(pressed(rules, 'b/net<Enter><Enter>')), / by:net$/);
  assert.match(queryOf(pressed(rules, 'bG<Enter>')), /^(?!.*by:)/);
  const columns = pressed(log, '<:columns>/ref<Enter><Space><Enter>').columns;
  assert.deepEqual([columns?.includes('referer'), columns?.includes('path')], [true, true]);
  assert.equal(pressed(log, 'b/zzz<Enter><Enter>').notice?.text, 'nothing is chosen');
});

const seen = (state: State) => plainBody(state, look).join('\n');
const queryLine = (state: State) => chromeLines(state, look).head.lines.map(stripped).join('\n');

test('a term is switched off in the form and on again, in either log, and is told as off meanwhile', () => {
  for (const [start, term, other] of [
    [pressed(log, '<:status:5xx><:cache:MISS>'), 'status:5xx', 'cache:MISS'],
    [pressed(rules, '<:action:blocked><:country:DE>'), 'action:blocked', 'country:DE'],
  ] as const) {
    const whole = queryOf(start);
    assert.ok(whole.includes(term) && whole.includes(other), whole);
    const form = pressed(start, '<:form>j<Space>');
    assert.match(seen(form), /^.off +\S/m);
    assert.ok(!seen(form).split('as text')[1]?.includes(term), seen(form));
    const without = pressed(form, '<Enter>');
    assert.ok(!queryOf(without).includes(term) && queryOf(without).includes(other), queryOf(without));
    assert.ok(queryLine(without).includes(`off: ${term}`), queryLine(without));
    const again = pressed(without, '<:form>');
    const at =
      seen(again)
        .split('\n')
        .findIndex((line) => /^.off /.test(line)) - 1;
    const back = pressed(again, `${'j'.repeat(at)}<Space><Enter>`);
    assert.deepEqual(queryOf(back).split(' ').toSorted(), whole.split(' ').toSorted());
    assert.doesNotMatch(queryLine(back), /off: /);
  }
});

test('what is off belongs to the log of these zones, and to no other', () => {
  const off = pressed(pressed(log, '<:status:5xx>'), '<:form>j<Space><Enter>');
  assert.equal(queryOf(off), '');
  const elsewhere = { ...rules, termsOff: off.termsOff };
  assert.doesNotMatch(queryLine(elsewhere), /off: /);
});
