import { writeSync } from 'node:fs';

/** The whole text into an open file: the system may take less of it than it was given. Throws as `writeSync` does. */
export function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
