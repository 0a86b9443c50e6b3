import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { printedRow, printedRows, savedFile } from '../effects/support/saved.ts';
import { KEPT_CODE } from '../support/environment.ts';
import { ownFolder } from '../support/own-folder.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/edgescope', import.meta.url));

type Ended = { code: number | null; stdout: string; stderr: string; peakMb: number };
type Running = {
  ended: Promise<Ended>;
  kill: (signal?: NodeJS.Signals) => void;
  said: (pattern: RegExp) => Promise<void>;
};

/** The program in a pipe, without any account. `input`: its standard input; `nap`: between two reads of its output, ms. */
function start(t: TestContext, args: string[], input = '', nap = 0): Running {
  const home = ownFolder(t);
  const child = spawn(PROGRAM, ['open', ...args], {
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: home,
      XDG_RUNTIME_DIR: home,
      ...KEPT_CODE,
    },
  });
  t.after(() => child.kill('SIGKILL'));
  const ended: Ended = { code: null, stdout: '', stderr: '', peakMb: 0 };
  const listeners = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    ended.stdout += text;
    for (const listener of listeners) listener();
    if (nap === 0) return;
    child.stdout.pause();
    setTimeout(() => child.stdout.resume(), nap);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    ended.stderr += text;
    for (const listener of listeners) listener();
  });
  const watch = setInterval(() => {
    ended.peakMb = Math.max(ended.peakMb, peakOf(child.pid ?? 0));
  }, 10);
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return {
    ended: new Promise((resolve) =>
      child.on('close', (code) => {
        clearInterval(watch);
        resolve({ ...ended, code });
      }),
    ),
    kill: (signal = 'SIGINT') => child.kill(signal),
    said: (pattern) =>
      new Promise((resolve) => {
        const look = () => {
          if (!pattern.test(ended.stdout + ended.stderr)) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
  };
}

function open(t: TestContext, args: string[], input = ''): Promise<Ended> {
  return start(t, args, input).ended;
}

/** The most memory that a process has had resident so far, MB; 0 where that cannot be told. */
function peakOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

const rowsOf = ({ stdout }: Ended) =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test('a file that grows is printed on with -f until it is interrupted', async (t) => {
  const file = savedFile(t, printedRows(0, 2));
  const running = start(t, [file, '-f']);
  await running.said(/"\/p\/1"/);
  appendFileSync(file, printedRow(2));
  await running.said(/"\/p\/2"/);
  running.kill();
  const ended = await running.ended;
  assert.deepEqual([ended.code, ended.stdout], [130, printedRows(0, 3)]);
});

test('an interrupt leaves whole lines to a slow reader, and says that there is more', async (t) => {
  const { ended, kill, said } = start(t, [savedFile(t, printedRows(0, 50_000))], '', 10);
  await said(/\n/);
  kill();
  const { code, stdout, stderr } = await ended;
  assert.equal(code, 130);
  assert.ok(stdout.endsWith('}\n'), stdout.slice(-80));
  assert.match(stderr, /^edgescope: interrupted; .* not printed\n$/);
});

test('what somebody else writes ends at a signal and after its limit, although its writer stays', async (t) => {
  const fifo = `${ownFolder(t)}/pipe`;
  spawnSync('mkfifo', [fifo]);
  const writer = spawn('sh', ['-c', 'exec 3<>"$0"; cat >&3; exec sleep 600', fifo]);
  t.after(() => writer.kill('SIGKILL'));
  for (const [form, signal, code] of [
    [[], 'SIGINT', 130],
    [['-f'], 'SIGTERM', 143],
    [['--format', 'table'], 'SIGINT', 130],
  ] as const) {
    const running = start(t, [fifo, ...form]);
    writer.stdin.write(printedRows(0, 5));
    await running.said(/\/p\/4/);
    running.kill(signal);
    assert.equal((await running.ended).code, code, `${form} ${signal}`);
  }
  for (const form of [[], ['-f']]) {
    const running = start(t, [fifo, ...form, '--limit', '5']);
    writer.stdin.write(printedRows(0, 5));
    const ended = await running.ended;
    assert.deepEqual([ended.code, rowsOf(ended).length], [0, 5]);
    assert.match(ended.stderr, /stopped after 5 rows/);
  }
  const refused = await open(t, [fifo, 'last:5m']);
  assert.match(refused.stderr, /a stream tells that only at its end/);
});

test('an interrupt is heard while much is unpacked of little', async (t) => {
  const lines = 1_000_000;
  const { ended, kill, said } = start(t, [savedFile(t, gzipSync('{}\n'.repeat(lines)))]);
  await said(/\n/);
  kill();
  const { code, stdout, stderr } = await ended;
  assert.equal(code, 130);
  assert.ok(stdout.split('\n').length < lines / 2, `${stdout.length} characters were printed before the end`);
  assert.match(stderr, /^edgescope: interrupted/);
});

test('memory stays flat: ten times the rows take no more of it', async (t) => {
  const folder = ownFolder(t);
  const peak = async (rows: number) => {
    const file = `${folder}/${rows}.ndjson`;
    writeFileSync(file, printedRows(0, rows));
    const { peakMb, stdout } = await open(t, [file, 'status:503', '--limit', '1000000']);
    assert.equal(stdout.split('\n').length - 1, rows / 10);
    return peakMb;
  };
  const [few, many] = [await peak(10_000), await peak(100_000)];
  assert.ok(many < 200 && many < few + 60, `${few.toFixed(0)} MB, then ${many.toFixed(0)} MB`);
});
