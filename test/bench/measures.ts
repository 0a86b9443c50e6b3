import { setTimeout as sleep } from 'node:timers/promises';
import { openTerminal, type Terminal } from '../support/terminal.ts';
import { median, percentile } from './figures.ts';
import { changedCells, idealBytes } from './ideal-bytes.ts';
import type { Program } from './programs.ts';

export type Size = { columns: number; rows: number };
export type KeyCost = {
  /** From the key to the last byte of the answer. */
  settledP50: number;
  settledP99: number;
  /** Medians of a key press that changed the screen. */
  bytes: number;
  ideal: number;
  cells: number;
  /** All bytes over all ideal bytes. */
  amplification: number;
  unanswered: number;
};
export type FlowCost = { bytesPerSecond: number; cpuPercent: number; rssMb: number; anonMb: number };

// Quiet for longer than a frame at 30 a second and than a pause for garbage.
const QUIET_MS = 100;
const READY_MS = 60_000;

/** Starts a program and lets it paint; gives the time to the first screen that shows what it is for, in ms. */
export async function started(
  program: Program,
  size: Size,
): Promise<{ terminal: Terminal; readyMs: number }> {
  const { command, args, home, link, env = {} } = program;
  const terminal = await openTerminal({
    command,
    args,
    env: { COLORTERM: 'truecolor', ...env },
    ...(home === undefined ? {} : { home }),
    ...(link === undefined ? {} : { link }),
    ...size,
  });
  try {
    await terminal.waitFor(program.ready, { timeout: READY_MS, what: `${program.name} to be ready` });
    return { terminal, readyMs: performance.now() - terminal.startedAt };
  } catch (error) {
    await terminal.close();
    throw error;
  }
}

export async function startTime(program: Program, size: Size): Promise<number> {
  const { terminal, readyMs } = await started(program, size);
  await terminal.close();
  return readyMs;
}

/** A start and an end before the ones that are measured: a program may keep compiled code in its home as it ends. */
export async function startedOnce(program: Program, size: Size): Promise<void> {
  const { terminal } = await started(program, size);
  await terminal.type('q<C-c>');
  await terminal.exit(2000).catch(() => {});
  await terminal.close();
}

/** Presses each of `keys` in turn, `times` over, each after the answer to the one before is complete. */
export async function keyCost(terminal: Terminal, keys: readonly string[], times: number): Promise<KeyCost> {
  const settled: number[] = [];
  const bytes: number[] = [];
  const ideals: number[] = [];
  const cells: number[] = [];
  let unanswered = 0;
  await terminal.quiet(QUIET_MS);
  for (const key of Array.from({ length: times }, () => keys).flat()) {
    const before = terminal.grid();
    const mark = terminal.mark();
    await terminal.type(key);
    await quiet(terminal, mark.at);
    const answer = terminal.since(mark);
    if (answer.lastMs === null) {
      unanswered++;
      continue;
    }
    const after = terminal.grid();
    settled.push(answer.lastMs);
    bytes.push(answer.bytes);
    ideals.push(idealBytes(before, after));
    cells.push(changedCells(before, after));
  }
  return {
    settledP50: percentile(settled, 50),
    settledP99: percentile(settled, 99),
    bytes: median(bytes),
    ideal: median(ideals),
    cells: median(cells),
    amplification: sum(bytes) / sum(ideals),
    unanswered,
  };
}

/** A key held down at the rate of a keyboard's repeat. */
export async function heldKey(
  terminal: Terminal,
  key: string,
  seconds: number,
): Promise<FlowCost & { bytesPerKey: number }> {
  const [rate, total] = [30, 30 * seconds];
  await terminal.quiet(QUIET_MS);
  const start = performance.now();
  const flow = flowFrom(terminal);
  for (let i = 0; i < total; i++) {
    await sleep(Math.max(0, start + (i * 1000) / rate - performance.now()));
    await terminal.type(key);
  }
  await terminal.quiet(QUIET_MS);
  const cost = flow();
  return { ...cost, bytesPerKey: cost.bytes / total };
}

/** What a program costs that is left alone for `seconds`. */
export async function flowCost(terminal: Terminal, seconds: number): Promise<FlowCost> {
  const flow = flowFrom(terminal);
  await sleep(seconds * 1000);
  return flow();
}

function flowFrom(terminal: Terminal): () => FlowCost & { bytes: number } {
  const mark = terminal.mark();
  const { cpuMs } = terminal.usage();
  return () => {
    const elapsed = performance.now() - mark.at;
    const usage = terminal.usage();
    const { bytes } = terminal.since(mark);
    return {
      bytes,
      bytesPerSecond: (bytes * 1000) / elapsed,
      cpuPercent: ((usage.cpuMs - cpuMs) * 100) / elapsed,
      rssMb: usage.rssMb,
      anonMb: usage.anonMb,
    };
  };
}

// Quiet counts from the key, so that a slow answer is not taken for none.
async function quiet(terminal: Terminal, from: number): Promise<void> {
  await sleep(Math.max(0, from + QUIET_MS - performance.now()));
  await terminal.quiet(QUIET_MS);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
