import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyLines } from '../../src/ui/body.ts';
import { stripped } from '../../src/ui/row.ts';
import { footLine } from '../../src/ui/screens.ts';
import { createLook } from '../../src/ui/theme.ts';
import { listedState, played, reportOf, rowsOf, zoneOf } from '../support/state.ts';

const look = createLook('mono', false, true);

test('host names are whole, with how many more there are, and only one that does not fit is cut', () => {
  const hosts = (...hostnames: string[]) => {
    const state = listedState([zoneOf('1', 'shop', { hostnames })]);
    return stripped(bodyLines(state, look)?.[1] ?? '')
      .slice(50)
      .trimEnd();
  };
  assert.equal(hosts('a.example', 'b.example'), 'a.example b.example');
  assert.equal(hosts('a.example', 'b.example', 'c.example.com'), 'a.example b.example +1');
  assert.equal(hosts('landing.quietfield.example', 'b.example'), 'landing.quietfield.example +1');
  assert.equal(hosts('a-name-that-is-longer-than-that.example', 'b'), 'a-name-that-is-longer-than… +1');
});

test('the count of late rows has the sign that they have in the list', () => {
  const log = played(listedState([zoneOf('1', 'shop')]), 'open').state;
  const foot = (late: number) =>
    stripped(
      footLine(
        played(log, {
          type: 'tailRead',
          zone: '1',
          generation: 1,
          event: { rows: rowsOf(-9, 0), report: reportOf({ late }) },
        }).state,
        look,
      ),
    );
  assert.match(foot(3), / · ~late 3 · /);
  assert.match(foot(0), / · late 0 · /);
});
