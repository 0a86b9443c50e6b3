import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explain, failureOf } from '../../src/domain/failure.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import { update } from '../../src/loop/update.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { width } from '../../src/text/fit.ts';
import { headLine } from '../../src/ui/chrome.ts';
import { plainBody } from '../support/plain-body.ts';
import { listedState, NOON, played, recordOf, zoneOf } from '../support/state.ts';

const look = createLook('mono', false, true);

/** A zone of two requests a second, of which this share fails in the last minutes. */
function readState(failing: number, columns = 80) {
  let state = listedState(
    [zoneOf('1284475', 'shop', { hostnames: ['shop.example.com'] }), zoneOf('2', 'calm')],
    { size: { columns, rows: 24 } },
  );
  const pairs = [{ pullZoneId: '1284475', shieldZoneId: '9' }];
  state = played(state, { type: 'shieldMapped', pairs }).state;
  for (let turn = 0; turn < 16; turn++) {
    for (const { zone, reading, turn: asked } of state.health.asking) {
      const { from, to } = reading.range;
      const records: LogRecord[] = [];
      for (let at = to - 1; at >= from && records.length < 500; at -= 500) {
        const isBad: boolean =
          zone.name === 'shop' && at > NOON - 240_000 && records.length % 100 < failing * 100;
        records.push(recordOf(0, { timestamp: at, statusCode: isBad ? 502 : 200, cacheStatus: 'HIT' }));
      }
      const hasMore = records.length === 500;
      const answer =
        reading.kind === 'rows'
          ? ({ kind: 'rows', records, hasMore, serverNow: null } as const)
          : ({ kind: 'blocked', blocked: 120 } as const);
      [state] = update(state, { type: 'healthRead', turn: asked, answer }, state.now);
    }
    [state] = update(state, { type: 'healthDue' }, state.now + 2_000);
  }
  return state;
}

test('a zone stands with its figures, the sample of them, and why it is on top', () => {
  const lines = plainBody(readState(0.3), look);
  assert.match(lines[0] ?? '', /^ WORST FIRST 1\/2 .* REQ\/S +HIT +4XX +5XX OF ROWS +BLOCKED HOUR +AGE$/);
  assert.match(lines[1] ?? '', /^.shop +2\.0 +100% +0% +\d\d\.\d% of \d+ +24\/min \S{6} +\d+s$/);
  assert.match(lines[2] ?? '', /^ calm +2\.0 +100% +0% +0% of \d+ +off +\S{6} +\d+s$/);
  assert.match(lines.join('\n'), /> 5xx \d\d\.\d% of \d+ rows, 0% before/);
  assert.match(lines.join('\n'), /shop\.example\.com {2}id 1284475, logging, Shield/);
  assert.ok(lines.every((line) => width(line) <= 80));
});

test('figures fit every width, and the shares of 4xx and 5xx stay at each', () => {
  for (const columns of [40, 52, 60, 66, 72, 80, 100, 120, 200]) {
    const lines = plainBody(readState(0.3, columns), look);
    for (const line of lines) assert.ok(width(line) <= columns, line);
    assert.match(lines[1] ?? '', /shop.* 0% +\d\d\.\d%/);
  }
});

test('zones that have no figures say why in their place', () => {
  const off = [
    zoneOf('1', 'off', { logging: false }),
    zoneOf('2', 'gone', { suspended: true }),
    zoneOf('3', 'shop'),
  ];
  const asked = listedState(off);
  const [ask] = asked.health.asking;
  const failure = failureOf('forbidden', { host: 'logs.example.com' });
  const answer = { kind: 'failed', failure } as const;
  const [state] = update(asked, { type: 'healthRead', turn: ask?.turn ?? 0, answer }, asked.now);
  const lines = plainBody(state, look);
  assert.ok((lines[1] ?? '').includes(explain(failure).what.slice(0, 20)), lines[1]);
  assert.match(lines[2] ?? '', /off .* logging off/, 'last: it has no log to read');
  assert.match(lines[3] ?? '', /gone .* SUSPENDED/);
});

test('what was not read yet is told from what is not there', () => {
  const asked = listedState([zoneOf('1', 'shop'), zoneOf('2', 'calm')]);
  const pairs = [{ pullZoneId: '1', shieldZoneId: '9' }];
  let { state } = played(asked, { type: 'shieldMapped', pairs });
  for (const { reading, turn } of state.health.asking) {
    const records = [
      recordOf(0, { timestamp: reading.range.to - 1 }),
      recordOf(0, { timestamp: reading.range.to - 9 }),
    ];
    const answer = { kind: 'rows', records, hasMore: true, serverNow: null } as const;
    [state] = update(state, { type: 'healthRead', turn, answer }, state.now);
  }
  const line = (name: string) => plainBody(state, look).find((each) => each.includes(name));
  assert.match(line(' shop ') ?? line('shop') ?? '', / - .*% of 1 +╱ ╱{6} +0s$/);
  assert.match(line(' calm ') ?? '', /% of 1 +off +╱{6} +0s$/);
});

test('the price of the figures stands over them, and that they stand still', () => {
  const state = listedState([zoneOf('1', 'shop')]);
  assert.match(
    stripped(headLine(state, look)),
    / · reading the last hour, ╱ not yet · 32 requests\/min · :follow pauses$/,
  );
  assert.match(
    stripped(headLine(readState(0), look)),
    / · newest rows each 28s · \d requests\/min · :follow pauses$/,
  );
  assert.match(
    stripped(headLine(played(state, 'follow').state, look)),
    / figures stand still; :follow reads them$/,
  );
});
