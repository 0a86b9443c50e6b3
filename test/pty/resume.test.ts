// The built program on a real terminal: only a process can be killed, and only the next one finds its place.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isLive, logRows, ZONE } from '../session/log-screen.ts';
import { writtenAtOnce } from '../support/keys.ts';
import type { Terminal } from '../support/terminal.ts';
import { credentials, openLog, openProgram } from './support.ts';

const title = (screen: readonly string[]) => screen[0] ?? '';

function places(home: string): string[] {
  const directory = join(home, '.local/state/edgescope/sessions');
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.json'))
      .map((name) => readFileSync(join(directory, name), 'utf8'));
  } catch {
    return [];
  }
}

/** The row under the cursor, as far as its address: without its mark, and the date that it has where midnight was not long ago. */
const underCursor = (terminal: Terminal) =>
  logRows(terminal.screen())
    .find((line) => line.startsWith('▌'))
    ?.replace(/^▌(?:\d\d-\d\d | {6})?/, '')
    .slice(0, 45);

/** The rows that the view exports, as their request ids, and its gaps. */
async function exported(terminal: Terminal): Promise<Record<string, unknown>[]> {
  await terminal.type('<:export><Enter>');
  await terminal.waitFor(/^ file: /m);
  await writtenAtOnce(terminal, '<C-u>rows.ndjson<Enter>');
  await terminal.waitFor((screen) => /wrote /.test(screen.at(-1) ?? ''));
  const lines = readFileSync(join(terminal.home, 'rows.ndjson'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

test('a session that was killed is opened again at its row, with its filters, the gap filled and no row twice', async (t) => {
  const { terminal, simulator } = await openLog({ t, args: ['cache:MISS'], columns: 120 });
  await terminal.type('kkkkk');
  await terminal.waitFor((screen) => /PAUSED/.test(title(screen)));
  const row = underCursor(terminal);
  assert.match(row ?? '', /^\d\d:\d\d:\d\d /);
  await terminal.type(':mark miss red<Enter>');
  await terminal.waitFor(
    () => places(terminal.home).some((text) => /"pausedAt":\d.*"colour":"red"/.test(text)),
    {
      what: 'the place on the disk',
    },
  );
  assert.ok(places(terminal.home).every((text) => !text.includes(simulator.accessKey)));
  terminal.kill('SIGKILL');
  await terminal.exit();

  const o = { t, columns: 120, home: terminal.home, env: credentials(simulator) };
  const restarted = Date.now();
  const again = await openProgram({ ...o, args: ['--resume'] });
  await again.waitFor((screen) => /PAUSED/.test(title(screen)));
  assert.match(again.screen()[1] ?? '', /from:\S+Z +cache:MISS/);
  assert.equal(underCursor(again), row);
  await again.type(':unmark ');
  await again.waitFor(/^ miss +red/m);
  await again.type('<Esc>G');
  await again.waitFor(isLive);
  const rows = await exported(again);
  const ids = rows.map((each) => each['requestId']).filter((id) => id !== undefined);
  assert.ok(ids.length > 100);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(
    rows.filter((each) => '_gap' in each),
    [],
  );
  // Whatever showed before the second start is there, read before the death or after it.
  const from = Date.parse(/from:(\S+Z)/.exec(again.screen()[1] ?? '')?.[1] ?? '');
  const zone = simulator.zones.find((each) => each.name === ZONE);
  const there = simulator
    .truth(zone?.id ?? '', from, restarted)
    .filter(({ entry, visibleAt }) => entry['cacheStatus'] === 'MISS' && visibleAt <= restarted);
  assert.ok(there.length > 100);
  const found = new Set(ids);
  assert.deepEqual(
    there.filter(({ entry }) => !found.has(entry.requestId)).map(({ entry }) => entry.timestamp),
    [],
  );
});
