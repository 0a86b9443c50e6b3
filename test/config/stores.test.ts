import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCommandLine } from '../../src/config/command/command-line.ts';
import { configReport } from '../../src/config/settings/check.ts';
import { readConfigForm } from '../../src/config/settings/config-file.ts';
import { storeAccess } from '../../src/config/settings/configured-stores.ts';
import type { StoreProfile } from '../../src/config/settings/store-settings.ts';
import { systemClock } from '../../src/time/clock.ts';
import { ownFolder } from '../support/own-folder.ts';

const PASSWORD = 'correct horse, Batterie ü';
const SERVER: StoreProfile = { engine: 'clickhouse', url: 'https://ch.example:8443/' };
const FILE: StoreProfile = { engine: 'duckdb', file: '~/logs.duckdb' };

const access = (stores: Record<string, StoreProfile>, asked: string | null = null, env = {}) =>
  storeAccess({ stores }, asked, { HOME: '/home/me', ...env }, systemClock);

async function refusal(
  stores: Record<string, StoreProfile>,
  asked: string | null = null,
  env = {},
): Promise<string> {
  const read = await access(stores, asked, env);
  assert.ok(!read.ok);
  return `${read.error.message} ${read.error.hint}`;
}

test('the only store of a profile is meant where none is named; what a setting leaves out is as the manual says', async () => {
  const file = await access({ local: FILE });
  assert.deepEqual(file, {
    ok: true,
    value: {
      name: 'local',
      engine: 'duckdb',
      file: '/home/me/logs.duckdb',
      days: null,
      limits: { seconds: 60, memory: 4096 },
    },
  });
  const server = await access({ local: FILE, main: { ...SERVER, days: 90, seconds: 5 } }, 'main');
  assert.ok(server.ok && server.value.engine === 'clickhouse');
  const { url, user, password, database, cluster, days, limits } = server.value;
  assert.deepEqual(
    [url, user, password, database, cluster, days],
    ['https://ch.example:8443', 'default', null, 'edgescope', null, 90],
  );
  assert.deepEqual(limits, { seconds: 5, memory: 4096 });
});

test('a store that is not there, or that lacks or has too much, is refused with what to do', async () => {
  assert.match(await refusal({}), /has no stores.*"stores"/);
  assert.match(await refusal({ a: FILE, b: FILE }), /has 2 stores.*--store a or b/);
  assert.match(await refusal({ a: FILE }, 'x'), /no store "x".*a/);
  assert.match(await refusal({ a: {} }), /names no engine/);
  assert.match(await refusal({ a: { engine: 'duckdb' } }), /has no file/);
  for (const file of [':memory:', ':memory:logs'])
    assert.match(await refusal({ a: { ...FILE, file } }), /"a" would be in memory, and gone .*Set "file"/);
  assert.match(await refusal({ a: { engine: 'clickhouse' } }), /has no url/);
  assert.match(await refusal({ a: { ...FILE, cluster: 'main' } }), /has no cluster/);
  assert.match(await refusal({ a: { ...SERVER, file: 'x' } }), /has no file/);
  assert.match(await refusal({ a: { ...SERVER, url: 'http://ch.example' } }), /not https/);
  assert.match(await refusal({ a: { ...SERVER, url: `https://me:${PASSWORD}@ch.example` } }), /a password/);
});

test('a password comes as a key does, and is never shown', async (t) => {
  const folder = ownFolder(t);
  const password_file = join(folder, 'password');
  writeFileSync(password_file, `${PASSWORD}\n`, { mode: 0o600 });
  for (const source of [
    { password_file },
    { password_env: 'MINE' },
    { password_command: [process.execPath, '-e', `console.log(${JSON.stringify(PASSWORD)})`] },
  ]) {
    const read = await access({ a: { ...SERVER, ...source } }, null, { MINE: PASSWORD });
    assert.ok(read.ok && read.value.engine === 'clickhouse');
    assert.equal(read.value.password?.reveal(), PASSWORD);
    assert.ok(!JSON.stringify(read).includes(PASSWORD));
  }
  chmodSync(password_file, 0o644);
  assert.match(await refusal({ a: { ...SERVER, password_file } }), /password file .* is open to others/);
  assert.match(
    await refusal({ a: { ...SERVER, password_env: 'NONE' } }),
    /NONE named by password_env is not set/,
  );
  const odd = await refusal({ a: { ...SERVER, password_env: 'MINE' } }, null, { MINE: `${PASSWORD}\nmore` });
  assert.match(odd, /control character/);
  assert.ok(!odd.includes('correct'));
});

test('stores of a configuration file are checked as deep as they go, and a password in the open is named, not quoted', () => {
  const problems = (stores: object) =>
    readConfigForm(JSON.stringify({ profiles: { p: { stores } } })).problems.map(
      ({ reason, next }) => `${reason} ${next}`,
    );
  assert.deepEqual(problems({ main: SERVER, 'eu-2': FILE }), []);
  const [open = ''] = problems({ main: { ...SERVER, password: PASSWORD } });
  assert.match(open, /stores\.main\.password" looks like a key in the open.*password_command/);
  assert.ok(!open.includes(PASSWORD));
  assert.match(
    problems({ main: { ...SERVER, engine: 'sqlite' } })[0] ?? '',
    /stores\.main\.engine" has the wrong form.*clickhouse or duckdb/,
  );
  assert.match(problems({ main: { ...SERVER, dataBase: 'x' } })[0] ?? '', /did you mean "database"/);
  assert.match(problems({ 'a b': FILE })[0] ?? '', /stores\.a b" has the wrong form/);
  assert.match(problems({ main: { ...SERVER, database: 'a;DROP' } })[0] ?? '', /letters, digits and _/);
  assert.match(problems([FILE] as object)[0] ?? '', /stores" has the wrong form/);
});

test('config check names the place of a store that cannot be opened, and runs no password_command', async (t) => {
  const folder = ownFolder(t);
  const path = join(folder, 'edgescope', 'config.json');
  mkdirSync(join(folder, 'edgescope'));
  const report = async (stores: object) => {
    writeFileSync(path, JSON.stringify({ profiles: { default: { stores } } }), { mode: 0o600 });
    return configReport({
      env: { XDG_CONFIG_HOME: folder, HOME: folder },
      profile: null,
      clock: systemClock,
    });
  };
  const fine = await report({ main: { ...SERVER, password_command: ['false'] }, local: FILE });
  assert.equal(fine.exit, 0);
  assert.match(fine.text, /store +main: clickhouse, https:\/\/ch\.example:8443\/\n/);
  const wrong = await report({ main: { engine: 'clickhouse', url: 'http://ch.example' } });
  assert.equal(wrong.exit, 2);
  assert.match(wrong.text, /config\.json:1:\d+: The URL of the store "main" .* is not https/);
});

test('the words of store and keep are read before anything is opened', () => {
  const read = (...words: string[]) =>
    readCommandLine(words, import.meta, { name: 'edgescope', version: '0', description: '' });
  const said = (...words: string[]) => {
    const usage = read(...words);
    return usage.ok ? null : usage.message;
  };
  const dropped = read('store', 'drop-before', '2026-08-01', '--confirm', 'main');
  assert.ok(dropped.ok);
  assert.deepEqual(
    [dropped.value.word, dropped.value.files, dropped.value.confirm],
    ['drop-before', ['2026-08-01'], 'main'],
  );
  const kept = read('keep', '--import', 'a.log', '-', '--store', 'main');
  assert.ok(kept.ok);
  assert.deepEqual([kept.value.files, kept.value.store, kept.value.query], [['a.log', '-'], 'main', '']);
  const stored = read('keep', '--stored', 'shop', 'api', '--from', '2026-11-01', '--to', '2026-11-08');
  assert.ok(stored.ok);
  assert.deepEqual(
    [stored.value.zone, stored.value.stored, stored.value.query],
    ['shop,api', true, 'from:2026-11-01 to:2026-11-08'],
  );
  const followed = read('keep', 'shop', 'api');
  assert.ok(followed.ok && followed.value.zone === 'shop,api' && followed.value.files.length === 0);
  for (const words of [
    ['keep'],
    ['keep', '--import'],
    ['keep', '--import', ''],
    ['keep', 'shop', '--from', '2026-11-01'],
    ['keep', '--stored', 'shop'],
    ['keep', '--stored', '--from', '2026-11-01'],
    ['keep', '--stored', '--import', 'shop', '--from', '2026-11-01'],
    ['keep', '--import', 'a.log', '--metrics', '9464'],
    ['keep', '--stored', 'shop', '--from', '2026-11-01', '--metrics', '9464'],
    ['store'],
    ['store', 'drop'],
    ['store', 'check', 'x'],
    ['store', 'check', '--dry-run'],
    ['store', 'init', '--confirm', 'x'],
    ['store', 'drop-before'],
    ['store', 'drop-before', 'yesterday'],
    ['store', 'drop-before', '2026-02-31'],
    ['store', 'check', '--demo'],
  ])
    assert.notEqual(said(...words), null, words.join(' '));
});

test('an address to serve at is one of this machine alone unless it says otherwise, and never a name', () => {
  const read = (address: string) =>
    readCommandLine(['keep', 'shop', '--metrics', address], import.meta, {
      name: 'edgescope',
      version: '0',
      description: '',
    });
  for (const [address, host, port] of [
    ['9464', '127.0.0.1', 9464],
    ['localhost:0', '127.0.0.1', 0],
    ['[::1]:9464', '::1', 9464],
    ['0.0.0.0:65535', '0.0.0.0', 65_535],
    ['[::]:9464', '::', 9464],
  ] as const) {
    const usage = read(address);
    assert.ok(usage.ok, address);
    assert.deepEqual(usage.value.metrics, { host, port }, address);
  }
  for (const address of [
    '',
    'x',
    '127.0.0.1',
    '127.0.0.1:65536',
    'metrics.example:9464',
    ':9464',
    '::1:9464',
    '[x]:1',
    '[127.0.0.1]:1',
  ])
    assert.ok(!read(address).ok, address);
});
