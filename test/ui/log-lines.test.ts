import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markOfRecord } from '../../src/domain/handover/marks.ts';
import type { ArrivedRow } from '../../src/domain/logs/log-rows.ts';
import { EMPTY_QUERY, termOfAny } from '../../src/domain/query/query.ts';
import type { TimeRange } from '../../src/domain/tail/coverage.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import type { Action } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { headLine } from '../../src/ui/chrome.ts';
import { openedZones, toldBy } from '../support/several-zones.ts';
import {
  followedState,
  listedState,
  NOON,
  played,
  recordOf,
  reportOf,
  rowsOf,
  withoutTimeline,
  zoneOf,
} from '../support/state.ts';

const look = createLook('mono', true, true);

function steadyRows(from: number, to: number, perSecond = 20): ArrivedRow[] {
  return Array.from({ length: (to - from) * perSecond }, (_, at) => ({
    record: recordOf(0, { timestamp: NOON + from * 1000 + (at * 1000) / perSecond }),
    late: false,
  }));
}

function bodyOf(state: State, by = look): string {
  return bodyLines(state, by)?.join('\n') ?? '';
}

test('a log that was paused before its first row says what waits, and does not call the window empty', () => {
  const paused = played(listedState([zoneOf('1', 'shop')]), 'open', 'pause').state;
  const generation = paused.session?.generation ?? 0;
  const event = { rows: rowsOf(0, 30), report: reportOf() };
  const body = bodyOf(played(paused, { type: 'tailRead', zone: '1', generation, event }).state);
  assert.match(body, /30 rows have come since/);
  assert.doesNotMatch(body, /no requests/);
});

test('rates of a part of the minute say of how much they are', () => {
  const rates = (from: number) => {
    const opened = played(listedState([zoneOf('1', 'shop')]), 'open').state;
    assert.ok(opened.session);
    const session = { ...opened.session, from: NOON + from * 1000 };
    const report = reportOf({ read: [{ from: session.from, to: NOON }] });
    const event = { rows: rowsOf(from, 0), report };
    const read = { type: 'tailRead', zone: '1', generation: session.generation, event } as const;
    return stripped(headLine(played({ ...opened, session }, read).state, look));
  };
  assert.match(rates(-15), /^ 1\.0 req\/s .* {2}in 15s$/);
  assert.match(rates(-90), /^ 1\.0 req\/s/);
  assert.doesNotMatch(rates(-90), / in /);
});

test('rates of a window that is being read are those of what was read, and none where that is nothing', () => {
  const window = { kind: 'absolute', from: NOON - 3_600_000, to: NOON } as const;
  const opened = withoutTimeline(
    openedZones([zoneOf('1', 'shop')], { size: { columns: 120, rows: 24 } }, { ...EMPTY_QUERY, window }),
  );
  const told = (state: State, rows: ArrivedRow[], read: readonly TimeRange[]) =>
    played(state, toldBy(state, '1', rows, { read, readShare: 0.01, gaps: [] })).state;
  const head = (state: State) => stripped(headLine(state, look));
  assert.match(head(opened), /^ over 0% of 1h {2}- req\/s .* hit - /);
  // An answer that is cut brings rows of time that is asked for again.
  const cut = told(opened, steadyRows(-3600, -3000), []);
  assert.match(head(cut), /^ over 0% of 1h {2}- req\/s .* 5xx - .* hit - /);
  const part = told(cut, steadyRows(-3000, -1800), [{ from: NOON - 3_600_000, to: NOON - 3_300_000 }]);
  assert.match(head(part), /^ over 8\.3% of 1h {2}20 req\/s /);
  const [, marks = ''] = /req\/s (\S{12}) /.exec(head(part)) ?? [];
  assert.equal(marks, `${look.glyph.spark.at(-1)}${look.glyph.hatch.repeat(11)}`);
});

test('rates leave out what is held no more, not filtered yet, or of the question before', () => {
  const read = [{ from: NOON - 60_000, to: NOON }];
  const log = withoutTimeline(followedState(steadyRows(-60, 0), [], { read }));
  const head = (state: State) => stripped(headLine(state, look));
  assert.match(head(log), /^ 20 req\/s (?!.* in )/);
  const { session } = log;
  assert.ok(session);
  assert.match(head({ ...log, session: { ...session, replacing: true } }), /^ - req\/s /);
  session.book.evictDownTo(session.book.bytes / 2);
  assert.match(head(log), /^ 20 req\/s .* in 3\ds$/);
  const many = withoutTimeline(followedState(steadyRows(-60, 0, 2000), [], { read }));
  many.session?.book.setFilter([termOfAny('status', ['200'])], 'none');
  assert.notEqual(many.session?.book.filtering, null);
  assert.match(head(many), / - req\/s /);
});

test('a row that was painted before looks as one that is painted for the first time, whatever has changed', () => {
  const followed = () => followedState(rowsOf(0, 300));
  const found: Action[] = [{ type: 'typed', text: '/p' }, { type: 'submitted' }];
  const changes: Record<string, (state: State) => State> = {
    'a moved cursor': (state) => played(state, 'pause', 'up').state,
    'a narrower window': (state) => ({ ...state, size: { columns: 70, rows: 24 } }),
    'other columns': (state) => ({ ...state, columns: ['time', 'path'] }),
    'a highlight': (state) => ({ ...state, highlights: [{ text: '/p', colour: 'red' }] }),
    'a mark': (state) => {
      const mark = markOfRecord(recordOf(299), 'shop');
      return { ...state, handover: { ...state.handover, marks: new Map([[mark.key, mark]]) } };
    },
    'a search': (state) => played(state, 'find', ...found).state,
    'rows that come': (state) => {
      const generation = state.session?.generation ?? 0;
      return played(state, {
        type: 'tailRead',
        zone: '1',
        generation,
        event: { rows: rowsOf(300, 305), report: reportOf() },
      }).state;
    },
  };
  for (const [name, change] of Object.entries(changes)) {
    const warm = followed();
    const before = bodyOf(warm);
    const after = bodyOf(change(warm));
    assert.notEqual(after, before, name);
    assert.equal(after, bodyOf(change(followed())), name);
  }
  const coloured = createLook('default', true, true);
  const warm = followed();
  assert.notEqual(bodyOf(warm), bodyOf(warm, coloured));
  assert.equal(bodyOf(warm, coloured), bodyOf(followed(), coloured));
});
