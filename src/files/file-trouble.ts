/** Error codes of the file system, what they mean and what to do. */
const TROUBLES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; make room or take another directory',
  EDQUOT: 'the disk quota is used up; make room or take another directory',
  EFBIG: 'the file would exceed the size limit here',
  EROFS: 'the file system is read-only; take another directory',
  EACCES: 'no permission to write there; take another directory',
  EPERM: 'no permission to write there; take another directory',
  ENOENT: 'the directory does not exist',
  ENOTDIR: 'part of the path is not a directory',
  EISDIR: 'it is a directory',
  EEXIST: 'it exists already',
  ELOOP: 'it is a symbolic link',
  ENAMETOOLONG: 'the name is too long',
  EIO: 'the disk failed',
};

/** A file system error in words, with its code. */
export function fileTrouble(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  const words = TROUBLES[code ?? ''];
  return words === undefined ? (code ?? message ?? 'unknown failure') : `${words} (${code})`;
}

/** The file system's answer, or this where nothing has the name. */
export async function ifThere<T, O>(found: Promise<T>, otherwise: O): Promise<T | O> {
  return found.catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return otherwise;
    throw error;
  });
}

/** What `fstat` tells of an open file. */
type FoundFile = { isFile(): boolean; uid: number };

/** Why an open file may be neither read nor written although its name was right; null when the user or root owns it. */
export function strangeFile(found: FoundFile, user: number | undefined): string | null {
  if (!found.isFile()) return 'it is not a regular file';
  return user !== undefined && found.uid !== user && found.uid !== 0 ? 'it belongs to another user' : null;
}
