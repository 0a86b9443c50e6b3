import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ndjsonLine } from '../../src/domain/handover/line-formats.ts';
import { gapLine, logRow } from '../../src/domain/handover/shapes.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import format from '../../src/interop/edgescope.lnav.json' with { type: 'json' };
import { unlessInstalled } from '../support/installed.ts';
import { ownFolder } from '../support/own-folder.ts';
import { recordWith } from '../support/rows.ts';

const START = Date.parse('2026-03-04T05:06:07.890Z');
const STATUSES = [200, 304, 404, 502, 200];

function record(index: number): LogRecord {
  return recordWith({
    timestamp: START + index * 1000,
    pullZoneId: '9223372036854775807',
    requestId: index === 4 ? null : index.toString(16).padStart(32, '0'),
    cacheStatus: index === 3 ? 'MISS' : 'HIT',
    statusCode: STATUSES[index] ?? 0,
    bytesSent: 1000 + index,
    host: 'shop.example',
    path: `/a"b\\c?n=${index}\n\u202e\u{1f600}`,
    remoteIp: index % 2 === 0 ? '192.0.2.7' : null,
    countryCode: index % 2 === 0 ? 'DE' : null,
    userAgent: null,
    asn: index === 0 ? null : '4200000000',
    raw: index === 4 ? '{"odd":1}' : null,
  });
}

/** Five rows, one of them refused, with a gap in the middle. */
const GAP = { id: 'gap', from: START + 1500, to: START + 1900, reason: 'failed', rows: null } as const;
const LINES = [
  ...STATUSES.slice(0, 2).map((_, index) => ndjsonLine(logRow(record(index)))),
  ndjsonLine(gapLine(GAP as unknown as Parameters<typeof gapLine>[0])),
  ...STATUSES.slice(2).map((_, index) => ndjsonLine(logRow(record(index + 2)))),
];

function file(t: TestContext): { home: string; path: string } {
  const home = ownFolder(t);
  const path = join(home, 'log.ndjson');
  writeFileSync(path, LINES.map((line) => `${line}\n`).join(''));
  return { home, path };
}

test('every line is one flat JSON object in ASCII, and a name has values of one type', () => {
  const types = new Map<string, Set<string>>();
  for (const line of LINES) {
    assert.match(line, /^\{[\x20-\x7e]*\}$/);
    const row = JSON.parse(line);
    if (row._gap) continue;
    const names = [...line.matchAll(/[{,]"(\w+)":/g)].map(([, name = '']) => name);
    assert.equal(new Set(names).size, names.length);
    for (const [name, value] of Object.entries(row)) {
      assert.ok(value === null || typeof value !== 'object', name);
      if (value !== null) types.set(name, (types.get(name) ?? new Set()).add(typeof value));
    }
  }
  for (const [name, of] of types) assert.equal(of.size, 1, name);
});

test('the format for lnav knows every field of a row, each with the kind of its values', () => {
  const { value } = format.edgescope_log;
  const row = { ...logRow(record(1)), ...logRow(record(4)) };
  for (const [name, cell] of Object.entries(row)) {
    if (name === 'timestamp') continue;
    const kind = (value as Record<string, { kind: string }>)[name]?.kind;
    const isNumber = typeof cell === 'number' || (typeof cell === 'object' && cell !== null);
    assert.ok(kind !== undefined, name);
    if (cell !== null) assert.equal(kind, isNumber ? 'integer' : 'string', name);
  }
});

test('lnav reads the rows, with levels from the status', { skip: unlessInstalled('lnav', ['-V']) }, (t) => {
  const { home, path } = file(t);
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    LANG: 'C.UTF-8',
  };
  const lnav = (...args: string[]) =>
    execFileSync('lnav', args, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
  lnav('-i', join(import.meta.dirname, '../../src/interop/edgescope.lnav.json'));
  const query = ';SELECT log_level, statusCode, cacheStatus, bytesSent, remoteIp, asn FROM edgescope_log';
  assert.deepEqual(lnav('-n', '-c', query, '-c', ':write-csv-to -', path).trim().split('\n'), [
    'log_level,statusCode,cacheStatus,bytesSent,remoteIp,asn',
    'info,200,HIT,1000,192.0.2.7,<NULL>',
    'debug,304,HIT,1001,<NULL>,4200000000',
    'warning,404,HIT,1002,192.0.2.7,4200000000',
    'error,502,MISS,1003,<NULL>,4200000000',
    'info,200,HIT,1004,192.0.2.7,4200000000',
  ]);
  assert.match(lnav('-n', path), /^2026-03-04 05:06:07\.890 HIT +200 +1000 DE +DE +192\.0\.2\.7/);
});

const HAS_DUCKDB = spawnSync('python3', ['-c', 'import duckdb'], { stdio: 'ignore' }).status === 0;

test('DuckDB finds the types by itself, the gap too', {
  skip: HAS_DUCKDB ? false : 'the duckdb package of Python is not installed',
}, (t) => {
  const { path } = file(t);
  const script = `import duckdb, json, sys
rows = duckdb.sql(f"""SELECT timestamp::VARCHAR, statusCode, asn, path, pullZoneId FROM read_json_auto('{sys.argv[1]}')
  WHERE timestamp IS NOT NULL ORDER BY 1""").fetchall()
gaps = duckdb.sql(f"SELECT _gap['from']::VARCHAR, _gap.reason FROM read_json_auto('{sys.argv[1]}') WHERE _gap IS NOT NULL").fetchall()
types = dict(duckdb.sql(f"SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_json_auto('{sys.argv[1]}'))").fetchall())
print(json.dumps([rows, gaps, types['timestamp'], types['statusCode']]))`;
  const [rows, gaps, ...types] = JSON.parse(
    execFileSync('python3', ['-c', script, path], { encoding: 'utf8' }),
  );
  assert.deepEqual(types, ['TIMESTAMP', 'BIGINT']);
  assert.deepEqual(gaps, [['2026-03-04 05:06:09.39', 'failed']]);
  assert.deepEqual(
    rows.map((row: unknown[]) => row.slice(0, 3)),
    [
      ['2026-03-04 05:06:07.89', 200, null],
      ['2026-03-04 05:06:08.89', 304, 4200000000],
      ['2026-03-04 05:06:09.89', 404, 4200000000],
      ['2026-03-04 05:06:10.89', 502, 4200000000],
      ['2026-03-04 05:06:11.89', 200, 4200000000],
    ],
  );
  assert.equal(rows[0][3], record(0).path);
});
