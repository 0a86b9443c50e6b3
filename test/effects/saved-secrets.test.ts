import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logRecordOf } from '../../src/api/schemas/log-row.ts';
import { createSavedLineReader } from '../../src/api/schemas/saved-log.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import { recordsOf } from '../../src/domain/logs/log-rows.ts';
import { LinePacker } from '../../src/effects/saved/saved-packer.ts';
import { SavedParser } from '../../src/effects/saved/saved-parse.ts';
import { CREDENTIALS } from '../support/credentials.ts';

/** What a visitor can write, and what else is text. */
const FIELDS = [
  'cacheStatus',
  'remoteIp',
  'referer',
  'host',
  'path',
  'edgeLocation',
  'userAgent',
  'requestId',
  'countryCode',
  'contentRange',
  'ja4Fingerprint',
  'asn',
  'asnOrganization',
] as const;
const IN_V1 = FIELDS.slice(0, 10);

const PLAIN = {
  timestamp: 1_785_578_400_001,
  pullZoneId: 4711,
  requestId: 'id-1',
  cacheStatus: 'HIT',
  statusCode: 200,
  bytesSent: 12,
  edgeLocation: 'DE',
  scheme: 'https',
  host: 'a.example',
  path: '/p',
  url: 'https://a.example/p',
  remoteIp: '192.0.2.1',
  countryCode: 'DE',
  userAgent: 'curl/8.5.0',
  referer: '/r',
  contentRange: 'bytes 0-1/2',
};

type Entry = Record<string, string | number>;

function entryWith(field: string, value: string): Entry {
  const entry: Entry = { ...PLAIN, [field]: value };
  return { ...entry, url: `${entry['scheme']}://${entry['host']}${entry['path']}` };
}

function v1(e: Entry): string {
  const names = ['cacheStatus', 'statusCode', 'timestamp', 'bytesSent', 'pullZoneId', 'remoteIp', 'referer'];
  const others = ['url', 'edgeLocation', 'userAgent', 'requestId', 'countryCode'];
  return [...[...names, ...others].map((name) => e[name]), '12', e['contentRange'], '-'].join('|');
}

const packer = new LinePacker();

/** The rows of lines as a screen, a print and a store get them. */
function read(lines: readonly string[]): LogRecord[] {
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  const parser = new SavedParser(0, packer);
  const window = { bytes, start: 0, end: bytes.length - 1, isCut: false };
  return [...parser.parse(window)].flatMap((part) => (part.kind === 'gap' ? [] : [...recordsOf(part.rows)]));
}

const secrets = CREDENTIALS.map(([before, secret]) => ({ text: `${before}${secret}`, secret }));
const clean = (record: LogRecord, secret: string) => !JSON.stringify(record).includes(secret);

test('no credential is left in any field of a row, whichever way it comes', () => {
  for (const { text, secret } of secrets)
    for (const field of FIELDS) {
      const value =
        field === 'path' ? `/a/${text}` : field === 'referer' ? `https://r.example/#${text}` : text;
      const entry = entryWith(field, value);
      const where = `${field}: ${text}`;
      const inLines = read([v1(PLAIN), v1(entry), v1(PLAIN)]);
      if (IN_V1.includes(field)) assert.ok(clean(inLines[1] as LogRecord, secret), `v1, ${where}`);
      assert.equal(inLines.length, 3);
      const objects = read([JSON.stringify(PLAIN), JSON.stringify(entry), JSON.stringify(PLAIN)]);
      assert.ok(clean(objects[1] as LogRecord, secret), `NDJSON, ${where}`);
      assert.deepEqual(objects[0], objects[2], 'the rows beside it are as they came');
      assert.equal(objects[0]?.userAgent, PLAIN.userAgent);
      assert.ok(clean(logRecordOf(entry, 0), secret), `an answer, ${where}`);
    }
});

test('a batch says of each field what a line alone says', () => {
  const one = createSavedLineReader();
  // Behind a host the slash of the path may count to a token, where the URL is masked as one.
  for (const value of [...secrets.map(({ text }) => text), 'x?token=abc', 'u:pw@h', 'a=b', '%41KIA', 'sid=1'])
    for (const field of FIELDS.filter((each) => each !== 'host')) {
      const line = JSON.stringify(entryWith(field, value));
      const alone = one(line, 0);
      assert.ok(alone?.kind === 'record');
      assert.deepEqual(read([line])[0], alone.record, `${field}: ${value}`);
    }
});

test('a password before a host is masked in the host and in the URL', () => {
  const line = v1({ ...PLAIN, url: 'https://user:CANARY@a.example/p' });
  const [row] = read([line]);
  assert.equal(row?.host, 'user:[masked]@a.example');
  assert.equal(row?.url, 'https://user:[masked]@a.example/p');
});
