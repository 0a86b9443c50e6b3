import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { type IPty, spawn } from '@lydell/node-pty';
import { until } from '../support/until.ts';

type Flood = { pty: IPty; notes(): string[]; exited: Promise<{ exitCode: number; signal?: number }> };

function startFlood(t: TestContext): Flood {
  const folder = mkdtempSync(join(tmpdir(), 'edgescope-'));
  const report = join(folder, 'report');
  const pty = spawn(process.execPath, [join(import.meta.dirname, 'programs', 'flood.ts'), report], {
    cols: 120,
    rows: 40,
  });
  const exited = new Promise<{ exitCode: number; signal?: number }>((resolve) => pty.onExit(resolve));
  t.after(() => {
    try {
      pty.kill('SIGKILL');
    } catch {}
    rmSync(folder, { recursive: true, force: true });
  });
  const notes = (): string[] => {
    try {
      return readFileSync(report, 'utf8').trim().split('\n');
    } catch {
      return [];
    }
  };
  return { pty, notes, exited };
}

const frames = (note: string | undefined): number => Number(note?.split(' ')[1]);

test('a reader who stalls stops neither the program nor its end', async (t) => {
  const { pty, notes, exited } = startFlood(t);
  await until(() => notes().some((note) => frames(note) > 2), 'first frames');
  pty.pause();
  // The reader is stalled when beats go on and frames do not.
  await until(() => {
    const last = notes().slice(-25);
    return last.length === 25 && frames(last[0]) === frames(last.at(-1));
  }, 'a full terminal');
  const beats = notes().length;
  await until(() => notes().length > beats + 10, 'beats while nobody reads');
  pty.kill('SIGTERM');
  await until(() => notes().some((note) => note.startsWith('stopped')), 'the end');
  pty.resume();
  assert.equal((await exited).exitCode, 143);
});

test('a reader who goes on after a stall gets a whole frame again', async (t) => {
  const { pty, notes } = startFlood(t);
  await until(() => notes().some((note) => frames(note) > 2), 'first frames');
  pty.pause();
  await until(() => {
    const last = notes().slice(-25);
    return last.length === 25 && frames(last[0]) === frames(last.at(-1));
  }, 'a full terminal');
  const before = frames(notes().at(-1));
  pty.resume();
  await until(() => frames(notes().at(-1)) > before + 2, 'new frames');
});

test('a terminal that is gone is reported once', async (t) => {
  const { pty, notes } = startFlood(t);
  await until(() => notes().some((note) => frames(note) > 2), 'first frames');
  (pty as IPty & { destroy(): void }).destroy();
  await until(() => notes().includes('gone'), 'the report');
  const beats = notes().length;
  await until(() => notes().length > beats + 10, 'beats afterwards');
  assert.equal(notes().filter((note) => note === 'gone').length, 1);
});
