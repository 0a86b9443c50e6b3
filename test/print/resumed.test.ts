import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { createOutput } from '../../src/print/output.ts';
import { systemClock } from '../../src/time/clock.ts';
import { withNthWrite } from '../faults/nth/failing-disk.ts';
import { ownFolder } from '../support/own-folder.ts';
import { bench, linesOfText, settledWindow, ZONE } from './support.ts';

type Bench = Awaited<ReturnType<typeof bench>>;

/** Prints to the end of a file with a place; null where a disk did not take it all, with which the program ends. */
async function appended(
  printed: Bench['printed'],
  args: readonly string[],
  { file, path, flags = 'a' }: { file: string; path: string; flags?: string },
) {
  const fd = openSync(path, flags);
  const full = Promise.withResolvers<never>();
  full.promise.catch(() => {});
  const stdout = Object.assign(new Writable(), { fd });
  const output = createOutput(stdout, systemClock, (fault) => full.reject(new Error(`${fault}`)));
  const write = (text: string) => Promise.race([output.write(text), full.promise]);
  try {
    return await printed([...args, '--resume', file], { descriptor: fd, write });
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}

test('a read that was killed while it wrote the head of a table prints it when it goes on', async (t) => {
  const folder = ownFolder(t);
  const file = join(folder, 'place');
  const { printed } = bench();
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
  const folder = ownFolder(t);
  const { printed } = bench();
  const args = ['logs', ZONE, ...settledWindow(3).args];
  const whole = await printed(args);
  let troubles = 0;
  for (const fault of ['short', 'torn', 'ENOSPC'] as const) {
    for (let nth = 1; nth <= 9; nth++) {
      const [file, path] = [join(folder, `place-${fault}-${nth}`), join(folder, `rows-${fault}-${nth}`)];
      let code: number | null = null;
      await withNthWrite(nth, fault, async () => {
        code = (await appended(printed, args, { file, path }))?.code ?? null;
      });
      if (code !== 0) {
        troubles += 1;
        const { output = null } = nth > 1 ? JSON.parse(readFileSync(file, 'utf8')) : {};
        assert.ok((output?.size ?? 0) <= readFileSync(path).length, `${fault}, write ${nth}`);
        assert.equal(
          (await appended(printed, args, { file, path }))?.code ?? null,
          0,
          `${fault}, write ${nth}`,
        );
      }
      assert.ok(
        readFileSync(path, 'utf8') === whole.out,
        `${fault}, write ${nth}: rows are not those of one run`,
      );
    }
  }
  assert.ok(troubles > 10, `${troubles} runs met a disk that was full`);
});

const CHANGES: Record<string, [change: (rows: Buffer) => Buffer, said: RegExp | null]> = {
  'was copied to another disk': [(rows) => Buffer.from(rows), null],
  'lost a line': [(rows) => rows.subarray(rows.indexOf('\n') + 1), /is shorter than what was written/],
  'lost a line and got another': [
    (rows) => {
      const line = rows.subarray(0, rows.indexOf('\n') + 1);
      return Buffer.concat([rows.subarray(line.length), line]);
    },
    /is not what was written to it/,
  ],
  'was edited in place': [
    (rows) => {
      const edited = Buffer.from(rows);
      edited.write('0', rows.indexOf('"statusCode":') + 13);
      return edited;
    },
    /is not what was written to it/,
  ],
  'was replaced by a longer one': [
    (rows) => Buffer.alloc(rows.length + 1_000, 'x\n'),
    /is not what was written to it/,
  ],
  'is empty': [() => Buffer.alloc(0), /is shorter than what was written/],
};

test('an output that something else changed is refused by its content, and left as it is', async (t) => {
  const folder = ownFolder(t);
  const { printed } = bench();
  const args = ['logs', ZONE, ...settledWindow(3).args];
  const whole = await printed(args);
  const [file, path] = [join(folder, 'place'), join(folder, 'rows')];
  await withNthWrite(7, 'torn', async () => {
    assert.equal(await appended(printed, args, { file, path }), null);
  });
  const [place, rows] = [readFileSync(file), readFileSync(path)];
  const { size } = JSON.parse(String(place)).output;
  assert.ok(size > 0 && size < rows.length, 'the second piece is there in part');
  for (const [what, [change, said]] of Object.entries(CHANGES)) {
    // Another file each time: that it is the same one proves nothing.
    const other = join(folder, what);
    const changed = change(rows.subarray(0, size));
    writeFileSync(other, changed);
    writeFileSync(file, place, { mode: 0o600 });
    const run = await appended(printed, args, { file, path: other });
    assert.equal(run?.code, said === null ? 0 : 2, `${what}: ${run?.err}`);
    if (said === null) assert.ok(readFileSync(other, 'utf8') === whole.out, what);
    else assert.ok(said.test(run?.err ?? '') && readFileSync(other).equals(changed), `${what}: ${run?.err}`);
    if (said !== null) assert.ok(readFileSync(file).equals(place), what);
  }
});

test('an output into whose beginning the rows would go is not gone on with', async (t) => {
  const folder = ownFolder(t);
  const { printed } = bench();
  const args = ['logs', ZONE, ...settledWindow(3).args];
  const [file, path] = [join(folder, 'place'), join(folder, 'rows')];
  await withNthWrite(7, 'ENOSPC', async () => void (await appended(printed, args, { file, path })));
  const before = JSON.parse(readFileSync(file, 'utf8')).doneTo;
  const run = await appended(printed, args, { file, path, flags: 'r+' });
  assert.equal(run?.code, 1);
  assert.match(run?.err ?? '', /into its middle; it is not gone on with/);
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).doneTo, before);
});
