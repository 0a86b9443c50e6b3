import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';

/** The calls to the file system that an entry makes, handed in so that a test can let each of them fail. */
export type NotebookFs = { mkdir: typeof mkdir; open: typeof open };

/** The notebook of a UTC day. `at`: Unix ms. */
export function notebookPath(directory: string, at: number): string {
  return join(directory, `edgescope-notebook-${new Date(at).toISOString().slice(0, 10)}.md`);
}

/**
 * Adds an entry to the notebook of its day, 0600; the first one of a day makes the file with its header. It is on the
 * disk when this resolves; where it fails, what was written of it is taken back.
 */
export async function addEntry(
  directory: string,
  entry: string,
  at: number,
  fs: NotebookFs = { mkdir, open },
): Promise<string> {
  await fs.mkdir(directory, { recursive: true, mode: 0o700 });
  const path = notebookPath(directory, at);
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const handle = await fs.open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    const { size } = await handle.stat();
    const data = Buffer.from(size === 0 ? `${header(at)}${entry}` : entry);
    let done = 0;
    try {
      while (done < data.length) {
        const { bytesWritten } = await handle.write(data, done, data.length - done);
        done += bytesWritten;
      }
      await handle.sync();
    } catch (error) {
      // Only our own part goes: another process may have written behind it.
      if ((await handle.stat()).size === size + done) await handle.truncate(size);
      throw error;
    }
  } finally {
    await handle.close();
  }
  return path;
}

function header(at: number): string {
  const day = new Date(at).toISOString().slice(0, 10);
  return `# Incident notebook, ${day} (UTC)\n\nFindings with the commands that reproduce them.\n\n`;
}
