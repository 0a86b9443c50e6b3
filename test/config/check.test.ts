import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { configReport } from '../../src/config/settings/check.ts';
import { Secret } from '../../src/text/secret.ts';
import { systemClock } from '../../src/time/clock.ts';
import { ownFolder } from '../support/own-folder.ts';
import { wordsIn } from '../support/shells.ts';

const KEY = 'canary-5d3c7a90-0f1e-4b2d';
const { fingerprint } = new Secret(KEY);

type Place = { home: string; path: string; env: Record<string, string> };

/** A configuration directory of its own with this file in it; null: no file. */
function place(t: TestContext, content: object | string | null, mode = 0o600): Place {
  const home = ownFolder(t);
  const path = join(home, 'edgescope', 'config.json');
  mkdirSync(dirname(path));
  if (content !== null) {
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    chmodSync(path, mode);
  }
  return {
    home,
    path,
    env: { XDG_CONFIG_HOME: home, HOME: home, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` },
  };
}

/** The report without the path of the file; no report may hold the key. */
async function reportOf(at: Place, more: Record<string, string> = {}, profile: string | null = null) {
  const { text, exit } = await configReport({ env: { ...at.env, ...more }, profile, clock: systemClock });
  assert.equal(text.includes('canary'), false, text);
  return { exit, text: text.replaceAll(at.path, 'config.json').replaceAll(at.home, '~') };
}

test('a file in order gives a summary: profile, source and fingerprint of the key, hosts', async (t) => {
  const at = place(t, {
    profile: 'work',
    profiles: {
      work: {
        key_command: ['node', '-e', `console.log('${KEY}')`],
        base_url: 'https://a.example/',
        zone: 'shop',
      },
    },
  });
  // The command line of the key is not part of the report, only its program.
  assert.deepEqual(await reportOf(at, { EDGESCOPE_ACCESS_KEY: 'another' }), {
    exit: 0,
    text: [
      'file     config.json',
      'profile  work',
      `key      from key_command (node), fingerprint ${fingerprint}`,
      'opens    every screen; for logs alone a logging token (EDGESCOPE_TOKEN) is enough',
      'unused   EDGESCOPE_ACCESS_KEY is set, but key_command comes first',
      'main     https://a.example, from the profile',
      'logging  https://logging.bunnycdn.com',
      'origin   none; set EDGESCOPE_ORIGIN_ERRORS_URL, or origin_errors_url in a profile',
      'storage  none; set EDGESCOPE_STORAGE_URL, or storage_url in a profile',
      'theme    default',
      'zone     shop',
      '',
    ].join('\n'),
  });
});

test('without a file it says where one would be, and what the environment gives', async (t) => {
  const at = place(t, null);
  const none = await reportOf(at);
  assert.equal(none.exit, 0);
  assert.match(
    none.text,
    /^file +none; it would be config\.json\nprofile +none\nkey +none\nopens +nothing; for logs by .* EDGESCOPE_TOKEN, .* EDGESCOPE_ACCESS_KEY/,
  );
  const env = { BUNNYNET_API_KEY: KEY, EDGESCOPE_LOGGING_URL: 'http://127.0.0.1:9' };
  const some = await reportOf(at, env);
  assert.match(some.text, new RegExp(`key +from BUNNYNET_API_KEY, fingerprint ${fingerprint}`));
  assert.match(some.text, /logging +http:\/\/127\.0\.0\.1:9, from the environment/);
  assert.deepEqual(await reportOf(at, {}, 'work'), {
    exit: 2,
    text: 'config.json: There is no profile "work".\n  Known profiles: none.\n',
  });
});

test('broken JSON is shown by line and column', async (t) => {
  const at = place(t, '{\n  "profiles": {\n    "default": {},\n  }\n}\n');
  assert.deepEqual(await reportOf(at), {
    exit: 2,
    text: "config.json:3:18: not valid JSON: a comma stands before '}'.\n  Check commas and quotes, or move the file away.\n",
  });
  const commented = await reportOf(place(t, '{ "profiles": {} } // one\n'));
  assert.match(commented.text, /^config\.json:1:20: not valid JSON: JSON has no comments\.$/m);
});

test('every problem of the form is shown, with the nearest name and never with a value', async (t) => {
  const at = place(
    t,
    [
      '{ "profile": 3,',
      '  "profilles": {},',
      '  "profiles": { "a": { "keyfile": "x",',
      `    "access_key": "${KEY}",`,
      '    "key_command": "pass show edge",',
      '    "theme": "mono", "theme": "16" } } }',
    ].join('\n'),
  );
  const { exit, text } = await reportOf(at);
  assert.equal(exit, 2);
  assert.deepEqual(
    text.split('\n').filter((line) => line.startsWith('config.json')),
    [
      'config.json:1:14: "profile" has the wrong form.',
      'config.json:2:3: "profilles" is not a setting; did you mean "profiles"?',
      'config.json:3:24: "profiles.a.keyfile" is not a setting; did you mean "key_file"?',
      'config.json:4:5: "profiles.a.access_key" looks like a key in the open.',
      'config.json:5:20: "profiles.a.key_command" has the wrong form.',
      'config.json:6:22: "profiles.a.theme" is set twice.',
    ],
  );
  assert.match(text, /list of texts: the program and its arguments/);
});

test('what is in the right form and cannot work is shown at its setting, in every profile', async (t) => {
  const at = place(t, {
    profiles: {
      default: {},
      b: {
        base_url: 'http://api.example',
        logging_url: 'nowhere',
        theme: 'dark',
        zone: 'two words',
        key_command: ['no-such-program-anywhere'],
        key_env: 'MINE',
      },
      c: { key_file: join('/', 'nowhere', 'at', 'all') },
    },
  });
  const { exit, text } = await reportOf(at);
  assert.equal(exit, 2);
  const said = text.split('\n').filter((line) => line.startsWith('config.json'));
  assert.deepEqual(
    said.map((line) => line.replace(/^config\.json:(\d+):\d+: /, '$1 ')),
    [
      '12 "key_env" is never used: "key_command" comes first.',
      '5 The base URL (http://api.example) is not https.',
      '6 The logging URL is not a URL.',
      '7 There is no such theme.',
      '8 This is not a zone.',
      '15 The key file /nowhere/at/all does not exist.',
    ],
  );
});

test('a key_command that fails or prints nothing is shown without a word it printed', async (t) => {
  const commanded = (...key_command: string[]) =>
    reportOf(place(t, { profiles: { default: { key_command } } }));
  const failing = await commanded('node', '-e', `console.log('${KEY}'); process.exit(4)`);
  assert.equal(failing.exit, 2);
  assert.match(failing.text, /^config\.json:4:22: key_command \(node\) failed with exit code 4\./);
  assert.match((await commanded('node', '-e', '')).text, /The key from key_command is empty/);
  assert.match((await commanded('node', '-e', `console.log('${KEY} x')`)).text, /character that no key has/);
  const at = place(t, { profiles: { default: { key_command: ['~'] } } });
  const plain = join(at.home, 'not-a-program');
  writeFileSync(plain, '#!/bin/sh\n', { mode: 0o600 });
  writeFileSync(at.path, JSON.stringify({ profiles: { default: { key_command: [plain] } } }));
  assert.match((await reportOf(at)).text, /key_command \(.*not-a-program\) may not be run/);
});

test('only the key_command of the profile in use runs', async (t) => {
  const at = place(t, null);
  const ran = join(at.home, 'ran');
  const profiles = { default: {}, other: { key_command: ['touch', ran] } };
  writeFileSync(at.path, JSON.stringify({ profiles }), { mode: 0o600 });
  assert.equal((await reportOf(at)).exit, 0);
  assert.throws(() => chmodSync(ran, 0o600));
});

test('a file open to others is refused, and still looked through; a link is not', async (t) => {
  const open = place(t, { profiles: { default: { theme: 'dark' } } }, 0o644);
  const { exit, text } = await reportOf(open);
  assert.equal(exit, 2);
  assert.match(text, /^config\.json: The configuration is open to others \(mode 0644\)\.\n {2}chmod 600/);
  assert.match(text, /^config\.json:4:16: There is no such theme/m);
  const link = place(t, null);
  symlinkSync(open.path, link.path);
  assert.match((await reportOf(link)).text, /^config\.json: The configuration is a symbolic link/);
});

test('the command that closes a file is one that a shell reads back, whatever the path is', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), "edgescope it's \\ \x1b[31m"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'edgescope', 'config.json');
  mkdirSync(dirname(path));
  writeFileSync(path, '{}', { mode: 0o644 });
  const { text } = await configReport({
    env: { XDG_CONFIG_HOME: directory },
    profile: null,
    clock: systemClock,
  });
  const [, command = ''] = /^ {2}(chmod .*)$/m.exec(text) ?? [];
  assert.deepEqual(wordsIn('sh', [command]), [['chmod', '600', path]]);
});

test('what the environment forbids is a problem of the environment', async (t) => {
  const at = place(t, { profiles: { default: {} } });
  assert.match((await reportOf(at, { NODE_TLS_REJECT_UNAUTHORIZED: '0' })).text, /^environment: NODE_TLS/);
  assert.match(
    (await reportOf(at, { EDGESCOPE_ACCESS_KEY: `${KEY} ` })).text,
    /^environment: The key from EDGE/,
  );
});

test('a start with a broken file gives the same place and reason, and where to see the others', async (t) => {
  const { loadProfile } = await import('../../src/config/settings/profile.ts');
  const at = place(t, '{"profiles": {"a": {"keyfile": 1, "them": 2}}}');
  const loaded = await loadProfile(at.env, null);
  assert.ok(!loaded.ok);
  assert.equal(
    loaded.error.message,
    `${at.path}:1:21: "profiles.a.keyfile" is not a setting; did you mean "key_file"?`,
  );
  assert.match(loaded.error.hint, /1 more: edgescope config check/);
});
