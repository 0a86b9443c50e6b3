import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readCommandLine } from '../../src/config/command/command-line.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { openInputs } from '../../src/effects/saved/saved-input.ts';
import { printAskSaved } from '../../src/print/ask/ask-saved.ts';
import { keepImported } from '../../src/print/keep/keep-import.ts';
import { note } from '../../src/store/noted-coverage.ts';
import { systemClock } from '../../src/time/clock.ts';
import { bench, MINUTE, objectsOf, ZONE } from '../print/support.ts';
import { duckdb, makeTables, temporaryFolder } from './engines.ts';

const DAY = 24 * 60 * MINUTE;

const folder = temporaryFolder();
const file = join(folder.path, 'logs.duckdb');
const saved = join(folder.path, 'saved.ndjson');
const { printed, sim, zone, truth } = bench({ rate: 5 });
/** The platform has what is newer, and the store what is older, and some minutes of both. */
const border = Math.floor((sim.clock.now() - 3 * DAY) / MINUTE) * MINUTE;
const all = { from: border - 130 * MINUTE, to: border + 20 * MINUTE };
const rows = truth(all.from, all.to);

before(async () => {
  writeFileSync(saved, rows.map(({ entry }) => `${JSON.stringify(entry)}\n`).join(''));
  const engine = await duckdb(file);
  await makeTables(engine);
  const opened = await openInputs([saved], null);
  assert.ok(opened.ok);
  const o = { stderr: { write() {} } as never, format: 'ndjson' as const, clock: systemClock };
  const printer = { ...o, write: async () => {}, onEnd() {} };
  const open = async () => ({ ...engine, close: async () => {} });
  assert.equal(await keepImported(printer, opened.inputs, open), 0);
  const to = border + 5 * MINUTE;
  await note(engine, [{ zone: String(zone.id), from: all.from, to, state: 'read', missing: null, mark: 1 }]);
  await engine.close();
});

after(folder.remove);

const iso = (time: number) => new Date(time).toISOString();

/**
 * What the answer says, whoever had the rows. Saved logs know of their times no more than from the first row to the last, so that what hangs
 * on the length of a window is a little off.
 */
function findingsOf(out: string) {
  const [head, ...findings] = objectsOf(out);
  const rounded = (_: string, each: unknown) =>
    typeof each === 'number' && !Number.isInteger(each) ? Number(each.toPrecision(3)) : each;
  return [
    { headline: head?.['headline'] },
    ...findings.map((each) => JSON.parse(JSON.stringify({ ...each, command: null }, rounded)) as unknown),
  ];
}

function askedOfStore(question: string, from: number, to: number, terms: readonly string[]) {
  const history = async () => ({ ok: true as const, value: () => duckdb(file, false) });
  return printed(['ask', question, ZONE, ...terms, '--from', iso(from), '--to', iso(to)], { history });
}

/** The same rows as saved logs, which another part of the program answers for. */
async function askedOfFile(question: string, from: number, to: number, terms: readonly string[]) {
  const words = ['ask', question, ...terms, '--file', saved, '--from', iso(from), '--to', iso(to)];
  const usage = readCommandLine(words, import.meta, { name: 'edgescope', version: '0', description: '' });
  assert.ok(usage.ok, usage.ok ? '' : usage.message);
  const query = parseQuery(usage.value.query, 'logs', to);
  const opened = await openInputs(usage.value.files, null);
  assert.ok(query.ok && opened.ok);
  let out = '';
  const printer = {
    stderr: { write() {} } as never,
    format: 'ndjson' as const,
    clock: systemClock,
    write: async (text: string) => {
      out += text;
    },
    onEnd() {},
    flags: [],
  };
  const code = await printAskSaved(printer, usage.value, query.query, opened.inputs);
  return { code, out };
}

for (const [question, end] of [
  ['compare', border],
  ['misses', border],
  ['timeline', border],
  ['compare', all.to],
] as const) {
  const what = end === border ? 'that is older than the platform keeps' : 'of a store and of the platform';
  test(`${question} over a window ${what} is what saved logs with the same rows answer`, async () => {
    const [from, to] = [end - 60 * MINUTE, end];
    const inside = rows.filter(({ at }) => at >= from && at < to);
    const clients = [...Map.groupBy(inside, ({ entry }) => String(entry['remoteIp']))];
    const [ip = ''] = clients.toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
    const terms = question === 'timeline' ? [`ip:${ip}`] : [];
    const store = await askedOfStore(question, from, to, terms);
    const own = await askedOfFile(question, from, to, terms);
    assert.deepEqual([store.code, own.code], [0, 0], store.err);
    assert.match(store.err, /HISTORY duckdb: what is older than \S+Z comes from the store test/);
    assert.ok(findingsOf(store.out).length > 0);
    assert.deepEqual(findingsOf(store.out), findingsOf(own.out));
  });
}
