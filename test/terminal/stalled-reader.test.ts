import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type IPty, spawn } from '@lydell/node-pty';

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

async function until(what: string, isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 15_000;
  while (!isTrue()) {
    assert.ok(performance.now() < end, `waited in vain for ${what}`);
    await sleep(10);
  }
}

const frames = (note: string | undefined): number => Number(note?.split(' ')[1]);

test('a reader who stalls stops neither the program nor its end', async (t) => {
  const { pty, notes, exited } = startFlood(t);
  await until('first frames', () => notes().some((note) => frames(note) > 2));
  pty.pause();
  // The reader is stalled when beats go on and frames do not.
  await until('a full terminal', () => {
    const last = notes().slice(-25);
    return last.length === 25 && frames(last[0]) === frames(last.at(-1));
  });
  const beats = notes().length;
  await until('beats while nobody reads', () => notes().length > beats + 10);
  pty.kill('SIGTERM');
  await until('the end', () => notes().some((note) => note.startsWith('stopped')));
  const took = Number(notes().at(-1)?.split(' ')[1]);
  assert.ok(took <= 1000, `stopping took ${took} ms`);
  pty.resume();
  assert.equal((await exited).exitCode, 143);
});

test('a reader who goes on after a stall gets a whole frame again', async (t) => {
  const { pty, notes } = startFlood(t);
  await until('first frames', () => notes().some((note) => frames(note) > 2));
  pty.pause();
  await until('a full terminal', () => {
    const last = notes().slice(-25);
    return last.length === 25 && frames(last[0]) === frames(last.at(-1));
  });
  const before = frames(notes().at(-1));
  pty.resume();
  await until('new frames', () => frames(notes().at(-1)) > before + 2);
});

test('a terminal that is gone is reported once', async (t) => {
  const { pty, notes } = startFlood(t);
  await until('first frames', () => notes().some((note) => frames(note) > 2));
  (pty as IPty & { destroy(): void }).destroy();
  await until('the report', () => notes().includes('gone'));
  const beats = notes().length;
  await until('beats afterwards', () => notes().length > beats + 10);
  assert.equal(notes().filter((note) => note === 'gone').length, 1);
});
