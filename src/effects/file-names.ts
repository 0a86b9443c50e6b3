import { isAbsolute, join, relative, resolve } from 'node:path';

/** What a name of a file is relative to. */
export type FilePlaces = { current: string; home: string };

/** The path that a typed name means; `~/` is the home directory. */
export function pathOf(name: string, { current, home }: FilePlaces): string {
  const path = name === '~' || name.startsWith('~/') ? join(home, name.slice(1)) : name;
  return isAbsolute(path) ? path : resolve(current, path);
}

/** A path as short as can be typed again: relative in the present directory, with `~` under the home directory. */
export function shownPath(path: string, { current, home }: FilePlaces): string {
  const near = within(current, path);
  if (near !== null) return near;
  const ours = within(home, path);
  return ours === null ? path : `~/${ours}`;
}

function within(directory: string, path: string): string | null {
  const rest = relative(directory, path);
  return rest === '' || rest.startsWith('..') || isAbsolute(rest) ? null : rest;
}
