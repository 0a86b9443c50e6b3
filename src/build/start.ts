/** `npm start -- …`: builds the program when its source is newer, then becomes it. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OUTPUT = join(ROOT, 'dist', 'edgescope');

if (isStale()) {
  // Loaded only now: the bundler costs more than everything else here.
  const { buildExecutable } = await import('./bundle.ts');
  await buildExecutable();
}
become(OUTPUT, process.argv.slice(2));

function isStale(): boolean {
  const built = statSync(OUTPUT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (statSync(join(ROOT, 'package.json')).mtimeMs > built) return true;
  return readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true }).some(
    (entry) =>
      (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.mtimeMs ?? 0) > built,
  );
}

/** The same process goes on as the program: its input, output, signals and exit code need no relay. */
function become(file: string, args: string[]): never {
  if (process.execve === undefined) throw new Error('this platform cannot replace a process');
  return process.execve(file, [file, ...args], process.env);
}
