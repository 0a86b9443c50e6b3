import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShieldRow } from '../../src/domain/shield/shield-rows.ts';
import type { CommandId } from '../../src/keys/bindings.ts';
import { createLook } from '../../src/paint/theme.ts';
import type { State, View } from '../../src/state/model.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { bottomLines, footLine, headLine, queryLine, titleLine } from '../../src/ui/chrome.ts';
import { inRows, rows } from '../support/shield.ts';
import { played } from '../support/state.ts';

const look = createLook('mono', false, true);

/** All that a key paints. */
function painted(state: State): void {
  titleLine(state, look);
  headLine(state, look);
  queryLine(state, look);
  bodyLines(state, look);
  footLine(state, look);
  bottomLines(state, look);
}

/** A list that counts how often one of its lines is looked at. */
function counted<T extends object>(lines: readonly T[]): { lines: readonly T[]; looks: () => number } {
  let looks = 0;
  const spied = lines.map(
    (line) =>
      new Proxy(line, {
        get(target, name) {
          looks++;
          return Reflect.get(target, name);
        },
      }),
  );
  return { lines: spied, looks: () => looks };
}

/** Looks at lines for each of the keys, once what a list is looked through for once has been. */
function costs(state: State, looks: () => number, keys: readonly CommandId[]): number[] {
  painted(state);
  let now = state;
  return keys.map((key) => {
    const before = looks();
    now = played(now, key).state;
    painted(now);
    return looks() - before;
  });
}

function withTop(state: State, view: View): State {
  return { ...state, views: [...state.views.slice(0, -1), view] };
}

/** The events of a question that is read whole. */
function rowsState(total: number): { state: State; looks: () => number } {
  const view = rows(inRows(1));
  const [first] = view.rows.rows;
  assert.ok(first);
  const all: ShieldRow[] = Array.from({ length: total }, (_, n) => ({
    ...first,
    id: `n${n}`,
    at: first.at - n,
    fields: { ...first.fields, ip: `192.0.2.${n % 5}` },
  }));
  const { lines, looks } = counted(all);
  const list = { ...view.rows, rows: lines, shown: lines };
  return { state: withTop(inRows(1), { ...view, rows: list, needle: '192.0.2.3' }), looks };
}

const KEYS = [
  'down',
  'up',
  'pageDown',
  'pageUp',
  'last',
  'first',
  'right',
  'left',
  'findNext',
  'localTime',
] as const;

test('a key over fifty thousand events looks at as many of them as over two hundred', () => {
  const few = rowsState(200);
  const many = rowsState(50_000);
  assert.deepEqual(costs(many.state, many.looks, KEYS), costs(few.state, few.looks, KEYS));
});
