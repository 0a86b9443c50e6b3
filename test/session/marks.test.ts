import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { headsOf } from '../support/heads.ts';
import { writtenAtOnce } from '../support/keys.ts';
import { openLog } from './support.ts';

const bottom = (screen: readonly string[]) => screen.at(-1) ?? '';
const marked = (screen: readonly string[]) => screen.filter((line) => /^[●*]\d\d:/.test(line));

test('rows of both logs are marked, listed, gone to and written to one file', async (t) => {
  const { terminal } = await openLog({ t });
  await terminal.type('kk<:mark>kk');
  await terminal.waitFor((screen) => marked(screen).length === 1);
  const [row = ''] = marked(terminal.screen());
  await terminal.type('3');
  await terminal.waitFor(/EVENTS/);
  await terminal.type('bG<Enter>');
  await terminal.waitFor(
    (screen) => /ACTION/.test(headsOf(screen)) && screen.some((line) => /^▌\d\d:/.test(line)),
  );
  await terminal.type('j<:mark>j');
  await terminal.waitFor((screen) => marked(screen).length === 1);
  await terminal.type('<:marks>');
  await terminal.waitFor(/^ MARKED ROWS +\d\/2$/m);
  await terminal.type('e');
  await terminal.waitFor(/EXPORT the 2 rows that are marked/);
  await terminal.type('<Enter>');
  await terminal.waitFor(/^ file: edgescope-marks-/m);
  await writtenAtOnce(terminal, '<C-u>marks.ndjson<Enter>');
  await terminal.waitFor((screen) => /wrote 2 of 2 rows/.test(bottom(screen)));
  const path = join(terminal.home, 'marks.ndjson');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const kinds = lines.map((line) => ('requestId' in JSON.parse(line) ? 'row' : 'event'));
  assert.deepEqual(kinds.toSorted(), ['event', 'row']);
  await terminal.type('<:marks>e<Enter>');
  await terminal.waitFor(/^ file: edgescope-marks-/m);
  await writtenAtOnce(terminal, '<C-u>marks.ndjson<Enter>');
  await terminal.waitFor(/^ file: marks-2\.ndjson/m);
  await terminal.type('<Enter>');
  await terminal.waitFor((screen) => /wrote 2 of 2 rows, .* to .*marks-2\.ndjson/.test(bottom(screen)));
  await terminal.type(kinds[0] === 'row' ? '<:marks>g<Enter>' : '<:marks>G<Enter>');
  await terminal.waitFor((screen) => /PAUSED/.test(screen[0] ?? ''));
  assert.equal(marked(terminal.screen())[0]?.slice(0, 40), row.slice(0, 40));
});
