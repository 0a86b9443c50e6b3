import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printQuery } from '../../src/domain/query/query-text.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { queryOnTop } from '../../src/screens/screens.ts';
import type { State } from '../../src/state/model.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { chromeLines } from '../../src/ui/chrome.ts';
import { pressed } from '../support/pressed.ts';
import { rules } from '../support/shield.ts';
import { followedState, rowsOf } from '../support/state.ts';

const look = createLook('mono', false, true);
const log = followedState(rowsOf(0, 100));
const queryOf = (state: State) => printQuery(queryOnTop(state)?.query ?? assert.fail('no query'));
const seen = (state: State) => (bodyLines(state, look) ?? []).map(stripped).join('\n');
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
