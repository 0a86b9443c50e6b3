// The built program on a real terminal: only a process can be killed, and only the next one finds its place.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isLive, ZONE } from '../session/log-screen.ts';
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

/** The row under the cursor, without the marks before it. */
const underCursor = (terminal: Terminal) =>
  (terminal.screen().find((line) => /^▌\d\d:/.test(line)) ?? '').slice(1);

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
  // A frame may come in pieces: the title alone is not the row.
  await terminal.waitFor((screen) => /PAUSED/.test(title(screen)) && underCursor(terminal) !== '');
  const row = underCursor(terminal);
  assert.match(row, /^\d\d:\d\d:\d\d /);
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
  await again.waitFor((screen) => /PAUSED/.test(title(screen)) && underCursor(again) !== '');
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
