import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { json, logPage, tinyServer } from './support.ts';

/** The server's window, ms: a tenth of the real one, so that the test sees several of them. */
const WINDOW = 1_000;
const LIMIT = 30;
const FACTOR = WINDOW / 10_000;
/** How far the clock of each process is ahead, ms: an hour, a container that was started just now, and less than a window. */
const SHIFTS = [0, 3_600_000, -3_600_000, -700];
const PROCESSES = SHIFTS.length;
/** With them what was compiled for one process serves the next. */
const HOOKS = join(import.meta.dirname, '..', 'support', 'register.mjs');
/** A killed process's slots are free again after the total timeout and one window: 30 s, scaled. */
const LEASE = 30_000 * FACTOR;

/** Arrivals as the server sees them; `held` are answers that wait, so that every process has requests under way. */
type Seen = { arrivals: number[]; refused: number; most: number; held: (() => void)[] | null };

test('four processes of as many clocks hammering one zone, one of them killed, stay within what the server counts', async () => {
  const seen: Seen = { arrivals: [], refused: 0, most: 0, held: null };
  const server = await tinyServer((_request, response) => {
    const now = performance.now();
    seen.arrivals.push(now);
    const counted = countSince(seen.arrivals, now - WINDOW);
    seen.most = Math.max(seen.most, counted);
    if (counted > LIMIT) seen.refused += 1;
    const refused = { error: { code: 'rate_limited', message: 'too many' } };
    const answer = () => (counted > LIMIT ? json(response, refused, 429) : json(response, logPage([])));
    // Unevenly, so that the processes do not keep step.
    if (seen.held === null) setTimeout(answer, (seen.arrivals.length * 37) % 61);
    else seen.held.push(answer);
  });
  const runtime = await mkdtemp(join(tmpdir(), 'edgescope-quota-'));
  const hammer = join(import.meta.dirname, 'quota-hammer.ts');
  const children = SHIFTS.map((shift) => {
    const args = ['--import', HOOKS, hammer, server.url, runtime, String(FACTOR), String(shift)];
    return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  });
  try {
    await until(() => seen.arrivals.length >= 2 * LIMIT, 'two windows of requests');
    const held: (() => void)[] = [];
    seen.held = held;
    await until(() => held.length >= PROCESSES, 'a request of each process');
    children[0]?.kill('SIGKILL');
    seen.held = null;
    for (const answer of held) answer();
    const killedAt = performance.now();
    await until(() => performance.now() > killedAt + LEASE + WINDOW, 'the end of the lease');
    // Its slots are free again: a window is as full as before, as soon as the machine gives the others the time for it.
    const lastWindow = () => countSince(seen.arrivals, performance.now() - WINDOW);
    await until(() => lastWindow() >= 18, 'a full window');
    assert.equal(seen.refused, 0);
    assert.ok(seen.most <= LIMIT, `the server counted ${seen.most}`);
    assert.ok(children.slice(1).every((child) => child.exitCode === null));
  } finally {
    await Promise.all(children.map(end));
    await server.close();
    await rm(runtime, { recursive: true, force: true });
  }
});

function countSince(arrivals: readonly number[], since: number): number {
  let at = arrivals.length;
  while (at > 0 && (arrivals[at - 1] ?? 0) > since) at -= 1;
  return arrivals.length - at;
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
