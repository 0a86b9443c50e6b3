import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'ink';
import { createElement } from 'react';
import { FAILURES, type FailureKind, failureOf } from '../../src/domain/failure.ts';
import { tailFaultOf } from '../../src/domain/tail/tail-pace.ts';
import { resolve } from '../../src/keymap/resolve.ts';
import { update } from '../../src/loop/update.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { layoutOf } from '../../src/state/list/screen-layout.ts';
import type { Prompt, State } from '../../src/state/model.ts';
import { width } from '../../src/text/fit.ts';
import { chromeLines } from '../../src/ui/chrome.ts';
import { PromptLine } from '../../src/ui/components/prompt-line.tsx';
import { PROMPT_LABELS } from '../../src/ui/components/prompt-window.ts';
import { plainBody } from '../support/plain-body.ts';
import { SCENES } from '../support/scenes.ts';
import { followedState, listedState, played, reportOf, rowsOf, zoneOf } from '../support/state.ts';

const LOOK = createLook('default', false, true);
const told = (n: number) => `値-${n}`;

test('the lines around the body fill the rows that the layout leaves them, and none is wider than the screen', () => {
  for (const size of [
    { columns: 40, rows: 10 },
    { columns: 60, rows: 15 },
    { columns: 120, rows: 40 },
  ]) {
    for (const [name, scene] of Object.entries(SCENES)) {
      const state = scene(told, size);
      const { head, foot } = chromeLines(state, LOOK);
      const layout = layoutOf(state);
      // The last row is Ink's where a line is edited in it, and the body's where that fills the screen.
      const isFree = state.prompt === null && layout.body.height < size.rows;
      assert.equal(head.lines.length, layout.head, name);
      assert.equal(foot.y + foot.lines.length, isFree ? size.rows : size.rows - 1, name);
      for (const line of [...head.lines, ...foot.lines])
        assert.ok(width(stripped(line)) <= size.columns, `${name}: ${stripped(line)}`);
    }
  }
});

test('the title tells a refusal that only the user can end from a server in trouble', () => {
  const words = {
    offline: /OFFLINE/,
    rateLimited: /RATE LIMITED/,
    failing: /FAILING/,
    refused: /FAILING/,
    denied: /REFUSED/,
    unasked: /FAILING/,
  };
  for (const kind of Object.keys(FAILURES) as FailureKind[]) {
    const state = followedState([]);
    const generation = state.session?.generation ?? 0;
    const report = reportOf({ status: tailFaultOf(kind).status, failure: failureOf(kind) });
    const told = played(state, {
      type: 'tailRead',
      zone: '1',
      generation,
      event: { rows: [], report },
    }).state;
    const [title = ''] = chromeLines(told, LOOK).head.lines;
    assert.match(stripped(title), words[FAILURES[kind].traits.tail], kind);
  }
});

/** The lines at the foot of the screen, without colours. */
const foot = (state: State) => chromeLines(state, LOOK).foot.lines.map(stripped);
const SIZES = [
  { columns: 40, rows: 10 },
  { columns: 80, rows: 24 },
  { columns: 200, rows: 60 },
];

test('a mistake in a query is told once and whole, over a mark at its column, at every size', () => {
  for (const size of SIZES) {
    const log = { ...followedState(rowsOf(0, 200)), size };
    for (const command of ['editQuery', 'chooseWindow', 'palette'] as const) {
      const text = command === 'chooseWindow' ? 'half past nine' : 'path:/login* status:abc';
      const before = played(log, command, { type: 'typed', text }).state;
      const open =
        command === 'palette'
          ? update(before, resolve(before, 'Enter'), log.now)[0]
          : update(before, { type: 'submitted' }, log.now)[0];
      const error = open.prompt?.error;
      assert.ok(error, command);
      const told = foot(open);
      const { label } = PROMPT_LABELS[open.prompt?.kind ?? 'query'];
      assert.equal(told.at(-1)?.indexOf('v'), 1 + label.length + error.column, told.at(-1));
      const words = told.slice(0, -1).join(' ').replaceAll(/\s+/g, ' ');
      assert.ok(words.includes(`${error.message}; ${error.hint}`), words);
      const beside = renderToString(
        createElement(PromptLine, { prompt: open.prompt as Prompt, columns: size.columns, look: LOOK }),
      );
      assert.ok(!stripped(beside).includes(error.hint.slice(0, 8)), beside);
      const { body, foot: rows } = layoutOf(open);
      assert.equal(body.y + body.height + rows, size.rows - 1);
    }
  }
});

test('an answer and a remark are told whole, broken between words, and the cursor stays on screen', () => {
  const text =
    '--resume unavailable: the disk that holds the directory of states has no space left, so start without it';
  for (const size of SIZES) {
    const many = listedState(Array.from({ length: 90 }, (_, n) => zoneOf(`${n}`, `shop-${n}`)));
    const list = played({ ...many, size }, 'down', 'last').state;
    const said = [
      played(list, { type: 'remarked', remark: { tone: 'warning', remark: text } }).state,
      played(list, { type: 'refused', why: text }).state,
    ];
    for (const state of said) {
      const lines = foot(state).map((line) => line.trim());
      assert.ok(lines.join(' ').includes(text), lines.join('|'));
      const shown = plainBody(state, LOOK);
      assert.ok(
        shown.some((line) => line.includes('shop-89')),
        `${size.columns}: ${shown.join('\n')}`,
      );
    }
  }
});

test('what cannot stand whole at the foot leaves a list, and ends with a sign of it', () => {
  const open = played(
    { ...listedState([zoneOf('1', 'shop')]), size: { columns: 40, rows: 10 } },
    {
      type: 'refused',
      why: 'word '.repeat(80),
    },
  ).state;
  assert.match(foot(open).at(-1) ?? '', / \.\.\. *$/);
  assert.ok(layoutOf(open).body.height >= 2);
});
