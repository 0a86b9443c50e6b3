import type { Term } from './query.ts';

/** A shorter directory is not worth a sign in its place. */
const LEAST = 5;

/** Fields that hold paths, and those that do where the value begins with a slash. */
const PATH_FIELDS: ReadonlySet<string> = new Set(['path', 'page', 'url']);

const URL_START = /^[a-z][a-z\d+.-]{0,20}:\/\//i;

/**
 * The directory that all these paths or URLs share: whole segments with the slash behind them, '' = none worth
 * naming.
 */
export function sharedDirectory(paths: readonly (string | null | undefined)[]): string {
  let shared: string | null = null;
  for (const path of paths) {
    if (!path || !(path.startsWith('/') || URL_START.test(path))) return '';
    shared = shared === null ? headOf(path) : commonHead(shared, path);
    if (shared.length < LEAST) return '';
  }
  // What stands before a host is no directory.
  return shared === null || shared.length < LEAST || shared.endsWith('://') ? '' : shared;
}

/** The directory of every path that passes these terms. Terms ignore case: a path may have other letters. */
export function directoryAsked(terms: readonly Term[]): string {
  const heads = terms.flatMap((term) => {
    if (term.kind !== 'field' || term.negated || !PATH_FIELDS.has(term.field)) return [];
    if (term.op !== 'eq' && term.op !== 'wildcard') return [];
    const literals = term.values.map((value) => value.split('*', 1)[0] ?? '');
    return literals.every((literal) => literal.startsWith('/')) ? [sharedDirectory(literals)] : [];
  });
  return heads.reduce((longest, head) => (head.length > longest.length ? head : longest), '');
}

/** A path up to its last slash; slashes in its query string do not count. */
function headOf(path: string): string {
  const query = path.search(/[?#]/);
  return path.slice(0, path.lastIndexOf('/', query < 0 ? path.length : query) + 1);
}

function commonHead(head: string, path: string): string {
  if (path.startsWith(head)) return head;
  let at = 0;
  while (at < head.length && head[at] === path[at]) at++;
  return head.slice(0, head.lastIndexOf('/', at - 1) + 1);
}
