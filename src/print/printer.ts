import type { Writable } from 'node:stream';
import type { Client } from '../api/client.ts';
import type { Clock } from '../api/clock.ts';
import type { Format } from '../config/command-line.ts';
import { exitCodeOf, explain, type Failure, type Result } from '../domain/failure.ts';
import { findZone } from '../domain/query/zone-search.ts';
import { type Page, type PullZone, unlistedZone, unreadWords } from '../domain/zone.ts';
import { sanitise } from '../text/sanitise.ts';

/** Where a printed command writes and whom it asks. Data goes out by `write`, everything else to `stderr`. */
export type Printer = {
  stderr: Writable;
  format: Format;
  client: Client;
  clock: Clock;
  /** Resolves when the reader keeps up; a reader that went away ends the program with 0. */
  write: (text: string) => Promise<void>;
  /** Called with the exit code when a signal or the reader ends the program. */
  onEnd: (callback: (code: number) => void) => void;
  /** Whether somebody watches: standard error is a terminal of its own, where progress disturbs no data. */
  isWatched?: boolean;
  /** Whether somebody may read what standard error says by the way. */
  isStderrTerminal?: boolean;
  /** The descriptor behind `write`, for those who must know how much of a file is written. */
  descriptor?: number | null;
};

/** Whether a signal or the reader has ended the program, and with which exit code. */
export type End = { readonly signal: AbortSignal; readonly code: number | null };

export function endOf(o: Pick<Printer, 'onEnd'>): End {
  const stopper = new AbortController();
  let ended: number | null = null;
  o.onEnd((code) => {
    ended = code;
    stopper.abort();
  });
  return {
    signal: stopper.signal,
    get code() {
      return ended;
    },
  };
}

/** Exit code of wrong usage: an unknown or ambiguous zone is one. */
export const WRONG_USAGE = 2;

/** Zones asked for at once. */
export const ZONES_PER_PAGE = 500;

/** The zone that a word names, or the exit code after saying why there is none. */
export async function zoneNamed(o: Printer, word: string): Promise<PullZone | number> {
  const zones = await everyPage(o, (page) => o.client.pullZones({ page, perPage: ZONES_PER_PAGE }));
  // A token alone opens the logs of a zone whose id is known, but not the list of zones.
  if (!zones.ok && zones.failure.kind === 'noKey' && /^\d+$/.test(word))
    return unlistedZone({ id: word, name: word });
  if (!zones.ok) return failed(o, zones.failure);
  const found = findZone(zones.value, word);
  if (found.kind === 'found') return found.zone;
  const candidates = found.kind === 'ambiguous' ? found.candidates : found.nearest;
  const names = candidates.map((zone) => `${sanitise(zone.name, 'text', 100)} (${zone.id})`).join(', ');
  const asked = sanitise(word, 'text', 200);
  const what =
    found.kind === 'ambiguous'
      ? `'${asked}' names ${candidates.length} zones: ${names}. Give the id of one`
      : `no zone is called '${asked}'${names === '' ? '' : `; nearest: ${names}`}`;
  o.stderr.write(`edgescope: ${what}\n`);
  return WRONG_USAGE;
}

/** Says what failed, what it means and what to do next; gives the exit code of it. */
export function failed(o: Pick<Printer, 'stderr'>, failure: Failure): number {
  // Who interrupted it knows.
  if (failure.kind === 'cancelled') return exitCodeOf(failure);
  const { what, meaning, next } = explain(failure);
  o.stderr.write(`edgescope: ${what}\n  ${meaning}\n  ${next}\n`);
  return exitCodeOf(failure);
}

/** The items of all pages, or the first failure; how many could not be read is told. */
export async function everyPage<T>(
  o: Pick<Printer, 'stderr'>,
  ask: (page: number) => Promise<Result<Page<T>>>,
): Promise<Result<T[]>> {
  const items: T[] = [];
  let unread = 0;
  for (let page = 1; ; page++) {
    const answer = await ask(page);
    if (!answer.ok) return answer;
    items.push(...answer.value.items);
    unread += answer.value.unread ?? 0;
    // An empty page that promises more would be asked for ever.
    if (answer.value.hasMore && answer.value.items.length > 0) continue;
    if (unread > 0) o.stderr.write(`edgescope: ${unreadWords(unread)}\n`);
    return { ok: true, value: items };
  }
}
