import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ClientOptions } from '../../src/api/client.ts';
import { directoriesOf } from '../../src/config/directories.ts';
import { doctorReport } from '../../src/doctor/doctor.ts';
import type { DoctorFinding } from '../../src/doctor/finding.ts';
import { terminalFindings } from '../../src/doctor/terminal.ts';
import { Secret } from '../../src/text/secret.ts';
import { ownFolder } from '../support/own-folder.ts';
import { openPlatform } from '../support/platform.ts';

type Line = Pick<DoctorFinding, 'check' | 'state' | 'found' | 'todo'>;
type More = { env?: Record<string, string>; offline?: boolean; over?: NonNullable<ClientOptions['over']> };

const ORDER = ['program', 'terminal', 'size', 'colours', 'clipboard', 'locale', 'config', 'key', 'opens'];
const SERVERS = ['main', 'logging', 'origin', 'clock', 'requests'];
const FILES = ['quota', 'state', 'notebooks', 'sessions', 'views'];
const SCREEN = { isTTY: true, columns: 120, rows: 40 };

/** A platform, and the doctor on a machine of its own that is in order. */
function patient(t: TestContext) {
  const home = ownFolder(t);
  const sim = openPlatform({ seed: 7, rate: 5 });
  const usual = {
    HOME: home,
    TERM: 'xterm-kitty',
    LANG: 'C.UTF-8',
    EDGESCOPE_BASE_URL: sim.baseUrl,
    EDGESCOPE_LOGGING_URL: sim.loggingUrl,
    EDGESCOPE_ORIGIN_ERRORS_URL: sim.originErrorsUrl,
    EDGESCOPE_ACCESS_KEY: sim.accessKey,
  };
  async function examined({ env = {}, offline = false, over = (same) => same }: More = {}) {
    const all = { ...usual, ...env };
    const report = doctorReport({
      env: all,
      clock: sim.clock,
      directories: directoriesOf(all, home, { demo: false }),
      version: '1.2.3',
      screen: SCREEN,
      profile: null,
      offline,
      format: 'ndjson',
      over: (transport) => over(sim.over(transport)),
      ledger: { directories: [home] },
    });
    const { text, exit } = await sim.ended(report);
    assert.equal(text.includes(sim.accessKey), false);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line): Line => JSON.parse(line));
    return { exit, lines, of: (check: string) => lines.find((line) => line.check === check) };
  }
  return { home, sim, examined };
}

test('where all is in order each line is ok, and two requests are sent', async (t) => {
  const { home, sim, examined } = patient(t);
  const { exit, lines, of } = await examined();
  assert.deepEqual(
    lines.map(({ check }) => check),
    [...ORDER, ...SERVERS, ...FILES],
  );
  assert.deepEqual(
    lines.filter(({ state, todo }) => state !== 'ok' || todo !== ''),
    [],
  );
  assert.equal(exit, 0);
  const { fingerprint } = new Secret(sim.accessKey);
  assert.equal(of('key')?.found, `from EDGESCOPE_ACCESS_KEY, fingerprint ${fingerprint}`);
  assert.match(of('main')?.found ?? '', /^api\.simulator\.test answered in \S+ and took the key$/);
  assert.equal(of('program')?.found, `edgescope 1.2.3 (from the source) on Node ${process.versions.node}`);
  assert.equal(of('requests')?.found, '2 requests sent; --offline sends none');
  assert.match(of('quota')?.found ?? '', /, 1 request in the present window$/);
  assert.deepEqual(
    readdirSync(home).filter((name) => !name.startsWith('edgescope-')),
    [],
    'nothing is made but the ledger',
  );
});

test('--offline sends nothing', async (t) => {
  const { exit, lines, of } = await patient(t).examined({
    offline: true,
    over: () => assert.fail('a client was made'),
  });
  assert.equal(exit, 0);
  assert.match(of('requests')?.found ?? '', /^none sent: --offline/);
  assert.deepEqual(
    lines.map(({ check }) => check),
    [...ORDER, 'requests', ...FILES],
  );
});

test('without a key nothing is sent, the line says how to set the least one, and the exit code is 3', async (t) => {
  const { home, examined } = patient(t);
  const { exit, of } = await examined({ env: { EDGESCOPE_ACCESS_KEY: '' } });
  assert.equal(exit, 3);
  assert.deepEqual(of('key'), {
    check: 'key',
    state: 'trouble',
    found: 'none',
    todo: "for logs by a zone's id, and questions about them, set EDGESCOPE_TOKEN, a logging token; for the rest EDGESCOPE_ACCESS_KEY, or a profile",
  });
  assert.match(of('requests')?.found ?? '', /^none sent: there is no access key/);
  mkdirSync(join(home, '.config'));
  const file = join(home, '.config/bunnynet.json');
  writeFileSync(file, 'not read');
  const offered = await examined({ env: { EDGESCOPE_ACCESS_KEY: '', EDGESCOPE_TOKEN: 'eyJh.eyJi.c' } });
  assert.equal(offered.exit, 0);
  assert.deepEqual(offered.of('opens'), {
    check: 'opens',
    state: 'note',
    found:
      "logs by a zone's id, and questions about them; not zones by name, Shield, changes, storage zones, keys",
    todo: `for those set EDGESCOPE_ACCESS_KEY, or a profile; or --profile bunny:default, with the key in ${file}`,
  });
});

test('a refused key is trouble of the main API with code 3, and one request was sent', async (t) => {
  const { exit, of } = await patient(t).examined({
    over: (transport) => ({
      ...transport,
      async send(request, signal) {
        const sent = await transport.send(request, signal);
        return sent.ok ? { ok: true, value: { ...sent.value, status: 401, bytes: Buffer.alloc(0) } } : sent;
      },
    }),
  });
  assert.equal(exit, 3);
  assert.equal(of('main')?.state, 'trouble');
  assert.match(of('main')?.todo ?? '', /fingerprint/);
  assert.equal(of('logging')?.state, 'note');
  assert.equal(of('requests')?.found, '1 request sent; --offline sends none');
});

test('a clock that is off is told by how much and which way, and is no trouble', async (t) => {
  const { sim, examined } = patient(t);
  for (const [shift, found] of [
    [-90_000, /^1m(?:2\d|30)s ahead of the servers$/],
    [90_000, /^1m(?:2\d|30)s behind the servers$/],
    [1_000, /^agrees with the servers to two seconds$/],
  ] as const) {
    const { exit, of } = await examined({
      over: (transport) => ({
        ...transport,
        async send(request, signal) {
          const sent = await transport.send(request, signal);
          if (!sent.ok) return sent;
          const date = new Date(sim.clock.now() + shift).toUTCString();
          return { ok: true, value: { ...sent.value, headers: { ...sent.value.headers, date } } };
        },
      }),
    });
    assert.match(of('clock')?.found ?? '', found);
    assert.equal(exit, 0);
  }
});

test('what is wrong in the configuration stands with its place and what to do, and no server is asked', async (t) => {
  const { home, examined } = patient(t);
  const path = join(home, '.config/edgescope/config.json');
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, '{ "profiles": { "default": { "theme": "dark" } } }', { mode: 0o600 });
  const { exit, of } = await examined();
  assert.equal(exit, 2);
  assert.equal(of('config')?.found, `${path}:1:39: There is no such theme.`);
  assert.match(of('config')?.todo ?? '', /^Themes: /);
  assert.match(of('requests')?.found ?? '', /^none sent: the configuration is in trouble/);
});

test('folders and files of the state are looked at: open to others, damaged, in the way', async (t) => {
  const { home, examined } = patient(t);
  const state = join(home, '.local/state/edgescope');
  mkdirSync(join(state, 'sessions'), { recursive: true });
  chmodSync(state, 0o755);
  writeFileSync(join(state, 'edgescope-notebook-2026-11-19.md'), '# notes\n');
  writeFileSync(join(state, 'sessions', '1-1.json'), 'damaged', { mode: 0o600 });
  const open = await examined({ offline: true });
  assert.equal(open.exit, 0);
  assert.deepEqual([open.of('state')?.state, open.of('state')?.todo], ['note', `chmod 700 ${state}`]);
  assert.equal(open.of('notebooks')?.found, '1 day');
  assert.match(open.of('sessions')?.found ?? '', /is damaged, or of another version/);
  rmSync(state, { recursive: true });
  writeFileSync(state, 'in the way');
  const blocked = await examined({ offline: true });
  assert.equal(blocked.exit, 1);
  assert.match(blocked.of('state')?.found ?? '', /takes no files: /);
  assert.match(blocked.of('state')?.todo ?? '', /XDG_STATE_HOME/);
});

test('the terminal is judged by what its environment tells', () => {
  const told = (env: Record<string, string>, screen = SCREEN) =>
    terminalFindings(env, screen).map(({ check, state }) => `${check} ${state}`);
  assert.deepEqual(told({ TERM: 'xterm-kitty', LANG: 'de_DE.UTF-8' }), [
    'terminal ok',
    'size ok',
    'colours ok',
    'clipboard ok',
    'locale ok',
  ]);
  assert.deepEqual(told({ TERM: 'dumb', LANG: 'C', NO_COLOR: '1' }, { ...SCREEN, columns: 60 }), [
    'terminal trouble',
    'size note',
    'colours note',
    'clipboard note',
    'locale note',
  ]);
  const clipboard = (env: Record<string, string>) =>
    terminalFindings(env, SCREEN).find(({ check }) => check === 'clipboard')?.todo;
  assert.match(
    clipboard({ TERM: 'tmux-256color', TMUX: '/tmp/x', KITTY_WINDOW_ID: '1' }) ?? '',
    /set-clipboard on/,
  );
  assert.match(clipboard({ TERM: 'screen', STY: '1.x' }) ?? '', /y L/);
  assert.match(clipboard({ TERM: 'linux' }) ?? '', /y L/);
  assert.match(clipboard({ TERM: 'xterm-256color' }) ?? '', /copy with y and paste/);
});
