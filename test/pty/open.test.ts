// The built program on a real terminal: its keys come from there while standard input is a pipe, and threads read large files.
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import hostile from '../data/hostile-strings.json' with { type: 'json' };
import { lineV1, printedRow, printedRows, savedFile } from '../effects/support/saved.ts';
import { logRows } from '../session/log-screen.ts';
import { sequenceKinds } from '../support/sequences.ts';
import { ROOT } from '../support/source.ts';
import type { Terminal } from '../support/terminal.ts';
import { openProgram } from './support.ts';

const PROGRAM = join(ROOT, 'dist', 'edgescope');
const HOSTILE = (hostile as { input?: string }[]).flatMap(({ input }) =>
  input === undefined ? [] : [input],
);

const title = (screen: readonly string[]) => screen[0] ?? '';

/** Saved logs on a terminal, read to their end; there is no account in its environment. */
async function opened(t: TestContext, content: string | Buffer, ...args: string[]): Promise<Terminal> {
  const terminal = await openProgram({ t, args: ['open', savedFile(t, content), ...args] });
  await terminal.waitFor((screen) => /READ$/.test(title(screen)));
  return terminal;
}

/** Standard input that says this and then stays open. */
function fromPipe(t: TestContext, file: string, ...args: string[]): Promise<Terminal> {
  const script =
    'program=$1; file=$2; shift 2; (cat "$file"; exec sleep 60) | { "$program" open - "$@"; echo "ended $?"; }';
  return openProgram({ t, command: '/bin/sh', args: ['-c', script, 'sh', PROGRAM, file, ...args] });
}

test('a file opens at its first row without any account, and says what was read', async (t) => {
  const terminal = await opened(t, gzipSync(printedRows(0, 5000)));
  const screen = terminal.screen();
  assert.match(title(screen), /edgescope . day\.log +READ$/);
  assert.match(screen[1] ?? '', /over 1h23m.*hit 66\.7%.*5xx 10\.0%/);
  assert.match(logRows(screen)[0] ?? '', /^.11-20 12:00:00/);
  assert.match(screen.at(-2) ?? '', /rows 5,000 . gaps 0 .*2026-11-20 12:00:00.13:23:19/);
});

test('a file so large that threads read it is the same log, and can be left while it is read', async (t) => {
  const rows = printedRows(0, 300);
  const content = rows.repeat(Math.ceil((20 << 20) / rows.length));
  const terminal = await opened(t, content);
  const count = (300 * content.length) / rows.length;
  assert.match(terminal.screen().at(-2) ?? '', new RegExp(`rows ${count.toLocaleString('en')} `));
  const other = await openProgram({ t, args: ['open', savedFile(t, content)] });
  await other.waitFor((screen) => /rows /.test(screen.at(-2) ?? ''));
  await other.type('q');
  assert.equal((await other.exit()).code, 0);
});

test('rows are filtered, grouped, searched and looked into as those of a zone are', async (t) => {
  const terminal = await opened(t, printedRows(0, 1000), 'status:503');
  await terminal.waitFor('hidden here 900 of 1,000');
  await terminal.type('b');
  await terminal.waitFor('GROUP BY');
  await terminal.type('jj<Space><Enter>');
  await terminal.waitFor((screen) => screen.some((line) => /HIT +66/.test(line)));
  await terminal.type('<Enter>');
  await terminal.waitFor('hidden here 934 of 1,000');
  await terminal.type('<Esc><Esc>/p/990<Enter>');
  await terminal.waitFor('1/1');
  await terminal.type('<Enter>');
  await terminal.waitFor(/path +\/p\/990/);
});

test('a query with by: opens the groups', async (t) => {
  const terminal = await opened(t, printedRows(0, 1000), 'by:cache');
  await terminal.waitFor((screen) => screen.some((line) => /HIT +666/.test(line)));
  await terminal.type('<Esc>');
  await terminal.waitFor((screen) => logRows(screen).length > 3);
});

test('standard input is read while keys come from the terminal; Esc stops it and says so', async (t) => {
  const terminal = await fromPipe(t, savedFile(t, printedRows(0, 300)));
  await terminal.waitFor((screen) => /READING/.test(title(screen)) && /rows 300/.test(screen.at(-2) ?? ''));
  await terminal.type('jj');
  await terminal.waitFor((screen) => /^▌11-20 12:00:02/.test(logRows(screen)[2] ?? ''));
  await terminal.type('<Esc>');
  await terminal.waitFor((screen) => /STOPPED at/.test(title(screen)));
  await terminal.type('q');
  await terminal.waitFor('ended 0');
});

test('a file is followed with -f, and nothing is painted while nothing is added', async (t) => {
  const file = savedFile(t, lineV1(0));
  const terminal = await openProgram({ t, args: ['open', file, '-f'] });
  await terminal.waitFor((screen) => /FOLLOWING$/.test(title(screen)));
  appendFileSync(file, lineV1(1) + lineV1(2));
  await terminal.waitFor((screen) => logRows(screen).length === 3);
  await terminal.settled();
  const mark = terminal.mark();
  await terminal.idled();
  assert.equal(terminal.since(mark).bytes, 0);
});

test('last: says from when on it counts in the file', async (t) => {
  const terminal = await opened(t, printedRows(0, 600), 'last:2m');
  const line = terminal.screen()[2] ?? '';
  assert.match(line, /last:2m of the file, from 11-20 12:07:59 .*hidden here 479 of 600/);
  await terminal.type('{');
  await terminal.waitFor(/from:2026-11-20T12:06:59/);
});

test('rows of a day that is over have its date', async (t) => {
  const terminal = await opened(t, lineV1(0) + lineV1(100_000));
  await terminal.waitFor(/^▌11-20 12:00:00 /m);
  await terminal.waitFor(/^ (?:11-21| {5}) 15:46:40 /m);
});

test('what is not there without an account says why', async (t) => {
  const terminal = await opened(t, printedRows(0, 10));
  for (const [key, why] of [
    ['3', /Shield events are not in them/],
    ['1', /no zones to list/],
    ['<C-r>', /saved logs are read once/],
    ['4', /no storage zones to list/],
    ['5', /no keys to list/],
  ] as const) {
    await terminal.type(key);
    await terminal.waitFor(why);
  }
});

test('every question is answered from the file, for no request and without an account', async (t) => {
  const terminal = await opened(t, printedRows(0, 3000));
  await terminal.type('lllll');
  for (const [key, headline] of [
    ['m', /hit ratio [\d.]+% now, [\d.]+% the half before/],
    ['d', /compared with the half before +READ$/],
    ['I', /stand.* out|nothing stands out/],
    ['a', /requests were answered 2xx or 3xx/],
    ['B', /would also hit at most [\d,]+ of [\d,]+ good requests/],
    ['p', /lines of the client within a minute/],
  ] as const) {
    await terminal.type(key);
    await terminal.waitFor(
      (screen) => screen.slice(0, 2).some((line) => headline.test(line)) && /READ$/.test(title(screen)),
    );
    assert.match(terminal.screen().at(-2) ?? '', / 0 requests$/);
    await terminal.type('<Esc>');
    await terminal.waitFor((screen) => logRows(screen).length > 3);
  }
});

test('a damaged file is never called read', async (t) => {
  const packed = gzipSync(printedRows(0, 3000));
  const file = savedFile(t, packed.subarray(0, packed.length - 50), 'cut.log.gz');
  const terminal = await openProgram({ t, args: ['open', file] });
  await terminal.waitFor((screen) => /INCOMPLETE$/.test(title(screen)));
  await terminal.waitFor('incomplete: cut.log.gz');
});

test('an empty file, a directory and a missing file are told in words', async (t) => {
  const empty = await openProgram({ t, args: ['open', savedFile(t, '')] });
  await empty.waitFor(/day\.log is empty/);
  const none = await openProgram({ t, args: ['open', '/nonexistent/day.log'] });
  assert.equal((await none.exit()).code, 2);
  assert.match(none.output(), /there is no file/);
});

test('hostile text of a file acts on nothing, on any screen size', async (t) => {
  const rows = (texts: readonly string[]) =>
    texts
      .flatMap((text, n) => [
        printedRow(n, { userAgent: text, host: text, path: `/${text}`, referer: text, edgeLocation: text }),
        lineV1(n).replace('curl/8.5.0', () => text.replaceAll('\n', ' ')),
        `${text.replaceAll('\n', ' ')}\n`,
      ])
      .join('');
  const walk = async (texts: readonly string[], columns: number, height: number) => {
    const terminal = await openProgram({
      t,
      args: ['open', savedFile(t, rows(texts))],
      columns,
      rows: height,
    });
    await terminal.waitFor((screen) => /READ/.test(title(screen)));
    await terminal.type('<PgDn>j<Enter>');
    await terminal.settled();
    await terminal.type('<Esc>G');
    await terminal.settled();
    return terminal;
  };
  for (const [columns, height] of [
    [200, 50],
    [60, 15],
  ] as const) {
    const harmless = await walk(Array(HOSTILE.length).fill('curl'), columns, height);
    const terminal = await walk(HOSTILE, columns, height);
    assert.deepEqual(terminal.events, []);
    assert.deepEqual(terminal.modes(), harmless.modes());
    // Which moves the writer finds cheaper, and whether a frame is one write, is chance.
    const moves = [
      'CSI A',
      'CSI B',
      'CSI C',
      'CSI D',
      'CSI L',
      'CSI M',
      'CSI r',
      'CSI S',
      'CSI T',
      'ESC D',
      'ESC E',
      'ESC M',
      'CSI ?2026h',
      'CSI ?2026l',
    ];
    const known = new Set([...sequenceKinds(harmless.output()).keys(), ...moves]);
    assert.deepEqual(
      [...sequenceKinds(terminal.output()).keys()].filter((kind) => !known.has(kind)),
      [],
    );
  }
});
