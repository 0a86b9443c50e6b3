import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Configured } from '../../src/config/config-error.ts';
import { configPath, homeOf } from '../../src/config/directories.ts';
import { parseConfig } from '../../src/config/settings/config-file.ts';
import { loadCredentials, NO_CREDENTIALS, secretOf } from '../../src/config/settings/credentials.ts';
import { loadProfile } from '../../src/config/settings/profile.ts';
import { loadSettings, settingsOf, themeOf } from '../../src/config/settings/settings.ts';
import { systemClock } from '../../src/time/clock.ts';
import { until } from '../support/until.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const KEY = 'canary-5d3c7a90-0f1e-4b2d';

async function inDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'edgescope-config-'));
  try {
    await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function fileIn(directory: string, name: string, content: string, mode = 0o600): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content);
  await chmod(path, mode);
  return path;
}

function must<T>(configured: Configured<T>): T {
  assert.ok(configured.ok, configured.ok ? '' : configured.error.message);
  return configured.value;
}

/** The words of an error, which must never quote the key. */
function errorOf(configured: Configured<unknown>): string {
  assert.ok(!configured.ok);
  const { message, hint, exit } = configured.error;
  const words = `${exit}: ${message} ${hint}`;
  assert.equal(words.includes('canary'), false, words);
  return words;
}

test('the key comes from the command before the file before the environment', async () => {
  await inDirectory(async (directory) => {
    const key_file = await fileIn(directory, 'key', 'from-file\n');
    const key_command = [process.execPath, '-e', 'console.log("from-command\\nsecond line")'];
    const env = {
      ...process.env,
      EDGESCOPE_ACCESS_KEY: 'from-env',
      BUNNYNET_API_KEY: 'other',
      MINE: 'named',
      EDGESCOPE_TOKEN: 'a.b.c',
    };
    const of = async (profile: object, from: Record<string, string | undefined> = env) => {
      const { accessKey, token } = must(await loadCredentials(profile, from, systemClock));
      return [accessKey?.reveal() ?? null, token?.reveal() ?? null];
    };
    assert.deepEqual(await of({ key_command, key_file }), ['from-command', 'a.b.c']);
    assert.deepEqual(await of({ key_file, key_env: 'MINE' }), ['from-file', 'a.b.c']);
    assert.deepEqual(await of({ key_env: 'MINE' }), ['named', 'a.b.c']);
    assert.deepEqual(await of({}), ['from-env', 'a.b.c']);
    assert.deepEqual(await of({}, { BUNNYNET_API_KEY: 'other' }), ['other', null]);
    assert.deepEqual(await of({}, {}), [null, null]);
  });
});

test('a key_command runs without a shell, and its failure quotes nothing it printed', async () => {
  const failing = async (...key_command: string[]) =>
    errorOf(await loadCredentials({ key_command }, process.env, systemClock));
  assert.match(await failing('/nowhere/at/all'), /^3: .*does not exist/);
  assert.match(
    await failing(process.execPath, '-e', `console.log('${KEY}'); process.exit(9)`),
    /exit code 9/,
  );
  assert.match(await failing(process.execPath, '-e', ''), /empty/);
  assert.match(
    await failing(process.execPath, '-e', `for(;;) console.log('${KEY}'.repeat(1000))`),
    /more than a key/,
  );
  const shell = await loadCredentials({ key_command: ['echo', '$HOME;`id`'] }, process.env, systemClock);
  assert.equal(must(shell).accessKey?.reveal(), '$HOME;`id`');
});

test('a key_command may leave something behind that holds its output, or fills it for ever', async () => {
  const leaving = (words: string) => ['sh', '-c', `(${words}) & echo $! > "$PLACE"; echo from-command`];
  await inDirectory(async (directory) => {
    for (const [words, outcome] of [
      ['sleep 600', 'from-command'],
      ['cat /dev/zero', /more than a key/],
    ] as const) {
      const PLACE = join(directory, `process-${words.length}`);
      const clock = new VirtualClock();
      const profile = { key_command: leaving(words) };
      const loading = loadCredentials(profile, { ...process.env, PLACE }, clock);
      try {
        // The end of the command leaves two timers: the one for its whole time, and the one for its last words.
        if (typeof outcome === 'string') {
          await until(() => clock.pending === 2, 'the end of the command');
          await clock.advance(1_000);
        } else await loading;
        assert.equal(clock.pending, 0, 'nothing is waited for any more');
      } finally {
        // What fills the pipe ends with it; what only holds it does not.
        if (typeof outcome === 'string') process.kill(Number(readFileSync(PLACE, 'utf8')), 'SIGKILL');
      }
      const loaded = await loading;
      if (typeof outcome === 'string') assert.equal(must(loaded).accessKey?.reveal(), outcome);
      else assert.match(errorOf(loaded), outcome);
    }
  });
});

test('a key_command that does not end is ended after a minute', async () => {
  const clock = new VirtualClock();
  const loading = loadCredentials({ key_command: ['sleep', '600'] }, process.env, clock);
  await clock.advance(60_000);
  assert.match(errorOf(await loading), /took longer than 60 s/);
  assert.equal(clock.pending, 0);
});

test('a key file must be the user’s own plain file, closed to others', async () => {
  await inDirectory(async (directory) => {
    const failing = async (key_file: string) => errorOf(await loadCredentials({ key_file }, {}, systemClock));
    const open = await fileIn(directory, 'open', KEY, 0o644);
    assert.match(await failing(open), /mode 0644.*chmod 600/);
    const link = join(directory, 'link');
    await symlink(await fileIn(directory, 'good', KEY), link);
    assert.match(await failing(link), /symbolic link/);
    assert.match(await failing(directory), /not a regular file/);
    assert.match(await failing(join(directory, 'none')), /does not exist/);
    assert.match(await failing(await fileIn(directory, 'large', 'x'.repeat(9_000))), /too large/);
  });
});

test('a key with a character that no header carries is refused without being quoted', () => {
  for (const bad of [
    `${KEY} `,
    ` ${KEY}`,
    `${KEY}\n\n`,
    `${KEY}\u00e9`,
    `"${KEY}\u201d`,
    `${KEY}\0`,
    '\r\n',
    '',
  ]) {
    assert.match(errorOf(secretOf('key', bad, 'a test')), /^3: The key from a test/);
  }
  assert.match(errorOf(secretOf('key', `${KEY} x`, 'a test')), /position 26 of 27/);
  assert.equal(must(secretOf('key', `${KEY}\r\n`, 'a test')).reveal(), KEY);
});

test('profiles are read from the XDG directory, from a private file alone', async () => {
  await inDirectory(async (directory) => {
    const env = { XDG_CONFIG_HOME: directory };
    assert.deepEqual(must(await loadProfile(env, null)), {});
    assert.match(errorOf(await loadProfile(env, 'work')), /no profile "work"/);
    await mkdir(join(directory, 'edgescope'));
    const content = { profile: 'work', profiles: { work: { zone: 'shop', key_env: 'WORK_KEY' }, home: {} } };
    const path = await fileIn(join(directory, 'edgescope'), 'config.json', JSON.stringify(content));
    assert.equal(configPath(env), path);
    assert.deepEqual(must(await loadProfile(env, null)), { zone: 'shop', key_env: 'WORK_KEY' });
    assert.deepEqual(must(await loadProfile(env, 'home')), {});
    assert.match(errorOf(await loadProfile(env, 'toString')), /Known profiles: work, home/);
    await chmod(path, 0o640);
    assert.match(errorOf(await loadProfile(env, null)), /mode 0640/);
  });
  assert.equal(
    configPath({ HOME: '/home/a', XDG_CONFIG_HOME: 'relative' }),
    '/home/a/.config/edgescope/config.json',
  );
});

test('a profile of the CLI of the platform gives its key where it is named, from a private file alone', async () => {
  await inDirectory(async (directory) => {
    const env = { HOME: directory, XDG_CONFIG_HOME: directory };
    const other = { api_key: KEY, api_url: 'https://api.elsewhere.example' };
    const profiles = { default: { api_key: KEY }, other, empty: {} };
    const file = await fileIn(directory, 'bunnynet.json', JSON.stringify({ log_level: 'info', profiles }));
    const of = (profile: string | null, from: Record<string, string> = env) =>
      loadSettings({ env: from, profile, clock: systemClock });
    assert.deepEqual(must(await of(null)).credentials, NO_CREDENTIALS, 'nobody named it');
    assert.equal(must(await of('bunny:default')).credentials.accessKey?.reveal(), KEY);
    assert.match(errorOf(await of('bunny:none')), /^3: .* "none" .* default, other, empty\.$/);
    assert.match(errorOf(await of('bunny:empty')), /^3: There is no key/);
    assert.match(errorOf(await of('bunny:other')), /^3: .* for another API .* EDGESCOPE_BASE_URL/);
    const elsewhere = { ...env, EDGESCOPE_BASE_URL: 'https://api.elsewhere.example' };
    assert.equal(must(await of('bunny:other', elsewhere)).credentials.accessKey?.reveal(), KEY);
    await mkdir(join(directory, 'edgescope'));
    const own = { profile: 'a', profiles: { a: { key_cli: 'default', zone: 'shop' } } };
    await fileIn(directory, 'edgescope/config.json', JSON.stringify(own));
    const { credentials, zone } = must(await of(null));
    assert.deepEqual([credentials.accessKey?.reveal(), zone], [KEY, 'shop']);
    await chmod(file, 0o640);
    assert.match(errorOf(await of('bunny:default')), /^3: .* open to others \(mode 0640\)\. chmod 600 /);
    await rm(file);
    assert.match(errorOf(await of('bunny:default')), /^3: There is no key of .*: none\.$/);
  });
});

test('a configuration that is wrong says where, never what', () => {
  const failing = (content: string) => errorOf(parseConfig(content, 'config.json'));
  assert.match(failing('{'), /not valid JSON/);
  assert.match(failing('[]'), /top level/);
  assert.match(
    failing(`{"profiles":{"a":{"access_key":"${KEY}"}}}`),
    /a\.access_key.*in the open.*key_command/,
  );
  assert.match(failing(`{"profiles":{"a":{"keyfile":"${KEY}"}}}`), /a\.keyfile" is not a setting.*key_file/);
  assert.match(
    failing('{"profiles":{"a":{"key_command":"pass show"}}}'),
    /a\.key_command" has the wrong form/,
  );
  assert.match(failing('{"profiles":{"a":{"key_command":[]}}}'), /a\.key_command/);
});

test('settings come from flags, then the environment, then the profile, then the defaults', () => {
  const of = (env: Record<string, string>, profile = {}) => must(settingsOf(env, profile));
  assert.deepEqual(of({ HOME: '/home/op' }), {
    credentials: NO_CREDENTIALS,
    baseUrl: 'https://api.bunny.net',
    loggingUrl: 'https://logging.bunnycdn.com',
    originErrorsUrl: 'https://cdn-origin-logging.bunny.net',
    storageUrl: 'https://storage.bunnycdn.com',
    theme: 'default',
    colours: {},
    keys: {},
    panel: {},
    mouse: false,
    rowBytes: 512 * 1024 * 1024,
    zone: null,
    views: null,
    colour: true,
    proxy: null,
  });
  const profile = {
    base_url: 'https://a.example/api/',
    logging_url: 'http://[::1]:9',
    theme: 'mono',
    zone: 'shop',
  };
  const some = of({ EDGESCOPE_BASE_URL: 'http://127.0.0.1:8', NO_COLOR: '1' }, profile);
  assert.deepEqual(
    [some.baseUrl, some.loggingUrl, some.zone, some.colour],
    ['http://127.0.0.1:8', 'http://[::1]:9', 'shop', false],
  );
  assert.deepEqual([themeOf('16', some), themeOf(null, some)], ['16', 'mono']);
  assert.deepEqual(
    [themeOf('16', of({}, profile)), themeOf(null, of({}, { theme: 'safe' }))],
    ['16', 'safe'],
  );
  assert.equal(themeOf(null, of({}, { theme: 'pink' })), null);
  assert.equal(of({}, profile).baseUrl, 'https://a.example/api');
});

test('the key goes to the usual server of origin errors only where the others are the usual ones', () => {
  const of = (env: Record<string, string>, profile = {}) => must(settingsOf(env, profile)).originErrorsUrl;
  assert.equal(of({}), 'https://cdn-origin-logging.bunny.net');
  assert.equal(of({ EDGESCOPE_BASE_URL: 'https://api.example' }), null);
  assert.equal(of({}, { logging_url: 'https://logs.example' }), null);
  const named = { base_url: 'https://api.example', origin_errors_url: 'https://origins.example/' };
  assert.equal(of({}, named), 'https://origins.example');
  assert.equal(of({ EDGESCOPE_ORIGIN_ERRORS_URL: 'http://127.0.0.1:9' }, named), 'http://127.0.0.1:9');
});

test('what opens a storage zone goes to the usual servers only where the others are the usual ones', () => {
  const of = (env: Record<string, string>, profile = {}) => must(settingsOf(env, profile)).storageUrl;
  assert.equal(of({}), 'https://storage.bunnycdn.com');
  assert.equal(of({ EDGESCOPE_BASE_URL: 'https://api.example' }), null);
  assert.equal(
    of({}, { logging_url: 'https://l.example', storage_url: 'https://s.example/' }),
    'https://s.example',
  );
  assert.equal(
    of({ EDGESCOPE_STORAGE_URL: 'http://127.0.0.1:9' }, { storage_url: 'https://s.example' }),
    'http://127.0.0.1:9',
  );
});

test('a URL over which the key would not be safe is refused', () => {
  const failing = (env: Record<string, string>) => errorOf(settingsOf(env));
  assert.match(failing({ EDGESCOPE_BASE_URL: 'http://api.example' }), /^2: .*not https/);
  assert.match(failing({ EDGESCOPE_LOGGING_URL: 'http://localhost.example:80' }), /not https/);
  assert.match(failing({ EDGESCOPE_ORIGIN_ERRORS_URL: 'http://errors.example' }), /not https/);
  assert.match(failing({ EDGESCOPE_STORAGE_URL: 'http://files.example' }), /not https/);
  assert.match(failing({ EDGESCOPE_BASE_URL: 'ftp://127.0.0.1' }), /not https/);
  assert.match(failing({ EDGESCOPE_BASE_URL: 'api.example' }), /not a URL/);
  assert.match(failing({ EDGESCOPE_BASE_URL: `https://${KEY}@api.example` }), /user name/);
  assert.match(failing({ EDGESCOPE_BASE_URL: `https://api.example?key=${KEY}` }), /query/);
  assert.match(failing({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }), /certificate/);
  assert.match(failing({ HTTPS_PROXY: `${KEY}:8080` }), /proxy variable/);
});

test('http://localhost is the literal loopback address, and no resolver is asked for it', () => {
  const env = {
    EDGESCOPE_BASE_URL: 'http://LOCALHOST:8080/api/',
    EDGESCOPE_LOGGING_URL: 'https://localhost:8443',
  };
  const settings = settingsOf(env);
  assert.ok(settings.ok);
  assert.equal(settings.value.baseUrl, 'http://127.0.0.1:8080/api');
  assert.equal(settings.value.loggingUrl, 'https://localhost:8443');
});

test('proxy variables are taken in either case', () => {
  const of = (env: Record<string, string>) => must(settingsOf(env)).proxy;
  const proxy = 'http://proxy.example:3128';
  assert.deepEqual(of({ https_proxy: proxy, NO_PROXY: 'a.example' }), {
    httpProxy: '',
    httpsProxy: proxy,
    noProxy: 'a.example',
  });
  assert.equal(of({ ALL_PROXY: proxy })?.httpsProxy, proxy);
});

test('what the environment forbids is said before a key_command runs', async () => {
  await inDirectory(async (directory) => {
    await mkdir(join(directory, 'edgescope'));
    const ran = join(directory, 'ran');
    const profile = { key_command: ['touch', ran] };
    await fileIn(
      join(directory, 'edgescope'),
      'config.json',
      JSON.stringify({ profiles: { default: profile } }),
    );
    const env = { ...process.env, XDG_CONFIG_HOME: directory, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    errorOf(await loadSettings({ env, profile: null, clock: systemClock }));
    await assert.rejects(chmod(ran, 0o600));
  });
});

test('without HOME it is the home of the user, and of a user without an entry no place that others can fill', () => {
  const nobody = () => {
    throw new Error('uv_os_homedir returned ENOENT');
  };
  assert.equal(homeOf({ HOME: '/home/ops' }, nobody), '/home/ops');
  assert.equal(
    homeOf({}, () => '/home/ops'),
    '/home/ops',
  );
  assert.equal(homeOf({ HOME: '' }, nobody), '/');
});
