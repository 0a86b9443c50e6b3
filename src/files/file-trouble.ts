/** What the file system refuses, and what to do about it. */
const TROUBLES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; make room or take another directory',
  EDQUOT: 'the quota of the disk is used up; make room or take another directory',
  EFBIG: 'the file would be larger than files may be here',
  EROFS: 'the file system is read-only; take another directory',
  EACCES: 'no permission to write there; take another directory',
  EPERM: 'no permission to write there; take another directory',
  ENOENT: 'the directory does not exist',
  ENOTDIR: 'a part of the path is no directory',
  EISDIR: 'that is a directory',
  EEXIST: 'something stands there already',
  ELOOP: 'that is a symbolic link',
  ENAMETOOLONG: 'the name is too long',
  EIO: 'the disk fails',
};

/** A failure of the file system in words, with its code. */
export function fileTrouble(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  const words = TROUBLES[code ?? ''];
  return words === undefined ? (code ?? message ?? 'unknown failure') : `${words} (${code})`;
}

/** What an open file tells of itself. */
type FoundFile = { isFile(): boolean; uid: number };

/** Why an open file is none to read or to write, although its name was right; null where it is the user's, or root's. */
export function strangeFile(found: FoundFile, user: number | undefined): string | null {
  if (!found.isFile()) return 'it is no regular file';
  return user !== undefined && found.uid !== user && found.uid !== 0 ? 'it belongs to another user' : null;
}
