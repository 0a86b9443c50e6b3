import assert from 'node:assert/strict';
import type { ArrivedRow } from '../../src/domain/logs/log-rows.ts';
import type { TailReport } from '../../src/domain/tail/tail-report.ts';
import type { State } from '../../src/state/model.ts';
import { type Timeline, timelineOf } from '../../src/state/timeline/timeline.ts';
import { toldBy } from './several-zones.ts';
import { followedState, NOON, played, rowsOf } from './state.ts';

export function timeline(state: State): Timeline {
  const made = timelineOf(state);
  assert.ok(made);
  return made;
}

/** Seconds after noon as a range of time. */
export function seconds(from: number, to: number): { from: number; to: number } {
  return { from: NOON + from * 1000, to: NOON + to * 1000 };
}

/** A log that is followed and was read from noon on, `until` so many seconds after it; a row a second, each tenth a 503. */
export function liveLog(until: number, more: Partial<State> = {}): State {
  const state = { ...followedState([]), now: NOON + until * 1000, ...more };
  return told(state, rowsOf(0, until), until);
}

/** The log of `liveLog` with more rows, read until then. */
export function told(state: State, rows: ArrivedRow[], until: number, more: Partial<TailReport> = {}): State {
  const read = [seconds(0, until)];
  return played(state, toldBy(state, '1', rows, { read, completeTo: NOON + until * 1000, ...more })).state;
}

/** The steps as their totals, `-` for one that has not come, `/` for one not read, `x` for a gap, `+` behind what is at least. */
export function drawn(state: State): string {
  const { cover, totals } = timeline(state);
  return cover.map((each, at) => COVERS[each].replace('n', String(totals[at]))).join(' ');
}

const COVERS = { read: 'n', part: 'n+', open: 'n+', unread: '/', gap: 'x', ahead: '-' } as const;
