import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/source.ts';
import type { Feed, Program } from './programs.ts';

/** The tree whose program is measured, and whether it is so without its peers. */
export const measured = { tree: ROOT, isAlone: false };

export function built(): string {
  return join(measured.tree, 'dist', 'edgescope');
}

// All that the measurements assume about what the program shows.
const ROW_WITH_STATUS = /\b(HIT|MISS|BYPASS|EXPIRED|STALE|UPDATING|REVALIDATED)\b.*\b[1-5]\d\d\b/;
const PICKER_WITH_ZONE = /shop-frontend/;

export function isBuilt(): boolean {
  return existsSync(built());
}

function environment(feed: Feed): Record<string, string> {
  return {
    EDGESCOPE_ACCESS_KEY: feed.accessKey,
    EDGESCOPE_BASE_URL: feed.baseUrl,
    EDGESCOPE_LOGGING_URL: feed.loggingUrl,
  };
}

/** The zone picker: a screen that waits for keys and for nothing else. */
export function appPicker(feed: Feed): Program {
  return { name: 'edgescope', command: built(), args: [], env: environment(feed), ready: PICKER_WITH_ZONE };
}

/** The list of keys, printed. */
export function appKeys(feed: Feed): Pick<Program, 'command' | 'args' | 'env'> {
  return { command: built(), args: ['keys', '--format', 'ndjson'], env: environment(feed) };
}

/** The log pane, live. */
export function appTail(feed: Feed): Program {
  return {
    name: 'edgescope',
    command: built(),
    args: ['logs', feed.zone],
    env: environment(feed),
    ready: ROW_WITH_STATUS,
  };
}

/** The log pane over a window that has ended, so that only keys change the screen. */
export function appWindow(feed: Feed, from: number, to: number): Program {
  const window = ['--from', new Date(from).toISOString(), '--to', new Date(to).toISOString()];
  return { ...appTail(feed), args: ['logs', feed.zone, ...window] };
}
