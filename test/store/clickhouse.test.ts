import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openClickhouse } from '../../src/store/engines/clickhouse.ts';
import { type Engine, MOST_ANSWER } from '../../src/store/engines/engine.ts';
import { STORE_FAILURES, StoreFailure } from '../../src/store/engines/store-failure.ts';
import type { StoredNote } from '../../src/store/sql/spans.ts';
import { sql } from '../../src/store/sql/sql.ts';
import { Secret } from '../../src/text/secret.ts';
import { recordOf } from '../support/state.ts';
import { storedColumns } from '../support/stored.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const PLACE = { dialect: 'clickhouse', database: 'history', cluster: null, days: null } as const;
const LIMITS = { seconds: 60, memory: 4096 };
/** What a server is to hear it may never hear. */
const WITHIN = { timeout: 20_000 };
const PASSWORD = 'p&ss/word secret';
const QUESTION = sql`SELECT count(*) FROM history.requests`;

type Asked = { id: string | null; address: string; text: string; head: string | undefined };

/** A server that answers as it is told, and an engine on it whose time passes only when it is told to. */
async function scene(
  t: TestContext,
  answer: (asked: Asked, response: ServerResponse) => void,
  quorum = false,
) {
  const waiting: ((asked: Asked) => void)[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://server');
    const body = (await request.setEncoding('utf8').toArray()).join('');
    const asked = {
      id: searchParams.get('query_id'),
      address: request.url ?? '',
      text: `${searchParams} ${body}`,
      head: request.headers.authorization,
    };
    waiting.shift()?.(asked);
    answer(asked, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clock = new VirtualClock();
  const access = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    user: 'edge',
    password: new Secret(PASSWORD),
    quorum,
  };
  const engine = openClickhouse('team', PLACE, access, { limits: LIMITS, clock });
  t.after(async () => {
    const closed = engine.close();
    await clock.advance(60_000);
    await closed;
    server.closeAllConnections();
    server.close();
  });
  /** The next request that comes. */
  const next = () => new Promise<Asked>((resolve) => waiting.push(resolve));
  return { access, engine, clock, next };
}

function refusing(status: number, code: number, words: string) {
  return (_: Asked, response: ServerResponse) => {
    response.writeHead(status, { 'X-ClickHouse-Exception-Code': String(code) });
    response.end(`Code: ${code}. DB::Exception: ${words}`);
  };
}

const isKill = ({ text }: Asked) => text.includes('KILL QUERY');

test(
  'a server that says nothing is given up a while after its limit, in words, and the question is ended there',
  WITHIN,
  async (t) => {
    const { engine, clock, next } = await scene(t, (asked, response) => {
      if (isKill(asked)) response.end();
    });
    const first = next();
    const asked = assert.rejects(engine.ask(QUESTION), {
      kind: 'slow',
      message: 'The store team took longer than 1m for a question, and was stopped.',
    });
    const { id } = await first;
    const second = next();
    await clock.advance(LIMITS.seconds * 1000 + 10_000);
    await asked;
    const killed = await second;
    assert.ok(isKill(killed) && killed.text.includes(id ?? '?'), killed.text);
  },
);

test(
  'Esc ends a question at once, ends it at the server too, and waits for no answer to that',
  WITHIN,
  async (t) => {
    const { engine, clock, next } = await scene(t, () => {});
    const first = next();
    const stopper = new AbortController();
    const asked = engine.ask(QUESTION, stopper.signal);
    const { id } = await first;
    const second = next();
    stopper.abort(new Error('Esc'));
    await assert.rejects(asked, /Esc/);
    const killed = await second;
    assert.ok(isKill(killed) && killed.text.includes(id ?? '?'), killed.text);
    // A program that ends gives the server a moment to hear of it, and no more.
    const closed = engine.close();
    await clock.advance(2_000);
    await closed;
  },
);

for (const [words, status, code, said, kind] of [
  ['the account may only read', 403, 497, 'edge: Not enough privileges. (ACCESS_DENIED)', 'forbidden'],
  ['the password is wrong', 403, 516, 'edge: Authentication failed. (AUTHENTICATION_FAILED)', 'refused'],
  [
    'the disk fills up',
    500,
    75,
    'errno: 28, strerror: No space left on device. (CANNOT_WRITE_TO_FILE_DESCRIPTOR)',
    'full',
  ],
  ['nothing can be reserved on the disk', 500, 243, 'Cannot reserve 1.00 MiB. (NOT_ENOUGH_SPACE)', 'full'],
  ['a write takes too long', 500, 159, 'Timeout exceeded. (TIMEOUT_EXCEEDED)', 'busy'],
  ['merges do not keep up', 500, 252, 'Too many parts. (TOO_MANY_PARTS)', 'busy'],
  [
    'it is still at work on it',
    500,
    216,
    'Query with id is already running. (QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING)',
    'busy',
  ],
  ['the server shuts down', 500, 236, 'Server is shutting down. (ABORTED)', 'busy'],
  ['a cluster has lost its keeper', 500, 242, 'Table is in readonly mode. (TABLE_IS_READ_ONLY)', 'busy'],
  ['a column is missing', 500, 16, 'No such column shape in table. (NO_SUCH_COLUMN_IN_TABLE)', 'version'],
] as const)
  test(`a write is refused in words where ${words}, and is tried again if that passes`, async (t) => {
    const { engine } = await scene(t, refusing(status, code, said));
    const failure = await engine.put(storedColumns([recordOf(1)])).then(
      () => null,
      (error) => error,
    );
    assert.ok(failure instanceof StoreFailure && failure.kind === kind, String(failure));
    assert.equal(failure.passes, ['full', 'busy'].includes(kind));
    assert.equal(failure.next, STORE_FAILURES[kind].next.replace('{store}', 'team'));
    assert.ok(!`${failure.stack}${failure.next}`.includes(PASSWORD));
  });

test('a server that ends in the middle of a write is away, and one that ends in the middle of an answer too', async (t) => {
  const { engine } = await scene(t, ({ text }, response) => {
    if (!text.includes('INSERT')) response.write('[');
    response.destroy();
  });
  await assert.rejects(engine.put(storedColumns([recordOf(1)])), { kind: 'away', passes: true });
  await assert.rejects(engine.ask(QUESTION), { kind: 'away', passes: true });
});

test('on a quorum rows and notes count once most replicas have them, and are asked for where they are', async (t) => {
  for (const isOn of [true, false]) {
    const { engine, next } = await scene(t, saying({ written_rows: '2' }), isOn);
    for (const write of WRITES) {
      const sent = next();
      await write(engine);
      const { text } = await sent;
      assert.equal(text.includes('insert_quorum=auto&insert_quorum_parallel=0'), isOn, text);
    }
    const asked = next();
    await engine.ask(QUESTION);
    assert.equal((await asked).text.includes('select_sequential_consistency=1'), isOn);
  }
});

test('rows and notes are confirmed once all of them are where they belong, and are gathered by no server', async (t) => {
  const { engine, next } = await scene(t, saying({ written_rows: '2' }));
  for (const write of WRITES) {
    const sent = next();
    await write(engine);
    const { id, text } = await sent;
    for (const setting of ['distributed_foreground_insert=1', 'async_insert=0', 'wait_end_of_query=1'])
      assert.ok(text.includes(setting), text);
    // The same block is another one for the server each time it is sent.
    if (write === WRITES[0]) assert.ok(text.includes(`insert_deduplication_token=${id}`), text);
  }
});

const WRITES: readonly ((engine: Engine) => Promise<void>)[] = [
  (engine) => engine.put(storedColumns([recordOf(1), recordOf(2)])),
  (engine) => engine.note([noteOf('7'), noteOf('8')]),
];

function noteOf(pullZoneId: string): StoredNote {
  return { pullZoneId, since: 0, till: 60_000, state: 'read', missing: -1, noted: 1 };
}

test('the notes of many zones are one write, at an address that every proxy lets through', async (t) => {
  const { engine, next } = await scene(t, saying({ written_rows: '1000' }));
  const sent = next();
  await engine.note(Array.from({ length: 1_000 }, (_, at) => noteOf(String(at))));
  const { address, text } = await sent;
  assert.ok(text.includes('["999",0,60000,"read",-1,1]'), text.slice(-200));
  assert.ok(address.length < 2_000, `${address.length} letters`);
});

/** Answers as a server does that is done, with this summary. */
function saying(summary: unknown, o: { id?: string } = {}) {
  return ({ id }: Asked, response: ServerResponse) => {
    response.setHeader('X-ClickHouse-Query-Id', o.id ?? id ?? '');
    if (summary !== null) response.setHeader('X-ClickHouse-Summary', JSON.stringify(summary));
    response.end();
  };
}

for (const [words, answer, detail] of [
  [
    'a login page answers 200',
    (_: Asked, response: ServerResponse) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<form>Who are you?</form>');
    },
    'the answer names no query',
  ],
  [
    'an answer is that to another query',
    saying({ written_rows: '2' }, { id: 'edgescope-1' }),
    'another query',
  ],
  [
    'an answer comes twice in one',
    saying({ written_rows: '2' }, { id: 'edgescope-1, edgescope-1' }),
    'another query',
  ],
  ['an answer has no summary', saying(null), 'does not say what was written'],
  ['a summary does not speak of rows', saying({ read_rows: '2' }), 'does not say what was written'],
  ['a summary is no object', saying('2'), 'does not say what was written'],
  ['a server says that it wrote fewer', saying({ written_rows: '1' }), '1 of 2 rows confirmed'],
  ['a server gathers rows and has written none', saying({ written_rows: '0' }), '0 of 2 rows confirmed'],
] as const)
  test(`a write is not believed, and tried again, where ${words}`, async (t) => {
    const { engine } = await scene(t, answer);
    for (const write of WRITES) {
      const failure = await write(engine).then(
        () => null,
        (error) => error,
      );
      assert.ok(
        failure instanceof StoreFailure && failure.kind === 'unsure' && failure.passes,
        String(failure),
      );
      assert.match(
        failure.message,
        new RegExp(`^Something stands in for the store team, .*: .*${detail}\\.$`),
      );
    }
  });

test('a write is believed whose rows views write on, and a change of tables that writes none', async (t) => {
  const { engine } = await scene(t, saying({ written_rows: '3' }));
  for (const write of WRITES) await write(engine);
  const other = await scene(t, saying({ written_rows: '0' }));
  await other.engine.run(sql`CREATE DATABASE history`);
});

test('a change of tables is not believed of whoever answers in the place of the server', async (t) => {
  const { engine } = await scene(t, (_, response) => response.end('Ok.'));
  await assert.rejects(engine.run(sql`CREATE DATABASE history`), { kind: 'unsure' });
});

test('an answer without rows is one of the server itself, or none', async (t) => {
  for (const page of ['', '<form>Who are you?</form>']) {
    const { engine } = await scene(t, (_, response) => response.end(page));
    await assert.rejects(engine.ask(QUESTION), { kind: 'unsure', passes: true });
  }
  const other = await scene(t, saying({}));
  assert.deepEqual(await other.engine.ask(QUESTION), { rows: [], read: null });
});

/** Answers for as long as anyone reads, and tells how much that was. */
function endlessly(head: Record<string, string | number>, status = 200) {
  const told = { bytes: 0 };
  const answer = ({ id }: Asked, response: ServerResponse) => {
    response.writeHead(status, { 'X-ClickHouse-Query-Id': id ?? '', ...head });
    const piece = Buffer.alloc(1_000_000, '1');
    const write = () => {
      do told.bytes += piece.length;
      while (response.write(piece));
    };
    response.on('drain', write);
    write();
  };
  return { told, answer };
}

test('an answer without an end is given up where it becomes too large', WITHIN, async (t) => {
  const { told, answer } = endlessly({});
  const { engine } = await scene(t, answer);
  await assert.rejects(engine.ask(QUESTION), {
    kind: 'huge',
    passes: false,
    message: 'An answer of the store team is larger than 128M, and was not read to its end.',
  });
  assert.ok(told.bytes < 1.5 * MOST_ANSWER, String(told.bytes));
});

test('an error without an end is given up sooner, and taken for nobody’s', WITHIN, async (t) => {
  for (const [head, status] of [
    [{ 'X-ClickHouse-Exception-Code': 60 }, 200],
    [{}, 502],
  ] as const) {
    const { told, answer } = endlessly(head, status);
    const { engine } = await scene(t, answer);
    for (const ask of [() => engine.ask(QUESTION), () => WRITES[0]?.(engine)])
      await assert.rejects(async () => ask(), {
        kind: 'unsure',
        message: /: an error of more than 1\.0M\.$/,
      });
    assert.ok(told.bytes < MOST_ANSWER / 4, String(told.bytes));
  }
});

test('an answer that comes packed is not unpacked: a small one may become any size', WITHIN, async (t) => {
  const bomb = gzipSync(Buffer.alloc(30_000_000, '1'));
  for (const status of [200, 500]) {
    const { engine } = await scene(t, ({ id }, response) => {
      response.writeHead(status, { 'X-ClickHouse-Query-Id': id ?? '', 'Content-Encoding': 'gzip' });
      response.end(bomb);
    });
    await assert.rejects(engine.ask(QUESTION), { kind: 'unsure', message: /: the answer is packed\.$/ });
  }
});

test('the password is in no error, in whatever form the server or a proxy gives it back', async (t) => {
  const { access, engine } = await scene(t, ({ head }, response) => {
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': '1' });
    const password = access.password.reveal();
    const sent = `${password} ${encodeURIComponent(password)} ${head?.split(' ')[1]} ${`${password} `.repeat(20)}`;
    response.end(`Code: 1. DB::Exception: ${sent} https://edge:${password}@proxy/ (UNSUPPORTED_METHOD)`);
  });
  for (const ask of [() => engine.ask(QUESTION), () => WRITES[0]?.(engine)]) {
    const failure = await Promise.resolve(ask()).then(
      () => null,
      (error) => error,
    );
    assert.ok(failure instanceof StoreFailure && failure.kind === 'other', String(failure));
    assert.match(failure.message, /^The store team failed: \[masked\] \[masked\] \[masked\] /);
    for (const form of ['p&ss/word', 'p%26ss', Buffer.from('edge:p&ss').toString('base64').slice(0, 10)])
      assert.ok(!`${failure.message}${failure.stack}`.includes(form), form);
  }
});
