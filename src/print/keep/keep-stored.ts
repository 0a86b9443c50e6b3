import type { CommandLine } from '../../config/command/command-line.ts';
import { exitCodeOf, explain, FAILURES, type Failure } from '../../domain/failure.ts';
import { isBatch, recordsOf } from '../../domain/logs/log-rows.ts';
import type { Query } from '../../domain/query/query.ts';
import { windowTimes } from '../../domain/query/query-time.ts';
import type { LogPart, PartStore } from '../../domain/storage/log-parts.ts';
import { shared, type TimeRange, without } from '../../domain/tail/coverage.ts';
import type { Zones } from '../../domain/zone.ts';
import { closeInputs } from '../../effects/saved/saved-input.ts';
import { openStreams, type SavedStream } from '../../effects/saved/saved-items.ts';
import {
  archiveOf,
  LARGEST_PART,
  type Spool,
  SpoolTrouble,
  spooledPart,
} from '../../effects/saved/stored-parts.ts';
import type { Engine } from '../../store/engines/engine.ts';
import { finishedParts, noteFinished } from '../../store/finished-parts.ts';
import { openHistory } from '../../store/history.ts';
import { createNumbering, loadRows, untilDone } from '../../store/load.ts';
import { type Note, nextMark, note, underMark } from '../../store/noted-coverage.ts';
import type { ArrivingRows } from '../../store/sql/stored-columns.ts';
import { sanitise } from '../../text/sanitise.ts';
import { say } from '../../text/say.ts';
import { bytes, count, counted } from '../../text/units.ts';
import { storeBehind } from '../logs/stored-window.ts';
import { presentOfLogs } from '../present.ts';
import { endOf, FAILED, type Printer, WRONG_USAGE } from '../printer.ts';
import { atStore } from '../store-guard.ts';
import { logZonesNamed } from '../zones-command.ts';
import { createFilling, sayForgotten } from './filling.ts';

/** The time of a line without one, before any that has one: in no window. */
const NO_TIME = 0;

/** Loads what the platform stores of zones into a store; resolves to the exit code. */
export async function keepStored(o: Printer, line: CommandLine, { window }: Query): Promise<number> {
  const open = await storeBehind(o);
  if (open === null || o.stored == null) return WRONG_USAGE;
  const spool = o.stored;
  // Their files are read one after the other.
  const zones = await logZonesNamed(o, line.zone ?? '', Number.POSITIVE_INFINITY);
  if (typeof zones === 'number') return zones;
  const now = await presentOfLogs(o, zones);
  const range = windowTimes(window, now, 0);
  return atStore(
    o,
    () => open(true),
    (engine) => loadStored(o, { spool, zones, range, engine }),
  );
}

type StoredPart = { zone: string; store: PartStore; part: LogPart };

async function loadStored(
  o: Printer,
  { spool, zones, range, engine }: { spool: Spool; zones: Zones; range: TimeRange; engine: Engine },
): Promise<number> {
  const end = endOf(o);
  const { signal } = end;
  // Before anything is fetched: that the tables are there, and are of this version.
  await openHistory(engine, signal);
  const mark = await nextMark(engine, signal);
  const found = await partsOf(o, spool, zones, { range, signal });
  if (found === null) return end.code ?? FAILED;
  const isFinished = await finishedParts(engine, found.parts, signal);
  const parts = found.parts.filter((each) => !isFinished(each));
  const before = found.parts.length - parts.length;
  if (before > 0)
    say(o.stderr, `${counted(before, 'stored file is', 'stored files are')} in the store and not read again`);
  const lost: LostPart[] = [];
  const tally = { parts: 0, bytes: 0 };
  const total = totalLength(parts.map(({ part }) => part));
  const filling = createFilling(o, engine, end, ({ stored, elapsed }) =>
    [
      `${stored} stored`,
      `${count(tally.parts)} of ${counted(parts.length, 'stored file')}`,
      `${bytes(tally.bytes)} of ${bytes(total)} read`,
      elapsed,
    ].join(', '),
  );
  const { how, show } = filling;

  /** Loads a part, and notes that it is there. */
  async function load(each: StoredPart, got: Awaited<ReturnType<typeof fetched>>): Promise<void> {
    const { part } = each;
    tally.parts += 1;
    if (!got.ok) {
      if (got.failure.kind !== 'cancelled') lost.push({ part, what: got.failure });
      return;
    }
    const reading = { clock: o.clock, near: NO_TIME, signal, most: LARGEST_PART };
    const { progress, parts: read } = openStreams([got.value], reading)[0] as SavedStream;
    let timeless = 0;
    const isWanted = (time: number) => time >= range.from && time < range.to;
    const numbered = createNumbering({ onForgotten: () => sayForgotten(o) });
    async function* rows(): AsyncGenerator<ArrivingRows> {
      for await (const each of read) {
        if (each.kind === 'gap') continue;
        if (each.rows.every((row) => isBatch(row) && row.times.every(isWanted))) {
          yield { rows: each.rows, numbered };
          continue;
        }
        const records = recordsOf(each.rows);
        timeless += records.filter(({ timestamp }) => timestamp === NO_TIME).length;
        yield { rows: records.filter(({ timestamp }) => isWanted(timestamp)), numbered };
      }
    }
    try {
      await loadRows(engine, rows(), how);
    } finally {
      await closeInputs([got.value]);
    }
    signal.throwIfAborted();
    const strange =
      timeless > 0 ? `${counted(timeless, 'line of it is', 'lines of it are')} of no known shape` : null;
    const what = progress.bytesRead === 0 ? 'is empty' : (progress.trouble ?? strange);
    if (what !== null) lost.push({ part, what });
    // Of one at an edge other rows may be wanted another time.
    else if (part.span.from >= range.from && part.span.to <= range.to)
      await untilDone(() => noteFinished(engine, each, mark, signal), how);
  }

  function fetched({ store, part }: StoredPart) {
    const got = spooledPart(spool, { store, part }, signal, (more) => {
      tally.bytes += more;
      show();
    });
    // It is waited for in its turn.
    got.catch(() => {});
    return got;
  }

  let refused = null as Failure | null;

  const loadAll = async (): Promise<void> => {
    const [first] = parts;
    let next = first && fetched(first);
    try {
      for (const [at, each] of parts.entries()) {
        const got = await next;
        signal.throwIfAborted();
        if (got === undefined) break;
        // What refuses one refuses all: the others are not asked for.
        if (!got.ok && isOfAll(got.failure)) {
          refused = got.failure;
          return;
        }
        const after = parts[at + 1];
        next = after && fetched(after);
        await load(each, got);
        signal.throwIfAborted();
      }
    } finally {
      const left = await next?.catch(() => null);
      if (left?.ok) await closeInputs([left.value]);
    }
    const notes = importedNotes(found.parts, range, lost);
    await untilDone(() => note(engine, underMark(notes, mark), signal), how);
  };

  try {
    const ended = await filling.run(
      loadAll,
      'the same command goes on: it leaves out the files that are in the store',
    );
    if (ended !== null) return ended;
  } catch (error) {
    if (!(error instanceof SpoolTrouble)) throw error;
    say(o.stderr, error.message);
    return FAILED;
  }
  if (refused !== null) {
    const { what, next: todo } = explain(refused);
    say(
      o.stderr,
      `${counted(parts.length - tally.parts, 'stored file was', 'stored files were')} not read: ${what}`,
      todo,
    );
  }
  return sayLost(o, lost) || (refused && exitCodeOf(refused)) || found.code;
}

/** The times of which all files there are were loaded. Nobody promises that these have all rows. */
function importedNotes(parts: readonly StoredPart[], range: TimeRange, lost: readonly LostPart[]): Note[] {
  const missing = new Set(lost.map(({ part }) => part));
  const lacking = Map.groupBy(
    parts.filter(({ part }) => missing.has(part)),
    ({ zone }) => zone,
  );
  return parts.flatMap(({ zone, part }) => {
    const spans = (lacking.get(zone) ?? []).map((each) => each.part.span);
    return shared(part.span, [range])
      .flatMap((time) => spans.reduce(without, [time]))
      .map((time) => ({ zone, ...time, state: 'imported' as const, missing: null }));
  });
}

/** The parts of the zones in order of time, said on standard error; null = no zone has any, or they cannot be asked for, which is said too. */
async function partsOf(
  o: Pick<Printer, 'stderr'>,
  { client }: Spool,
  zones: Zones,
  { range, signal }: { range: TimeRange; signal: AbortSignal },
): Promise<{ parts: StoredPart[]; code: number } | null> {
  const parts: StoredPart[] = [];
  let hasAny = false;
  let code = 0;
  for (const { id, name: named } of zones) {
    const name = sanitise(named, 'text', 100);
    const archive = await archiveOf(client, id, range, signal);
    if (signal.aborted) return null;
    if (!archive.ok) {
      const failed = sayUnread(o, name, archive.failure);
      hasAny ||= failed !== 0;
      code = failed || code;
      continue;
    }
    hasAny = true;
    const { store, parts: own, isWhole } = archive.value;
    if (!isWhole) code ||= FAILED;
    parts.push(...own.map((part) => ({ zone: id, store, part })));
    say(o.stderr, storedWords(name, own));
  }
  parts.sort((a, b) => a.part.span.from - b.part.span.from);
  return hasAny ? { parts, code } : null;
}

/** Why a part was not read to its end. */
type LostPart = { part: LogPart; what: string | Failure };

/** What is stored of a zone in a time, before it is read. */
export function storedWords(name: string, parts: readonly LogPart[]): string {
  const size = bytes(totalLength(parts));
  return `STORED FILES: ${counted(parts.length, 'part')} of ${name}, ${size}; completeness is not promised by the platform`;
}

function totalLength(parts: readonly LogPart[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

/** Says why the parts of a zone are not read; the exit code, 0 where there are none, or nobody could be asked. */
export function sayUnread(o: Pick<Printer, 'stderr'>, name: string, failure: Failure): number {
  const { what, next } = explain(failure);
  const isNone = failure.kind === 'noStoredFiles';
  say(o.stderr, isNone ? what : `STORED FILES of ${name} were not read: ${what}`, next);
  return !isNone && FAILURES[failure.kind].traits.arrived !== 'no' ? exitCodeOf(failure) : 0;
}

/** Names the parts that were not read to their end, a cause once; the exit code. */
export function sayLost(o: Pick<Printer, 'stderr'>, lost: readonly LostPart[]): number {
  const causes = Map.groupBy(lost, ({ what }) => (typeof what === 'string' ? what : explain(what).what));
  for (const [why, [first, ...others]] of causes) {
    const rest = others.length === 0 ? '' : ` and ${counted(others.length, 'other')}`;
    say(o.stderr, `GAP stored file ${sanitise(first?.part.name ?? '', 'text', 100)}${rest}: ${why}`);
  }
  const [first] = lost;
  if (first === undefined) return 0;
  return typeof first.what === 'string' ? FAILED : exitCodeOf(first.what);
}

/** Whether a failure is not about one file: a file that has gone or is damaged says nothing of the others. */
export function isOfAll({ kind }: Failure): boolean {
  const { arrived } = FAILURES[kind].traits;
  return kind === 'cancelled' || (arrived !== 'maybe' && kind !== 'notFound');
}
