import { mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/**
 * Where programs under test keep what they were compiled to, for each other: two fifths of a start. For those whose folders
 * nobody looks into; under other flags of V8 they would throw each other's code away.
 */
export const KEPT_CODE = { XDG_CACHE_HOME: join(import.meta.dirname, '..', '..', '.cache') };

/**
 * What a program under test may see: a PATH that starts with the running Node, a home and XDG folders of its own, a
 * colour terminal, UTF-8, and `more`. Nothing of the caller's environment but TMPDIR, above all not `CI`.
 */
export function cleanEnvironment(
  home: string,
  more: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const runtime = join(home, '.runtime');
  mkdirSync(runtime, { recursive: true, mode: 0o700 });
  const environment: Record<string, string | undefined> = {
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_RUNTIME_DIR: runtime,
    TMPDIR: process.env['TMPDIR'],
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    ...more,
  };
  return Object.fromEntries(
    Object.entries(environment).filter((e): e is [string, string] => e[1] !== undefined),
  );
}
