import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logRecordOfLine } from '../../src/api/schemas/log-v1.ts';
import { savedRecordOf } from '../../src/api/schemas/saved-log.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import { TEXT_NAMES, type TextName } from '../../src/domain/log.ts';
import { createCodedReader } from '../../src/domain/logs/columns/coded-rows.ts';
import { type LineWindow, LONGEST_LINE } from '../../src/effects/saved/saved-lines.ts';
import { LinePacker } from '../../src/effects/saved/saved-packer.ts';
import { anyLineV1 } from '../api/saved-rows.ts';
import { packedRecord } from '../support/coded.ts';
import { fc, runs } from '../support/properties.ts';

const RUNS = runs(400);
const OTHERWISE = 1_700_000_000_000;

const JSON_LINE = JSON.stringify({
  ...{ timestamp: 1_785_578_400_001, pullZoneId: 4711, cacheStatus: 'MISS', statusCode: 404, bytesSent: 12 },
  ...{
    edgeLocation: 'DE',
    url: 'c.example/p',
    ja4Fingerprint: 't13d',
    asn: '64500',
    asnOrganization: 'Example',
  },
  ...{
    referer: '/',
    contentRange: 'bytes 0-1/2',
    requestId: 'x',
    bodyBytesSent: 7,
    authorizationHeader: 'x',
  },
});
const GOOD =
  'HIT|200|1785578400001|1248|4711|192.0.2.7|https://b.example/|https://a.example/p?v=1|DE|Mozilla/5.0 (X11)|0123456789abcdef0123456789abcdef|US';

/** What the packer makes of a window, told line by line: rows of a known shape, or the line itself. */
function told(packer: LinePacker, window: LineWindow): (LogRecord | string)[] {
  const all: (LogRecord | string)[] = [];
  for (const part of packer.pack(window)) {
    if (part.kind === 'loose') all.push(Buffer.from(part.line).toString('latin1'));
    else {
      const recordOf = createCodedReader(part.rows);
      for (let row = 0; row < part.rows.count; row++) all.push(recordOf(row));
    }
  }
  return all;
}

/** What each line should be by itself: `isKnown` = the fast way may take it. */
function expected(lines: readonly string[], isKnown: (line: string) => boolean): (LogRecord | string)[] {
  return lines
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => line !== '')
    .map((line) => (isKnown(line) ? recordOfLine(line) : null) ?? line);
}

function recordOfLine(line: string): LogRecord | null {
  return line.startsWith('{') ? savedRecordOf(JSON.parse(line), OTHERWISE) : logRecordOfLine(line, OTHERWISE);
}

test('any change of one byte in a good line gives what the slow way gives, or nothing, as every odd byte does', () => {
  const packer = new LinePacker();
  let fast = 0;
  for (const good of [GOOD, `${GOOD}|512|bytes 0-511/1248|Bearer`]) {
    assert.deepEqual(packedRecord(packer, good), logRecordOfLine(good, OTHERWISE));
    for (let at = 0; at < good.length; at++)
      for (const byte of [
        0, 0x0d, 0x1f, 0x20, 0x22, 0x25, 0x2d, 0x2f, 0x30, 0x3a, 0x3d, 0x40, 0x5c, 0x7b, 0x7c, 0x7f, 0x80,
        0xff,
      ]) {
        const bytes = Buffer.from(good);
        bytes[at] = byte;
        const record = packedRecord(packer, bytes);
        const line = bytes.toString().replace(/\r$/, '');
        if (record === null) continue;
        fast++;
        assert.match(String.fromCharCode(byte), /[ -[\]-~\r]/);
        assert.deepEqual(record, logRecordOfLine(line, OTHERWISE), line);
      }
  }
  assert.ok(fast > 1500, `only ${fast} went the fast way`);
});

test('lines stay in their order wherever they begin, with any line break, in place and copied', () => {
  const packer = new LinePacker();
  const anyText = fc.oneof(
    { weight: 6, arbitrary: fc.nat(40).map((n) => GOOD.replace('X11', 'x'.repeat(n))) },
    { weight: 3, arbitrary: fc.constant(JSON_LINE) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', 'no row', '"quoted|line"', '{"json":1}', `${GOOD}\\`, `é|${GOOD}`),
    },
    { weight: 1, arbitrary: fc.nat(12).map((n) => '|'.repeat(n + 8)) },
  );
  const anyLine = fc.tuple(anyText, fc.boolean()).map(([text, isDos]) => (isDos ? `${text}\r` : text));
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 30 }), fc.nat(40), (lines, before) => {
      const text = Buffer.from(lines.join('\n'), 'latin1');
      const wanted = expected(lines, (line) => /^(HIT\||\{"t)/.test(line) && !line.endsWith('\\'));
      const bytes = Buffer.concat([Buffer.alloc(before, '|'), text, Buffer.from('|behind|\n')]);
      const window = { bytes, start: before, end: before + text.length, isCut: false };
      assert.deepEqual(told(packer, window), wanted);
      bytes.copy(packer.input);
      assert.deepEqual(told(packer, { ...window, bytes: packer.input }), wanted);
    }),
    { numRuns: RUNS },
  );
});

test('rows of many batches, all different, and windows larger than the memory for them come whole', () => {
  const packer = new LinePacker();
  const lines = Array.from({ length: 30_000 }, (_, n) =>
    GOOD.replace('X11', `${'y'.repeat(n % 23)}${n}`)
      .replace('192.0.2.7', `192.0.${n >> 8}.${n & 255}`)
      .replace('0123456789abcdef', (0x1000_0000_0000 + n * 7919).toString(16).padStart(16, '0')),
  );
  lines[9_000] = `${GOOD}${'z'.repeat(LONGEST_LINE)}`;
  lines[12_000] = 'w'.repeat(packer.input.length + 9);
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  assert.ok(bytes.length > packer.input.length * 2);
  const window = { bytes, start: 0, end: bytes.length - 1, isCut: false };
  assert.deepEqual(
    told(packer, window),
    expected(lines, (line) => line.length < 1000),
  );
});

test('lines of one batch are read as the slow way reads each, however alike their texts are, or not at all', () => {
  const [packer, alone] = [new LinePacker(), new LinePacker()];
  const anyOf = (texts: string) => fc.constantFrom(...texts.split(' '));
  const joined = (by: string, ...parts: fc.Arbitrary<string>[]) =>
    fc.tuple(...parts).map((each) => each.join(by));
  const anyText = joined(
    '',
    anyOf(' M Mozilla Mozilla/5.0_(X11; Mozilla/5.0_(X11;_Linux_x86_64)_AppleWebKit/537.36'),
    anyOf(' a ab | - Chrome/138.0.0.0 Chrome/139.0.0.0 Chrome/138.0.0.0_Edg/1 " é'),
  );
  const anyUrl = joined(
    '',
    anyOf('https:// https:// http:// https:/ httpss:// '),
    anyOf('a.example a.example a.example.org b.example u:p@a.example '),
    anyOf('/ /p /p?q=1 ?q=1 /p?token=abcdef /x://y :443/p '),
  );
  const likeOthers = joined(
    '|',
    joined('', anyOf('HIT MISS - a_b '), fc.constant('|200|1785578400001')),
    anyOf('1 999999999 1234567890 123456789012345 123456789012345678901 x'),
    anyOf('47 4711 12345678901234567890 '),
    anyOf('192.0.2.1 192.0.2.11 -'),
    fc.oneof(anyText, anyUrl),
    anyUrl,
    fc.constant('DE'),
    anyText,
    anyOf('0123456789abcdef0123456789abcdef 0123456789abcdef0123456789abcdeF - x'),
    anyOf('US DE -  US|-|-|- US|7|bytes_0-6/9|Basic US|7|- US|x|-|-'),
  ).map((line) => line.replaceAll('_', ' '));
  const whole = anyLineV1.filter((line) => !/[\r\n]/.test(line) && line !== '');
  const anyLine = fc.oneof({ weight: 2, arbitrary: likeOthers }, whole, fc.constant(JSON_LINE));
  const counts = { fast: 0, left: 0 };
  fc.assert(
    fc.property(fc.array(anyLine, { minLength: 20, maxLength: 60 }), (lines) => {
      const bytes = Buffer.from(lines.join('\n'));
      const wanted = lines.map((line) => {
        const record = packedRecord(alone, line);
        if (record !== null) assert.deepEqual(record, recordOfLine(line), line);
        counts[record === null ? 'left' : 'fast']++;
        return record ?? Buffer.from(line).toString('latin1');
      });
      assert.deepEqual(told(packer, { bytes, start: 0, end: bytes.length, isCut: false }), wanted);
    }),
    { numRuns: RUNS },
  );
  assert.ok(Math.min(counts.fast, counts.left) > RUNS * 4, JSON.stringify(counts));
});

test('each text of a batch stands in it once, and is counted for all its rows', () => {
  const texts = Array.from({ length: 40 }, (_, n) =>
    'abcdefghijklmnopqrstuvwxyz0123456789ABCDEF'.slice(0, n),
  );
  const lines = [1, 2, 3].flatMap((time) =>
    texts.map(
      (text, n) =>
        `${text || 'x'}|200|${1_785_578_400_000 + time * 100 + n}|1|47|${text}|${time}|/${text}|DE|-|-|-`,
    ),
  );
  const bytes = Buffer.from(lines.join('\n'));
  const [part, ...others] = new LinePacker().pack({ bytes, start: 0, end: bytes.length, isCut: false });
  assert.ok(part?.kind === 'coded' && others.length === 0);
  const of = (column: TextName) => part.rows.texts[TEXT_NAMES.indexOf(column)];
  assert.deepEqual([...(of('remoteIp')?.uses ?? [])].slice(1), Array(39).fill(3));
  assert.deepEqual([...(of('path')?.uses ?? [])].slice(1), Array(40).fill(3));
  assert.deepEqual([...(of('edgeLocation')?.uses ?? [])].slice(1), [120]);
  assert.equal(of('userAgent'), null);
});

test('what has to be masked is left to the schema, and what only looks like it is not', () => {
  const packer = new LinePacker();
  const withUrl = (url: string) => GOOD.replace('https://a.example/p?v=1', url);
  for (const url of ['/x?token=abc', 'https://a.example/bcdn_token=1/a', 'https://u:pw@h/'])
    assert.equal(packedRecord(packer, withUrl(url)), null, url);
  const secret = withUrl('https://a.example/p?token=abcdef');
  const bytes = Buffer.from([GOOD, GOOD, GOOD, secret].join('\n'));
  assert.equal(told(packer, { bytes, start: 0, end: bytes.length, isCut: false })[3], secret);
  for (const url of ['https://a.example/?q=1&r=%20', 'https://a.example/@scope/x'])
    assert.deepEqual(packedRecord(packer, withUrl(url)), logRecordOfLine(withUrl(url), OTHERWISE), url);
});
