import { explain, FAILURES, type Failure } from '../../domain/failure.ts';
import type { LogPart, PartStore } from '../../domain/storage/log-parts.ts';
import type { Gap } from '../../domain/tail/coverage.ts';
import { TAIL_TUNING } from '../../domain/tail/tail-pace.ts';
import { sanitise } from '../../text/sanitise.ts';
import { counted } from '../../text/units.ts';
import type { Clock } from '../../time/clock.ts';
import { reasonOf } from '../tail/tail-health.ts';
import { type IndexedPart, PartReader } from './part-pieces.ts';
import { type Spool, unpackedPart } from './stored-parts.ts';

/** Why a part was not read to its end. */
export type LostPart = { part: LogPart; what: string | Failure };

/** The parts of a zone that were not read to their end, and the time of which rows may be missing. `isAll`: nothing of it was read. */
export type PartsOnDisk = { store: PartStore; lost: Map<string, { isAll: boolean; gap: Gap }> };

/** Ends a page: what refuses one file refuses all. */
export class Refused extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** Parts that are fetched at once. */
const AT_ONCE = 3;
/** Bytes of unpacked parts that lie on the disk, but for those that are read side by side. */
const MOST_ON_DISK = 4e9;

/** Keeps parts unpacked on the disk, so that none is fetched twice. `tell` is called as bytes come, and when a part is done. */
export function partsOnDisk<Z extends PartsOnDisk>(
  { spool, clock, onLost }: { spool: Spool; clock: Clock; onLost?: (lost: LostPart, words: string) => void },
  tell: (files: Z, isStep: boolean) => void,
) {
  const reader = new PartReader(clock);
  const onDisk = new Map<string, IndexedPart>();
  const underway = new Map<string, number>();
  const closing = new AbortController();
  const isAtHand = (files: PartsOnDisk, part: LogPart) =>
    onDisk.has(idOf(part)) || files.lost.get(idOf(part))?.isAll === true;

  /** Null: it cannot be had, and is a gap. */
  async function partOf(files: Z, part: LogPart, signal: AbortSignal): Promise<IndexedPart | null> {
    const id = idOf(part);
    const known = onDisk.get(id);
    if (known === undefined && isAtHand(files, part)) return null;
    if (known !== undefined) {
      onDisk.delete(id);
      onDisk.set(id, known);
      return known;
    }
    const { store } = files;
    const got = await unpackedPart(spool, { store, part }, signal, (bytes) => {
      underway.set(id, (underway.get(id) ?? 0) + bytes);
      tell(files, false);
    }).finally(() => underway.delete(id));
    if (!got.ok) {
      if (isOfAll(got.failure)) throw new Refused(got.failure);
      lose(files, part, got.failure);
      return null;
    }
    const indexed = await reader.index(got.value, signal).catch(async (error) => {
      await got.value.handle.close();
      throw error;
    });
    const { trouble, timeless, pieces } = indexed;
    const newest = pieces.reduce((most, { max }) => Math.max(most, max), Number.NEGATIVE_INFINITY);
    if (timeless > 0) {
      const what = `${counted(timeless, 'line')} of it ${timeless === 1 ? 'is' : 'are'} of no known shape`;
      lose(files, part, what, { rows: timeless });
    } else if (trouble !== null) {
      lose(files, part, trouble, { from: Math.max(part.span.from, newest - TAIL_TUNING.lateness) });
    }
    onDisk.set(id, indexed);
    return indexed;
  }

  function lose(
    files: Z,
    part: LogPart,
    what: LostPart['what'],
    more: Partial<Pick<Gap, 'from' | 'rows'>> = {},
  ): void {
    const isKnown = files.lost.has(idOf(part));
    // Of what came something was read.
    const isAll = typeof what !== 'string';
    const reason = isAll ? reasonOf(what) : 'failed';
    const gap: Gap = { id: `stored ${idOf(part)}`, ...part.span, rows: null, ...more, reason };
    files.lost.set(idOf(part), { isAll, gap });
    if (!isKnown) onLost?.({ part, what }, lostWords([{ part, what }]));
  }

  /** Fetches what is needed, some at once; of parts that are not, those that were not used for the longest time go. */
  async function fetched(files: Z, parts: readonly LogPart[], signal: AbortSignal): Promise<IndexedPart[]> {
    const own = new AbortController();
    const both = AbortSignal.any([signal, own.signal, closing.signal]);
    const waiting = [...parts];
    const got: IndexedPart[] = [];
    const work = async () => {
      for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
        const indexed = await partOf(files, part, both);
        if (indexed !== null) got.push(indexed);
        tell(files, true);
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    } catch (error) {
      waiting.length = 0;
      own.abort();
      throw error;
    }
    let size = [...onDisk.values()].reduce((sum, part) => sum + part.size, 0);
    for (const [id, part] of onDisk) {
      if (size <= MOST_ON_DISK) break;
      if (got.includes(part)) continue;
      size -= part.size;
      onDisk.delete(id);
      await part.handle.close();
    }
    return got;
  }

  return {
    reader,
    isAtHand,
    /** Bytes that came so far of a part that is being fetched. */
    underway: (part: LogPart) => underway.get(idOf(part)) ?? 0,
    fetched,
    /** Ends what is under way, and waits for none of it. */
    async close() {
      closing.abort();
      await reader.close();
      for (const { handle } of onDisk.values()) await handle.close();
      onDisk.clear();
    },
  };
}

/** `GAP stored file 14_104-2-0a.gzip and 3 others: is cut off`, for parts that were lost alike. */
export function lostWords([{ part, what }, ...others]: readonly [LostPart, ...LostPart[]]): string {
  const rest = others.length === 0 ? '' : ` and ${counted(others.length, 'other')}`;
  const why = typeof what === 'string' ? what : explain(what).what;
  return `GAP stored file ${sanitise(part.name, 'text', 100)}${rest}: ${why}`;
}

/** Whether it is not about one file: a file that has gone or is damaged says nothing of the others. */
export function isOfAll({ kind }: Failure): boolean {
  const { arrived } = FAILURES[kind].traits;
  return kind === 'cancelled' || (arrived !== 'maybe' && kind !== 'notFound');
}

function idOf({ folder, name, length }: LogPart): string {
  return `${folder.join('/')}/${name} ${length}`;
}
