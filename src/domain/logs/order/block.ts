import { FOUND, HELD, MATCHES } from '../columns/log-columns.ts';
import { CHUNK_MASK } from '../columns/value-columns.ts';
import { noTraffic, type Traffic } from '../sums/traffic.ts';

/** Rows of a block; inserting a late row moves half of them on average. */
export const BLOCK_ROWS = 512;

/** A run of rows in order, `slots[head..tail)`, and the sums over them. */
export type Block = {
  slots: Uint32Array;
  head: number;
  tail: number;
  /** True = the slots are consecutive in one chunk; false says nothing. */
  isRun: boolean;
  /**
   * `made`: the filter decided which rows match. `due`: it did not, and none counts. `begun`: only rows since then
   * may count.
   */
  decision: 'made' | 'due' | 'begun';
  /** False = the three counts below are stale. */
  isCounted: boolean;
  /** Rows that match the filter; of these, rows not held back; of these, rows that the search found. */
  matched: number;
  shown: number;
  found: number;
  /** Slots of the shown rows, null = not listed yet. */
  listed: Uint32Array | null;
  /** Sums over the matched rows, null = not taken yet. */
  traffic: Traffic | null;
  /** Shown rows by parts of the last counted series, null = not counted yet. */
  mix: readonly number[] | null;
};

export function emptyBlock(): Block {
  return {
    slots: new Uint32Array(BLOCK_ROWS),
    head: 0,
    tail: 0,
    isRun: true,
    decision: 'made',
    isCounted: true,
    matched: 0,
    shown: 0,
    found: 0,
    listed: null,
    traffic: noTraffic(),
    mix: null,
  };
}

/** Moves the rows from a place on into a new block. */
export function splitOff(block: Block, from: number): Block {
  const later = emptyBlock();
  later.slots.set(block.slots.subarray(from, block.tail));
  later.tail = block.tail - from;
  block.tail = from;
  later.decision = block.decision;
  later.isRun = block.isRun;
  forgetSums(block);
  forgetSums(later);
  return later;
}

/** Drops the sums over its rows. */
export function forgetSums(block: Block): void {
  block.isCounted = false;
  block.listed = null;
  block.traffic = null;
  block.mix = null;
}

export function countStates(block: Block, states: Uint8Array, from: number, to: number): void {
  let matched = 0;
  let shown = 0;
  let found = 0;
  for (let row = from; row < to; row++) {
    const state = states[row] as number;
    if ((state & MATCHES) === 0) continue;
    matched++;
    if ((state & HELD) !== 0) continue;
    shown++;
    if ((state & FOUND) !== 0) found++;
  }
  block.matched += matched;
  block.shown += shown;
  block.found += found;
}

/** Inserts a slot into a block that has room, moving the shorter side. */
export function place(block: Block, position: number, slot: number): void {
  const { slots, head, tail } = block;
  if (tail > head) block.isRun &&= position === tail && isNext(slots[tail - 1] as number, slot);
  if (head > 0 && (position - head < tail - position || tail === BLOCK_ROWS)) {
    slots.copyWithin(head - 1, head, position);
    slots[position - 1] = slot;
    block.head = head - 1;
  } else {
    // Nearly all rows go behind the last, where there is nothing to move.
    if (position < tail) slots.copyWithin(position + 1, position, tail);
    slots[position] = slot;
    block.tail = tail + 1;
  }
}

/** Visits the runs of consecutive slots in one chunk between two places, each read as one range of its columns. */
export function eachRun(
  { slots, isRun }: Block,
  from: number,
  to: number,
  visit: (slot: number, count: number) => void,
): void {
  for (let first = from, end = from; first < to; first = end) {
    end = isRun ? to : first + 1;
    while (end < to && isNext(slots[end - 1] as number, slots[end] as number)) end++;
    visit(slots[first] as number, end - first);
  }
}

function isNext(slot: number, next: number): boolean {
  return next === slot + 1 && (next & CHUNK_MASK) !== 0;
}
