import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writtenAtOnce } from '../support/keys.ts';
import type { VirtualSession } from '../support/virtual-session.ts';
import { ZONE } from './log-screen.ts';
import { openSession } from './support.ts';

const title = (screen: readonly string[]) => screen[0] ?? '';
const bottom = (screen: readonly string[]) => screen.at(-1) ?? '';
const isWhole = (screen: readonly string[]) => /COMPLETE$/.test(title(screen));

/** A window that lies behind every late row: reading it twice gives the same rows. */
const CLOSED = ['from:-20m', 'to:-12m'];

/** Exports the view in a format and gives the file. */
async function exported(terminal: VirtualSession, name: string, keys = ''): Promise<string> {
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

const linesOf = (text: string) => text.trimEnd().split('\n');

test('CSV and Markdown hold as many rows, and a file that exists is left alone', async (t) => {
  const { terminal } = await openSession({ t, columns: 120, args: ['logs', ZONE, 'status:5xx', ...CLOSED] });
  await terminal.waitFor(isWhole);
  const rows = linesOf(await exported(terminal, 'a.ndjson')).length;
  const csv = await exported(terminal, 'a.csv', 'j');
  assert.equal(csv.trimEnd().split('\n').length, rows + 1);
  const markdown = await exported(terminal, 'a.md', 'jj');
  assert.equal(markdown.match(/^\| `\d{4}-/gm)?.length, rows);
  assert.match(markdown, /```sh\nedgescope logs shop-frontend '/);
  await terminal.type('e<Enter>');
  await terminal.waitFor(/^ file: /m);
  await writtenAtOnce(terminal, '<C-u>a.csv<Enter>');
  await terminal.waitFor(/^ file: a-2\.csv/m);
  assert.equal(readFileSync(join(terminal.home, 'a.csv'), 'utf8'), csv);
  await terminal.type('<Enter>');
  await terminal.waitFor((screen) => /to a-2\.csv$/.test(bottom(screen)));
});

test('text that was meant for another program, and holds an o and line breaks, writes nothing into the notebook', async (t) => {
  const { terminal } = await openSession({ t, args: ['logs', ZONE, ...CLOSED] });
  await terminal.waitFor(isWhole);
  await terminal.type('foo bar<Enter>'.repeat(5));
  await terminal.waitFor(/too fast to be typed/);
  const notebooks = () =>
    readdirSync(terminal.home, { recursive: true }).filter((name) => /\.md$/.test(String(name)));
  assert.deepEqual(notebooks(), []);
  await terminal.settled();
  await terminal.type('<Enter>');
  await terminal.waitFor(/added to /);
  assert.equal(notebooks().length, 1);
});

test('a view that is saved opens again in another start, with its window relative', async (t) => {
  const { terminal, simulator } = await openSession({ t, args: ['logs', ZONE, 'status:5xx', 'last:30m'] });
  await terminal.waitFor(/last:30m status:5xx|status:5xx last:30m|last:30m/);
  await terminal.type('v');
  await terminal.waitFor('no view is saved yet');
  await writtenAtOnce(terminal, 'scheckout 5xx<Enter>');
  await terminal.waitFor(/saved as checkout 5xx/);
  const path = join(terminal.home, '.config', 'edgescope', 'views.json');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.match(readFileSync(path, 'utf8'), /"query": "status:5xx last:30m"/);
  const { terminal: other } = await openSession({ t, platform: simulator, home: terminal.home });
  await other.waitFor(ZONE);
  await other.type('v');
  await other.waitFor(/▌checkout 5xx/);
  await other.type('<Enter>');
  await other.waitFor(
    (screen) => /> shop-frontend/.test(title(screen)) && /last:30m +status:5xx/.test(screen[2] ?? ''),
  );
});

for (const [columns, rows] of [
  [80, 24],
  [60, 15],
  [40, 10],
] as const) {
  test(`the menus keep their shape at ${columns}x${rows}`, async (t) => {
    const { terminal } = await openSession({
      t,
      columns,
      rows,
      args: ['logs', ZONE, 'status:5xx', ...CLOSED],
    });
    await terminal.waitFor((screen) => isWhole(screen));
    for (const [keys, wanted] of [
      ['y', /c command +edgescope/],
      ['e', /NDJSON/],
      ['v', /SAVED VIEWS/],
      ['o', /INTO THE NOTEBOOK/],
    ] as const) {
      await terminal.type(keys);
      await terminal.waitFor(wanted);
      assert.ok(terminal.screen().every((line) => line.length <= columns));
      assert.equal(terminal.screen().length, rows);
      await terminal.type('<Esc>');
      await terminal.waitFor((screen) => !wanted.test(screen.join('\n')));
    }
  });
}
