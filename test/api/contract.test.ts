import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { type Client, createClient } from '../../src/api/client.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import type { Result } from '../../src/domain/failure.ts';
import { straysIn } from '../../src/domain/strays.ts';
import { LIST_KINDS } from '../../src/lists/account-lists.ts';
import { ROUTES } from '../../src/simulator/http/router.ts';
import { Secret } from '../../src/text/secret.ts';
import { type AnswerRow, CONTRACT, type Ids, type StatusRow, type Told } from './contract.ts';
import {
  isNeeded,
  mayBeNull,
  type Path,
  type Place,
  placesOf,
  SAMPLE_ROWS,
  type Shape,
  sampleOf,
} from './contract-shapes.ts';

const ROWS = Object.entries<AnswerRow>(CONTRACT);
const ASKED = ROWS.filter(([, row]) => row.ask !== null);
/** They ask nothing, or end what was asked. */
const NOT_ASKING = ['connectToLogs', 'serverTime', 'logQuota', 'mainQuota', 'close', 'takeTurns'];

const DAY = Date.UTC(2026, 7, 20);
const IDS: Ids = {
  pullZone: '1',
  failing: '1',
  quiet: '1',
  withoutShield: '2',
  withoutLogs: '3',
  suspended: '4',
  shieldZone: '5',
  storageZone: '6',
  archived: '1',
  logStorage: '6',
  store: { name: 'logs', hostname: '', password: new Secret('read-only') },
  month: ['pullzone-logs', 'shop', '2026', '08'],
  part: '07_100-0-a1b2c3d4.gzip',
  day: '2026-08-20',
  shieldDay: '08-20-2026',
  logDay: '08-20-26',
  from: DAY + 11 * 3_600_000,
  to: DAY + 12 * 3_600_000,
};

const NUMBERS: readonly string[] = ['id', 'amount', 'code', 'enum', 'ms'];
const INT64 = '9223372036854775807';
const BEYOND_A_DOUBLE = '1e400';
const NEW_ENUMS = ['97', '"Novel"'];
const PLACEHOLDER = '"@@"';
/** What follows from another field of a row. */
const DERIVED = ['scheme', 'host', 'path'];

/** One field of an answer that comes otherwise: `token` is JSON text, null = it is left out. */
type Change = Place & { token: string | null };

/** What a client has to bear. */
function borne(body: Shape): Change[] {
  return placesOf(body).flatMap((place) => {
    const { presence, shape } = place.field;
    const tokens: (string | null)[] = [];
    if (!isNeeded(presence)) tokens.push(null);
    if (mayBeNull(presence)) tokens.push('null');
    if (shape.of === 'enum') tokens.push(...NEW_ENUMS);
    if (NUMBERS.includes(shape.of)) tokens.push(INT64);
    if (NUMBERS.includes(shape.of) && !isNeededId(place)) tokens.push(BEYOND_A_DOUBLE);
    return tokens.map((token) => ({ ...place, token }));
  });
}

/** Without which it is no row, or no answer. */
function missing(body: Shape): Change[] {
  return placesOf(body).flatMap((place) => {
    const tokens: (string | null)[] = isNeeded(place.field.presence) ? [null] : [];
    if (isNeededId(place)) tokens.push(BEYOND_A_DOUBLE);
    return tokens.map((token) => ({ ...place, token }));
  });
}

const isNeededId = ({ field }: Place) => isNeeded(field.presence) && field.shape.of === 'id';

function bodyOf(shape: Shape, change: Change | null = null): string {
  const value = sampleOf(shape);
  if (change !== null)
    put(value, change.path, change.token === null && shape.of !== 'lines' ? undefined : '@@');
  if (shape.of === 'lines') {
    const token = change?.token === null || change?.token === 'null' ? '-' : (change?.token ?? '');
    return (value as unknown[][]).map((parts) => `${parts.join('|')}\n`.replace('@@', token)).join('');
  }
  return JSON.stringify(value).replace(PLACEHOLDER, change?.token ?? '');
}

function put(value: unknown, path: Path, part: unknown): void {
  const [last, ...before] = path.toReversed();
  const holder = before
    .toReversed()
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[String(name)], value);
  (holder as Record<string, unknown>)[String(last)] = part;
}

/** What the client makes of one answer that comes without a network. */
async function given(row: AnswerRow, status: number, body: string, type = 'application/json') {
  const answer = {
    host: 'api.example',
    status,
    headers: { 'content-type': type },
    bytes: Buffer.from(body),
    sentAt: DAY,
    receivedAt: DAY,
    scrub: (text: string) => text,
  };
  const client = createClient({
    baseUrl: 'http://127.0.0.1:1',
    loggingUrl: 'http://127.0.0.1:1',
    originErrorsUrl: 'http://127.0.0.1:1',
    storageUrl: 'http://127.0.0.1:1',
    credentials: { accessKey: new Secret('a-key'), token: null },
    allowWrites: true,
    quota: createQuota({ factor: 0.000_01 }),
    factor: 0.000_01,
    over: (wire) => ({
      ...wire,
      send: async () => ({ ok: true, value: answer }),
      open: async () => ({ ok: true, value: { answer, body: Readable.from([answer.bytes]), hangUp() {} } }),
    }),
  });
  try {
    return (await row.ask?.(client, IDS)) as Result<never>;
  } finally {
    await client.close();
  }
}

async function told(row: AnswerRow, { status }: StatusRow, body: string, what: string): Promise<Told> {
  const type =
    body.startsWith('{') || body.startsWith('[') || body === '' ? 'application/json' : 'text/plain';
  const result = await given(row, status, body, type);
  assert.ok(result.ok, `${what}: ${result.ok ? '' : JSON.stringify(result.failure)}`);
  const { outside = 0, ofOthers = 0 } = straysIn(result.value) ?? {};
  return { strays: outside + ofOthers, ...row.told(result.value) };
}

const print = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row));
const nameOf = ({ path, token }: Change) => `${path.join('.')} = ${token ?? 'left out'}`;

/** The rows that one row of the answer has become, from and to. */
function middleOf(sound: readonly unknown[]): [number, number] {
  return [sound.length / SAMPLE_ROWS, (2 * sound.length) / SAMPLE_ROWS];
}

function isInRow(row: AnswerRow, { path }: Change): boolean {
  return row.rowsAt === null || [...row.rowsAt, 1].every((part, i) => path[i] === part);
}

/** Whether the field is one of a list within the row: an item of it costs no more than itself. */
function isNested(row: AnswerRow, { path }: Change): boolean {
  const within = row.rowsAt === null ? path : path.slice(row.rowsAt.length + 1);
  return within.some((part) => typeof part === 'number');
}

/** A status of HTTP, a time and what no number holds have no such value: the row is kept as it came. */
function isNoValue({ field, token }: Change): boolean {
  return token === BEYOND_A_DOUBLE || (token === INT64 && ['code', 'ms'].includes(field.shape.of));
}

/** A row of another zone or time, which nobody asked about: it is left out, and told. */
function isOfElsewhere({ field, path, token }: Change): boolean {
  const isTime = ['iso', 'ms'].includes(field.shape.of);
  return token !== null && (isTime || path.at(-1) === 'pullZoneId' || field.shape.of === 'id');
}

/** The names under which two printed rows differ. */
function differences(a: string | undefined, b: string | undefined): { name: string; now: unknown }[] {
  const [old, now] = [a, b].map((text) => JSON.parse(text ?? '{}') as Record<string, unknown>);
  return Object.keys({ ...old, ...now })
    .filter((name) => JSON.stringify(old?.[name]) !== JSON.stringify(now?.[name]))
    .map((name) => ({ name, now: now?.[name] }));
}

function checkBorne(row: AnswerRow, change: Change, sound: Told, got: Told): void {
  const what = nameOf(change);
  const [before, after] = [print(sound.rows), print(got.rows)];
  const [from, to] = isInRow(row, change) ? middleOf(before) : [0, 0];
  // Rules stand in lists of a ruleset; without its list there are fewer of it.
  if (row.isDecoration === true && change.field.shape.of === 'list') {
    const own = after.slice(from, after.length - before.length + to);
    assert.deepEqual(after, before.toSpliced(from, to - from, ...own), `${what}: a neighbour is lost`);
    return;
  }
  if (got.strays) {
    assert.ok(isOfElsewhere(change), `${what}: a row that was asked for is called a stray`);
    assert.deepEqual(after, before.toSpliced(from, to - from), `${what}: a neighbour is lost`);
    return;
  }
  assert.equal(after.length, before.length, `${what}: a row is lost`);
  assert.ok(got.unread <= (isNoValue(change) ? 1 : 0), `${what}: ${got.unread} rows are not understood`);
  before.forEach((text, i) => {
    const isOwn = row.rowsAt === null || (i >= from && i < to);
    if (!isOwn) assert.equal(after[i], text, `${what}: a neighbour changed`);
    if (!isOwn || got.unread > 0) return;
    const changed = differences(text, after[i]).filter(({ name }) => !DERIVED.includes(name));
    assert.ok(changed.length <= 1, `${what}: also changed ${changed.map(({ name }) => name)}`);
    if (change.field.shape.of === 'enum' && NEW_ENUMS.includes(change.token ?? ''))
      for (const { now } of changed)
        assert.equal(now, JSON.parse(change.token ?? ''), `${what}: not as it came`);
  });
  if (change.field.shape.of !== 'id' || change.token !== INT64) return;
  const digits = String(change.field.shape.example).slice(0, 8);
  const isUsed = before.slice(from, to || undefined).some((text) => text.includes(digits));
  const count = (rows: readonly string[]) => rows.join().split(INT64).length - 1;
  if (isUsed && count(before) === 0 && differs(before, after))
    assert.ok(count(after) > 0, `${what}: digits are lost`);
}

const differs = (a: readonly string[], b: readonly string[]) => a.some((text, i) => text !== b[i]);

for (const [name, row] of ASKED)
  test(`of ${name} no row and no neighbour is lost by a field that is missing, null, new or huge`, async () => {
    for (const status of row.statuses.filter(({ means, body }) => means === null && body !== null)) {
      const body = status.body as Shape;
      const sound = await told(row, status, bodyOf(body), 'the sample');
      assert.equal(sound.unread, 0);
      assert.ok(status.status === 202 || sound.rows.length % SAMPLE_ROWS === (row.rowsAt === null ? 1 : 0));
      for (const change of borne(body)) {
        if (
          change.path.length === row.rowsAt?.length &&
          change.path.every((part, i) => part === row.rowsAt?.[i])
        ) {
          // The list itself: null is none.
          assert.deepEqual((await told(row, status, bodyOf(body, change), nameOf(change))).rows, []);
          continue;
        }
        checkBorne(row, change, sound, await told(row, status, bodyOf(body, change), nameOf(change)));
      }
    }
  });

for (const [name, row] of ASKED)
  test(`of ${name} what cannot be missing costs its own row, which is told, or the whole answer`, async () => {
    for (const status of row.statuses.filter(({ means, body }) => means === null && body !== null)) {
      const body = status.body as Shape;
      const sound = await told(row, status, bodyOf(body), 'the sample');
      for (const change of missing(body)) {
        const what = nameOf(change);
        const type = body.of === 'lines' ? 'text/plain' : 'application/json';
        const result = await given(row, status.status, bodyOf(body, change), type);
        if (!isNested(row, change) && (row.rowsAt === null || !isInRow(row, change))) {
          assert.equal(result.ok, false, `${what}: taken for an answer`);
          continue;
        }
        assert.ok(result.ok, what);
        const got = row.told(result.value);
        const isTold = !isNested(row, change) && row.isDecoration !== true;
        assert.equal(got.unread, isTold && !isEmptyColumn(body, change) ? 1 : 0, what);
        const [from, to] = row.rowsAt === null ? [0, 1] : middleOf(sound.rows);
        const neighbours = print(sound.rows).filter((_, i) => i < from || i >= to);
        const now = print(got.rows);
        assert.deepEqual(
          now.filter((text) => neighbours.includes(text)),
          neighbours,
          `${what}: a neighbour`,
        );
      }
    }
  });

/** A dash is a cache status. */
function isEmptyColumn(body: Shape, { path }: Change): boolean {
  return body.of === 'lines' && path.at(-1) === '0';
}

for (const [name, row] of ASKED)
  test(`what ${name} is refused with is told, whatever its body lacks`, async () => {
    for (const { status, body, means } of row.statuses) {
      if (means === null) continue;
      const result = await given(row, status, body === null ? '' : bodyOf(body));
      assert.equal(result.ok ? 'ok' : result.failure.kind, means, `${status}`);
      const bodies = body === null ? [] : borne(body).map((change) => bodyOf(body, change));
      const others = status < 400 ? [] : ['<html>no</html>', 'null', '{}', ''];
      // A day without lines is a 404 without a word.
      const empty = name === 'logsV1' && status === 404;
      for (const text of [...bodies, ...(empty ? [] : others)])
        assert.equal((await given(row, status, text)).ok, false, `${status} ${text}`);
    }
  });

test('the table has every endpoint, and every request of the client is one of its rows', async () => {
  // Other programs exchange a key for a token; the client takes a token that it is given.
  const asked = Object.keys(ROUTES)
    .filter((id) => id !== 'exchange')
    .sort();
  assert.deepEqual([...new Set(ROWS.map(([, row]) => row.endpoint))].sort(), asked);
  const called = new Set<string>();
  const client = createClient({
    baseUrl: 'http://127.0.0.1:1',
    loggingUrl: 'http://127.0.0.1:1',
    credentials: { accessKey: null, token: null },
    allowWrites: false,
    quota: createQuota(),
  });
  const list: Client['list'] = (name, ...how) => {
    called.add(`list ${name}`);
    return client.list(name, ...how);
  };
  const watched = new Proxy({ ...client, list } as Client, {
    get: (target, name) => {
      called.add(String(name));
      return Reflect.get(target, name);
    },
  });
  for (const [, row] of ASKED) assert.equal((await row.ask?.(watched, IDS))?.ok, false);
  await client.close();
  const lists = ['zones', ...LIST_KINDS].map((name) => `list ${name}`);
  assert.deepEqual([...called, ...NOT_ASKING].sort(), [...Object.keys(client), ...lists].sort());
});
