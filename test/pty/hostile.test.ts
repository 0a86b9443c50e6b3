// The built program on a real terminal: what attackers write must act on nothing that a terminal does with its bytes, and change
// none of its modes.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ZONE } from '../session/log-screen.ts';
import { HOSTILE, type Hostile, ROW_MOVES, rewriting } from '../session/rewriting.ts';
import { sequenceKinds } from '../support/sequences.ts';
import { startSimulator } from '../support/simulator/server.ts';
import type { Terminal } from '../support/terminal.ts';
import { credentials, openProgram } from './support.ts';

type Row = Record<string, unknown>;

const FIELDS = [
  'userAgent',
  'path',
  'url',
  'host',
  'referer',
  'edgeLocation',
  'asnOrganization',
  'ja4Fingerprint',
];
const ROWS_OPENED = 12;

test('hostile strings in every field act on nothing, and show as escapes', async (t) => {
  const harmless = await walk(t, []);
  const hostile = await walk(t, HOSTILE);
  assert.deepEqual(hostile.terminal.events, []);
  const known = new Set([...sequenceKinds(harmless.terminal.output()).keys(), ...ROW_MOVES]);
  const added = [...sequenceKinds(hostile.terminal.output()).keys()].filter((kind) => !known.has(kind));
  assert.deepEqual(added, []);
  assert.deepEqual(hostile.terminal.modes(), harmless.terminal.modes());
});

/** Opens every kind of view over rows and zones that carry the strings, and checks each as it stands. */
async function walk(t: TestContext, strings: readonly Hostile[]): Promise<{ terminal: Terminal }> {
  const terminal = await openPoisoned(t, strings);
  await terminal.waitFor(ZONE);
  await terminal.type('<PgDn><PgDn>g<Enter>');
  await terminal.waitFor((screen) => /LIVE/.test(screen[0] ?? ''));
  await terminal.type('<Space>');
  await terminal.waitFor((screen) => /PAUSED/.test(screen[0] ?? ''));
  for (let i = 0; i < ROWS_OPENED; i++) {
    await terminal.type('<Enter>');
    await terminal.waitFor((screen) => screen.some((line) => /^.requestId/.test(line)), { what: 'a row' });
    const agent = /^.userAgent +(.*)$/m.exec(terminal.text())?.[1] ?? '';
    if (strings.length > 0) {
      const shown = agent.replace(/…$/, '').trimEnd();
      assert.ok(
        strings.some(({ strict }) => strict.startsWith(shown.slice(0, 60))),
        `no hostile string is shown as ${JSON.stringify(agent)}`,
      );
    }
    await terminal.type('<Esc>');
    await terminal.waitFor((screen) => !screen.some((line) => /^.requestId/.test(line)), {
      what: 'the list',
    });
    await terminal.type('kkkkkkkkk');
  }
  await terminal.type('b');
  await terminal.waitFor('GROUP BY');
  await terminal.type('jjjjjjjjj<Space><Enter>');
  await terminal.waitFor((screen) => /> by /.test(screen[0] ?? ''));
  await terminal.type('+');
  await terminal.settled();
  await terminal.type('<Esc>');
  await terminal.settled();
  await terminal.type('<:requests>');
  await terminal.waitFor(/GET .*200/);
  return { terminal };
}

/** The program on a simulator whose answers are rewritten on their way. */
async function openPoisoned(t: TestContext, strings: readonly Hostile[]): Promise<Terminal> {
  const simulator = await startSimulator({ seed: 7, rate: 40, incidents: false });
  t.after(() => simulator.close());
  const [baseUrl, loggingUrl] = await Promise.all([
    rewriting(t, simulator.baseUrl, same, ({ path, body }) => poisonZones(path, body, strings)),
    rewriting(t, simulator.loggingUrl, same, ({ body }) => poisonRows(body, strings)),
  ]);
  const env = {
    ...credentials({ ...simulator, baseUrl, loggingUrl }),
    EDGESCOPE_ACCESS_KEY: simulator.accessKey,
  };
  return openProgram({ t, env, columns: 200, rows: 40 });
}

const same = (sent: Buffer) => sent;

function poisonRows(body: { data?: Row[] }, strings: readonly Hostile[]): void {
  for (const [n, row] of (body.data ?? []).entries()) {
    for (const [m, field] of FIELDS.entries()) {
      if (strings.length > 0)
        row[field] = strings[(n + (field === 'userAgent' ? 0 : m)) % strings.length]?.input;
    }
  }
}

// The first zone keeps its name, to be opened by it.
function poisonZones(path: string, body: { Items?: Row[] }, strings: readonly Hostile[]): void {
  if (!path.startsWith('/pullzone')) return;
  for (const [n, zone] of (body.Items ?? []).entries()) {
    if (n > 0 && strings.length > 0) zone['Name'] = strings[n % strings.length]?.input;
  }
}
