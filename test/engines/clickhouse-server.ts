import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * ClickHouse itself, in process, behind as much of its HTTP interface as its client speaks: parameters, settings, accounts,
 * errors with their codes, the summary of what was read and written, and the end of a question by KILL. Started as a program:
 * `clickhouse-server.ts FOLDER PASSWORD [PORT [CONFIG]]` prints its port. The account `reader` may only read. What it lacks beside a
 * server: it runs one statement at a time.
 */
type Session = {
  query(sql: string, format?: string): string;
  queryAsync(
    sql: string,
    o: { format: string },
  ): Promise<{ rowsRead: number; bytesRead: number; bytes(): Uint8Array }>;
};
type Chdb = { Session: new (path: string, o: { connectionArgs: readonly string[] }) => Session };

const [, , folder = '', password = '', wantedPort = '0', config] = process.argv;
const { Session } = createRequire(import.meta.url)('chdb') as Chdb;
const how = { connectionArgs: config === undefined ? [] : [`--config-file=${config}`] };
const session = new Session(folder, how);
/** A statement runs in the other one, which is then of no use to anything else. */
const killer = new Session(folder, how);

/** What a server answers a code with. */
const STATUS: Readonly<Record<string, number>> = { 60: 404, 81: 404, 516: 403, 497: 403, 164: 500 };
/** Of the interface itself, not settings of a statement. */
const NOT_SETTINGS = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'wait_end_of_query',
  'readonly',
  'session_id',
]);
/** What an account that may write can still not do in a question. */
const READS = /^\s*(?:SELECT|WITH|KILL)\b/;
const KILL = /^\s*KILL\b/;

let last: Promise<unknown> = Promise.resolve();
let changed: string[] = [];
/** The statement that has begun and not ended, and those that were ended before they began. */
let underway = '';
const ended = new Set<string>();

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://server');
  const asked = { url, ...statement(url, request, await bytesOf(request)) };
  if (KILL.test(asked.sql)) {
    await kill(asked.params.get('param_id') ?? '');
    return void response.end();
  }
  last = last.then(() => answer(request, response, asked)).catch(() => response.destroy());
});
server.listen(Number(wantedPort), '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : '');
});

/** `data`: a file of its own. */
type Asked = { url: URL; sql: string; params: Map<string, string>; data?: string };

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { url, sql, params, data }: Asked,
): Promise<void> {
  const [, given = ''] = (request.headers.authorization ?? '').split(' ');
  const [user, secret] = Buffer.from(given, 'base64').toString().split(':');
  const id = url.searchParams.get('query_id') ?? '';
  response.setHeader('X-ClickHouse-Query-Id', id);
  try {
    if (secret !== password)
      throw new Error(
        `Code: 516. DB::Exception: ${user}: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)`,
      );
    if (url.pathname === '/ping') return void response.end('Ok.\n');
    if (user === 'reader' && !READS.test(sql))
      throw new Error(
        `Code: 497. DB::Exception: ${user}: Not enough privileges. To execute this query, it's necessary to have the grant INSERT ON history.requests. (ACCESS_DENIED)`,
      );
    if (Number(url.searchParams.get('readonly') ?? 0) > 0 && !READS.test(sql))
      throw new Error('Code: 164. DB::Exception: Cannot execute query in readonly mode. (READONLY)');
    if (ended.has(id))
      throw new Error('Code: 394. DB::Exception: Query was cancelled. (QUERY_WAS_CANCELLED)');
    use(url, params);
    underway = id;
    const before = written();
    const result = await session.queryAsync(`/* ${id} */ ${sql}`, { format: 'TSV' });
    const summary = {
      read_rows: String(result.rowsRead),
      read_bytes: String(result.bytesRead),
      written_rows: String(written() - before),
    };
    response.setHeader('X-ClickHouse-Summary', JSON.stringify(summary));
    response.end(result.bytes());
  } catch (error) {
    const { message } = error as Error;
    const code = /Code: (\d+)/.exec(message)?.[1] ?? '1000';
    response.writeHead(STATUS[code] ?? 500, { 'X-ClickHouse-Exception-Code': code });
    response.end(message);
  } finally {
    if (data !== undefined) rmSync(data);
    underway = '';
  }
}

/** Rows that were written so far: the engine counts them where a server does for its summary, those that were there before as well. */
function written(): number {
  return Number(session.query("SELECT value FROM system.events WHERE event = 'InsertedRows'", 'TSV'));
}

/** Ends the statement of this id, or keeps it from beginning. One that has begun need not be in the list of the engine yet. */
async function kill(id: string): Promise<void> {
  ended.add(id);
  while (underway === id && killer.query(`KILL QUERY WHERE startsWith(query, '/* ${id} */') ASYNC`) === '')
    await sleep(10);
}

/** The statement stands in the URL where the body is data, in a part of a form, or is the body. */
function statement(url: URL, request: IncomingMessage, body: Buffer): Omit<Asked, 'url'> {
  const params = new Map([...url.searchParams].filter(([name]) => name.startsWith('param_')));
  const boundary = /boundary=(.+)$/.exec(request.headers['content-type'] ?? '')?.[1];
  if (boundary !== undefined) {
    let sql = '';
    for (const part of body.toString().split(`--${boundary}`)) {
      const [head = '', ...rest] = part.split('\r\n\r\n');
      const name = /name="([^"]+)"/.exec(head)?.[1];
      const value = rest.join('\r\n\r\n').replace(/\r\n$/, '');
      if (name === 'query') sql = value;
      else if (name !== undefined) params.set(name, value);
    }
    return { sql, params };
  }
  const query = url.searchParams.get('query');
  if (query === null) return { sql: body.toString(), params };
  const [end = '', format] = / FORMAT (Native)$/.exec(query) ?? [];
  if (format === undefined) return { sql: `${query}\n${body}`, params };
  // The engine in process takes a statement as text, and from a file what is none.
  const data = join(tmpdir(), `edgescope-inserted-${randomUUID()}`);
  writeFileSync(data, body);
  return { sql: query.replace(end, ` SELECT * FROM file('${data}', ${format})`), params, data };
}

/** Settings and parameters are of a statement alone: what the one before had set is taken back. */
function use(url: URL, params: ReadonlyMap<string, string>): void {
  set(changed.map((name) => `${name} = DEFAULT`));
  const settings = [...url.searchParams].filter(
    ([name]) => !NOT_SETTINGS.has(name) && !name.startsWith('param_'),
  );
  changed = settings.map(([name]) => name);
  set([...settings, ...params].map(([name, value]) => `${name} = ${literal(value)}`));
}

function set(settings: readonly string[]): void {
  if (settings.length > 0) session.query(`SET ${settings.join(', ')}`);
}

function literal(text: string): string {
  return `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'").replace(/\0/g, '\\0')}'`;
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
