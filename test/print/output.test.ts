import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { test } from 'node:test';
import type { RequestEvent } from '../../src/domain/request-event.ts';
import { createBoundedOutput } from '../../src/print/follow/followed-output.ts';
import { createOutput } from '../../src/print/output.ts';
import { formattedLines } from '../../src/print/printed-lines.ts';
import { createProgressLine, progressText } from '../../src/print/progress.ts';
import { withRequestNotices } from '../../src/print/request-notices.ts';
import { DISK_FAULTS, withNthWrite } from '../faults/nth/failing-disk.ts';
import { ownFolder } from '../support/own-folder.ts';
import { recordWith } from '../support/rows.ts';
import { textTaker } from '../support/text-taker.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const record = (timestamp: number) => recordWith({ timestamp, pullZoneId: '1' });

test('what a reader cannot take in time is dropped, counted, and told as a gap before the next rows', async () => {
  const sent: string[] = [];
  const waiting: (() => void)[] = [];
  const send = (text: string) => {
    sent.push(text);
    return new Promise<void>((resolve) => waiting.push(resolve));
  };
  const out = createBoundedOutput(send, formattedLines('ndjson'), { most: 500 });
  out.add(Array.from({ length: 10 }, (_, at) => record(at)));
  for (let at = 10; at < 5_000; at++) out.add([record(at)]);
  assert.equal(sent.length, 1);
  for (const take of waiting.splice(0)) take();
  await Promise.resolve();
  out.add([record(5_000)]);
  assert.deepEqual(JSON.parse(sent[1] ?? ''), {
    _gap: {
      from: new Date(10).toISOString(),
      to: new Date(5_000).toISOString(),
      reason: 'overload',
      rows: 4_990,
    },
  });
  assert.equal(JSON.parse(sent[2] ?? '').timestamp, new Date(5_000).toISOString());
});

test('what a slow reader loses of several zones is a gap of each', async () => {
  const sent: string[] = [];
  const taken = Promise.withResolvers<void>();
  const send = (text: string) => {
    sent.push(text);
    return taken.promise;
  };
  const zoneOf = ({ pullZoneId }: { pullZoneId: string }) => pullZoneId;
  const out = createBoundedOutput(send, formattedLines('ndjson'), { most: 10, zoneOf });
  out.add([record(0)]);
  for (const [at, pullZoneId] of ['7', '8', '7'].entries()) out.add([{ ...record(10 + at), pullZoneId }]);
  taken.resolve();
  await out.done();
  const gaps = sent.slice(1).map((line) => JSON.parse(line)._gap);
  assert.deepEqual(
    gaps.map(({ zone, from, to, rows }) => [zone, Date.parse(from), Date.parse(to), rows]),
    [
      [7, 10, 13, 2],
      [8, 11, 12, 1],
    ],
  );
});

test('a reader that went away ends quietly, a full disk is told by its name', async () => {
  for (const [code, told] of [
    ['EPIPE', null],
    ['ENOSPC', 'ENOSPC'],
  ] as const) {
    const stream = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error('no'), { code }));
      },
    });
    const ended = Promise.withResolvers<string | null>();
    const output = createOutput(stream, new VirtualClock(), ended.resolve);
    void output.write('rows\n');
    assert.equal(await ended.promise, told);
  }
});

test('what a file takes of a write in part is written on, and what it does not take is told', async (t) => {
  const folder = ownFolder(t);
  const lines = ['one\n', 'two\n', 'three\n'];
  for (const fault of DISK_FAULTS) {
    for (let nth = 1; nth <= lines.length; nth++) {
      const path = join(folder, `${fault}-${nth}`);
      const fd = openSync(path, 'w');
      const faults: (string | null)[] = [];
      let taken = 0;
      await withNthWrite(nth, fault, async () => {
        const output = createOutput(Object.assign(new Writable(), { fd }), new VirtualClock(), (told) =>
          faults.push(told),
        );
        for (const line of lines) {
          void output.write(line).then(() => {
            taken += 1;
          });
        }
        await Promise.resolve();
      });
      closeSync(fd);
      const text = readFileSync(path, 'utf8');
      const isWhole = fault === 'short';
      assert.deepEqual(faults, isWhole ? [] : [fault === 'EIO' ? 'EIO' : 'ENOSPC'], `${fault}, write ${nth}`);
      assert.equal(taken, isWhole ? lines.length : nth - 1);
      if (isWhole) assert.equal(text, lines.join(''));
      else assert.ok(text.startsWith(lines.slice(0, taken).join('')) && lines.join('').startsWith(text));
    }
  }
});

test('progress is one line that is written over itself and erased, and nothing where nobody watches', () => {
  const range = { from: 0, to: 1_000 };
  const quota = { used: 25, cap: 30, isSpent: true, frozenUntil: null, degraded: false };
  const progress = { range, readTo: 250, rows: 5_000, requests: 3, startedAt: 0, now: 10_000, quota };
  assert.equal(
    progressText(progress),
    '5,000 rows, 500/s, 25%, 30s left, 3 requests, waiting for the quota (25/30)',
  );
  assert.match(
    progressText({ ...progress, quota: { ...quota, frozenUntil: 18_000 } }),
    /rate limited, on in 8s/,
  );
  let text = '';
  const stderr = Object.assign(
    textTaker((part) => {
      text += part;
    }),
    { columns: 40 },
  );
  const clock = new VirtualClock();
  const words = () => progressText(progress);
  const watched = createProgressLine({ stderr, isWatched: true, onEnd() {}, clock }, words);
  watched.show();
  watched.show();
  watched.end();
  assert.equal(text, `\r${words().slice(0, 39)}\r${' '.repeat(39)}\r`);
  text = '';
  createProgressLine({ stderr, isWatched: false, onEnd() {}, clock }, words).show();
  assert.equal(text, '');
});

test('a pipe is told once that the quota is not shared, and again after it was', () => {
  const stderr = new PassThrough({ encoding: 'utf8' });
  let degraded = false;
  let passed = 0;
  const snapshot = () => ({ used: 0, cap: 30, isSpent: false, frozenUntil: null, degraded });
  const notice = withRequestNotices({ quota: { snapshot }, stderr, clock: new VirtualClock() }, () => {
    passed += 1;
  });
  for (const now of [false, true, true, false, true]) {
    degraded = now;
    notice({ wait: null } as RequestEvent);
  }
  assert.equal(passed, 5);
  assert.match(String(stderr.read()), /^(edgescope: [^\n]*keeps to an eighth\n){2}$/);
});

test('a pipe is told once that requests wait, until when and why, and nothing of a short wait', () => {
  const stderr = new PassThrough();
  const clock = new VirtualClock();
  const quota = {
    snapshot: () => ({ used: 0, cap: 30, isSpent: false, frozenUntil: null, degraded: false }),
  };
  const notice = withRequestNotices({ quota, stderr, clock }, () => {});
  const now = clock.now();
  const told = (because: 'quota' | 'rateLimited' | 'timeout', left: number, status: number | null = null) => {
    notice({ host: 'api.example', wait: { until: now + left, because, status } } as RequestEvent);
    return String(stderr.read() ?? '');
  };
  assert.equal(told('rateLimited', 2_000, 429), '');
  const end = new Date(now + 60_000).toISOString().replace(/\.\d+Z/, 'Z');
  assert.equal(
    told('rateLimited', 60_000, 429),
    `edgescope: waiting until ${end} (1m): api.example limits the rate of requests (HTTP 429)\n`,
  );
  assert.equal(told('rateLimited', 60_500, 429), '');
  assert.match(told('timeout', 90_000), /\(1m30s\): api\.example did not answer in time\n$/);
  assert.match(
    told('quota', 8_000),
    /\(8s\): as many requests went to api\.example as may; it is not said again/,
  );
  assert.equal(told('quota', 9_900), '');
});

test('a pipe is told of what nobody asked for', () => {
  const stderr = new PassThrough();
  const quota = {
    snapshot: () => ({ used: 0, cap: 30, isSpent: false, frozenUntil: null, degraded: false }),
  };
  const notice = withRequestNotices({ quota, stderr, clock: new VirtualClock() }, () => {});
  notice({ host: 'api.example', wait: null, strays: { outside: 3, ofOthers: 1 } } as RequestEvent);
  assert.equal(
    String(stderr.read()),
    'edgescope: an answer of api.example had 3 entries from outside what was asked about and 1 entry of another zone: left out, and the answer is not whole\n',
  );
});

test('what is said while a line of progress stands takes that line away first', () => {
  const clock = new VirtualClock();
  let text = '';
  const stderr = { columns: 40, write: (part: string) => (text += part) } as unknown as Writable;
  const line = createProgressLine({ stderr, isWatched: true, onEnd() {}, clock }, () => 'reading');
  line.show();
  const quota = {
    snapshot: () => ({ used: 0, cap: 30, isSpent: false, frozenUntil: null, degraded: true }),
  };
  withRequestNotices({ quota, stderr, clock }, () => {})({ wait: null } as RequestEvent);
  assert.match(text, /^\rreading\r {7}\redgescope: the ledger/);
  line.end();
});
