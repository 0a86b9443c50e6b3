import assert from 'node:assert/strict';
import type { Simulator } from '../support/simulator/server.ts';
import type { Terminal } from '../support/terminal.ts';
import { type Run, type Scene, ZONE } from './scene.ts';

export type ToldGap = { from: number; to: number; reason: string };
export type Tally = { printed: number; inGaps: number; lost: number; doubled: number };

/** The most that the platform allows a pull zone within 10 s. */
const LIMIT = 30;

/** What holds at the end of every scene, whatever it did. */
export function checkScene(scene: Scene): void {
  for (const simulator of scene.simulators) {
    const { elsewhere, maxInWindow } = simulator.stats();
    assert.equal(elsewhere.requests, 0, 'nothing is asked where a redirect leads');
    for (const [zone, most] of Object.entries(maxInWindow)) {
      assert.ok(most <= LIMIT, `${most} requests for ${zone} within 10 s`);
    }
  }
  const secrets = new Set(scene.simulators.flatMap((simulator) => simulator.secrets));
  for (const { what, text } of scene.seen) {
    const said = text();
    assert.doesNotMatch(said, /canary-/, `a secret in ${what}`);
    for (const secret of secrets) assert.ok(!said.includes(secret), `a secret in ${what}`);
    assert.doesNotMatch(said, /\n\s+at .*(?:node:|\.js|edgescope):\d+/, `a stack trace in ${what}`);
  }
}

/** The terminal as it was before the program. */
export function checkTerminal(terminal: Terminal): void {
  assert.partialDeepStrictEqual(terminal.modes(), {
    alternateScreen: false,
    cursorVisible: true,
    bracketedPaste: false,
    mouse: false,
    wraparound: true,
    synchronised: false,
    raw: false,
    echo: true,
  });
  // Leaving ends a link that may be open.
  const events = terminal.events.filter(({ kind, text }) => kind !== 'osc' || text !== '8;;');
  assert.deepEqual(events, [], 'no title, bell, reply, clipboard or link');
}

/** What was printed or written, line by line. */
export type Lines = Pick<Run, 'lines'>;

export function gapsOf(run: Lines): ToldGap[] {
  return run.lines().flatMap((line) => {
    const gap = line['_gap'] as { from: string; to: string; reason: string } | undefined;
    return gap === undefined
      ? []
      : [{ from: Date.parse(gap.from), to: Date.parse(gap.to), reason: gap.reason }];
  });
}

export function idsOf(run: Lines): string[] {
  return run.lines().flatMap((line) => (typeof line['requestId'] === 'string' ? [line['requestId']] : []));
}

/** The time of the newest row that was printed; 0 without any. */
export function newestOf(run: Lines): number {
  return run.lines().reduce((newest, line) => {
    const time = Date.parse(String(line['timestamp']));
    return Number.isNaN(time) ? newest : Math.max(newest, time);
  }, 0);
}

/** Every row of the server's own truth was printed once or lies in a gap that was told; gaps are sound. */
export function checkRows(
  run: Lines,
  simulator: Simulator,
  range: { from: number; to: number },
  timeOf: (at: number) => number = (at) => at,
): Tally {
  const zone = simulator.zones.find((each) => each.name === ZONE);
  const ids = idsOf(run);
  const printed = new Set(ids);
  const gaps = gapsOf(run);
  for (const gap of gaps) assert.ok(gap.from < gap.to, `an empty gap ${JSON.stringify(gap)}`);
  for (const [i, gap] of gaps.entries()) {
    for (const other of gaps.slice(i + 1)) {
      assert.ok(
        other.to <= gap.from || other.from >= gap.to,
        `a gap told twice: ${JSON.stringify([gap, other])}`,
      );
    }
  }
  const missing = simulator
    .truth(String(zone?.id), range.from, range.to)
    .filter(({ entry }) => !printed.has(entry.requestId));
  const isTold = (time: number) => gaps.some((gap) => time >= gap.from && time < gap.to);
  const lost = missing.filter(({ at }) => !isTold(timeOf(at)));
  const tally = {
    printed: ids.length,
    inGaps: missing.length - lost.length,
    lost: lost.length,
    doubled: ids.length - printed.size,
  };
  assert.equal(tally.doubled, 0, 'a row was printed twice');
  assert.deepEqual(
    lost.slice(0, 3).map(({ at }) => new Date(at).toISOString()),
    [],
    `${lost.length} rows of ${tally.printed} are lost without a word`,
  );
  return tally;
}
