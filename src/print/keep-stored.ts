import type { CommandLine } from '../config/command-line.ts';
import type { Query } from '../domain/query/query.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import type { Zones } from '../domain/zone.ts';
import { type Spool, SpoolTrouble } from '../effects/saved/stored-parts.ts';
import type { Engine } from '../store/engines/engine.ts';
import { openHistory } from '../store/history.ts';
import { loadRows } from '../store/load.ts';
import { sealAll } from '../store/minutes.ts';
import { say } from '../text/say.ts';
import { counted, duration } from '../text/units.ts';
import { partsOf, sayStored, storedText } from './log-archive.ts';
import { presentOfLogs } from './present.ts';
import { endOf, type Printer, WRONG_USAGE } from './printer.ts';
import { createProgressLine } from './progress.ts';
import { guarded } from './store-guard.ts';
import { type LostPart, newTally, storedRows } from './stored-rows.ts';
import { logZonesNamed } from './zones.ts';

const FAILED = 1;

/** Loads what the platform stores of zones into a store; resolves to the exit code. */
export async function keepStored(o: Printer, line: CommandLine, { window }: Query): Promise<number> {
  const opener = (await o.history?.()) ?? null;
  if (opener?.ok !== true || o.stored == null) {
    if (opener?.ok === false) say(o.stderr, opener.error.message, opener.error.hint);
    return WRONG_USAGE;
  }
  const spool = o.stored;
  const zones = await logZonesNamed(o, line.zone ?? '');
  if (typeof zones === 'number') return zones;
  const now = await presentOfLogs(o, zones);
  const range =
    window?.kind === 'absolute'
      ? { from: window.from, to: Math.min(now, window.to ?? now) }
      : { from: now - (window?.duration ?? 0), to: now };
  return guarded(o, async () => {
    const engine = await opener.value(true);
    try {
      return await loadStored(o, { spool, zones, range, engine });
    } finally {
      await engine.close();
    }
  });
}

async function loadStored(
  o: Printer,
  { spool, zones, range, engine }: { spool: Spool; zones: Zones; range: TimeRange; engine: Engine },
): Promise<number> {
  const end = endOf(o);
  // Before anything is fetched: that the tables are there, and are of this version.
  await openHistory(engine, end.signal);
  const found = await partsOf(o, spool, zones, { range, signal: end.signal });
  if (found === null) return end.code ?? FAILED;
  const tally = newTally();
  const lost: LostPart[] = [];
  let stored = 0;
  /** All rows before are in the store. */
  let storedTo = range.from;
  let readTo = range.from;
  const progress = createProgressLine(
    o,
    (times) => `${counted(stored, 'row')} stored; ${storedText(tally, found.parts, times)} read`,
  );
  const words = () =>
    `${counted(stored, 'row is', 'rows are')} in the store ${engine.store}; each that was there before is there once`;
  async function* records() {
    const { signal } = end;
    const onLost = (part: LostPart) => lost.push(part);
    const asked = { spool, parts: found?.parts ?? [], range, isWanted: () => true, signal, tally, onLost };
    for await (const part of storedRows(asked)) {
      readTo = part.range.from;
      yield part.records;
    }
  }
  try {
    await loadRows(engine, records(), {
      clock: o.clock,
      signal: end.signal,
      onWait({ message }, pause) {
        progress.erase();
        say(o.stderr, message, `next try in ${duration(pause)}`);
      },
      onStored(rows) {
        stored += rows;
        storedTo = readTo;
        progress.show();
      },
    });
    await sealAll(engine, o.clock.now(), () => progress.show(), end.signal);
  } catch (error) {
    progress.end();
    if (!end.signal.aborted) {
      say(o.stderr, words());
      if (!(error instanceof SpoolTrouble)) throw error;
      say(o.stderr, error.message);
      return FAILED;
    }
  }
  progress.end();
  if (end.signal.aborted) {
    // Where rows were handed on before all of their time was there, what is behind may lack some.
    const from = tally.isForced ? range.from : storedTo;
    say(
      o.stderr,
      `interrupted: ${words()}`,
      `the same command with --from ${new Date(from).toISOString()} goes on`,
    );
    return end.code ?? 0;
  }
  say(o.stderr, words());
  return sayStored(o, tally, lost) || found.code;
}
