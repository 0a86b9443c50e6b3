import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** A log to be read: a file that is open, or standard input. `size`: bytes, null where it is not known. */
export type SavedInput =
  | { kind: 'file'; name: string; path: string; handle: FileHandle; size: number | null }
  | { kind: 'stream'; name: string; stream: Readable; size: null };

export type OpenedInputs = { ok: true; inputs: SavedInput[] } | { ok: false; message: string; hint: string };

/** The word that stands for standard input. */
export const STANDARD_INPUT = '-';

/** Opens all files before anything of them is read; `stdin` is what `-` stands for, null = it is the terminal. */
export async function openInputs(words: readonly string[], stdin: Readable | null): Promise<OpenedInputs> {
  const inputs: SavedInput[] = [];
  const refused = async (message: string, hint: string): Promise<OpenedInputs> => {
    await closeInputs(inputs);
    return { ok: false, message, hint };
  };
  for (const word of words) {
    if (word === STANDARD_INPUT) {
      if (inputs.some((input) => input.kind === 'stream')) {
        return refused('standard input is named twice', 'give - once');
      }
      if (stdin === null) {
        return refused(
          'standard input is the terminal: there is no log in it',
          'pipe one in, as in zcat day.log.gz | edgescope open -',
        );
      }
      inputs.push({ kind: 'stream', name: 'standard input', stream: stdin, size: null });
      continue;
    }
    try {
      const handle = await open(word, 'r');
      const stat = await handle.stat();
      if (stat.isDirectory()) {
        await handle.close();
        return refused(`'${word}' is a directory`, 'name the files in it, as in edgescope open logs/*.log');
      }
      inputs.push({ kind: 'file', name: word, path: word, handle, size: stat.isFile() ? stat.size : null });
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      return refused(sentenceOf(word, code), hintOf(code, inputs.length === 0));
    }
  }
  return { ok: true, inputs };
}

export async function closeInputs(inputs: readonly SavedInput[]): Promise<void> {
  for (const input of inputs) {
    if (input.kind === 'file') await input.handle.close().catch(() => {});
    else input.stream.destroy();
  }
}

function sentenceOf(word: string, code: string): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return `there is no file '${word}'`;
  if (code === 'EACCES' || code === 'EPERM') return `'${word}' may not be read by you`;
  return `'${word}' cannot be opened (${code || 'unknown error'})`;
}

function hintOf(code: string, isFirst: boolean): string {
  if (code === 'EACCES' || code === 'EPERM') return 'ls -l shows who may';
  return isFirst
    ? 'edgescope open takes files, then the query'
    : "words before the first term are files; free text goes after --, as in: open day.log -- 'union select'";
}
