import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import type { RowPlace, RowsAsked } from '../../src/domain/logs/log-history.ts';
import { matcher } from '../../src/domain/query/match.ts';
import { printTerm } from '../../src/domain/query/term-text.ts';
import { LOG_SERIES } from '../../src/domain/timeline/series.ts';
import { stepsOf } from '../../src/domain/timeline/steps.ts';
import { Rng } from '../../src/simulator/random.ts';
import { type History, openHistory } from '../../src/store/history.ts';
import { KEY } from '../../src/store/sql/columns.ts';
import { recordOfStored, type StoredRow } from '../../src/store/sql/stored-row.ts';
import { rowsOf, storedColumns } from '../support/stored.ts';
import { type Ask, stringsQuestion, talliesQuestion } from './counts-questions.ts';
import { clickhouse, duckdb, makeTables, startClickhouse, temporaryFolder } from './engines.ts';
import { missesQuestion, throughQuestion } from './inquiry-questions.ts';
import { NETWORKS, randomAsked, randomFields } from './random-questions.ts';
import { ADDRESSES, ODD, randomRows, ZONES } from './random-rows.ts';

const SEED = Number(process.env['EDGESCOPE_TEST_SEED'] ?? 20_260_101);
const ROWS = 2_000;
const QUESTIONS = 300 * Number(process.env['EDGESCOPE_TEST_TIMES'] ?? 1);
const MANY = 100_000;

type Oracle = { name: string; history: History };

const rng = new Rng(SEED);
const rows = randomRows(rng, ROWS);
const kept = keptOf(rowsOf(storedColumns(rows)));
const records = kept.map(recordOfStored);
const engines: Oracle[] = [];
const ends: (() => unknown)[] = [];

before(async () => {
  const folder = temporaryFolder();
  const server = await startClickhouse(`${folder.path}/clickhouse`);
  ends.push(folder.remove, server.stop);
  for (const engine of [await duckdb(`${folder.path}/history.duckdb`), clickhouse(server.url)]) {
    ends.push(engine.close);
    await makeTables(engine);
    for (let from = 0; from < rows.length; from += 1_000)
      await engine.put(storedColumns(rows.slice(from, from + 1_000)));
    engines.push({ name: engine.place.dialect, history: await openHistory(engine) });
  }
});

after(async () => {
  for (const end of ends.reverse()) await end();
});

test('of a row that came more than once the copy that says most is kept, by each engine', async () => {
  assert.ok(kept.length < rows.length);
  const all: RowsAsked = { zones: [], range: { from: 0, to: Date.UTC(2200) }, terms: [] };
  for (const { name, history } of engines)
    assert.deepEqual(sorted(await allRows(history, all, 1_000)), sorted(records), name);
});

test(`${QUESTIONS} random questions have the same answers from memory and from each engine (seed ${SEED})`, async () => {
  let [here, found] = [0, 0];
  for (let at = 0; at < QUESTIONS; at++) {
    const asked = randomAsked(rng, records);
    const wanted = records.filter(wantedBy(asked));
    found += Math.min(1, wanted.length);
    const question = rng.pick([
      ...[rowsQuestion, groupsQuestion, groupsQuestion, stepsQuestion, valuesQuestion],
      ...[talliesQuestion, stringsQuestion, missesQuestion],
      throughQuestion(records),
    ]);
    const ask = question(asked, wanted, rng);
    const answers = engines.map(({ name, history }) => {
      const about = () =>
        `${name}, question ${at}: ${asked.terms.map(printTerm).join(' ')}\n${JSON.stringify(asked)}`;
      const left = history.decidedHere(asked);
      here += left.length > 0 ? 1 : 0;
      for (const { term } of left) assert.ok(mayBeLeft(term), about());
      return ask(history, about, left.length > 0);
    });
    await Promise.all(answers);
  }
  // Nothing is shown by questions that find nothing, or that no engine was asked.
  assert.ok(found > QUESTIONS / 3, `${found} questions found any row`);
  assert.ok(here < QUESTIONS / 2, `${here} questions were decided here`);
});

test('an odd text is found as itself in every way, and nothing else is found for it', async () => {
  const whole = { from: 0, to: Date.UTC(2200) };
  for (const odd of ODD) {
    for (const [op, value] of [
      ['eq', odd.toLowerCase()],
      ['wildcard', `${odd.toLowerCase()}*`],
      ['contains', odd],
      ['regex', `/^${RegExp.escape(odd.toLowerCase())}|ks./i`],
      ['regex', `/^.${'{'}${[...odd].length}}$/`],
    ] as const) {
      const terms = [{ kind: 'field', field: 'host', op, values: [value], negated: false } as const];
      const asked: RowsAsked = { zones: [], range: whole, terms };
      const wanted = records.filter(wantedBy(asked));
      const { groups } = bookOf(wanted).groupBy(['host'], MANY);
      for (const { name, history } of engines) {
        const answer = await history.groups(asked, ['host'], MANY);
        if (answer === null) assert.ok(terms.every(mayBeLeft), JSON.stringify(terms));
        else assert.deepEqual(inOrder(answer.groups), inOrder(groups), `${name} ${JSON.stringify(terms)}`);
      }
    }
  }
});

test('an address is found in the rows of each zone as that cuts it', async () => {
  for (const wanted of [...ADDRESSES, ...NETWORKS]) {
    const values = [wanted];
    const op = wanted.includes('/') ? 'cidr' : 'eq';
    const terms = [{ kind: 'field', field: 'ip', op, values, negated: false } as const];
    for (const [id, anonymisation] of Object.entries(ZONES)) {
      const asked = { zones: [{ ids: [id], anonymisation }], range: { from: 0, to: Date.UTC(2200) }, terms };
      const { groups } = bookOf(records.filter(wantedBy(asked))).groupBy(['ip'], MANY);
      for (const { name, history } of engines) {
        const answer = await history.groups(asked, ['ip'], MANY);
        assert.deepEqual(
          inOrder(answer?.groups ?? []),
          inOrder(groups),
          `${name} ${wanted} ${anonymisation}`,
        );
      }
    }
  }
});

function rowsQuestion(asked: RowsAsked, wanted: readonly LogRecord[]): Ask {
  const limit = rng.pick([7, 400, 2_000]);
  const order = rng.pick(['desc', 'asc'] as const);
  const some =
    limit === 7 ? { ...asked, range: { from: asked.range.from, to: asked.range.from + 60_000 } } : asked;
  const these = wanted.filter(({ timestamp }) => timestamp < some.range.to);
  return async (history, about) => {
    const read = await allRows(history, some, limit, order);
    const way = order === 'desc' ? -1 : 1;
    for (const [n, { timestamp }] of read.entries())
      assert.ok(n === 0 || way * (timestamp - (read[n - 1]?.timestamp ?? 0)) >= 0, about());
    assert.deepEqual(sorted(read), sorted(these), about());
  };
}

function groupsQuestion(asked: RowsAsked, wanted: readonly LogRecord[]): Ask {
  const by = randomFields(rng);
  const limit = rng.pick([1, 10, MANY]);
  const book = bookOf(wanted);
  return async (history, about, isHere) => {
    const answer = await history.groups(asked, by, MANY);
    if (answer === null) return assert.ok(isHere, about());
    const { groups, total, rows: all } = book.groupBy(by, MANY);
    assert.deepEqual({ total: answer.total, rows: answer.rows }, { total, rows: all }, about());
    assert.deepEqual(inOrder(answer.groups), inOrder(groups), about());
    const first = await history.groups(asked, by, limit);
    // Which of equal groups comes first is the engine's own.
    assert.deepEqual(first?.groups.map(rank), groups.slice(0, limit).map(rank), about());
  };
}

function stepsQuestion(asked: RowsAsked, wanted: readonly LogRecord[]): Ask {
  const steps = stepsOf(asked.range, rng.pick([10, 40, 200]));
  const series = rng.pick(LOG_SERIES);
  const book = bookOf(wanted);
  return async (history, about, isHere) => {
    const answer = await history.steps(asked, steps, series);
    if (answer === null) return assert.ok(isHere, about());
    const counts = answer.counts.map((parts) => (parts.length > 0 ? parts : null));
    const expected = book.timeline.of(steps, series);
    assert.deepEqual(
      counts.map((parts, at) => parts ?? expected[at]?.map(() => 0)),
      expected,
      about(),
    );
  };
}

/** What stands beside a list: the values of one field by how often they come. */
function valuesQuestion(asked: RowsAsked, wanted: readonly LogRecord[]): Ask {
  const [field = 'status'] = randomFields(rng);
  const book = bookOf(wanted);
  return async (history, about, isHere) => {
    const answer = await history.groups(asked, [field], MANY);
    if (answer === null) return assert.ok(isHere, about());
    const counted = answer.groups.flatMap(({ key, count }) =>
      key[field] === null ? [] : [[key[field], count]],
    );
    const values = book.distinct(field, MANY).map(({ value, count }) => [value, count]);
    assert.deepEqual(counted.map(String).sort(), values.map(String).sort(), about());
  };
}

async function allRows(
  history: History,
  asked: RowsAsked,
  limit: number,
  order: 'desc' | 'asc' = 'desc',
): Promise<LogRecord[]> {
  const all: LogRecord[] = [];
  let after: RowPlace | null = null;
  do {
    const page = await history.page(asked, { order, after, limit });
    all.push(...page.records);
    after = page.next;
  } while (after !== null);
  return all;
}

/** As the tables should settle: of rows with one key the last of those that say most. */
function keptOf(all: readonly StoredRow[]): StoredRow[] {
  const byKey = new Map<string, StoredRow>();
  for (const row of all) {
    const key = JSON.stringify(KEY.map((name) => row[name]));
    if ((byKey.get(key)?.detail ?? 0) <= row.detail) byKey.set(key, row);
  }
  return [...byKey.values()];
}

function wantedBy({ zones, range, terms }: RowsAsked): (record: LogRecord) => boolean {
  const ofZone = new Map(
    zones.flatMap(({ ids, anonymisation }) => ids.map((id) => [id, matcher(terms, anonymisation)] as const)),
  );
  const plain = matcher(terms);
  return (record) => {
    const matches = zones.length === 0 ? plain : ofZone.get(record.pullZoneId);
    return record.timestamp >= range.from && record.timestamp < range.to && (matches?.(record) ?? false);
  };
}

function bookOf(wanted: readonly LogRecord[]): LogBook {
  const book = new LogBook({ capacity: MANY });
  book.append(wanted.map((record) => ({ record, late: false })));
  return book;
}

/** Only what an engine may read in its own way is left to us. */
function mayBeLeft(term: RowsAsked['terms'][number]): boolean {
  const values = term.kind === 'text' ? [term.value] : term.values;
  return values.some((value) => /[^\0-\x7f]/.test(value) || value.includes('99999999999999999999'));
}

function rank({ count, bytes, firstSeen }: { count: number; bytes: number; firstSeen: number }): unknown {
  return [count, bytes, firstSeen];
}

function inOrder(groups: readonly { key: Readonly<Record<string, string | null>> }[]): string[] {
  return groups
    .map(({ key, ...sums }) => {
      const values = Object.entries(key).map(([name, value]) => [name, value === '' ? null : value]);
      return JSON.stringify([values, sums]);
    })
    .sort();
}

function sorted(of: readonly LogRecord[]): string[] {
  return of.map((record) => JSON.stringify(record)).sort();
}
