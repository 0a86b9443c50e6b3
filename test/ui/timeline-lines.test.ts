import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brushAside } from '../../src/across/timeline/painting/brush-words.ts';
import { timelineLines } from '../../src/across/timeline/painting/timeline-lines.ts';
import { joinedRanges } from '../../src/domain/tail/coverage.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook, type Look, THEMES, type ThemeName } from '../../src/paint/theme.ts';
import type { State } from '../../src/state/model.ts';
import { width } from '../../src/text/fit.ts';
import { chromeLines } from '../../src/ui/chrome.ts';
import { pressed } from '../support/pressed.ts';
import { fc, runs } from '../support/properties.ts';
import { originErrorWith } from '../support/rows.ts';
import { followedState, gapOf, NOON, played, recordOf, rowsOf } from '../support/state.ts';
import { liveLog, seconds, timeline, told } from '../support/timeline.ts';

const LOOK = createLook('default', false, true);
const MONO = createLook('mono', false, true);
const ASCII = createLook('default', true, true);

const LOW = { columns: 80, rows: 24 };
const HIGH = { columns: 80, rows: 36 };

function lines(state: State, look: Look = LOOK): string[] {
  return timelineLines(state, look).map(stripped);
}

/** A minute with so many rows in each of its seconds, of the status. */
function busy(counts: readonly number[], size = HIGH, statusCode = 200): State {
  const rows = counts.flatMap((many, second) =>
    Array.from({ length: many }, (_, n) => ({
      record: recordOf(second * 1000 + n, { timestamp: NOON + second * 1000, statusCode }),
      late: false,
    })),
  );
  return told({ ...liveLog(0), size, now: NOON + counts.length * 1000 }, rows, counts.length);
}

/** The session of a log, asked for so many ms from noon on. */
function windowOf({ session }: State, length: number): State['session'] {
  assert.ok(session);
  const window = { kind: 'absolute', from: NOON, to: NOON + length } as const;
  return { ...session, asked: { ...session.asked, window }, from: NOON, to: NOON + length };
}

test('a low timeline is a line of columns with its scale, and the times under it', () => {
  const [plot = '', axis = '', ...rest] = lines({ ...liveLog(60), size: LOW });
  assert.deepEqual(rest, []);
  assert.match(plot, /^ 2 in 2s █{30} +$/);
  assert.match(axis, /^5xx>=1\/8 12:00:00 {7}12:00:30 {7}12:01:00/);
  const [, red = ''] = timelineLines({ ...liveLog(60), size: LOW }, LOOK);
  assert.ok(red.startsWith(LOOK.paint('error', '5xx>=1/8 ')), 'what red columns are');
  const fine = busy(Array.from({ length: 20 }, () => 3), LOW, 200); // biome-ignore format: one line
  assert.match(lines(fine)[1] ?? '', /^ {2}status 12:00:00/, 'no column is red');
});

test('a timeline that rows arrive in is the one drawn for the first time, at every row', () => {
  let state = told({ ...liveLog(0), size: HIGH }, [], 60);
  const kept = createLook('default', false, true);
  const seen = new Set<string>();
  for (const [n, second] of [3, 3, 3, 40, 40, 40, 40, 40, 40, 40, 40, 3, 70, 70, 71].entries()) {
    const timestamp = NOON + second * 1000 + n;
    const record = recordOf(n, { timestamp, statusCode: n % 5 === 0 ? 503 : 200 });
    state = told(state, [{ record, late: false }], 60 + n);
    const drawn = timelineLines(state, kept);
    assert.deepEqual(drawn, timelineLines(state, createLook('default', false, true)), `row ${n}`);
    seen.add(drawn.join('\n'));
  }
  assert.ok(seen.size > 10, `${seen.size} different ones`);
});

test('a mark under a low column is explained in the colour of the columns that show the same', () => {
  const rows = [200, 200, 200, 200, 200, 200, 200, 200, 200, 502, 502].map((statusCode, n) => ({
    record: recordOf(n, { timestamp: NOON + (n === 10 ? 24_000 : 20_000), statusCode }),
    late: false,
  }));
  const state = told({ ...liveLog(0), size: LOW, now: NOON + 28_000 }, rows, 28);
  const [plot = '', axis = ''] = timelineLines(state, LOOK);
  assert.ok(plot.includes(LOOK.paint('error', '▁')), 'a column of errors');
  assert.ok(axis.startsWith(LOOK.paint('error', '▀5xx<1/8 ')), JSON.stringify(axis));
  const [, marked = ''] = timelineLines(told({ ...liveLog(0), size: LOW }, rows.slice(0, 10), 28), LOOK);
  assert.ok(marked.startsWith(LOOK.paint('error', '   ▀ 5xx ')), JSON.stringify(marked));
});

test('a high timeline has a legend and stacks what is worst at the bottom', () => {
  const [legend = '', ...rows] = lines({ ...liveLog(60), size: HIGH });
  assert.equal(rows.length, 5);
  assert.match(legend, /^ requests by status {2}█ 5xx {2}█ 4xx {2}█ 3xx {2}█ 2xx {2}█ other/);
  const painted = timelineLines({ ...liveLog(60), size: HIGH }, LOOK);
  const red = LOOK.paint('error', '█');
  assert.ok(painted[4]?.includes(red), 'the lowest line of columns');
  assert.ok(!painted[1]?.includes(red));
  assert.match(rows[4] ?? '', /12:00:00 +12:00:30/);
});

test('nothing is empty, and one row beside thousands is a cell', () => {
  const [, top = '', , , bottom = ''] = lines(busy([200, 200, 0, 0, 1, 0, 200, 200, 0, 0]));
  assert.match(top, /^ {5}400 █ {2}█ +$/);
  assert.match(bottom, /^ {9}█ ▁█ +$/);
});

test('the number of a peak stands left of it at the right end, and under it where there is one line', () => {
  const counts = Array.from({ length: 118 }, (_, second) => (second === 117 ? 900 : 5));
  const wide = { ...busy(counts), size: { columns: 70, rows: 36 } };
  assert.match(lines(wide)[1] ?? '', /905↑/);
  const two = busy(Array.from({ length: 60 }, (_, s) => (s === 30 ? 895 : s === 32 ? 1195 : 5)));
  assert.match(lines(two)[1] ?? '', / 900↑↑1,200 /, 'neither covers the other');
  const [plot = '', axis = ''] = lines(
    busy(
      Array.from({ length: 60 }, (_, s) => (s === 8 ? 900 : 5)),
      LOW,
    ),
  );
  assert.match(plot, /^20 in 2s ▄▄▄▄↑▄▄/, 'and covers no other column');
  assert.match(axis, /^ {2}status {5}↑905/);
});

test('what is not read is hatched, a gap is a gap, and both keep their height in every theme and in ASCII', () => {
  const gaps = [gapOf(20, 40)];
  const read = [seconds(0, 20), seconds(50, 60)];
  const state = told({ ...liveLog(0), size: HIGH }, [...rowsOf(0, 20), ...rowsOf(50, 60)], 60, {
    read,
    gaps,
  });
  for (const row of lines(state).slice(1, 5)) assert.match(row.slice(19), /^╳{10}╱{5}/);
  for (const row of lines(state, ASCII).slice(1, 5)) assert.match(row.slice(19), /^x{10}\/{5}/);
});

test('a blank column was read, in every theme and size: all else is hatched, a gap, or drawn', () => {
  const second = fc.nat(59);
  const span = fc.tuple(second, fc.integer({ min: 1, max: 20 }));
  const times = fc
    .array(span, { maxLength: 4 })
    .map((spans) => joinedRanges(spans.map(([from, long]) => seconds(from, Math.min(60, from + long)))));
  fc.assert(
    fc.property(times, times, fc.array(second, { maxLength: 12 }), (read, missing, rows) => {
      const gaps = missing.map((range, at) => ({ ...gapOf(0, 0), ...range, id: `gap ${at}` }));
      const came = rows.toSorted((a, b) => a - b).flatMap((at) => rowsOf(at, at + 1));
      const live = told({ ...liveLog(0), now: NOON + 60_000 }, came, 60, { read, gaps });
      for (const theme of Object.keys(THEMES) as ThemeName[])
        for (const isAscii of [false, true])
          for (const size of [LOW, HIGH, { columns: 120, rows: 40 }, { columns: 40, rows: 12 }]) {
            const look = createLook(theme, isAscii, true);
            const state: State = {
              ...live,
              session: windowOf(live, 60_000),
              size,
              timeline: { size: 'low', series: 'status' },
            };
            const { steps, cover } = timeline(state);
            const [named = ''] = lines(state, look);
            const plot = named.replaceAll(' not read ', look.glyph.hatch.repeat(10));
            const wide = Math.max(1, Math.floor((size.columns - 10) / steps.count));
            cover.forEach((each, at) => {
              const cell = plot[9 + at * wide] ?? '';
              const about = `${theme} ${isAscii} ${size.columns}: ${each} at ${at} of ${plot}`;
              if (each === 'gap') assert.equal(cell, look.glyph.gap, about);
              if (each === 'unread') assert.equal(cell, look.glyph.hatch, about);
              if (each === 'part') assert.notEqual(cell, ' ', about);
            });
          }
    }),
    { numRuns: runs(40) },
  );
});

test('above the rows of a column that was read in part it is hatched, and the newest one is only grey', () => {
  const read = [seconds(0, 21), seconds(24, 60)];
  const state = told(
    { ...liveLog(0), size: HIGH, now: NOON + 60_000 },
    [...rowsOf(0, 21), ...rowsOf(24, 60)],
    60,
    { read },
  );
  const rows = lines({ ...state, now: NOON + 59_000 }).slice(1, 5);
  assert.deepEqual(
    rows.map((row) => row[9 + 10]),
    ['╱', '╱', '█', '█'],
  );
  assert.deepEqual(
    rows.map((row) => row[9 + 11]),
    ['╱', '╱', '╱', '╱'],
  );
  const none = told({ ...liveLog(0), size: HIGH, now: NOON + 60_000 }, rowsOf(0, 20), 60, { read });
  assert.deepEqual(
    lines(none)
      .slice(1, 5)
      .map((row) => row[9 + 10]),
    ['╱', '╱', '╱', '╱'],
    'without a row, too',
  );
  const open = lines({ ...liveLog(61), size: HIGH }).slice(1, 5);
  assert.doesNotMatch(open.join(''), /╱/);
});

test('before the first answer all of the time that is asked for is hatched', () => {
  const opened = followedState([]);
  const window = { ...opened, session: windowOf(opened, 60_000), now: NOON + 60_000 };
  for (const state of [opened, window]) {
    assert.match(lines({ ...state, size: LOW })[0] ?? '', /^ {9}╱{10,} not read ╱{10,}$/);
    assert.match(lines({ ...state, size: LOW }, ASCII)[0] ?? '', /^ {9}\/{10,} not read \/{10,}$/);
  }
});

test('every theme and size fits its screen, in ASCII by ASCII alone', () => {
  const state = { ...liveLog(300), now: NOON + 300_000 };
  for (const theme of Object.keys(THEMES) as ThemeName[])
    for (const isAscii of [false, true])
      for (const [columns, rows] of [[40, 12], [60, 16], [80, 24], [120, 40], [200, 60]] as const) // biome-ignore format: a list of sizes
        for (const size of ['low', 'high'] as const) {
          const look = createLook(theme, isAscii, true);
          const painted = timelineLines(
            { ...state, size: { columns, rows }, timeline: { size, series: 'cache' } },
            look,
          ).map(stripped);
          const about = `${theme} ${isAscii} ${columns}×${rows} ${size}`;
          assert.equal(painted.length, size === 'low' || rows < 22 ? 2 : Math.max(6, Math.min(10, Math.floor(rows / 6))), about); // biome-ignore format: one line
          for (const line of painted) assert.ok(width(line) <= columns, `${about}: ${line}`);
          if (isAscii) for (const line of painted) assert.doesNotMatch(line, /[^\x00-\x7f]/, about);
        }
});

test('without colours the parts are letters where there is room, and what went wrong is marked under one line', () => {
  const state = { ...liveLog(60), size: HIGH };
  for (const look of [MONO, ASCII]) {
    const [legend = '', ...rows] = lines(state, look);
    assert.match(legend, /5 5xx {2}4 4xx {2}3 3xx {2}2 2xx {2}\? other/);
    assert.match(rows[3] ?? '', /^ {9}5.{4}5/);
  }
  const failing = busy(Array.from({ length: 20 }, () => 3), LOW, 503); // biome-ignore format: one line
  assert.match(lines(failing, MONO)[1] ?? '', /12:00:00▀▀ /);
  assert.match(lines(failing, ASCII)[1] ?? '', /12:00:00!! /);
  assert.match(lines(failing, MONO)[1] ?? '', /^ +▀ 5xx /, 'the sign is explained where it stands');
  assert.doesNotMatch(lines(failing, LOOK)[1] ?? '', /▀/, 'the column is red');
});

test('up to when it is complete is a mark in the axis, and on a time its colour', () => {
  const read = (second: number): State => {
    const watermark = NOON + second * 1000;
    return { ...told(liveLog(30), rowsOf(30, 60), 60, { watermark }), size: LOW };
  };
  assert.equal(lines(read(51))[1]?.indexOf('┊'), 9 + 25);
  assert.equal(lines(read(51), ASCII)[1]?.indexOf('|'), 9 + 25);
  assert.match(lines(read(41))[1] ?? '', / 12:00:30 /);
  assert.ok(timelineLines(read(41), LOOK)[1]?.includes(LOOK.paint('live', ':')));
});

test('time that is not read is named where there is room for the words', () => {
  const read = [seconds(0, 10), seconds(110, 120)];
  const state = { ...told(liveLog(0), [...rowsOf(0, 10), ...rowsOf(110, 120)], 120, { read }), size: LOW };
  assert.match(lines(state)[0] ?? '', /█ ?╱{10,} not read ╱{10,} ?█/);
  const short = [seconds(0, 10), seconds(30, 120)];
  const few = told(liveLog(0), [...rowsOf(0, 10), ...rowsOf(30, 120)], 120, { read: short });
  assert.match(lines({ ...few, size: LOW })[0] ?? '', /█ ?╱+ ?█/);
});

test('the cursor and what is selected are in the axis', () => {
  const state = played({ ...liveLog(60), size: LOW }, 'timeline', 'left', 'selectLeft', 'selectLeft').state;
  const axis = timelineLines(state, LOOK)[1] ?? '';
  assert.equal(stripped(axis).indexOf('▌'), 9 + 26);
  assert.ok(axis.includes(LOOK.paint('cursor', '  ')), 'the steps behind the cursor are inverted');
  const onTime = played(state, 'leave', 'first').state;
  assert.match(lines(onTime)[1] ?? '', / 12:00:00 /, 'the cursor leaves a time whole');
  assert.ok(timelineLines(onTime, LOOK)[1]?.includes(LOOK.paint('cursor', '1')));
});

test('what lies under the cursor is told under the title, and the last line keeps its keys', () => {
  const on = { ...played({ ...liveLog(60), size: LOW }, 'timeline').state, demo: false };
  const { head, foot } = chromeLines(on, LOOK);
  assert.match(stripped(head.lines[2] ?? ''), /^ 12:00:58 ┄ 12:01:00 2s: 2,/);
  assert.match(stripped(foot.lines.at(-1) ?? ''), /^ ! wrong\? {2}Enter window .* Space select/);
});

test('the bottom line says what the step under the cursor holds, or what is selected', () => {
  const said = (state: State) => brushAside(state, LOOK)?.text ?? '';
  const on = played(liveLog(61), 'timeline').state;
  assert.match(said(on), /12:01:00 ┄ 12:01:01 1s: at least 1, 5xx 100%$/);
  assert.match(said(played(on, 'first').state), /12:00:00 ┄ 12:00:02 2s: 2, 5xx 50.0%, 2xx 50.0%$/);
  assert.match(
    said(played(on, 'first', 'selectRight', 'selectRight').state),
    /6s: 6, 5xx 16\.7%, 2xx 83\.3%$/,
  );
  const gaps = [gapOf(20, 40)];
  const read = [seconds(0, 20), seconds(50, 60)];
  const holed = told(liveLog(0), [...rowsOf(0, 20), ...rowsOf(50, 60)], 60, { read, gaps });
  const at = (step: number) =>
    played(holed, 'timeline', 'first', ...Array.from({ length: step }, () => 'right' as const)).state;
  assert.match(said(at(10)), /: missing$/);
  assert.match(said(at(21)), /: not read; Enter asks, about 1 request$/);
  assert.match(said(played(at(9), 'selectRight').state), /: at least 2,/);
  assert.equal(said(liveLog(5)), '');
  assert.match(said(on), /^12:01:00/, 'of today without its date');
  assert.match(said({ ...on, now: NOON + 86_400_000 }), /^11-20 12:01:00 ┄ 11-20 12:01:01/);
  const short = { ...liveLog(1), session: windowOf(liveLog(1), 500) };
  assert.match(said(played(short, 'timeline', 'first').state), /^12:00:00\.000 ┄ 12:00:00\.010 10ms: 1, /);
});

test('hostile texts of the platform reach no cell of it', () => {
  const rows = ['\x1b[31mHIT', 'HIT\x07', '‮MISS'].map((cacheStatus, n) => ({
    record: recordOf(n, { cacheStatus }),
    late: false,
  }));
  const state = told({ ...liveLog(0), size: HIGH, timeline: { size: 'high', series: 'cache' } }, rows, 3); // biome-ignore format: one line
  for (const line of lines(state)) assert.doesNotMatch(line, /[\x00-\x1f\u202e]/);
});

test('what was told besides the log stands under the times: a change of the zone, and where its origin began to fail', () => {
  const change = {
    product: null,
    resourceType: 'PullZone',
    resourceId: '1',
    action: 'Update',
    actorId: null,
    actorType: null,
    diff: { fields: [], text: '' },
  };
  const changes = [
    { ...change, timestamp: NOON + 15_000 },
    { ...change, timestamp: NOON + 25_000, resourceId: '2' },
    { ...change, timestamp: NOON - 15_000 },
    { ...change, timestamp: NOON + 35_000, resourceType: 'ShieldZone', resourceId: '9' },
  ];
  const errors = [0, 1, 2, 3, 4].map((n) =>
    originErrorWith({ timestamp: NOON + 45_000 + n * 1_000, status: 502 }),
  );
  const state = {
    ...liveLog(60),
    size: LOW,
    evidence: {
      told: new Map([
        [
          'changes 2026-11-20',
          { met: { kind: 'changes', value: { changes, next: null, unread: 0 } }, at: NOON },
        ],
        [
          'originErrors 1 2026-11-20',
          { met: { kind: 'originErrors', value: { errors, unread: 0 } }, at: NOON },
        ],
        [
          'originErrors 2 2026-11-20',
          { met: { kind: 'originErrors', value: { errors: errors.slice(1), unread: 0 } }, at: NOON },
        ],
      ] as const),
      refused: new Map(),
    },
  } satisfies State;
  const axis = lines(state)[1] ?? '';
  assert.deepEqual([axis.indexOf('C', 9), axis.indexOf('W', 9)], [9 + 7, 9 + 22]);
  assert.doesNotMatch(axis, /12:00:(?:00|30)/, 'a time that would cover one gives way');
  assert.match(axis, /12:01:00/);
  assert.match(axis, /^C W: Tab /, 'what they mean is a key away');
  const onTimeline = pressed(state, '<Tab>');
  const saidAt = (left: number) => brushAside(pressed(onTimeline, '<Left>'.repeat(left)), LOOK)?.text ?? '';
  const said = Array.from({ length: 61 }, (_, left) => saidAt(left));
  assert.equal(said.filter((text) => text.endsWith('; changed')).length, 1);
  assert.equal(said.filter((text) => text.endsWith('; origin fails')).length, 1);
  assert.match(
    lines({ ...state, size: { columns: 120, rows: 36 } })[0] ?? '',
    /other {2}C changed {2}W origin fails/,
  );
  assert.ok(width(lines({ ...state, size: HIGH })[0] ?? '') <= 80);
  const joined = { ...state, zones: { ...state.zones, shieldOf: new Map([['1', '9']]) } };
  assert.equal(
    [...(lines(joined)[1] ?? '').slice(9).matchAll(/C/g)].length,
    2,
    'the Shield zone is known by now',
  );
});
