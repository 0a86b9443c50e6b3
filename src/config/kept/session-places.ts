import { mkdirSync, readdirSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { HIGHLIGHT_COLOURS, LONGEST_HIGHLIGHT, MOST_HIGHLIGHTS } from '../../domain/handover/highlights.ts';
import type { KeptPlace, PlaceFile } from '../../domain/handover/place.ts';
import { LOG_RETENTION } from '../../domain/log-retention.ts';
import { replaceFileNow } from '../../files/durable-files.ts';
import { bornAt, isRunning } from '../../files/processes.ts';
import { sanitise } from '../../text/sanitise.ts';
import type { CommandLine, Usage } from '../command/command-line.ts';
import { type Configured, refused } from '../config-error.ts';
import { parsedJson, readPrivateFile } from '../private-file.ts';

const LARGEST = 64 * 1024;
const VERSION = 1;

const time = z.lazy(() => z.number().check(z.nonnegative()));
const highlight = z.lazy(() =>
  z.strictObject({
    text: z.string().check(z.minLength(1), z.maxLength(LONGEST_HIGHLIGHT)),
    colour: z.enum(HIGHLIGHT_COLOURS),
  }),
);
const file = z.lazy(() =>
  z.strictObject({
    edgescope: z.literal('place'),
    version: z.literal(VERSION),
    words: z.array(z.string().check(z.maxLength(16_384))).check(z.minLength(1), z.maxLength(64)),
    utc: z.boolean(),
    pausedAt: z.nullable(time),
    completeTo: z.nullable(time),
    // A place kept by a version without highlights has none.
    highlights: z._default(z.array(highlight).check(z.maxLength(MOST_HIGHLIGHTS)), []),
    host: z.string().check(z.maxLength(1000)),
    machine: z.string().check(z.maxLength(1000)),
    savedAt: time,
  }),
);

/** A place whose session is dead. */
export type LostPlace = { path: string; place: KeptPlace };

/** Files that cannot be resumed, and why: named where there is no other. */
type FoundPlaces = { newest: LostPlace | null; unusable: readonly string[] };

/** The folder of the places, one file a running session, below the state directory. */
export function placesIn(stateDirectory: string): string {
  return join(stateDirectory, 'sessions');
}

/** The newest place of a dead session. Those of living sessions and of other machines are left alone. */
export async function findPlace(directory: string, now: number): Promise<FoundPlaces> {
  const unusable: string[] = [];
  let newest: LostPlace | null = null;
  for (const name of namesIn(directory)) {
    if (isAlive(name)) continue;
    const path = join(directory, name);
    const read = await readPrivateFile(path, 'place of a session', LARGEST);
    if (!read.ok) {
      unusable.push(read.error.message);
      continue;
    }
    const place = read.value === null ? null : placeOf(read.value);
    if (place === null) unusable.push(`${path} is damaged, or of another version.`);
    else if (place.machine !== hostname()) unusable.push(`${path} is of the machine '${place.machine}'.`);
    else if (now - place.savedAt > LOG_RETENTION.logs) unusable.push(`${path} is older than logs are kept.`);
    else if (newest === null || place.savedAt > newest.place.savedAt) newest = { path, place };
  }
  return { newest, unusable };
}

/** Takes a place over for this process; false where another start was faster. */
export function claimPlace(directory: string, path: string): boolean {
  try {
    renameSync(path, ownPath(directory));
    return true;
  } catch {
    return false;
  }
}

/** The file of this process's place, 0600; each change replaces it whole. */
export function placeFile(directory: string, host: string): PlaceFile {
  const path = ownPath(directory);
  return {
    write(place, now) {
      const kept: KeptPlace = { ...place, host, machine: hostname(), savedAt: now };
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const temporary = `${path}.new`;
      // A file there is of a start that died, or a link that somebody laid.
      removed(temporary);
      const text = `${JSON.stringify({ edgescope: 'place', version: VERSION, ...kept })}\n`;
      replaceFileNow(path, text, { temporary });
    },
    clear() {
      for (const each of [path, `${path}.new`]) removed(each);
    },
  };
}

/** Removes places that nobody can resume any more. */
export function tidyPlaces(directory: string, now: number): void {
  for (const name of namesIn(directory, /^\d+-\d+\.json(\.new)?$/)) {
    const path = join(directory, name);
    try {
      if (!isAlive(name) && now - statSync(path).mtimeMs > LOG_RETENTION.logs) unlinkSync(path);
    } catch {
      // Another start may have removed it at the same time.
    }
  }
}

function placeOf(text: string): KeptPlace | null {
  const read = file.safeParse(parsedJson(text));
  if (!read.success) return null;
  const { edgescope: _, version: __, ...place } = read.data;
  return place;
}

function namesIn(directory: string, pattern = /^\d+-\d+\.json$/): string[] {
  try {
    return readdirSync(directory).filter((name) => pattern.test(name));
  } catch {
    return [];
  }
}

function removed(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
  }
}

function ownPath(directory: string): string {
  return join(directory, `${process.pid}-${bornAt(process.pid)}.json`);
}

/** The process that the name says is running still: the same number born at the same time. */
function isAlive(name: string): boolean {
  const [pid = 0, born = 0] = name.split(/\D/).map(Number);
  return isRunning(pid, born);
}

/**
 * The command line of the last session that was cut off, for `edgescope --resume`. The looks and rights of this start
 * (`--ascii`, `--theme`, `--local`, `--write`, `--debug`) hold; the account is the lost session's.
 */
export async function resumedLine(
  line: CommandLine,
  o: { directory: string; now: number; read: (words: readonly string[]) => Usage },
): Promise<Configured<{ line: CommandLine; lost: LostPlace }>> {
  const { newest, unusable } = await findPlace(o.directory, o.now);
  if (newest === null) {
    return refused(
      'there is nothing to resume: no session was cut off here in the last three days',
      unusable[0] ?? 'a session that is left with q, or runs still, is none; a demo needs --demo too',
    );
  }
  const { place } = newest;
  const usage = o.read(place.words);
  if (!usage.ok) {
    const words = place.words.map((word) => sanitise(word, 'text', 200)).join(' ');
    return refused(`the lost session cannot be opened: ${usage.message}`, words);
  }
  const before = usage.value;
  if (line.profile !== null && line.profile !== before.profile) {
    const its = before.profile === null ? 'without a profile' : `with --profile ${before.profile}`;
    return refused(
      `the lost session was started ${its}, not with --profile ${line.profile}`,
      'leave out --profile to go on with it',
    );
  }
  const { ascii, theme, debug, write } = line;
  const utc = line.utc && place.utc;
  const resumed = { ...before, ascii, theme, debug, write, utc, resume: null };
  return { ok: true, value: { line: resumed, lost: newest } };
}
