import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { shellCommand } from '../../src/text/shell-command.ts';

/** Those that people paste commands into. */
export const SHELLS = ['sh', 'bash', 'zsh', 'fish'] as const;

/** What keeps a shell from reading the files of whoever runs it, and lets bash expand `!` as it does for a person. */
const START = {
  sh: { flags: ['-s'], first: '' },
  bash: { flags: ['--norc', '-s'], first: 'set -o history -H\n' },
  zsh: { flags: ['-f', '-s'], first: '' },
  fish: { flags: ['--no-config'], first: '' },
} as const satisfies Record<(typeof SHELLS)[number], { flags: readonly string[]; first: string }>;

/** The words that a shell makes of each line; one shell reads all of them, as it reads what is typed. */
export function wordsIn(
  shell: (typeof SHELLS)[number],
  lines: readonly string[],
  directory = process.cwd(),
): string[][] {
  const { flags, first } = START[shell];
  const script = first + lines.map((line) => `printf '%s\\037' ${line}\nprintf '\\036'\n`).join('');
  // A file, because fish takes no script from the socket that a pipe of Node's is.
  const path = join(tmpdir(), `edgescope-words-${randomUUID()}`);
  writeFileSync(path, script);
  const input = openSync(path, 'r');
  try {
    const output = execFileSync(shell, flags, {
      cwd: directory,
      env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, HOME: directory, LANG: 'C.UTF-8' },
      stdio: [input, 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    });
    return output
      .toString()
      .split('\x1e')
      .slice(0, -1)
      .map((part) => part.split('\x1f').slice(0, -1));
  } finally {
    closeSync(input);
    rmSync(path);
  }
}

/** The words of a line that `shellCommand` made; null for any other, and for one that prints a word. */
export function shellWords(line: string): string[] | null {
  const words = (line.match(/(?:[^ '\\]|'[^']*'|\\['\\])+/g) ?? []).map((word) =>
    word.replace(/'([^']*)'|\\(['\\])/g, (_, text?: string, sign?: string) => text ?? sign ?? ''),
  );
  return shellCommand(words) === line ? words : null;
}
