import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { createOutput } from '../../src/print/output.ts';
import { systemClock } from '../../src/time/clock.ts';
import { withNthWrite } from '../faults/nth/failing-disk.ts';
import { bench, linesOfText, settledWindow, ZONE } from './support.ts';

test('a read that was killed while it wrote the head of a table prints it when it goes on', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'edgescope-resumed-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'place');
  const { printed } = await bench(t);
  const args = ['logs', ZONE, ...settledWindow(1).args, '--format', 'csv', '--resume', file];
  const whole = await printed(args);
  assert.equal(whole.code, 0, whole.err);
  const state = JSON.parse(readFileSync(file, 'utf8'));
  const [head = ''] = linesOfText(whole.out);
  const pending = { to: state.from, bytes: head.length + 1 };
  const killed = { ...state, doneTo: state.from, rows: 0, bytes: 0, pending, isFinished: false };
  writeFileSync(file, JSON.stringify(killed));
  assert.equal((await printed(args)).out, whole.out);
});

test('the place is never ahead of an output whose disk takes less than it is given, and going on loses nothing', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'edgescope-resumed-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const { printed } = await bench(t);
  const args = ['logs', ZONE, ...settledWindow(3).args];
  const whole = await printed(args);
  let troubles = 0;
  for (const fault of ['short', 'torn', 'ENOSPC'] as const) {
    for (let nth = 1; nth <= 9; nth++) {
      const [file, path] = [join(folder, `place-${fault}-${nth}`), join(folder, `rows-${fault}-${nth}`)];
      const appended = async () => {
        const fd = openSync(path, 'a');
        const full = Promise.withResolvers<never>();
        full.promise.catch(() => {});
        const stdout = Object.assign(new Writable(), { fd });
        const output = createOutput(stdout, systemClock, (fault) => full.reject(new Error(`${fault}`)));
        // The program ends where a write never does.
        const write = (text: string) => Promise.race([output.write(text), full.promise]);
        const run = printed([...args, '--resume', file], { descriptor: fd, write });
        const done = await run.catch(() => null);
        closeSync(fd);
        return done?.code ?? null;
      };
      let code: number | null = null;
      await withNthWrite(nth, fault, async () => {
        code = await appended();
      });
      if (code !== 0) {
        troubles += 1;
        const { output = null } = nth > 1 ? JSON.parse(readFileSync(file, 'utf8')) : {};
        assert.ok((output?.size ?? 0) <= readFileSync(path).length, `${fault}, write ${nth}`);
        assert.equal(await appended(), 0, `${fault}, write ${nth}`);
      }
      assert.ok(
        readFileSync(path, 'utf8') === whole.out,
        `${fault}, write ${nth}: rows are not those of one run`,
      );
    }
  }
  assert.ok(troubles > 10, `${troubles} runs met a disk that was full`);
});
