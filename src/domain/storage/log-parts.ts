import type { Secret } from '../../text/secret.ts';
import { shellCommand } from '../../text/shell-command.ts';
import { DAY, HOUR, MINUTE } from '../../text/units.ts';
import type { Strays } from '../strays.ts';
import type { TimeRange } from '../tail/coverage.ts';
import { TAIL_TUNING } from '../tail/tail-pace.ts';
import type { PullZone } from '../zone.ts';

/** Where a pull zone stores its log lines for good; `storageZoneId` null = nowhere. */
export type LogArchive = { pullZone: string; storageZoneId: string | null };

/** What reads the files of a storage zone: its name, the server that the account names, and its password. */
export type PartStore = { name: string; hostname: string; password: Secret };

/** A file as listed; times are Unix ms, null where unsaid. */
export type StoredFile = {
  name: string;
  length: number;
  isFolder: boolean;
  createdAt: number | null;
  changedAt: number | null;
};

/** What a folder has. */
export type StoredListing = { files: StoredFile[]; strays?: Strays };

/** A stored file of log lines. `span`: no line in it can be of another time. */
export type LogPart = { folder: readonly string[]; name: string; length: number; span: TimeRange };

/** The longest that a part is open. */
const LONGEST_PART = 2 * HOUR;
/** How long after its closing a part may be uploaded. The platform promises only "shortly". */
const UPLOAD = HOUR;
/** How far the clocks of workers may differ. */
const CLOCKS = MINUTE;

/** Today's form of a name, to which the closing rules belong; older ones only show the day. */
const RULED = /^\d\d_[^-]+-\d+-[0-9a-f]{8}\.gzip$/i;
const OF_DAY = /^(\d\d)_.*\.gz(?:ip)?$/i;

/** The folders that may hold lines of this time, a month each: their names from the root of the storage zone. */
export function partFolders(pullZone: string, range: TimeRange): string[][] {
  const first = new Date(range.from - CLOCKS);
  const last = range.to + TAIL_TUNING.lateness;
  const folders: string[][] = [];
  for (let month = Date.UTC(first.getUTCFullYear(), first.getUTCMonth()); month < last; ) {
    const at = new Date(month);
    const [year = '', number = ''] = at.toISOString().split('-');
    folders.push(['pullzone-logs', pullZone, year, number]);
    month = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
  }
  return folders;
}

/** The parts in a month's folder of which a line may lie within the range. */
export function partsWithin(
  folder: readonly string[],
  files: readonly StoredFile[],
  range: TimeRange,
): LogPart[] {
  const month = Date.parse(`${folder.at(-2)}-${folder.at(-1)}-01T00:00:00Z`);
  return files.flatMap((file) => {
    const span = spanOf(file, month);
    if (span === null || span.from >= range.to || span.to <= range.from) return [];
    return [{ folder, name: file.name, length: file.length, span }];
  });
}

/**
 * The time that a part's lines can have, by the day in its name, its upload and how long a part is open. A line may
 * be late, and so be in the part that was open then, even in one of the next day.
 */
function spanOf(file: StoredFile, month: number): TimeRange | null {
  const day = Number(OF_DAY.exec(file.name)?.[1] ?? 0);
  if (file.isFolder || day < 1) return null;
  const start = month + (day - 1) * DAY;
  const end = start + DAY;
  const told = [file.createdAt, file.changedAt].filter((at) => at !== null && at > start) as number[];
  // One uploaded days later was copied there: its closing time is unknown.
  const isRuled = RULED.test(file.name) && told.length > 0 && Math.min(...told) <= end + UPLOAD;
  const opened = isRuled ? Math.max(start, Math.min(...told) - LONGEST_PART - UPLOAD) : start;
  const closed = isRuled ? Math.min(end, Math.max(...told)) : end;
  return { from: opened - TAIL_TUNING.lateness, to: closed + CLOCKS };
}

/**
 * The command that loads the platform's stored lines of zones, for the days of a time, into a store; null: none are
 * stored.
 */
export function storedCommand(zones: readonly PullZone[], { from, to }: TimeRange): string | null {
  const names = zones.flatMap(({ isStored, name }) => (isStored ? [name] : []));
  if (names.length === 0) return null;
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  const days = ['--from', dayOf(from), '--to', dayOf(to - 1 + DAY)];
  return shellCommand(['edgescope', 'keep', '--stored', names.join(','), ...days]);
}
