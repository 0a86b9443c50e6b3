import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { join } from 'node:path/posix';

export type Import = { specifier: string; typeOnly: boolean };
export type SourceFile = { path: string; text: string; imports: readonly Import[] };

export const ROOT = join(import.meta.dirname, '..', '..');

// The formatter puts every statement at the start of a line, which keeps text inside templates apart.
const STATEMENT =
  /^(?:import|export)\s+(type\s)?\s*(?:[\w$*\s{},]*?\sfrom\s*)?['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]\s*\)(\s*\.\s*[A-Z]\w*)?/gm;

/** Every file of the repository that is not ignored, relative to its root. */
export function trackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return [...new Set(listed.split('\0'))].filter((path) => path !== '' && readable(path));
}

/** The TypeScript files below `folder` with what they import. */
export function sourceFiles(folder: string): SourceFile[] {
  return trackedFiles()
    .filter((path) => path.startsWith(`${folder}/`) && /\.tsx?$/.test(path))
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return { path, text, imports: importsOf(text) };
    });
}

/** Static, re-exporting, dynamic and type imports of a source text. */
export function importsOf(text: string): Import[] {
  return [...withoutComments(text).matchAll(STATEMENT)].map(
    ([statement, type, specifier, dynamic, member]) => ({
      specifier: specifier ?? dynamic ?? '',
      typeOnly: type !== undefined || member !== undefined || namesOnlyTypes(statement),
    }),
  );
}

/** The file a relative specifier means, relative to the root; null for a package. */
export function targetOf(file: SourceFile, specifier: string): string | null {
  return specifier.startsWith('.') ? posix.normalize(join(posix.dirname(file.path), specifier)) : null;
}

/** The source without block comments and without comments that fill or end a line after a space. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

function namesOnlyTypes(statement: string): boolean {
  const names = /\{([^}]*)\}/
    .exec(statement)?.[1]
    ?.split(',')
    .filter((name) => name.trim() !== '');
  return names !== undefined && names.length > 0 && names.every((name) => /^\s*type\s/.test(name));
}

function readable(path: string): boolean {
  try {
    readFileSync(join(ROOT, path));
    return true;
  } catch {
    return false; // Listed but deleted, or being written.
  }
}
