import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textSection } from '../../src/domain/inquiry/answer-table.ts';
import { EMPTY_QUERY } from '../../src/domain/query/query.ts';
import { helpRows } from '../../src/keymap/help.ts';
import { paletteOffers } from '../../src/keymap/palette.ts';
import { resolve } from '../../src/keymap/resolve.ts';
import { update } from '../../src/loop/update.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { shownLines } from '../../src/screens/answer/answer-cursor.ts';
import { layoutOf } from '../../src/state/list/screen-layout.ts';
import type { State } from '../../src/state/model.ts';
import { footLine } from '../../src/ui/chrome.ts';
import { plainBody } from '../support/plain-body.ts';
import { SCENES } from '../support/scenes.ts';
import { followedState, gapOf, NOON, played, reportOf, rowsOf } from '../support/state.ts';

const look = createLook('mono', false, true);
const log = followedState(rowsOf(0, 300));
const linesOf = (state: State) => plainBody(state, look);

test('the help tells all that a key does, on as many lines as that takes', () => {
  for (const columns of [60, 80]) {
    const open = played({ ...log, size: { columns, rows: 400 } }, 'help').state;
    const told = linesOf(open).join(' ').replaceAll(/\s+/g, ' ');
    for (const { does } of helpRows('log')) assert.ok(told.includes(does), `${columns}: ${does}`);
    assert.doesNotMatch(told, /…/);
  }
});

test('the commands are told whole: the one that was gone to stands below a list that cuts it', () => {
  const text = (state: State) => linesOf(state).join(' ').replaceAll(/\s+/g, ' ');
  let open = played(log, 'palette').state;
  for (const { help } of paletteOffers(open)) {
    open = update(open, resolve(open, 'Down'), open.now)[0];
    assert.ok(text(open).includes(help), help);
    assert.equal(linesOf(open).length, layoutOf(open).body.height);
  }
});

test('a sentence in an answer goes on over the lines that the window has room for, and leads where it leads', () => {
  const sentence = `Shield: rule 942100 has 1,204 events, usually 3, from 11:45 to 11:59, most of ja4:${'f'.repeat(36)}`;
  const leads = { subject: 'shield', query: EMPTY_QUERY } as const;
  const section = textSection('evidence', 'why', 'EVIDENCE', [sentence], { row: { leads } });
  const table = {
    headline: 'why',
    verdict: 'wrong' as const,
    sections: [section],
    coverage: 'all',
    isWhole: true,
  };
  for (const columns of [40, 80, 200]) {
    const rows = shownLines(table, columns).flatMap((line) => (line.kind === 'row' ? line.row : []));
    const texts = rows.map(({ cells }) => cells[0] ?? '');
    assert.ok(
      texts.every((text) => text.length <= columns - 2),
      texts.join('\n'),
    );
    assert.equal(texts.join('').replaceAll(' ', ''), sentence.replaceAll(' ', ''));
    assert.ok(rows.every((row) => row.leads === leads && row.of === 0));
    assert.equal(rows.length, columns === 200 ? 1 : columns === 80 ? 2 : 4);
  }
});

test('the status line says what was read, up to when it is complete, that late rows may come, and gaps, at any width', () => {
  const budget = { used: 4, cap: 30, isSpent: false, frozenUntil: null, degraded: false };
  const foot = (columns: number, known: Parameters<typeof reportOf>[0]) => {
    const report = reportOf({ unique: 2289, completeTo: NOON + 60_000, ...known });
    const size = { columns, rows: 24 };
    const line = stripped(
      footLine({ ...log, size, budget, session: log.session && { ...log.session, report } }, look),
    );
    assert.equal(line.length, columns);
    return line.trim().replace(/ +(?=quota)/, ' | ');
  };
  const early = { watermark: null };
  const final = { watermark: NOON, gaps: [gapOf(0, 1)], late: 3 };
  assert.deepEqual(
    [40, 80, 120].map((columns) => foot(columns, early)),
    [
      'read until 12:01:00 · no gaps',
      '2,289 requests · read until 12:01:00, late rows may come · no gaps | quota 4/30',
      '2,289 requests · read until 12:01:00, late rows may come · no gaps | quota 4/30',
    ],
  );
  assert.deepEqual(
    [40, 80, 120].map((columns) => foot(columns, final)),
    [
      'complete until 12:00:00 · 1 gap',
      '2,289 requests · complete until 12:00:00 · 3 late (~) · 1 gap | quota 4/30',
      '2,289 requests · complete until 12:00:00, late rows may come · 3 late (~) · 1 gap | quota 4/30',
    ],
  );
  assert.doesNotMatch(foot(120, { watermark: NOON + 60_000 }), /may come/);
});

test('at 40 columns the column that carries the alarm stays, and no column is cut', () => {
  const size = { columns: 40, rows: 24 };
  for (const [name, alarm] of [
    ['zones', /4XX +5XX/],
    ['groups', /ROWS. +5XX *$/],
    ['shield groups', /EVENTS. +BLOCKED *$/],
    ['shield events', /ACTION +IP/],
    ['incidents', /SHARE +WHAT/],
    ['suspect rules', /CLEAN +SHARE AT LEAST/],
  ] as const) {
    const lines = linesOf(SCENES[name]((n) => `text${n}`, size));
    assert.ok(
      lines.some((line) => alarm.test(line)),
      `${name}: ${lines.join('\n')}`,
    );
    for (const line of lines) assert.ok(line.trimEnd().length <= size.columns, `${name}: ${line}`);
  }
});
