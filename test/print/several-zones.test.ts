import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { readingOf, withoutZoneTerms } from '../../src/print/logs/log-question.ts';
import { ownFolder } from '../support/own-folder.ts';
import { recordWith } from '../support/rows.ts';
import { zoneOf } from '../support/state.ts';
import { bench, cellsOf, linesOfText, objectsOf, type Printed, settledWindow } from './support.ts';

const NAMES = ['shop-frontend', 'api-gateway', 'images-eu'] as const;
const WORDS = NAMES.join(',');

type Row = { time: number; zone: number; id: string };

/** Rows that the server has of a window, of the zones with these names. */
function truthOf(
  { sim }: ReturnType<typeof bench>,
  from: number,
  to: number,
  names: readonly string[] = NAMES,
) {
  return names.flatMap((name) => {
    const zone = sim.zones.find((each) => each.name === name);
    assert.ok(zone, name);
    return sim
      .truth(zone.id, from, to)
      .map(({ at, entry }): Row => ({ time: at, zone: zone.id, id: entry.requestId }));
  });
}

const idOf = ({ sim }: ReturnType<typeof bench>, name: string) =>
  sim.zones.find((each) => each.name === name)?.id ?? 0;
const rowsOf = ({ out }: Printed) => objectsOf(out).filter((row) => !('_gap' in row));
const gapsOf = ({ out }: Printed) =>
  objectsOf(out).flatMap((row) =>
    '_gap' in row ? [row['_gap'] as { zone: number; from: string; to: string; reason: string }] : [],
  );
const printedIds = (printed: Printed) => rowsOf(printed).map((row) => String(row['requestId']));

test('several zones are one log in order of time, each row once, in every format', async () => {
  const b = bench({ rate: 20 });
  const { from, to, args } = settledWindow(3);
  const truth = truthOf(b, from, to);
  const ndjson = await b.printed(['logs', WORDS, ...args]);
  assert.equal(ndjson.code, 0, ndjson.err);
  const rows = rowsOf(ndjson);
  const times = rows.map((row) => String(row['timestamp']));
  assert.ok(new Set(rows.map((row) => row['pullZoneId'])).size === 3 && rows.length > 2_000);
  assert.deepEqual(times, times.toSorted());
  assert.deepEqual(printedIds(ndjson).toSorted(), truth.map(({ id }) => id).toSorted());
  const [head = '', ...csv] = linesOfText((await b.printed(['logs', WORDS, ...args, '--format', 'csv'])).out);
  assert.deepEqual(cellsOf(head), [...Object.keys(rows[0] ?? {}), '_raw']);
  assert.equal(csv.length, rows.length);
  const [title = '', ...table] = linesOfText(
    (await b.printed(['logs', WORDS, ...args, '--format', 'table'])).out,
  );
  assert.match(title, /^TIME +ZONE +CACHE +ST +BYTES +EDG +CC +IP +URL$/);
  const named = new Map(NAMES.map((name) => [idOf(b, name), name]));
  assert.deepEqual(
    table.map((line) => line.split(/ +/)[1]),
    rows.map((row) => named.get(Number(row['pullZoneId']))),
  );
});

test('a refused zone is named with its reason and its gap, the exit code tells, and the others are whole', async () => {
  const b = bench();
  const { from, to, args } = settledWindow(2);
  const words = 'shop-frontend,legacy-no-logs,suspended-promo';
  const printed = await b.printed(['logs', words, ...args]);
  assert.equal(printed.code, 1);
  assert.match(printed.err, /legacy-no-logs: Logging is switched off/);
  assert.match(printed.err, /suspended-promo: The zone is suspended/);
  const span = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  assert.deepEqual(
    gapsOf(printed).map((gap) => ({ zone: gap.zone, from: gap.from, to: gap.to })),
    ['legacy-no-logs', 'suspended-promo'].map((name) => ({ zone: idOf(b, name), ...span })),
  );
  const whole = truthOf(b, from, to, ['shop-frontend']).map(({ id }) => id);
  assert.deepEqual(printedIds(printed).toSorted(), whole.toSorted());
  const groups = await b.printed(['logs', words, ...args, 'by:zone']);
  assert.equal(groups.code, 1);
  assert.deepEqual(
    objectsOf(groups.out).map((line) => ('_gap' in line ? 'gap' : line['count'])),
    [whole.length, 'gap', 'gap'],
  );
  const cut = await b.printed(['logs', words, ...args, '--limit', '3']);
  assert.deepEqual([cut.code, rowsOf(cut).length], [1, 3]);
});

test('a term of zone: decides which zones are asked at all', async () => {
  const b = bench();
  const { from, to, args } = settledWindow(1);
  for (const [term, names] of [
    ['zone:api-*', ['api-gateway']],
    ['-zone:shop-frontend', ['api-gateway', 'images-eu']],
    [`zone:${idOf(b, 'images-eu')}`, ['images-eu']],
  ] as const) {
    const printed = await b.printed(['logs', WORDS, ...args, term]);
    assert.deepEqual(
      printedIds(printed).toSorted(),
      truthOf(b, from, to, names)
        .map(({ id }) => id)
        .toSorted(),
      term,
    );
    const asked = new Set(
      printed.requests.flatMap(({ path }) => /pullzones\/(\d+)\/logs/.exec(path)?.[1] ?? []),
    );
    assert.deepEqual(asked, new Set(names.map((name) => String(idOf(b, name)))), term);
    assert.doesNotMatch(printed.err, /hidden here/);
  }
  const none = await b.printed(['logs', WORDS, ...args, 'zone:nope']);
  assert.deepEqual([none.code, none.out], [2, '']);
  assert.match(none.err, /zone: leaves none of the zones/);
});

test('an address is compared as the zone of its row has it', () => {
  const zones = [
    zoneOf('1', 'shop'),
    zoneOf('2', 'shop', { anonymisation: 'lastOctet' }),
    zoneOf('3', 'shop', { anonymisation: 'drop' }),
  ] as const;
  const read = parseQuery('ip:192.0.2.7', 'logs', 0);
  assert.ok(read.ok);
  const reading = readingOf(zones, read.query, Date.UTC(2026, 7, 1));
  const isWanted = (pullZoneId: string, remoteIp: string) =>
    reading.isWanted(recordWith({ pullZoneId, remoteIp }));
  assert.deepEqual([isWanted('1', '192.0.2.7'), isWanted('1', '192.0.2.0')], [true, false]);
  assert.deepEqual([isWanted('2', '192.0.2.0'), isWanted('2', '192.0.3.0')], [true, false]);
  assert.equal(isWanted('', '192.0.2.0'), true, 'of a row that does not say whose it is nobody can tell');
  assert.deepEqual(
    reading.zones.map(({ server }) => server.remoteIp),
    ['192.0.2.7', undefined, undefined],
  );
  assert.equal(reading.hereText, 'ip:192.0.2.7', 'it is decided here for one of them at least');
  assert.equal(withoutZoneTerms(zones, read.query)?.query.terms.length, 1);
});

test('a window that reaches beyond what is kept begins with a gap of each zone', async () => {
  const b = bench();
  const printed = await b.printed(['logs', WORDS, 'last:4d', '--limit', '1']);
  assert.deepEqual(
    gapsOf(printed).map(({ zone, reason }) => [zone, reason]),
    NAMES.map((name) => [idOf(b, name), 'retention']),
  );
  assert.equal(printed.err.match(/kept since/g)?.length, 1);
});

test('--resume goes on with the same zones in any order, and refuses others', async (t) => {
  const folder = ownFolder(t);
  const place = join(folder, 'place');
  const b = bench();
  const { args } = settledWindow(15);
  const whole = await b.printed(['logs', WORDS, ...args]);
  const how = ['--resume', place];
  // One zone fails when the others have some of the window printed.
  const path = `/${idOf(b, 'shop-frontend')}/`;
  await b.sim.setFaults([{ match: { path, from: 3 }, fault: { kind: 'serverError' } }]);
  const ended = await b.printed(['logs', WORDS, ...args, ...how]);
  const written = ended.out;
  assert.equal(ended.code, 1, ended.err);
  assert.match(ended.err, /shop-frontend: /);
  assert.match(ended.err, /the same command resumes there/);
  assert.doesNotMatch(written, /_gap/, 'what is gone on with has no gap where it stopped');
  assert.ok(written.length > 0 && written.length < whole.out.length);
  await b.sim.setFaults([]);
  for (const words of ['shop-frontend,api-gateway', 'shop-frontend', `${WORDS},images-us`]) {
    const other = await b.printed(['logs', words, ...args, ...how]);
    assert.deepEqual([other.code, other.out], [2, ''], words);
    assert.match(other.err, /belongs to another question: zone \d+,\d+,\d+/);
  }
  const rest = await b.printed(['logs', NAMES.toReversed().join(','), ...args, ...how]);
  assert.equal(rest.code, 0, rest.err);
  assert.deepEqual(linesOfText(written + rest.out).toSorted(), linesOfText(whole.out).toSorted());
  assert.equal(JSON.parse(readFileSync(place, 'utf8')).isFinished, true);
});

test('what zones of a window hold at once is bounded by their number', async () => {
  const b = bench({ zones: 60 });
  const names = b.sim.zones.slice(0, 50);
  const asked: number[] = [];
  const ended = await b.printed(['logs', names.map(({ name }) => name).join(','), ...settledWindow(1).args]);
  for (const { path } of ended.requests) {
    const limit = /[?&]limit=(\d+)/.exec(path)?.[1];
    if (limit !== undefined) asked.push(Number(limit));
  }
  assert.ok(
    asked.length >= 50 && asked.every((limit) => limit * names.length <= 50_000),
    `${asked.slice(0, 3)}`,
  );
});
