import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';

/**
 * ClickHouse itself, in process, behind as much of its HTTP interface as its client speaks: parameters, settings, accounts,
 * errors with their codes, and the summary of what was read. Started as a program: `clickhouse-server.ts FOLDER PASSWORD
 * [PORT]` prints its port. What it lacks beside a server: it runs one statement at a time, and cannot stop one.
 */
type Session = {
  query(sql: string, format?: string): string;
  queryAsync(
    sql: string,
    o: { format: string },
  ): Promise<{ rowsRead: number; bytesRead: number; bytes(): Uint8Array }>;
};
type Chdb = { Session: new (path: string) => Session };

const [, , folder = '', password = '', wantedPort = '0'] = process.argv;
const { Session } = createRequire(import.meta.url)('chdb') as Chdb;
const session = new Session(folder);

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

let last: Promise<unknown> = Promise.resolve();
let changed: string[] = [];

const server = createServer((request, response) => {
  last = last.then(() => answer(request, response)).catch(() => response.destroy());
});
server.listen(Number(wantedPort), '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : '');
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://server');
  const body = await bytesOf(request);
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
    const { sql, params } = statement(url, request, body);
    if (Number(url.searchParams.get('readonly') ?? 0) > 0 && !READS.test(sql))
      throw new Error('Code: 164. DB::Exception: Cannot execute query in readonly mode. (READONLY)');
    use(url, params);
    if (/^\s*KILL\b/.test(sql)) return void response.end();
    const result = await session.queryAsync(sql, { format: 'TSV' });
    const summary = { read_rows: String(result.rowsRead), read_bytes: String(result.bytesRead) };
    response.setHeader('X-ClickHouse-Summary', JSON.stringify(summary));
    response.end(result.bytes());
  } catch (error) {
    const { message } = error as Error;
    const code = /Code: (\d+)/.exec(message)?.[1] ?? '1000';
    response.writeHead(STATUS[code] ?? 500, { 'X-ClickHouse-Exception-Code': code });
    response.end(message);
  }
}

/** The statement stands in the URL where the body is data, in a part of a form, or is the body. */
function statement(
  url: URL,
  request: IncomingMessage,
  body: Buffer,
): { sql: string; params: Map<string, string> } {
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
  return { sql: query === null ? body.toString() : `${query}\n${body}`, params };
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
