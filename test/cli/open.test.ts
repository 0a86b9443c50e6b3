import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import hostile from '../data/hostile-strings.json' with { type: 'json' };
import { lineV1, printedRow, printedRows, savedFile, savedFolder } from '../effects/support/saved.ts';
import { KEPT_CODE } from '../support/environment.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/edgescope', import.meta.url));
const HOSTILE = (hostile as { input?: string }[]).flatMap(({ input }) =>
  input === undefined ? [] : [input],
);

type Ended = { code: number | null; stdout: string; stderr: string; peakMb: number };
type Running = {
  ended: Promise<Ended>;
  kill: (signal?: NodeJS.Signals) => void;
  said: (pattern: RegExp) => Promise<void>;
};

/** The program in a pipe, without any account. `input`: its standard input; `nap`: between two reads of its output, ms. */
function start(t: TestContext, args: string[], input = '', nap = 0): Running {
  const home = savedFolder(t);
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

test('what logs printed is printed again byte for byte, without any key', async (t) => {
  const text = printedRows(0, 3000);
  const ended = await open(t, [savedFile(t, text)]);
  assert.deepEqual([ended.code, ended.stderr, ended.stdout === text], [0, '', true]);
});

test('v1 lines, gzip and standard input give the shape that logs have', async (t) => {
  const plain = await open(t, [savedFile(t, lineV1(0))]);
  const packed = await open(t, [savedFile(t, gzipSync(lineV1(0)))]);
  const piped = await open(t, ['-'], lineV1(0));
  assert.equal(rowsOf(plain)[0].remoteIp, '192.0.2.7');
  assert.deepEqual([packed.stdout, piped.stdout], [plain.stdout, plain.stdout]);
});

test('terms, times and the limit choose among the rows', async (t) => {
  const file = savedFile(t, printedRows(0, 100));
  const failed = await open(t, [file, 'status:5xx', '-ip:192.0.2.2']);
  assert.deepEqual(
    rowsOf(failed).map((row) => row.path),
    ['/p/0', '/p/20', '/p/40', '/p/60', '/p/80'],
  );
  const window = await open(t, [file, 'from:2026-11-20T12:00:10', 'to:2026-11-20T12:00:12']);
  assert.deepEqual(
    rowsOf(window).map((row) => row.path),
    ['/p/10', '/p/11'],
  );
  const limited = await open(t, [file, '--limit', '3']);
  assert.equal(rowsOf(limited).length, 3);
  assert.match(limited.stderr, /stopped after 3 rows/);
});

test('last: counts from the newest row of all files; a stream cannot tell that before its end', async (t) => {
  const files = [savedFile(t, printedRows(0, 50)), savedFile(t, printedRows(50, 100))];
  const ended = await open(t, [...files, 'last:5s']);
  assert.deepEqual(
    rowsOf(ended).map((row) => row.path),
    ['/p/94', '/p/95', '/p/96', '/p/97', '/p/98', '/p/99'],
  );
  const piped = await open(t, ['-', 'last:5s'], printedRows(0, 10));
  assert.deepEqual([piped.code, piped.stdout], [2, '']);
  assert.match(piped.stderr, /use from: and to:/);
});

test('several files are merged by time, and zone: tells their rows apart', async (t) => {
  const rows = (from: number, zone: string) =>
    Array.from({ length: 3000 }, (_, i) => printedRow(from + 2 * i, { pullZoneId: zone })).join('');
  const files = [savedFile(t, rows(0, '1')), savedFile(t, rows(1, '2'))];
  const times = rowsOf(await open(t, files)).map((row) => row.timestamp);
  assert.equal(times.length, 6000);
  assert.deepEqual(times, times.toSorted());
  const one = rowsOf(await open(t, [...files, 'zone:2']));
  assert.deepEqual([one.length, new Set(one.map((row) => row.pullZoneId))], [3000, new Set([2])]);
  const groups = rowsOf(await open(t, [...files, 'by:zone'])) as unknown as {
    key: { zone: string };
    count: number;
  }[];
  assert.deepEqual(groups.map(({ key, count }) => [key.zone, count]).toSorted(), [
    ['1', 3000],
    ['2', 3000],
  ]);
});

test('a gap and a row that is not understood are printed as what they are', async (t) => {
  const gap =
    '{"_gap":{"from":"2026-11-20T12:00:01.000Z","to":"2026-11-20T12:00:02.000Z","reason":"offline","rows":null,"zone":4711}}';
  const ended = await open(t, [savedFile(t, `${printedRow(0)}${gap}\nnonsense\n${printedRow(3)}`)]);
  assert.equal(ended.stdout.split('\n')[1], gap);
  assert.equal(rowsOf(ended)[2]._raw, 'nonsense');
  assert.match(ended.stderr, /1 of 3 rows were not understood/);
  assert.equal(ended.code, 0);
});

test('a gzip file that is cut off is printed as far as it goes, and ends with 1', async (t) => {
  const packed = gzipSync(printedRows(0, 3000));
  const ended = await open(t, [savedFile(t, packed.subarray(0, packed.length - 20))]);
  assert.ok(rowsOf(ended).length > 1000);
  assert.match(ended.stderr, /cut off/);
  assert.equal(ended.code, 1);
});

test('what cannot be opened is wrong usage, in words', async (t) => {
  const none = await open(t, ['/nonexistent/day.log']);
  assert.deepEqual([none.code, none.stdout], [2, '']);
  assert.match(none.stderr, /there is no file '\/nonexistent\/day.log'/);
  const text = await open(t, [savedFile(t, ''), 'union']);
  assert.match(text.stderr, /free text goes after --/);
  assert.equal((await open(t, [])).code, 2);
  assert.match((await open(t, [savedFile(t, printedRow(0)), '--', 'P/0'])).stdout, /"\/p\/0"/);
});

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

test('-f ends when the limit is reached, and at once where it is 0', async (t) => {
  const path = savedFile(t, printedRows(0, 3));
  const three = await open(t, ['-f', path, '--limit', '3']);
  assert.deepEqual([three.code, rowsOf(three).length], [0, 3]);
  assert.match(three.stderr, /stopped after 3 rows, as --limit asks; there may be more/);
  const none = await open(t, ['-f', savedFile(t, ''), '--limit', '0']);
  assert.deepEqual([none.code, none.stdout], [0, '']);
  assert.match(none.stderr, /stopped after 0 rows/);
});

test('what somebody else writes ends at a signal and after its limit, although its writer stays', async (t) => {
  const fifo = `${savedFolder(t)}/pipe`;
  spawnSync('mkfifo', [fifo]);
  const writer = spawn('sh', ['-c', 'exec 3<>"$0"; cat >&3; exec sleep 600', fifo]);
  t.after(() => writer.kill('SIGKILL'));
  const forms: [string[], RegExp][] = [
    [[], /"\/p\/4"/],
    [['-f'], /"\/p\/4"/],
    [['--format', 'table'], /\/p\/4/],
  ];
  for (const [form, seen] of forms)
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const running = start(t, [fifo, ...form]);
      writer.stdin.write(printedRows(0, 5));
      await running.said(seen);
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

test('hostile text of a file reaches no pipe unescaped, and no secret at all', async (t) => {
  const canary = 'canary-77aa';
  const rows = HOSTILE.map((input, n) =>
    JSON.stringify({
      ...JSON.parse(printedRow(n)),
      userAgent: input,
      referer: `https://a.example/?token=${canary}`,
      authorizationHeader: canary,
    }),
  );
  const lines = HOSTILE.map((input, n) => lineV1(n).replace('curl/8.5.0', () => input.replaceAll('\n', ' ')));
  const broken = HOSTILE.map((input) => `{"timestamp":"${canary.length}","Authorization":"x"${input}`);
  const file = savedFile(t, `${[...rows, ...lines, ...broken].join('\n')}\n`);
  for (const format of ['ndjson', 'csv', 'table']) {
    const ended = await open(t, [file, '--format', format]);
    // The mark of a cut cell is ours.
    assert.match(ended.stdout, /^[\n -~…]*$/, format);
    assert.doesNotMatch(ended.stdout + ended.stderr, new RegExp(canary), format);
  }
});

test('memory stays flat: ten times the rows take no more of it', async (t) => {
  const folder = savedFolder(t);
  const peak = async (rows: number) => {
    const file = `${folder}/${rows}.ndjson`;
    writeFileSync(file, printedRows(0, rows));
    const { peakMb, stdout } = await open(t, [file, 'status:503', '--limit', '1000000']);
    assert.equal(stdout.split('\n').length - 1, rows / 10);
    return peakMb;
  };
  const [few, many] = [await peak(20_000), await peak(200_000)];
  assert.ok(many < 200 && many < few + 60, `${few.toFixed(0)} MB, then ${many.toFixed(0)} MB`);
});

test('by: counts the rows of files in a pipe, as it does those of a zone', async (t) => {
  const file = savedFile(t, printedRows(0, 1000));
  const ended = await open(t, [file, 'status:503', 'by:cache']);
  assert.deepEqual(
    rowsOf(ended).map(({ key, count }) => [key.cache, count]),
    [
      ['HIT', 66],
      ['MISS', 34],
    ],
  );
});
