import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { shellCommand } from '../text/shell-command.ts';
import { type Configured, refused } from './config-error.ts';

type SystemFault = { code?: string };

/** The value of a JSON text; undefined where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The text of a small file that only its owner may read: no link, owned by this user (or root), mode 0600 or less.
 * `value: null` when there is no such file. `what` names it in errors. `isShared`: anybody's, and a link will do.
 */
export async function readPrivateFile(
  path: string,
  what: string,
  largest: number,
  exit: 2 | 3 = 2,
  isShared = false,
): Promise<Configured<string | null>> {
  let file: number;
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    // Synchronous: loading the promises of Node's file system takes longer than reading such a file. O_NONBLOCK: a
    // pipe in its place must not hang the start.
    file = openSync(path, O_RDONLY | O_NONBLOCK | (isShared ? 0 : O_NOFOLLOW));
  } catch (error) {
    const { code } = error as SystemFault;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { ok: true, value: null };
    if (code === 'ELOOP')
      return refused(`The ${what} ${path} is a symbolic link.`, 'Name the file itself.', exit);
    return refused(
      `The ${what} ${path} cannot be opened (${code ?? 'unknown'}).`,
      'Check its permissions.',
      exit,
    );
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile())
      return refused(`The ${what} ${path} is not a regular file.`, 'Name a plain file.', exit);
    const user = process.getuid?.();
    if (!isShared && user !== undefined && found.uid !== user && found.uid !== 0) {
      return refused(`The ${what} ${path} belongs to another user.`, 'Make a file of your own.', exit);
    }
    if (!isShared && (found.mode & 0o077) !== 0) {
      const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
      const close = shellCommand(['chmod', '600', path]) ?? 'Close it to others.';
      return refused(`The ${what} ${path} is open to others (mode ${mode}).`, close, exit);
    }
    if (found.size > largest)
      return refused(`The ${what} ${path} is too large.`, `At most ${largest} bytes.`, exit);
    return { ok: true, value: readFileSync(file, 'utf8') };
  } finally {
    closeSync(file);
  }
}
