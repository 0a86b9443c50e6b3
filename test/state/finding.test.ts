import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerEntry, entryOf, flowWords } from '../../src/across/handover/finding.ts';
import { findingBody } from '../../src/across/handover/painting/handover-bodies.ts';
import {
  type AnswerTable,
  figures,
  sectionOf,
  words,
} from '../../src/domain/questions/inquiry/answer-table.ts';
import { update } from '../../src/loop/update.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import type { Action } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { followedState, gapOf, NOON, played, recordOf, rowsOf } from '../support/state.ts';

function findingOf(state: State) {
  const { overlay } = played(state, 'note').state;
  assert.ok(overlay?.kind === 'finding');
  return overlay.finding;
}

test('a finding is about the time of its view: a window, or the row that a reader stands on', () => {
  const state = followedState(rowsOf(0, 50));
  assert.deepEqual(findingOf(state).time, { from: NOON, to: NOON + 49_001 });
  const paused = played(state, 'up', 'up').state;
  assert.deepEqual(findingOf(paused).time, { from: NOON + 47_000, to: null });
  assert.deepEqual(findingOf(played(paused, 'open').state).time, { from: NOON + 47_000, to: null });
});

test('an entry is in the timeline with its note, and without one', () => {
  const finding = findingOf(followedState(rowsOf(0, 50)));
  const rowOf = (note: string) => entryOf(finding, note, NOON).row;
  const time = '| 2026-11-20 12:00:00 to 2026-11-20 12:00:49 | `logs shop` |';
  const note = '\\| \\*down\\* \\`x\\` \\<\\!\\-\\- timeline \\-\\-\\>';
  assert.equal(rowOf('| *down* `x` <!-- timeline -->'), `${time} ${note} | 12:00:00Z |`);
  assert.equal(rowOf(''), `${time} - | 12:00:00Z |`);
});

test('a note that comes at once is not written, however slowly the keys before it came', () => {
  let state = followedState(rowsOf(0, 50));
  const press = (action: Action, ms: number) => {
    const [next, effects] = update(state, action, state.now + ms);
    state = next;
    return effects;
  };
  press({ type: 'commanded', command: 'palette' }, 500);
  for (const text of 'note') press({ type: 'typed', text }, 500);
  press({ type: 'ordered', command: 'note', argument: null, line: 'note' }, 500);
  for (const text of 'rm') press({ type: 'typed', text }, 0);
  assert.deepEqual(press({ type: 'submitted' }, 0), []);
  assert.match(state.prompt?.error?.message ?? '', /^too fast to be typed/);
  assert.deepEqual(
    press({ type: 'submitted' }, 500).map(({ type }) => type),
    ['addFinding'],
  );
});

test('a log says that nothing is missing in it, or what', () => {
  assert.ok(findingOf(followedState(rowsOf(0, 50))).coverage.includes('no gap in what was read'));
  const { coverage } = findingOf(followedState(rowsOf(0, 50), [gapOf(10, 20)]));
  assert.ok(
    coverage.some((words) => words.startsWith('gap ')) && !coverage.some((words) => /^no gap/.test(words)),
  );
});

test('the requests of a log are told with how much of their time was read', () => {
  const at = (second: number, times: number) =>
    Array.from({ length: times }, () => ({ record: recordOf(second), late: false }));
  const wordsOf = (read: { from: number; to: number }) => {
    const rows = [...at(0, 1), ...at(15, 100), ...at(29, 50)];
    const { session } = followedState(rows, [], { read: [read] });
    assert.ok(session);
    return flowWords(session, { from: NOON, to: NOON + 30_000 });
  };
  assert.deepEqual(wordsOf({ from: NOON, to: NOON + 30_000 }), ['151 requests from 12:00:00Z to 12:00:30Z']);
  assert.deepEqual(wordsOf({ from: NOON + 3_000, to: NOON + 18_000 }), [
    '100 requests from 12:00:00Z to 12:00:30Z, 50.0% of which was read',
  ]);
  assert.deepEqual(wordsOf({ from: NOON + 1_000, to: NOON + 15_000 }), []);
});

test('an entry reads as prose: what was found, of when, what is shown of it, and how complete it is', () => {
  const { lines } = entryOf(findingOf(followedState(rowsOf(0, 50))), 'origin fails', NOON);
  assert.equal(lines[0], '## 12:00:00Z origin fails');
  assert.match(
    lines[2] ?? '',
    /^`logs shop`, 2026-11-20 12:00:00 to 2026-11-20 12:00:49 UTC\. 10 of 50 rows, the newest\. .*No gap in what was read\.$/,
  );
  assert.ok(!lines.some((line) => /^- /.test(line)));
});

test('an answer is written with its sentence, its sections and their notes, ten rows of each', () => {
  const ips = Array.from({ length: 12 }, (_, n) => `192.0.2.${n}`);
  const url = words('url', 'url', 10, (text: string) => text);
  const table: AnswerTable = {
    headline: 'yes: 3 of 40 got `through`',
    verdict: 'wrong',
    coverage: 'read whole',
    isWhole: true,
    sections: [
      sectionOf('urls', 'by URL', ['/a|b'], {
        sentence: (text) => text,
        columns: [url, figures('n', 'n', 10, () => 3)],
      }),
      sectionOf('ips', 'by IP', ips, { sentence: (text) => text, columns: [url], note: 'counted here' }),
      sectionOf('others', 'nothing', [], { sentence: (text) => text, columns: [url] }),
    ],
  };
  const { table: lines, which } = answerEntry(table);
  assert.deepEqual(lines.slice(0, 8), [
    '`yes: 3 of 40 got \\x60through\\x60`',
    '',
    '**`by URL`**',
    '',
    '| `url` | `n` |',
    '| --- | --- |',
    '| `/a\\x7cb` | `3` |',
    '',
  ]);
  assert.equal(lines[8], '**`by IP`**, the first 10 of 12');
  assert.ok(lines.includes('`counted here`') && lines.includes('**`nothing`**'));
  assert.equal(lines.filter((line) => line.startsWith('| `192.')).length, 10);
  assert.equal(which, '11 of 13 rows of the answer');
});

test('Tab in the note writes addresses as pseudonyms, shows how, and takes it back', () => {
  const opened = played(followedState(rowsOf(0, 5)), 'note').state;
  const look = createLook('mono', true, true);
  const shown = (state: State) => {
    assert.ok(state.overlay?.kind === 'finding');
    return findingBody(state, state.overlay, { columns: 300, height: 50, look }).map(stripped).join('\n');
  };
  assert.match(shown(opened), /addresses as they are; Tab[\s\S]*`192\.0\.2\.1`/);
  const masked = played(opened, { type: 'completed' }).state;
  assert.match(shown(masked), /as pseudonyms; Tab[\s\S]*`ip-\? \(192\.0\.2\.x\)`/);
  const order = (state: State) => played(state, { type: 'submitted' }).effects[0];
  const masks = [masked, played(masked, { type: 'completed' }).state].map((state) => {
    const effect = order(state);
    return effect?.type === 'addFinding' && effect.isMasked;
  });
  assert.deepEqual(masks, [true, false]);
});
