import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createStretching,
  type Note,
  notedGaps,
  notesAbout,
  underMark,
} from '../../src/store/noted-coverage.ts';

const RANGE = { from: 1_000, to: 9_000 };

function noted(state: Note['state'], from: number, to: number, more: Partial<Note> = {}): Note {
  return { zone: '7', from, to, state, missing: null, ...more };
}

function told(...notes: Note[]): string[] {
  return notedGaps(notes, ['7'], RANGE).map(
    ({ from, to, reason, rows }) => `${from}-${to} ${reason} ${rows}`,
  );
}

test('time of which nothing was noted is no time that was read', () => {
  assert.deepEqual(told(), ['1000-9000 notRead null']);
  assert.deepEqual(told(noted('read', 0, 5_000)), ['5000-9000 notRead null']);
  assert.deepEqual(told(noted('read', 0, 5_000), noted('read', 5_000, 99_000)), []);
});

test('a gap has its reason and its rows, until it is read', () => {
  const gap = noted('overload', 2_000, 3_000, { missing: 12 });
  const read = noted('read', 0, 99_000);
  assert.deepEqual(told(noted('read', 0, 2_000), gap, noted('read', 3_000, 9_000)), [
    '2000-3000 overload 12',
  ]);
  assert.deepEqual(told(gap, read), []);
});

test('what was read stays read whatever failed later, but not what was dropped', () => {
  const read = noted('read', 0, 99_000);
  assert.deepEqual(told(read, noted('failed', 2_000, 3_000)), []);
  const dropped = noted('retention', 0, 4_000, { zone: '' });
  assert.deepEqual(told(read, dropped), ['1000-4000 retention null']);
  assert.deepEqual(told(read, dropped, noted('read', 1_500, 2_000)), [
    '1000-1500 retention null',
    '2000-4000 retention null',
  ]);
});

test('what the engine may have taken is a gap where it was here, and elsewhere the reason from before holds', () => {
  const taken = noted('expired', 0, 4_000, { zone: '' });
  assert.deepEqual(told(noted('read', 0, 99_000), taken), ['1000-4000 expired null']);
  assert.deepEqual(told(noted('imported', 0, 3_000), noted('failed', 3_000, 5_000), taken), [
    '1000-3000 expired null',
    '3000-5000 failed null',
    '5000-9000 notRead null',
  ]);
  assert.deepEqual(told(noted('read', 0, 99_000), taken, noted('read', 0, 2_000)), [
    '2000-4000 expired null',
  ]);
});

test('imported time is here, and yet nobody says that it is all: what is read of the platform is', () => {
  const imported = noted('imported', 0, 5_000);
  assert.deepEqual(told(imported, noted('failed', 2_000, 3_000)), [
    '1000-5000 imported null',
    '5000-9000 notRead null',
  ]);
  assert.deepEqual(told(noted('read', 0, 3_000), imported), [
    '3000-5000 imported null',
    '5000-9000 notRead null',
  ]);
  assert.deepEqual(told(imported, noted('retention', 0, 3_000), noted('read', 3_000, 9_000)), [
    '1000-3000 retention null',
  ]);
});

test('two files that follow each other leave no gap, whatever lies between their rows, and time that nobody read does', () => {
  const first = noted('imported', 0, 2_001);
  assert.deepEqual(told(first, noted('imported', 2_010, 9_000)), ['1000-9000 imported null']);
  // Where `keep` went on with what a file ended with.
  assert.deepEqual(told(first, noted('read', 2_900, 9_000)), ['1000-2900 imported null']);
  assert.deepEqual(told(first, noted('imported', 3_001, 9_000)), [
    '1000-2001 imported null',
    '2001-3001 notRead null',
    '3001-9000 imported null',
  ]);
  // What a file says that it lacks, the end of what is known, and time between two readings.
  assert.deepEqual(told(first, noted('overload', 2_001, 2_010), noted('imported', 2_010, 9_000)), [
    '1000-2001 imported null',
    '2001-2010 overload null',
    '2010-9000 imported null',
  ]);
  assert.deepEqual(told(noted('imported', 0, 8_990)), ['1000-8990 imported null', '8990-9000 notRead null']);
  assert.deepEqual(told(noted('read', 0, 2_000), noted('read', 2_010, 9_000)), ['2000-2010 notRead null']);
});

test('what was noted of another zone says nothing of this one', () => {
  assert.deepEqual(told(noted('read', 0, 99_000, { zone: '8' })), ['1000-9000 notRead null']);
});

test('a reading says of its time that it was read, but for its gaps; one that failed knows its gaps alone', () => {
  const gap = (from: number, to: number) => ({ id: 'g', from, to, reason: 'overload' as const, rows: 3 });
  const about = (read: { from: number; to: number } | null, ...gaps: ReturnType<typeof gap>[]) =>
    notesAbout('7', read, gaps).map(({ from, to, state, missing }) => `${from}-${to} ${state} ${missing}`);
  assert.deepEqual(about({ from: 10, to: 90 }), ['10-90 read null']);
  assert.deepEqual(about({ from: 10, to: 90 }, gap(60, 200), gap(0, 20), gap(15, 18)), [
    '10-20 overload 3',
    '15-18 overload 3',
    '20-60 read null',
    '60-90 overload 3',
  ]);
  assert.deepEqual(about({ from: 10, to: 90 }, gap(0, 10), gap(90, 99)), ['10-90 read null']);
  assert.deepEqual(about(null, gap(60, 200)), ['60-200 overload 3']);
  assert.deepEqual(told(...notesAbout('7', { from: 0, to: 9_000 }, [gap(2_000, 3_000)])), [
    '2000-3000 overload 3',
  ]);
});

test('what goes on is one note that takes the place of the one before, as long as it says the same under one mark', () => {
  const stretched = createStretching();
  const said = (mark: number, ...notes: Note[]) =>
    stretched(underMark(notes, mark)).map(({ zone, from, to, state }) => `${zone} ${from}-${to} ${state}`);
  assert.deepEqual(said(1, noted('read', 0, 60), noted('failed', 60, 80)), ['7 0-60 read', '7 60-80 failed']);
  assert.deepEqual(said(1, noted('failed', 80, 120), noted('read', 0, 60, { zone: '8' })), [
    '7 60-120 failed',
    '8 0-60 read',
  ]);
  // What lies between is not read, and what was noted is noted again where it is not known to be stored.
  assert.deepEqual(said(1, noted('read', 120, 180), noted('read', 120, 180), noted('read', 180, 240)), [
    '7 120-180 read',
    '7 120-180 read',
    '7 120-240 read',
  ]);
  // A number is of its own time, and what was dropped between two marks stays dropped.
  assert.deepEqual(said(1, noted('failed', 120, 180, { missing: 3 })), ['7 120-180 failed']);
  assert.deepEqual(said(2, noted('read', 240, 300)), ['7 240-300 read']);
  assert.deepEqual(said(2, noted('read', 300, 360)), ['7 240-360 read']);
});
