// Real programs on a real terminal: only they show that a copied command prints and opens the same, in a shell, by curl and
// in another window, and which bytes reach the clipboard of a terminal.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ZONE } from '../session/log-screen.ts';
import { cleanEnvironment, KEPT_CODE } from '../support/environment.ts';
import { writtenAtOnce } from '../support/keys.ts';
import type { Terminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';
import { credentials, openProgram, openSession, type Session } from './support.ts';

const DIST = dirname(fileURLToPath(new URL('../../dist/edgescope', import.meta.url)));
const run = promisify(execFile);

const title = (screen: readonly string[]) => screen[0] ?? '';
const bottom = (screen: readonly string[]) => screen.at(-1) ?? '';
const isWhole = (screen: readonly string[]) => /COMPLETE$/.test(title(screen));

/** A window that lies behind every late row: reading it twice gives the same rows. */
const CLOSED = ['from:-20m', 'to:-12m'];

/** The text that the terminal was last asked to take into the clipboard. */
function clipboard(terminal: Terminal): string {
  const asked = terminal.events.filter(({ kind, text }) => kind === 'osc' && text.startsWith('52;c;')).at(-1);
  assert.ok(asked, 'nothing was copied');
  return Buffer.from(asked.text.slice('52;c;'.length), 'base64').toString('utf8');
}

/** Presses keys that copy, and gives what was copied. */
async function copied(terminal: Terminal, keys: string): Promise<string> {
  const before = terminal.events.length;
  await terminal.type(keys);
  await terminal.waitFor(() => terminal.events.length > before, { what: 'a copy' });
  await terminal.waitFor((screen) => /copied [\d,]+ characters \(OSC 52/.test(bottom(screen)));
  return clipboard(terminal);
}

/** The pasted command in a pipe: its lines as objects. */
async function piped({ simulator, terminal }: Session, command: string): Promise<Record<string, unknown>[]> {
  const env = cleanEnvironment(terminal.home, { ...KEPT_CODE, ...credentials(simulator) });
  const { stdout } = await run('sh', ['-c', command], {
    env: { ...env, PATH: `${DIST}:${env['PATH']}` },
    maxBuffer: 256 * 1024 * 1024,
  });
  return linesOf(stdout);
}

function linesOf(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Exports the view in a format and gives the file. */
async function exported(terminal: Terminal, name: string, keys = ''): Promise<string> {
  await terminal.type('<:export>');
  await terminal.waitFor(/EXPORT the [\d,]+ /);
  await terminal.type(`${keys}<Enter>`);
  await terminal.waitFor(/^ file: /m);
  await writtenAtOnce(terminal, `<C-u>${name}<Enter>`);
  await terminal.waitFor((screen) => /wrote ([\d,]+) of \1 /.test(bottom(screen)), {
    what: 'the end of the export',
  });
  const path = join(terminal.home, name);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  return readFileSync(path, 'utf8');
}

const timesOf = (lines: readonly Record<string, unknown>[]) => lines.map((line) => String(line['timestamp']));

/** Rows of the same millisecond have no order: a view is read from its end, a pipe from its beginning. */
function byInstant(a: Record<string, unknown>, b: Record<string, unknown>): number {
  const [one, other] = [a, b].map((line) => `${line['timestamp']} ${line['requestId']}`);
  return (one ?? '') < (other ?? '') ? -1 : 1;
}

test('the copied command prints the rows that the view exports, and opens the same view elsewhere', async (t) => {
  const session = await openSession({
    t,
    columns: 120,
    args: ['logs', ZONE, 'status:4xx,5xx', '-cache:HIT', ...CLOSED],
  });
  const { terminal, simulator } = session;
  await terminal.waitFor(isWhole);
  const command = await copied(terminal, 'ygjj<Enter>');
  assert.match(command, /^edgescope logs shop-frontend 'from:\S+Z to:\S+Z status:4xx,5xx -cache:HIT'$/);
  assert.ok(!command.includes(simulator.accessKey));
  const rows = linesOf(await exported(terminal, 'rows.ndjson'));
  assert.ok(rows.length > 20);
  const printed = await piped(session, command);
  for (const lines of [printed, rows]) assert.deepEqual(timesOf(lines), timesOf(lines).toSorted());
  assert.deepEqual(printed.toSorted(byInstant), rows.toSorted(byInstant));
  const words = execFileSync('sh', ['-c', `set -- ${command}; printf '%s\\n' "$@"`])
    .toString()
    .trimEnd()
    .split('\n');
  const other = await openProgram({ t, columns: 120, args: words.slice(1), env: credentials(simulator) });
  await other.waitFor(isWhole);
  assert.equal(title(other.screen()), title(terminal.screen()));
  assert.equal(other.screen()[1], terminal.screen()[1]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('what --until finds goes to --exec on screen, too: as JSON, its failure as a line, scrubbed, and leaving ends it', async (t) => {
  const script = `cat > found.json; printf 'no \\033]0;pwned\\007 route\\n' >&2; exit 3`;
  const { terminal } = await openSession({
    t,
    columns: 120,
    args: ['logs', ZONE, 'last:4m', '--until', 'rate>1/h', '--exec', script],
  });
  await terminal.waitFor(/--exec failed with exit code 3: no .*route/);
  await terminal.type('k');
  await terminal.waitFor(/is above 1\/h/);
  assert.doesNotMatch(terminal.output(), /\x1b\]0;pwned/);
  const found = JSON.parse(readFileSync(join(terminal.home, 'found.json'), 'utf8'));
  assert.deepEqual([found.condition, found.zones, found.unit], ['rate>1/h', [ZONE], '/h']);
  await terminal.type('qq');
  await terminal.exit();

  const waits = `echo $$ > pid; exec sleep 1000`;
  const { terminal: next } = await openSession({
    t,
    args: ['logs', ZONE, 'last:4m', '--until', 'rate>1/h', '--exec', waits],
  });
  const pid = () => Number(readFileSync(join(next.home, 'pid'), 'utf8'));
  await next.waitFor(() => existsSync(join(next.home, 'pid')) && pid() > 0);
  await next.type('qq');
  await next.exit();
  await until(() => !isAlive(pid()), 'the end of the command');
});
