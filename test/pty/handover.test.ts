// Real programs on a real terminal: only they show that a copied command prints and opens the same, in a shell, by curl and
// in another window, and which bytes reach the clipboard of a terminal.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ZONE } from '../session/log-screen.ts';
import { cleanEnvironment, KEPT_CODE } from '../support/environment.ts';
import { writtenAtOnce } from '../support/keys.ts';
import type { Terminal } from '../support/terminal.ts';
import { credentials, openProgram, openSession, type Session } from './support.ts';

const DIST = dirname(fileURLToPath(new URL('../../dist/edgescope', import.meta.url)));
const run = promisify(execFile);

const title = (screen: readonly string[]) => screen[0] ?? '';
const bottom = (screen: readonly string[]) => screen.at(-1) ?? '';
const isWhole = (screen: readonly string[]) => /COMPLETE$/.test(title(screen));

/** A window that lies behind every late row: reading it twice gives the same rows. */
const CLOSED = ['from:-20m', 'to:-12m'];

/** Some pages of rows: the pipe then reads all of them again without a wait for the quota. */
const TWICE_READ = { rate: 10 };

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
  await terminal.type('e');
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

const idsOf = (lines: readonly Record<string, unknown>[]) =>
  lines.map((line) => line['requestId'] ?? line['_gap']);
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
  const command = await copied(terminal, 'yc');
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
  assert.equal(other.screen()[2], terminal.screen()[2]);
});

test('groups in a pipe are the groups on the screen', async (t) => {
  const args = ['logs', ZONE, 'by:edge,cache', ...CLOSED];
  const session = await openSession({ t, columns: 120, args, simulator: TWICE_READ });
  const { terminal } = session;
  await terminal.waitFor((screen) => isWhole(screen) && /^▌/m.test(screen.join('\n')));
  const command = await copied(terminal, 'yc');
  assert.match(command, / by:edge,cache'$/);
  const groups = linesOf(await exported(terminal, 'groups.ndjson'));
  assert.ok(groups.length > 5);
  const byKey = (lines: Record<string, unknown>[]) =>
    Object.fromEntries(lines.map((line) => [JSON.stringify(line['key']), line]));
  assert.deepEqual(byKey(await piped(session, command)), byKey(groups));
});

test('a Shield view at the bottom of a drill prints and exports the same events', async (t) => {
  const session = await openSession({
    t,
    columns: 120,
    args: ['shield', ZONE, 'last:1h', 'by:action,country'],
  });
  const { terminal } = session;
  await terminal.waitFor(isWhole);
  await terminal.type('G<Enter>');
  await terminal.waitFor((screen) => isWhole(screen) && /by:country/.test(screen[2] ?? ''));
  // The last country may be none, which is decided here over what was read.
  await terminal.type('Gk<Enter>');
  const isRead = (screen: readonly string[]) => /(COMPLETE|PARTIAL [\d,]+ of [\d,]+)$/.test(title(screen));
  await terminal.waitFor((screen) => isRead(screen) && !/by:/.test(screen[2] ?? ''));
  // Pages come as the cursor nears them; how many there are depends on the hour.
  while (!isWhole(terminal.screen())) {
    const before = title(terminal.screen());
    await terminal.type('G');
    await terminal.waitFor((screen) => isRead(screen) && title(screen) !== before);
  }
  const events = linesOf(await exported(terminal, 'events.ndjson'));
  assert.ok(events.length > 0);
  const ids = (lines: Record<string, unknown>[]) => lines.map((line) => line['logId']);
  assert.deepEqual(ids(await piped(session, await copied(terminal, 'yc'))), ids(events));
});

test('the copied request asks the API for the same, with the key from the environment', {
  skip: existsSync('/usr/bin/curl') ? false : 'curl is not here',
}, async (t) => {
  const session = await openSession({ t, columns: 120, args: ['logs', ZONE, 'status:5xx', ...CLOSED] });
  const { terminal, simulator } = session;
  await terminal.waitFor(isWhole);
  const rows = linesOf(await exported(terminal, 'rows.ndjson'));
  const ask = async (command: string) => {
    assert.match(command, /\| curl .*-H @- /);
    assert.ok(!command.includes(simulator.accessKey));
    const env = cleanEnvironment(terminal.home, { EDGESCOPE_ACCESS_KEY: simulator.accessKey });
    return JSON.parse((await run('sh', ['-c', command], { env, maxBuffer: 64 * 1024 * 1024 })).stdout);
  };
  const answer = await ask(await copied(terminal, 'yu'));
  assert.deepEqual(idsOf(answer.data), idsOf(rows));
  await terminal.type('3');
  await terminal.waitFor((screen) => /COMPLETE$/.test(title(screen)) && /by:rule/.test(screen[2] ?? ''));
  const found = await ask(await copied(terminal, 'yu'));
  assert.equal(found.groups.length, linesOf(await exported(terminal, 'groups.ndjson')).length);
});

test('a finding goes into the notebook of the day with its note and its command', async (t) => {
  const args = ['logs', ZONE, 'by:cache', ...CLOSED];
  const session = await openSession({ t, columns: 120, args, simulator: TWICE_READ });
  const { terminal } = session;
  await terminal.waitFor((screen) => isWhole(screen) && /^▌/m.test(screen.join('\n')));
  await terminal.type('o');
  await terminal.waitFor('INTO THE NOTEBOOK');
  // As far apart as hands are: keys within 20 ms of each other are taken for text that nobody typed.
  await terminal.settled();
  terminal.paste('misses <b>doubled</b>');
  await terminal.waitFor(/note: misses/);
  await terminal.settled();
  await terminal.type('<Enter>');
  await terminal.waitFor(/added to \S*edgescope-notebook-/);
  const directory = join(terminal.home, '.local/state/edgescope');
  const [name = ''] = readdirSync(directory).filter((each) => each.endsWith('.md'));
  const text = readFileSync(join(directory, name), 'utf8');
  assert.equal(statSync(join(directory, name)).mode & 0o777, 0o600);
  assert.match(text, /^misses \\<b\\>doubled\\<\/b\\>$/m);
  assert.match(text, /^\| `HIT` \| `\d+` \|/m);
  assert.match(text, /\n## Timeline \(UTC\)\n[\s\S]* \| misses \\<b\\>doubled/);
  const command = /```sh\n(edgescope logs .*)\n```/.exec(text)?.[1] ?? '';
  const groups = await piped(session, command);
  const hits = groups.find((group) => JSON.stringify(group['key']) === '{"cache":"HIT"}');
  assert.match(text, new RegExp(`^\\| \`HIT\` \\| \`${hits?.['count']}\` \\|`, 'm'));
});

test('hostile text leaves by no door but escaped: clipboard, files, notebook, screen', async (t) => {
  const { terminal, simulator } = await openSession({
    t,
    columns: 120,
    simulator: { incidents: true, rate: 8 },
  });
  await terminal.waitFor('11 with Shield');
  const attack = simulator
    .incidents()
    .findLast((each) => each.kind === 'scanner' && each.to < Date.now() - 600_000);
  assert.ok(attack);
  const zone = simulator.zones.find((each) => String(each.id) === attack.pullZoneId);
  const window = [attack.from, attack.to].map((time) => new Date(time).toISOString());
  await terminal.type(`/${zone?.name}<Enter><Enter>`);
  await terminal.waitFor((screen) => new RegExp(`> ${zone?.name}`).test(title(screen)));
  await terminal.type(`i<C-u>from:${window[0]} to:${window[1]} "\\x1b"<Enter>`);
  await terminal.waitFor((screen) => isWhole(screen));
  const row = await copied(terminal, 'yr');
  assert.match(row, /^[ -~]+$/);
  assert.match(`${JSON.parse(row).userAgent}${JSON.parse(row).path}`, /\u001b/);
  const texts = [
    await exported(terminal, 'h.ndjson'),
    await exported(terminal, 'h.csv', 'j'),
    await exported(terminal, 'h.md', 'jj'),
  ];
  await terminal.type('o');
  await terminal.waitFor('INTO THE NOTEBOOK');
  await writtenAtOnce(terminal, 'seen<Enter>');
  await terminal.waitFor(/added to /);
  const directory = join(terminal.home, '.local/state/edgescope');
  for (const name of readdirSync(directory))
    if (name.endsWith('.md')) texts.push(readFileSync(join(directory, name), 'utf8'));
  assert.equal(texts.length, 4);
  for (const text of texts) assert.match(text, /^[\n -~]+$/);
  const others = terminal.events.filter(({ kind, text }) => !(kind === 'osc' && text.startsWith('52;c;')));
  assert.deepEqual(others, []);
  for (const name of readdirSync(terminal.home, { recursive: true, withFileTypes: true })) {
    if (name.isFile())
      assert.ok(
        !readFileSync(join(name.parentPath, name.name), 'latin1').includes(simulator.accessKey),
        name.name,
      );
  }
});
