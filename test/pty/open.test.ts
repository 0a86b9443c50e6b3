// The built program on a real terminal: its keys come from there while standard input is a pipe, and threads read large files.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
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

/** Standard input that says this and then stays open. */
function fromPipe(t: TestContext, file: string, ...args: string[]): Promise<Terminal> {
  const script =
    'program=$1; file=$2; shift 2; (cat "$file"; exec sleep 60) | { "$program" open - "$@"; echo "ended $?"; }';
  return openProgram({ t, command: '/bin/sh', args: ['-c', script, 'sh', PROGRAM, file, ...args] });
}

test('standard input is read while keys come from the terminal; Esc stops it and says so', async (t) => {
  const terminal = await fromPipe(t, savedFile(t, printedRows(0, 300)));
  await terminal.waitFor(
    (screen) => /READING/.test(title(screen)) && /300 requests/.test(screen.at(-2) ?? ''),
  );
  await terminal.type('jj');
  await terminal.waitFor((screen) => /^▌11-20 12:00:02/.test(logRows(screen)[2] ?? ''));
  await terminal.type('<Esc>');
  await terminal.waitFor((screen) => /STOPPED at/.test(title(screen)));
  await terminal.type('q');
  await terminal.waitFor('ended 0');
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
