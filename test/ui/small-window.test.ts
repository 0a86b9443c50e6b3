import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_QUERY } from '../../src/domain/query/query.ts';
import { sectionOf, textSection } from '../../src/domain/questions/inquiry/answer-table.ts';
import { helpRows } from '../../src/keymap/help.ts';
import { paletteOffers } from '../../src/keymap/palette.ts';
import { resolve } from '../../src/keymap/resolve.ts';
import { update } from '../../src/loop/update.ts';
import { sparkline, stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { headlineOf, shownLines } from '../../src/screens/answer/answer-cursor.ts';
import { openGroups } from '../../src/screens/log/groups.ts';
import { layoutOf } from '../../src/state/list/layout.ts';
import type { State } from '../../src/state/model.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { titleLine } from '../../src/ui/chrome.ts';
import { footLine } from '../../src/ui/view-lines.ts';
import { SCENES } from '../support/scenes.ts';
import {
  followedState,
  gapOf,
  listedState,
  NOON,
  played,
  recordOf,
  reportOf,
  rowsOf,
  zoneOf,
} from '../support/state.ts';

const look = createLook('mono', false, true);
const log = followedState(rowsOf(0, 300));
const linesOf = (state: State) => (bodyLines(state, look) ?? []).map(stripped);

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

test('an answer says its headline and its notes whole, over lines, and the headline once', () => {
  const headline =
    'hit ratio 75.5% now, 55.1% before; the origin is in trouble: stale answers rise, and 5xx too';
  const note =
    'risen: its share grew, and too much to be chance; worse: its hit ratio fell, and too much for that';
  const section = sectionOf('origin', 'the origin', [], { sentence: () => '', columns: [], note });
  const table = {
    headline,
    verdict: 'wrong' as const,
    sections: [section],
    coverage: 'all read',
    isWhole: true,
  };
  const told = (columns: number) => shownLines(table, columns);
  const joined = (columns: number) =>
    [headlineOf(table, columns)[0], ...told(columns).map((line) => ('text' in line ? line.text : ''))].join(
      ' ',
    );
  assert.ok(joined(80).startsWith(headline) && joined(80).endsWith(note), joined(80));
  assert.ok(told(80).every((line) => !('text' in line) || line.text.length <= 78));
  assert.deepEqual(told(200), [
    { kind: 'title', text: 'the origin' },
    { kind: 'note', text: note },
  ]);
  const cut = {
    ...table,
    coverage: 'all of this window read, 92.3% of the window before read, nothing else',
  };
  assert.deepEqual(shownLines(cut, 80).at(-1), { kind: 'note', text: cut.coverage });
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

test('the titles of groups are whole at 80 columns, with the place beside the first', () => {
  const [titles = ''] = linesOf(openGroups(log, ['page']));
  assert.match(titles, /^ PAGE 1\/300 +ROWS↓ +SHARE +BYTES +MISS +5XX LAST +$/);
  assert.equal(titles.length, 80);
});

test('the title of a group of short values is whole, and what neither edge nor origin served has no misses', () => {
  const rows = ['HIT', 'MISS', '-', ''].map((cacheStatus, n) => ({
    record: recordOf(n, { cacheStatus }),
    late: false,
  }));
  const [titles = '', ...groups] = linesOf(openGroups(followedState(rows), ['cache']));
  assert.match(titles, /^ CACHE STATUS 1\/4 +ROWS↓/);
  const told = groups.flatMap(
    (line) => /^.(\S+) .* (\S+) +\S+ [\d:]{8} *$/.exec(line)?.slice(1).join(' ') ?? [],
  );
  assert.deepEqual(told.sort(), ['(empty) -', '- -', 'HIT 0%', 'MISS 100%']);
});

test('under the groups stands the whole key of the one under the cursor, and from when to when its rows are', () => {
  const agents = [1, 2].map(
    (n) => `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${'Gecko/20100101 '.repeat(4)}Firefox/13${n}`,
  );
  const rows = agents.map((userAgent, n) => ({ record: recordOf(n, { userAgent }), late: false }));
  const groups = openGroups(followedState(rows), ['ua']);
  const detail = (state: State) => linesOf(state).slice(-2);
  const told = detail(groups).map((line) => line.slice(3).trim());
  assert.equal(told.join(' '), agents[1]);
  assert.match(detail(groups)[0] ?? '', /^ > /);
  const next = detail(played(groups, 'down').state);
  assert.match(next.join(' '), /Firefox\/131/);
  for (const line of [...detail(groups), ...next]) assert.equal(line.length, 80);
  const short = detail(openGroups(followedState(rows), ['ip', 'cache']));
  assert.match(short[0] ?? '', /^ > 192\.0\.2\.1, HIT +$/);
  assert.match(short[1] ?? '', /^ {3}11-20 12:00:01 ┄ 12:00:01 +$/);
  const long = followedState([{ record: recordOf(0, { userAgent: 'x'.repeat(60_000) }), late: false }]);
  assert.match(detail(openGroups(long, ['ua']))[1] ?? '', /^ {3}x+… *$/);
  const low = { ...groups, size: { columns: 80, rows: 13 } };
  assert.ok(linesOf(low).every((line) => !line.startsWith(' > ')));
});

test('the list of zones says whose account it is, and of a simulated one no address that nobody chose', () => {
  const titled = (demo: boolean) => {
    const zones = listedState([zoneOf('1', 'shop')], { demo, endpoint: '127.0.0.1:38729' });
    return stripped(titleLine(zones, look));
  };
  assert.match(titled(true), /^ edgescope demo > zones +simulated account $/);
  assert.match(titled(false), /^ edgescope > zones +127\.0\.0\.1:38729 $/);
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

test('what the quota has left has a colour when nothing may be asked, and stands in a narrow window only then', () => {
  const budget = { used: 4, cap: 30, isSpent: false, frozenUntil: null, degraded: false };
  const report = reportOf({});
  const paid = { ...log, budget, session: log.session && { ...log.session, report } };
  const spent = { ...paid, budget: { ...budget, used: 24, isSpent: true } };
  const narrow = { columns: 40, rows: 24 };
  assert.ok(footLine(paid, look).includes(look.paint('dim', 'quota 4/30')));
  assert.ok(footLine(spent, look).includes(look.paint('warning', 'quota 24/30')));
  assert.doesNotMatch(footLine({ ...paid, size: narrow }, look), /quota/);
  assert.match(stripped(footLine({ ...spent, size: narrow }, look)), / quota 24\/30 $/);
});

test('a paused log calls new what stands behind its newest row, not what came for earlier', () => {
  const paused = played(log, 'pause').state;
  const generation = paused.session?.generation ?? 0;
  const earlier = rowsOf(-40, 0).map((row) => ({ ...row, late: true }));
  const event = { rows: [...earlier, ...rowsOf(300, 302)], report: reportOf() };
  const later = played(paused, { type: 'tailRead', zone: '1', generation, event }).state;
  assert.match(stripped(titleLine(later, look)), / PAUSED 2 new $/);
  const wide = { ...later, size: { columns: 120, rows: 40 } };
  assert.match(stripped(titleLine(wide, look)), / PAUSED 2 new, 40 earlier $/);
});

test('a level of which nothing is known is a sign of its own', () => {
  assert.equal(sparkline([null, 0, 1, null], look), '╱▁█╱');
  const ascii = createLook('mono', true, true);
  assert.equal(new Set(sparkline([null, 0, 0.5, 1], ascii)).size, 4);
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

test('a sentence whose other lines are scrolled away says that it goes on', () => {
  const told = (rows: number) => {
    const state = SCENES.incidents((n) => `text${n}`, { columns: 40, rows });
    return linesOf(state)[0]?.trimEnd() ?? '';
  };
  assert.match(told(60), /^ shop: 12\.5% of requests +\d+\/\d+$/);
  assert.match(told(10), /^ shop: 12\.5% of requests … +\d+\/\d+$/);
});
