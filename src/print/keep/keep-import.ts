import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import { startAhead } from '../../effects/saved/saved-ahead.ts';
import { closeInputs, type SavedInput } from '../../effects/saved/saved-input.ts';
import { openStreams, type SavedStream } from '../../effects/saved/saved-items.ts';
import type { Engine } from '../../store/engines/engine.ts';
import { openHistory } from '../../store/history.ts';
import { createNumbering, loadRows, untilDone } from '../../store/load.ts';
import { type Note, nextMark, note, notesAbout, underMark } from '../../store/noted-coverage.ts';
import { type ArrivingRows, zoneSpans } from '../../store/sql/stored-columns.ts';
import { bytes } from '../../text/units.ts';
import { concluded } from '../open-command.ts';
import { endOf, type Printer, type StoreOpener } from '../printer.ts';
import { atStore } from '../store-guard.ts';
import { createFilling, sayForgotten } from './filling.ts';

/** The time of rows that have none and stand before any that has: the same whenever the file is read. */
const NO_TIME = Date.UTC(2000, 0, 1);

/** Loads saved logs into a store; resolves to the exit code. */
export function keepImported(
  o: Omit<Printer, 'client'>,
  inputs: readonly SavedInput[],
  open: StoreOpener,
): Promise<number> {
  return atStore(
    o,
    () => open(true),
    (engine) => importAll(o, inputs, engine).finally(() => closeInputs(inputs)),
  );
}

async function importAll(
  o: Omit<Printer, 'client'>,
  inputs: readonly SavedInput[],
  engine: Engine,
): Promise<number> {
  const end = endOf(o);
  // Before anything is read: that the tables are there, and are of this version.
  await openHistory(engine, end.signal);
  const mark = await nextMark(engine, end.signal);
  const ahead = startAhead(inputs, o.clock);
  const streams = openStreams(inputs, { clock: o.clock, near: NO_TIME, signal: end.signal, ahead });
  const total = inputs.every(({ size }) => size !== null)
    ? inputs.reduce((sum, { size }) => sum + (size ?? 0), 0)
    : null;
  const filling = createFilling(o, engine, end, ({ stored, elapsed }) => {
    const read = streams.reduce((sum, each) => sum + each.progress.bytesRead, 0);
    const of = total === null ? '' : ` of ${bytes(total)}`;
    return `${stored} stored, ${bytes(read)}${of} read, ${elapsed}`;
  });
  const told = streams.map(() => new ToldTime());
  const load = async () => {
    await loadRows(engine, importedRows(streams, { told, onForgotten: () => sayForgotten(o) }), filling.how);
    // After the rows: what is noted is here.
    const notes = told.flatMap((each) => each.notes());
    await untilDone(() => note(engine, underMark(notes, mark), end.signal), filling.how);
  };
  const code = await filling.run(load, 'the same command goes on').finally(() => ahead?.close());
  return code ?? concluded(o, streams);
}

/** The time that a file tells of: of each zone from its first row to its last, less what the file itself says that it lacks. */
class ToldTime {
  readonly #spans = new Map<string, TimeRange>();
  readonly #gaps: Gap[] = [];

  add(rows: ArrivingRows['rows']): void {
    for (const [zone, { from, to }] of zoneSpans(rows)) {
      const before = this.#spans.get(zone) ?? { from, to };
      this.#spans.set(zone, { from: Math.min(before.from, from), to: Math.max(before.to, to) });
    }
  }

  addGap(gap: Gap): void {
    this.#gaps.push(gap);
  }

  /** A gap that names no zone is one of all zones of the file. */
  notes(): Note[] {
    return [...this.#spans].flatMap(([zone, span]) => {
      const own = this.#gaps.filter((gap) => gap.zone === undefined || gap.zone === zone);
      return notesAbout(zone, span, own, 'imported');
    });
  }
}

/** One file after the other, each of which is numbered for itself: a row that two of them have is one. */
export async function* importedRows(
  streams: readonly SavedStream[],
  { told = [], onForgotten }: { told?: readonly ToldTime[]; onForgotten?: () => void } = {},
): AsyncGenerator<ArrivingRows> {
  for (const [at, { parts }] of streams.entries()) {
    const numbered = createNumbering({ onForgotten });
    for await (const part of parts) {
      if (part.kind === 'gap') told[at]?.addGap(part.gap);
      else {
        told[at]?.add(part.rows);
        yield { rows: part.rows, numbered };
      }
    }
  }
}
