// The built program on a real terminal: its keys come from there while standard input is a pipe.
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { printedRows, savedFile } from '../effects/support/saved.ts';
import { logRows } from '../session/log-screen.ts';
import { ROOT } from '../support/source.ts';
import type { Terminal } from '../support/terminal.ts';
import { openProgram } from './support.ts';

const PROGRAM = join(ROOT, 'dist', 'edgescope');
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
