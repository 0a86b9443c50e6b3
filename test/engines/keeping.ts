import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Simulator } from '../support/simulator/server.ts';

/** A `keep` of some zones as a program of its own, which kills itself at a batch; how it ended, and what it said. */
export async function keeping(
  engine: string,
  place: string,
  o: {
    sim: Simulator;
    zones: readonly string[];
    batch: number;
    moment: string;
    seconds: number;
    isShared?: boolean;
  },
): Promise<{ end: string | number | null; said: string }> {
  const program = join(import.meta.dirname, 'killed-followed.ts');
  const loader = join(import.meta.dirname, '..', 'support', 'register.mjs');
  const { sim, zones, batch, moment, seconds, isShared = false } = o;
  const words = [
    engine,
    place,
    batch,
    moment,
    seconds,
    JSON.stringify(sim),
    zones.join(','),
    isShared ? '--shared' : '',
  ];
  const child = spawn(process.execPath, ['--import', loader, program, ...words.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { end: signal ?? code, said };
}
