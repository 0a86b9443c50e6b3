import { randomUUID } from 'node:crypto';
import { Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { Readable } from 'node:stream';
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { MASK, maskSecrets } from '../../text/mask.ts';
import type { Secret } from '../../text/secret.ts';
import { bytes, count, counted, duration } from '../../text/units.ts';
import type { Clock } from '../../time/clock.ts';
import { COLUMN_NAMES, column } from '../sql/columns.ts';
import { DIALECTS } from '../sql/dialect.ts';
import { type Place, tableSql } from '../sql/schema.ts';
import { NOTE_NAMES } from '../sql/spans.ts';
import { listedSql, type Sql, type Statement, sql, statementOf } from '../sql/sql.ts';
import { type Engine, type EngineAnswer, MOST_ANSWER, type QuestionLimits } from './engine.ts';
import { nativeBlock } from './native-block.ts';
import { StoreFailure, type StoreFailureKind } from './store-failure.ts';

/** `url`: without a query; a path in it is where a proxy has the server. */
type ClickhouseAccess = { url: string; user: string; password: Secret | null; quorum: boolean };

type Headers = Awaited<ReturnType<ClickHouseClient['command']>>['response_headers'];
type Told = { response_headers: Headers };

/** Questions in flight at once. */
const AT_ONCE = 4;
/** Beyond the time that the server may take, until its silence counts as one, ms. */
const GRACE = 10_000;
/** A write is not a question, and may wait for a merge, ms. */
const LONGEST_WRITE = 120_000;
/** Whoever closes waits so long for the server to hear that a question is ended, ms. */
const LONGEST_KILL = 2_000;

/** A write is confirmed once all of it is where it belongs: a note must not be read before what it speaks of. */
const IN_PLACE = {
  distributed_foreground_insert: 1,
  // Servers from 26 on gather inserts by themselves, and do not say then what they wrote.
  async_insert: 0,
  // What fails after the first bytes of an answer is an error too, and the summary is of all of it.
  wait_end_of_query: 1,
} as const;

/**
 * A cluster confirms a write once most replicas of each shard have it, and is asked for what was confirmed: a replica that lags waits. It can
 * tell that of writes alone that come one after the other.
 */
const ON_QUORUM = { insert_quorum: 'auto', insert_quorum_parallel: 0 } as const;
const AFTER_QUORUM = { select_sequential_consistency: '1' } as const;

/** A client speaks to the console where it is let. */
const SILENT = { level: ClickHouseLogLevel.OFF } as const;

/** Opens no connection yet: the first question does. */
export function openClickhouse(
  store: string,
  place: Place,
  access: ClickhouseAccess,
  { limits, clock }: { limits: QuestionLimits; clock: Clock },
): Engine {
  const url = new URL(access.url);
  const client = createClient({
    url: url.origin,
    // A path of the URL would be taken for a database.
    pathname: url.pathname,
    username: access.user,
    password: access.password?.reveal() ?? '',
    application: 'edgescope',
    http_agent: boundedAgent(url, AT_ONCE, store),
    request_timeout: LONGEST_WRITE + GRACE,
    use_multipart_params_auto: true,
    log: SILENT,
  });
  const limit = duration(limits.seconds * 1000);
  const unsaid = unsaidOf(access);
  const into = statement(
    sql`INSERT INTO ${tableSql(place, 'requests')} (${listedSql(COLUMN_NAMES.map(column))})`,
  ).text;
  const failed = (error: unknown, signal?: AbortSignal) =>
    clickhouseFailure(error, { store, limit, signal, unsaid });
  const written = (error: unknown, signal?: AbortSignal) => {
    const failure = failed(error, signal);
    // It may have been written, and is sent again: that changes nothing.
    return failure instanceof StoreFailure && failure.kind === 'slow'
      ? new StoreFailure('busy', { store, detail: 'a write was not confirmed in time' })
      : failure;
  };
  /** Sends a write under an id of its own, and believes nobody but the server that it was done. */
  async function write(
    rows: number,
    signal: AbortSignal | undefined,
    send: (o: { query_id: string; abort_signal: AbortSignal | undefined }) => Promise<Told>,
  ): Promise<void> {
    const id = newId();
    try {
      const { response_headers } = await send({ query_id: id, abort_signal: signal });
      const doubt = doubtOf(response_headers, id) ?? doubtOfRows(response_headers, rows);
      if (doubt !== null) throw new StoreFailure('unsure', { store, detail: doubt });
    } catch (error) {
      throw written(error, signal);
    }
  }
  const inserting = (id: string) => ({
    // Another for each try: a server that has seen a block before, as this one or as a part of it, would leave it out, though its
    // rows were cut off then or are gone by now.
    insert_deduplication_token: id,
    max_execution_time: LONGEST_WRITE / 1000,
    // Merges make them, once for many rows. Until then there is little to look through.
    materialize_skip_indexes_on_insert: 0,
    // Saved logs of months are one import.
    max_partitions_per_insert_block: '0',
    ...IN_PLACE,
    ...(access.quorum ? ON_QUORUM : {}),
  });
  const kills = new Set<Promise<void>>();
  /** A server need not notice that nobody waits any more. Nobody waits for this either, but for a while at the end. */
  function endAtServer(id: string): void {
    const stopper = new AbortController();
    const stop = clock.after(LONGEST_KILL, () => stopper.abort());
    const killed = kill(client, id, stopper.signal).finally(() => {
      stop();
      kills.delete(killed);
    });
    kills.add(killed);
  }
  return {
    place,
    store,
    async ask(of, signal) {
      const id = newId();
      const silence = new AbortController();
      const stop = clock.after(limits.seconds * 1000 + GRACE, () =>
        silence.abort(new StoreFailure('slow', { store, limit })),
      );
      const ended = signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]);
      try {
        return await asked(client, statement(of), {
          store,
          id,
          limits,
          quorum: access.quorum,
          signal: ended,
        });
      } catch (error) {
        if (ended.aborted) endAtServer(id);
        throw failed(error, ended);
      } finally {
        stop();
      }
    },
    run(of, signal) {
      const { text, params } = statement(of);
      return write(0, signal, (how) =>
        client.command({
          query: text,
          query_params: valuesOf(params),
          clickhouse_settings: { ...IN_PLACE, ...(access.quorum ? ON_QUORUM : {}) },
          ...how,
        }),
      );
    },
    // Values go as data, which may be as long as it is: an address, in which parameters go, may not before a proxy.
    put: (rows, signal) =>
      write(rows.count, signal, async (how) => {
        const { stream, response_headers } = await client.exec({
          query: `${into} FORMAT Native`,
          values: Readable.from([nativeBlock(rows)]),
          clickhouse_settings: inserting(how.query_id),
          ...how,
        });
        // It has no more to say, and the connection is free once that was read.
        stream.resume();
        return { response_headers };
      }),
    note: (notes, signal) =>
      write(notes.length, signal, (how) =>
        client.insert({
          table: `${place.database}.spans`,
          columns: [...NOTE_NAMES],
          values: notes.map((each) => NOTE_NAMES.map((name) => each[name])),
          format: 'JSONCompactEachRow',
          clickhouse_settings: inserting(how.query_id),
          ...how,
        }),
      ),
    async close() {
      await Promise.all(kills);
      await client.close();
    },
  };
}

type AskedHow = { store: string; id: string; limits: QuestionLimits; quorum: boolean; signal: AbortSignal };

async function asked(
  client: ClickHouseClient,
  { text, params }: Statement,
  { store, id, limits, quorum, signal }: AskedHow,
): Promise<EngineAnswer> {
  const result = await client.query({
    query: text,
    query_params: valuesOf(params),
    query_id: id,
    format: 'JSONCompactEachRow',
    clickhouse_settings: {
      // Whatever the account may do: a question changes nothing.
      readonly: '2',
      max_execution_time: limits.seconds,
      max_memory_usage: String(limits.memory * 1024 * 1024),
      cancel_http_readonly_queries_on_client_close: 1,
      // So that an error comes instead of an answer, not in the middle of it, and the summary tells of all of it.
      wait_end_of_query: 1,
      output_format_json_quote_64bit_integers: 1,
      // A day is a part of its own: no copy of a row lies in another.
      do_not_merge_across_partitions_select_final: 1,
      ...(quorum ? AFTER_QUORUM : {}),
    },
    abort_signal: signal,
  });
  const { response_headers: headers } = result;
  const doubt = doubtOf(headers, id);
  if (doubt !== null) {
    result.close();
    throw new StoreFailure('unsure', { store, detail: doubt });
  }
  return { rows: await result.json<(string | number)[]>(), read: readOf(headers) };
}

function newId(): string {
  return `edgescope-${randomUUID()}`;
}

/** Why an answer is not the server's own to this statement; null where it is. A proxy answers 200, too, with a page or an old answer. */
function doubtOf(headers: Headers, id: string): string | null {
  const said = headers['x-clickhouse-query-id'];
  if (said === undefined) return 'the answer names no query';
  return said === id ? null : 'the answer is one to another query';
}

/**
 * Why a write need not have been done; null where it was. Rows that were there before count as written, and so do those that views and
 * the parts of a cluster write on.
 */
function doubtOfRows(headers: Headers, sent: number): string | null {
  const rows = summaryOf(headers)['written_rows'];
  if (rows === undefined) return 'the answer does not say what was written';
  return rows >= sent ? null : `${count(rows)} of ${counted(sent, 'row')} confirmed`;
}

/** What a server read, as its summary says. */
function readOf(headers: Headers): EngineAnswer['read'] {
  const { read_rows: rows, read_bytes: bytes } = summaryOf(headers);
  return rows !== undefined && bytes !== undefined ? { rows, bytes } : null;
}

/** The figures of an answer's summary, which come as texts; none where it has no summary. */
function summaryOf(headers: Headers): Partial<Record<string, number>> {
  const summary = headers['x-clickhouse-summary'];
  if (typeof summary !== 'string') return {};
  try {
    const figures = Object.entries(JSON.parse(summary) as Record<string, unknown>);
    return Object.fromEntries(
      figures
        .map(([name, value]) => [name, Number(value)] as const)
        .filter(([, value]) => Number.isFinite(value)),
    );
  } catch {
    return {};
  }
}

/** It may also have ended, or never have begun. */
async function kill(client: ClickHouseClient, id: string, signal: AbortSignal): Promise<void> {
  await client
    .command({
      query: 'KILL QUERY WHERE query_id = {id:String} ASYNC',
      query_params: { id },
      abort_signal: signal,
    })
    .catch(() => {});
}

function statement(of: Sql): Statement {
  return statementOf(of, DIALECTS.clickhouse.placeholder);
}

function valuesOf(params: Statement['params']): Record<string, string | number> {
  return Object.fromEntries(params.map(({ value }, at) => [`p${at}`, value]));
}

/** Bytes of an error that are read, each of which is a text of some lines. */
const MOST_ERROR = 1_000_000;

/** What every agent of Node's does with a request; packages that are agents themselves have relied on it for ten years. */
type Adding = { addRequest(request: ClientRequest, ...how: unknown[]): void };

/**
 * The connections to a ClickHouse, whose client reads whatever comes until memory is gone: an answer is ended where it becomes too
 * large, and at once where it is packed, since none was asked to be and a small one may unpack to any size.
 */
function boundedAgent({ protocol }: URL, atOnce: number, store: string): Agent {
  const kept = { keepAlive: true, maxSockets: atOnce };
  const agent = protocol === 'https:' ? new TlsAgent(kept) : new Agent(kept);
  const adding = agent as unknown as Adding;
  const add = adding.addRequest;
  adding.addRequest = (request, ...how) => {
    // Before the client hears of it.
    request.prependListener('response', (answer: IncomingMessage) => bound(answer, store));
    add.call(agent, request, ...how);
  };
  return agent;
}

function bound(answer: IncomingMessage, store: string): void {
  const { statusCode = 0, headers } = answer;
  const isError = statusCode >= 300 || headers['x-clickhouse-exception-code'] !== undefined;
  if (headers['content-encoding'] !== undefined) {
    answer.destroy(new StoreFailure('unsure', { store, detail: 'the answer is packed' }));
    return;
  }
  const most = isError ? MOST_ERROR : MOST_ANSWER;
  let left = most;
  const push = answer.push.bind(answer);
  answer.push = (chunk: Buffer | null, encoding) => {
    left -= chunk?.length ?? 0;
    if (left >= 0) return push(chunk, encoding);
    answer.destroy(
      isError
        ? new StoreFailure('unsure', { store, detail: `an error of more than ${bytes(most)}` })
        : new StoreFailure('huge', { store, limit: bytes(most) }),
    );
    return false;
  };
}

/** Codes of the server (`ErrorCodes.cpp`) that say what to do. */
const CODES: Partial<Record<StoreFailureKind, readonly number[]>> = {
  version: [16, 47],
  missing: [60, 81],
  slow: [159, 160],
  forbidden: [164, 452, 497],
  refused: [192, 193, 516],
  busy: [202, 209, 210, 216, 225, 236, 242, 252, 279, 285, 286, 289, 319, 999],
  large: [241],
  full: [243],
  // It was sent whole.
  unsure: [32, 33],
};
const KIND_OF_CODE = new Map(
  Object.entries(CODES).flatMap(([kind, codes]) =>
    codes.map((code) => [String(code), kind as StoreFailureKind] as const),
  ),
);
/** A disk that fills up while a part is written has no code of its own. */
const NO_ROOM = /No space left|File too large|Disk quota/i;

/** Longer errors are stacks of one within another, or nobody's; none is said whole. */
const LONGEST_ERROR = 10_000;

/** The forms in which a password leaves this program, each of which may come back in an error's text. */
function unsaidOf({ user, password }: { user: string; password: Secret | null }): string[] {
  const secret = password?.reveal() ?? '';
  if (secret === '') return [];
  const sent = Buffer.from(`${user}:${secret}`);
  return [secret, encodeURIComponent(secret), sent.toString('base64'), sent.toString('base64url')];
}

/** An engine's own words, less the password and all that opens something by its look. */
function words(text: string, unsaid: readonly string[]): string {
  const scrubbed = unsaid.reduce((left, secret) => left.replaceAll(secret, MASK), text);
  return maskSecrets(scrubbed.slice(0, LONGEST_ERROR));
}

/** What a failure of the client or of the server means, in words; what the signal was aborted with is no failure. */
function clickhouseFailure(
  error: unknown,
  o: { store: string; limit: string; signal: AbortSignal | undefined; unsaid: readonly string[] },
): unknown {
  const { store, limit, signal } = o;
  if (signal?.aborted) return signal.reason;
  if (error instanceof StoreFailure) return error;
  if (!(error instanceof Error)) return error;
  if (error instanceof ClickHouseError) {
    const kind = NO_ROOM.test(error.message) ? 'full' : (KIND_OF_CODE.get(error.code) ?? 'other');
    return new StoreFailure(kind, { store, limit, detail: words(error.message, o.unsaid) });
  }
  const { code } = error as { code?: string };
  if (/timeout/i.test(error.message)) return new StoreFailure('slow', { store, limit });
  // What is not an error of the server came from the way to it.
  return new StoreFailure('away', { store, detail: code ?? words(error.message, o.unsaid) });
}
