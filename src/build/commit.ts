import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** When nothing tells the time of the sources: 1985-10-26T08:15:00Z, as npm packs. */
const NO_TIME = 499_162_500;
const ID_LENGTH = 7;

/**
 * The version of what is built from the sources in `root`: the one of their manifest, with the second and the id of the
 * commit behind it, such as `0.1.0+20261127210542.abc1234`, so that a later commit is a later version. Alone it stands
 * where its tag names the commit, and where git knows of none.
 */
export function versionOf(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const [id, seconds] = answer(root, 'log', '-1', '--format=%H %ct')?.split(' ') ?? [];
  if (id === undefined) return version;
  const isChanged = answer(root, 'status', '--porcelain', '--untracked-files=no') !== '';
  if (!isChanged && answer(root, 'tag', '--points-at', 'HEAD', '--list', `v${version}`) !== '')
    return version;
  const time = new Date(Number(seconds) * 1000).toISOString().replace(/\.\d+|\D/g, '');
  return `${version}+${time}.${id.slice(0, ID_LENGTH)}${isChanged ? '.changed' : ''}`;
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
