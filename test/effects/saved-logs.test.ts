import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { bytesOf } from '../../src/effects/saved/saved-bytes.ts';
import {
  closeInputs,
  openInputs,
  type ReadProgress,
  type SavedInput,
} from '../../src/effects/saved/saved-input.ts';
import { LONGEST_LINE } from '../../src/effects/saved/saved-lines.ts';
import { readSavedLogs } from '../../src/effects/saved/saved-logs.ts';
import { ownFolder } from '../support/own-folder.ts';
import { recordOf } from '../support/state.ts';
import { clockWith, VirtualClock } from '../support/virtual-clock.ts';
import { lineV1, printedRow, printedRows, reading, readWhole, savedFile } from './support/saved.ts';

const ids = (records: readonly { requestId: string | null }[]) => records.map((record) => record.requestId);
const idsOf = (from: number, to: number) =>
  ids(Array.from({ length: to - from }, (_, i) => recordOf(from + i)));

test('printed rows come back as they were', async (t) => {
  const { records, report } = await readWhole(t, [savedFile(t, printedRows(0, 5000))]);
  assert.deepEqual(
    records,
    Array.from({ length: 5000 }, (_, n) => recordOf(n)),
  );
  assert.deepEqual(
    [report.status, report.rows, report.bad, report.filesRead, report.bytesRead],
    ['read', 5000, 0, 1, report.bytesTotal],
  );
  assert.deepEqual(report.span, { from: recordOf(0).timestamp, to: recordOf(4999).timestamp });
});

test('gzip is told by its bytes, whatever the name, and may consist of several parts', async (t) => {
  const packed = Buffer.concat([gzipSync(printedRows(0, 900)), gzipSync(printedRows(900, 1000))]);
  const { records, report } = await readWhole(t, [savedFile(t, packed, 'day.txt')]);
  assert.deepEqual(ids(records), idsOf(0, 1000));
  assert.deepEqual(report.troubles, []);
});

test('of a gzip file that is cut off all is read that is there, and it is not called whole', async (t) => {
  const packed = gzipSync(printedRows(0, 20_000));
  const file = savedFile(t, packed.subarray(0, packed.length / 2), 'day.log.gz');
  const { records, report } = await readWhole(t, [file]);
  assert.ok(records.length > 5000 && records.length < 20_000, `${records.length} rows`);
  assert.deepEqual(ids(records.slice(0, -1)), idsOf(0, records.length - 1));
  assert.match(report.troubles[0]?.what ?? '', /cut off/);
  assert.equal(report.troubles[0]?.isLoss, true);
});

test('what unpacks to more than it may is read no further', async (t) => {
  const opened = await openInputs([savedFile(t, gzipSync(Buffer.alloc(64 << 20)), 'bomb.gz')], null);
  assert.ok(opened.ok);
  const [input] = opened.inputs;
  assert.ok(input);
  t.after(() => closeInputs(opened.inputs));
  const progress: ReadProgress = { bytesRead: 0, isGzip: false, trouble: null, most: 1 << 20 };
  let size = 0;
  for await (const chunk of bytesOf(input, progress, new AbortController().signal)) size += chunk.length;
  assert.match(progress.trouble ?? '', /unpacks to more than any part holds/);
  assert.ok(size < 40 << 20, `${size} bytes`);
});

test('damage within a gzip file ends the reading with what came before', async (t) => {
  const packed = gzipSync(printedRows(0, 10_000));
  const middle = packed.length >> 1;
  packed.fill(0xff, middle, middle + 400);
  const { records, report } = await readWhole(t, [savedFile(t, packed)]);
  assert.ok(records.length > 1000);
  assert.match(report.troubles[0]?.what ?? '', /damaged/);
});

test('of a gzip file whose checksum or length is wrong every row is read, and the damage is told', async (t) => {
  for (const at of [-8, -5, -4, -1]) {
    const packed = gzipSync(printedRows(0, 500));
    packed.writeUInt8((packed.at(at) ?? 0) ^ 1, packed.length + at);
    const { records, report } = await readWhole(t, [savedFile(t, packed)]);
    assert.deepEqual(ids(records), idsOf(0, 500));
    assert.match(report.troubles[0]?.what ?? '', /does not match its checksum/);
    assert.equal(report.troubles[0]?.isLoss, true);
  }
});

test('gzip comes out whole however small its pieces are, and cut off at any byte of its end it is told', async () => {
  const plain = printedRows(0, 40);
  const packed = gzipSync(plain);
  const unpacked = async (bytes: Buffer, size: number) => {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    );
    const progress: ReadProgress = { bytesRead: 0, isGzip: false, trouble: null };
    const input: SavedInput = { kind: 'stream', name: '-', stream: Readable.from(pieces), size: null };
    let text = '';
    for await (const chunk of bytesOf(input, progress, new AbortController().signal)) text += chunk;
    return { text, trouble: progress.trouble };
  };
  for (const size of [1, 2, 7, 8, 9, 31, packed.length - 1, packed.length])
    assert.deepEqual(await unpacked(packed, size), { text: plain, trouble: null }, `pieces of ${size}`);
  for (let lacking = 1; lacking <= 8; lacking++) {
    const { text, trouble } = await unpacked(packed.subarray(0, -lacking), 16);
    assert.equal(text, plain);
    assert.match(trouble ?? '', /is cut off/);
  }
});

/** How many of the first lines of a text gzip itself gets out of bytes. */
function linesByGzip(bytes: Buffer, text: string): number {
  const { stdout } = spawnSync('gzip', ['-dc'], { input: bytes, maxBuffer: 1 << 28 });
  const differs = stdout.findIndex((byte, at) => byte !== text.charCodeAt(at));
  return String(stdout.subarray(0, differs < 0 ? stdout.length : differs)).split('\n').length - 1;
}

test('of a gzip file with bytes behind it every whole line is read before it is said that something follows', async (t) => {
  const packed = gzipSync(printedRows(0, 1000));
  const plain = printedRows(0, 9000);
  const broken = gzipSync(printedRows(1000, 9000));
  broken.fill(0xff, broken.length >> 1, (broken.length >> 1) + 400);
  const behind: [string, Buffer, RegExp][] = [
    ['one byte', Buffer.from('x'), /goes on behind its gzip stream/],
    ['text', Buffer.from('and this is no gzip\n'.repeat(9_000)), /goes on behind its gzip stream/],
    ['padding, then text', Buffer.from(`${'\0'.repeat(70_000)}x`), /goes on behind its gzip stream/],
    ['half of a magic number', Buffer.from([0x1f]), /goes on behind its gzip stream/],
    ['half of a head', packed.subarray(0, 5), /is cut off/],
    ['another method', Buffer.concat([Buffer.from([0x1f, 0x8b, 9]), packed.subarray(3)]), /is damaged/],
    ['half of a member', packed.subarray(0, packed.length >> 1), /is cut off/],
    ['a damaged member', broken, /is damaged/],
  ];
  for (const [name, rest, words] of behind) {
    const bytes = Buffer.concat([packed, rest]);
    const lines = linesByGzip(bytes, plain);
    assert.ok(lines >= 1000, name);
    const { records, report } = await readWhole(t, [savedFile(t, bytes)]);
    assert.deepEqual(ids(records.slice(0, lines)), idsOf(0, lines), name);
    assert.match(report.troubles[0]?.what ?? '', words, name);
    assert.equal(report.troubles[0]?.isLoss, true, name);
  }
});

test('padding behind gzip, and all that a head may have, are no trouble', async (t) => {
  const text = printedRows(0, 10);
  const [plain, padded] = [gzipSync(text), Buffer.concat([gzipSync(text), Buffer.alloc(100_000)])];
  const fields = Buffer.from('\x03\0abcname\0a comment\0\0\0', 'latin1');
  const headed = Buffer.concat([plain.subarray(0, 10), fields, plain.subarray(10)]);
  headed[3] = 2 + 4 + 8 + 16;
  for (const bytes of [padded, headed]) {
    const { records, report } = await readWhole(t, [savedFile(t, bytes)]);
    assert.deepEqual([ids(records), report.troubles], [idsOf(0, 10), []]);
  }
});

test('v1 lines, printed rows and gaps may stand in one file, and keep their order', async (t) => {
  const gap =
    '{"_gap":{"from":"2026-11-20T12:00:02.000Z","to":"2026-11-20T12:00:03.000Z","reason":"offline","rows":7}}\n';
  const { records, report } = await readWhole(t, [savedFile(t, lineV1(0) + printedRow(1) + gap + lineV1(4))]);
  assert.deepEqual(ids(records), [...idsOf(0, 2), ...idsOf(4, 5)]);
  assert.deepEqual(
    report.gaps.map(({ from, to, reason, rows }) => ({ from, to, reason, rows })),
    [{ from: recordOf(2).timestamp, to: recordOf(3).timestamp, reason: 'offline', rows: 7 }],
  );
});

test('a line that is no row is kept as it came, at the time of the row before, and counted', async (t) => {
  const lines = `${printedRow(3)}{"broken\nwhat is this\n{"timestamp":"soon"}\n`;
  const { records, report } = await readWhole(t, [savedFile(t, lines)]);
  assert.deepEqual(
    records.slice(1).map(({ raw, timestamp }) => ({ raw, timestamp })),
    ['{"broken', 'what is this', '{"timestamp":"soon"}'].map((raw) => ({
      raw,
      timestamp: recordOf(3).timestamp,
    })),
  );
  assert.deepEqual([report.rows, report.bad], [4, 3]);
});

test('a byte order mark, CRLF, blank lines, NUL and a missing last line break are no trouble', async (t) => {
  const text = `\ufeff${printedRow(0)}\n\n  \n${lineV1(1)}`.replaceAll('\n', '\r\n');
  const file = savedFile(t, `${text}${lineV1(2).replace('curl/8.5.0', 'a\0b').trimEnd()}`);
  const { records, report } = await readWhole(t, [file]);
  assert.deepEqual(ids(records), idsOf(0, 3));
  assert.equal(records[2]?.userAgent, 'a\0b');
  assert.deepEqual([report.bad, report.notText], [0, 0]);
});

test('bytes that are no UTF-8 do not lose the row, and are counted', async (t) => {
  const line = Buffer.from(lineV1(0).replace('curl', 'XXXX'));
  line.fill(0xff, line.indexOf('XXXX'), line.indexOf('XXXX') + 4);
  const { records, report } = await readWhole(t, [savedFile(t, line)]);
  assert.equal(records[0]?.userAgent, '\ufffd\ufffd\ufffd\ufffd/8.5.0');
  assert.deepEqual([report.bad, report.notText], [0, 1]);
});

test('a line that is too long is cut and counted, and the next is read', async (t) => {
  const long = 'x'.repeat(LONGEST_LINE * 5);
  const { records, report } = await readWhole(t, [savedFile(t, `${lineV1(0)}${long}\n${lineV1(1)}${long}`)]);
  assert.equal(report.cut, 2);
  assert.equal(report.bad, 2);
  assert.deepEqual(ids(records.filter((record) => record.raw === null)), idsOf(0, 2));
});

test('the secrets of a saved log are masked, whichever way it is read', async (t) => {
  const canary = 'canary-5f1c9b';
  const url = `https://a.example/x?token=${canary}`;
  const lines = [
    lineV1(0).replace('https://shop.example.com/p/0', url),
    lineV1(1).trimEnd().concat(`|512|-|Basic ${canary}\n`),
    printedRow(2, { url, path: `/x?token=${canary}`, referer: url }),
    printedRow(3, { authorizationHeader: `Bearer ${canary}` }),
    printedRow(4, { userAgent: 'ü', referer: url, authorizationHeader: canary }),
    `{"timestamp":"soon","authorizationHeader":"${canary}","url":"${url}"}\n`,
    `{"_raw":"https://a.example/?sig=${canary}","timestamp":1785578400123}\n`,
  ];
  const { records } = await readWhole(t, [savedFile(t, lines.join(''))]);
  assert.equal(records.length, lines.length);
  assert.doesNotMatch(JSON.stringify(records), /canary/);
});

test('CSV as it is printed is read back', async (t) => {
  const { csvLine } = await import('../../src/domain/handover/line-formats.ts');
  const { logRow } = await import('../../src/domain/handover/shapes.ts');
  const rows = [
    recordOf(0),
    recordOf(1, {
      userAgent: '=cmd|"x"\n\u202e',
      path: '/a,b',
      url: 'https://shop.example.com/a,b',
      cacheStatus: '-',
    }),
  ];
  const head = csvLine(Object.keys(logRow(recordOf(0))));
  const gap = csvLine([
    '{"_gap":{"from":"2026-11-20T12:00:02Z","to":"2026-11-20T12:00:03Z","reason":"slept","rows":null}}',
    ...Array(20).fill(null),
  ]);
  const lines = [head, ...rows.map((row) => csvLine(Object.values(logRow(row)))), gap];
  const { records, report } = await readWhole(t, [savedFile(t, `${lines.join('\n')}\n`)]);
  assert.deepEqual(records, rows);
  assert.equal(report.gaps[0]?.reason, 'slept');
});

test('a file that is not to be had is refused before anything is read', async (t) => {
  const folder = ownFolder(t);
  mkdirSync(join(folder, 'logs'));
  const good = savedFile(t, lineV1(0));
  const refusal = async (...words: string[]) => {
    const opened = await openInputs(words, null);
    return opened.ok ? 'opened' : opened.message;
  };
  assert.match(await refusal(good, join(folder, 'none')), /there is no file/);
  assert.match(await refusal(join(folder, 'logs')), /is a directory/);
  assert.match(await refusal('-'), /standard input is the terminal/);
  for (const device of ['/dev/zero', '/dev/urandom', '/dev/full'])
    assert.match(await refusal(device), /is a device, which does not end/);
  const twice = await openInputs(['-', '-'], Readable.from([]));
  assert.match(twice.ok ? '' : twice.message, /named twice/);
  if (process.getuid?.() === 0) return;
  const secret = savedFile(t, lineV1(0));
  chmodSync(secret, 0);
  assert.match(await refusal(secret), /may not be read/);
});

test('a reading that is stopped says nothing more', async (t) => {
  const result = await reading(t, [savedFile(t, printedRows(0, 50_000))]);
  await result.until(({ records }) => records.length > 0);
  result.stop();
  const { length } = result.records;
  await result.ended;
  assert.equal(result.records.length, length);
  assert.notEqual(result.report.status, 'read');
});

test('a file that grows is followed, whole lines at a time', async (t) => {
  const file = savedFile(t, lineV1(0) + lineV1(1).slice(0, 40));
  const result = await reading(t, [file], true);
  await result.until(({ report }) => report.status === 'following');
  assert.deepEqual(ids(result.records), idsOf(0, 1));
  appendFileSync(file, lineV1(1).slice(40) + printedRow(2));
  await result.until(({ records }) => records.length === 3);
  assert.deepEqual(ids(result.records), idsOf(0, 3));
});

test('a followed file is looked at less often while more rows come at once than anybody reads', async (t) => {
  const file = savedFile(t, printedRows(0, 5));
  const opened = await openInputs([file], null);
  assert.ok(opened.ok);
  const stopper = new AbortController();
  const pauses: number[] = [];
  let rows = 5;
  await readSavedLogs({
    inputs: opened.inputs,
    follow: true,
    clock: clockWith(new VirtualClock(), {
      sleep: async (ms) => {
        pauses.push(ms);
        const came = [3, 400, 400, 3, 3][pauses.length - 1];
        if (came === undefined) return stopper.abort();
        appendFileSync(file, printedRows(rows, rows + came));
        rows += came;
      },
    }),
    emit: () => {},
    signal: stopper.signal,
  });
  assert.deepEqual(pauses, [150, 150, 200, 200, 150, 150]);
});

test('a followed file that is emptied or replaced is read from its beginning, and it is said', async (t) => {
  const file = savedFile(t, lineV1(0) + lineV1(1));
  const result = await reading(t, [file], true);
  await result.until(({ report }) => report.status === 'following');
  truncateSync(file, 0);
  await result.until(({ report }) => /became shorter/.test(report.troubles.at(-1)?.what ?? ''));
  appendFileSync(file, lineV1(2));
  await result.until(({ records }) => records.length === 3);
  renameSync(file, `${file}.1`);
  appendFileSync(`${file}.1`, lineV1(3));
  writeFileSync(file, lineV1(4));
  await result.until(({ records }) => records.length === 5);
  assert.deepEqual(ids(result.records), idsOf(0, 5));
  assert.match(result.report.troubles.at(-1)?.what ?? '', /replaced/);
});
