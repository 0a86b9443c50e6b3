import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';

/** When nothing tells the time of the sources: 1985-10-26T08:15:00Z, as npm packs. */
const NO_TIME = 499_162_500;
const ID_LENGTH = 7;

/** What `--version` says of the sources in `root`: `commit abc1234`, perhaps with changes, or `unknown commit`. */
export function builtFrom(root: string): string {
  const id = answer(root, 'rev-parse', 'HEAD');
  if (id === null) return 'unknown commit';
  const changes = answer(root, 'status', '--porcelain', '--untracked-files=no');
  return `commit ${id.slice(0, ID_LENGTH)}${changes === '' ? '' : ' with changes'}`;
}

/** The time that packages of the sources in `root` bear, Unix seconds: SOURCE_DATE_EPOCH, else that of the commit. */
export function sourceTime(root: string, asked = process.env['SOURCE_DATE_EPOCH']): number {
  const text = asked || answer(root, 'log', '-1', '--format=%ct') || String(NO_TIME);
  if (!/^\d{1,10}$/.test(text)) throw new Error('SOURCE_DATE_EPOCH is a whole number of seconds');
  return Number(text);
}

/** What git says; null where it is not installed, or `root` is not the top of a repository of its own. */
function answer(root: string, ...words: readonly string[]): string | null {
  const ask = (...asked: readonly string[]) =>
    execFileSync('git', ['-C', root, ...asked], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    return realpathSync(ask('rev-parse', '--show-toplevel')) === realpathSync(root) ? ask(...words) : null;
  } catch {
    return null;
  }
}
