import { open, stat } from 'node:fs/promises';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Gap } from '../domain/coverage.ts';
import { createRowCoder, type RowCoder } from '../domain/row-coder.ts';
import {
  emptyReport,
  type SavedEvent,
  type SavedReport,
  type SavedRows,
  type SavedTrouble,
} from '../domain/saved-report.ts';
import type { Clock } from './clock.ts';
import { bytesOf, type Progress } from './saved-bytes.ts';
import { LineCutter, type LineWindow } from './saved-lines.ts';
import { closeInputs, type SavedInput } from './saved-open.ts';
import { type CodedPart, joinedSpan, SavedParser, type SavedPart } from './saved-parse.ts';
import { SavedPool } from './saved-pool.ts';

/** How long reading may hold the loop before keys and frames have their turn, ms. */
const SLICE = 3;

/** Smaller files are read before threads for them have started. */
const THREADS_FROM = 16 << 20;

/** A file of which more than this share of the first lines is of no known shape is not for threads. */
const MOST_LOOSE = 0.25;

/** Between two looks at files that are followed, ms. */
const LOOK_AGAIN = 200;

type File = {
  input: SavedInput;
  progress: Progress;
  parser: SavedParser;
  cutter: LineCutter;
  isDone: boolean;
  /** Bytes that were read and of which the rows are not here yet. */
  ahead: number;
};

/** What lasts over all files of a reading. */
type Reading = {
  files: File[];
  gaps: Gap[];
  troubles: readonly SavedTrouble[];
  status: SavedReport['status'];
  emit: (event: SavedEvent) => void | Promise<void>;
  clock: Clock;
  signal: AbortSignal;
  coder: RowCoder;
  /** Null = no file is large enough. */
  pool: SavedPool | null;
  resumed: number;
};

/**
 * Reads saved logs, one after the other, in slices so short that a key never waits for more than one of them; then,
 * with `follow`, what is added to the files. Ends when the signal fires. Never throws.
 */
export async function readSavedLogs(o: {
  inputs: readonly SavedInput[];
  follow: boolean;
  clock: Clock;
  /** The reading waits for a promise that it returns. */
  emit: (event: SavedEvent) => void | Promise<void>;
  signal: AbortSignal;
  /** Files from this size on are taken apart by threads, bytes. */
  threadsFrom?: number;
}): Promise<void> {
  const { threadsFrom = THREADS_FROM } = o;
  const reading: Reading = {
    files: o.inputs.map((input) => ({
      input,
      progress: { bytesRead: 0, isGzip: false, trouble: null },
      parser: new SavedParser(o.clock.now()),
      cutter: new LineCutter(),
      isDone: false,
      ahead: 0,
    })),
    gaps: [],
    troubles: [],
    status: 'reading',
    emit: o.emit,
    clock: o.clock,
    signal: o.signal,
    coder: createRowCoder(),
    pool: o.inputs.some(({ size }) => size !== null && size >= threadsFrom) ? new SavedPool() : null,
    resumed: performance.now(),
  };
  const endThreads = () => reading.pool?.close();
  o.signal.addEventListener('abort', endThreads);
  void say(reading, null);
  for (const file of reading.files) {
    await readToEnd(reading, file, o.follow);
    if (o.signal.aborted) break;
  }
  endThreads();
  const followed = o.follow ? reading.files.filter(isFollowed) : [];
  if (!o.signal.aborted) {
    reading.status = followed.length > 0 ? 'following' : 'read';
    void say(reading, null);
  }
  while (followed.length > 0 && !o.signal.aborted) {
    await o.clock.sleep(LOOK_AGAIN, o.signal);
    for (const file of followed) if (!o.signal.aborted) await readWhatCame(reading, file);
  }
  await closeInputs(reading.files.map((file) => file.input));
}

async function readToEnd(reading: Reading, file: File, follow: boolean): Promise<void> {
  const { input, progress, signal } = { ...file, signal: reading.signal };
  if (reading.pool !== null && input.size !== null) await readByThreads(reading, reading.pool, file);
  else
    for await (const chunk of bytesOf(input, progress, signal)) {
      if (signal.aborted) return;
      await take(reading, file, chunk);
    }
  if (signal.aborted) return;
  // A line that is still being written is waited for.
  if (!(follow && isFollowed(file)))
    for (const window of file.cutter.end()) await takeWindow(reading, file, window);
  file.isDone = true;
  if (progress.trouble !== null) trouble(reading, file, progress.trouble, true);
  else if (progress.bytesRead === 0 && !follow) trouble(reading, file, 'is empty');
  if (follow && progress.isGzip) trouble(reading, file, 'is compressed, and is not followed');
  void say(reading, null);
}

/**
 * The same with threads, which take pieces of the file apart side by side; their answers are taken in the order of the
 * file. The first chunk is read here: its rows are there before a thread is.
 */
async function readByThreads(reading: Reading, pool: SavedPool, file: File): Promise<void> {
  const { input, progress, cutter, parser } = file;
  const out: Promise<void>[] = [];
  const inTurn = (act: () => Promise<void>) => {
    const turn = (out.at(-1) ?? Promise.resolve()).then(act);
    // Whoever waits for the last hears it.
    turn.catch(() => {});
    out.push(turn);
  };
  const handOut = ({ bytes, start, end }: LineWindow) => {
    // What was unpacked stands in memory that is not ours to hand over.
    const piece = progress.isGzip ? pool.copyOf(bytes) : (bytes as Buffer<ArrayBuffer>);
    const size = progress.isGzip ? 0 : bytes.length;
    const answer = pool.read(piece, start, end);
    answer.catch(() => {});
    file.ahead += size;
    inTurn(async () => {
      const read = await answer;
      file.ahead -= size;
      await takeParts(reading, parser.take(read));
      pool.giveBack(read.bytes);
    });
  };
  try {
    let isForThreads = false;
    for await (const chunk of bytesOf(input, progress, reading.signal, () => pool.buffer())) {
      if (reading.signal.aborted) return;
      for (const window of cutter.feed(chunk)) {
        const isHandedOut = isForThreads && window.bytes === chunk;
        if (isHandedOut) handOut(window);
        else if (out.length > 0) inTurn(() => takeWindow(reading, file, window));
        else await takeWindow(reading, file, window);
      }
      if (!isForThreads && !progress.isGzip) pool.giveBack(chunk as Buffer<ArrayBuffer>);
      isForThreads ||= parser.loose <= parser.rows * MOST_LOOSE;
      while (out.length > pool.room) await out.shift();
    }
    await out.at(-1);
  } catch (error) {
    if (reading.signal.aborted) return;
    const why = error instanceof Error ? error.message : String(error);
    progress.trouble ??= `cannot be read any further (a thread that read it ended: ${why})`;
  }
}

/** Reads what was added to a file since; one that became shorter or another is read from its beginning. */
async function readWhatCame(reading: Reading, file: File): Promise<void> {
  const { input, progress, cutter } = file;
  if (input.kind !== 'file') return;
  try {
    const [there, here] = await Promise.all([statOf(input.path), input.handle.stat()]);
    if (here.size < progress.bytesRead) {
      trouble(reading, file, 'became shorter, and is read from its beginning');
      progress.bytesRead = 0;
      await replace(file, input.path);
    }
    const before = progress.bytesRead;
    const chunk = Buffer.allocUnsafe(1 << 20);
    for (;;) {
      const { bytesRead } = await input.handle.read(chunk, 0, chunk.length, progress.bytesRead);
      if (bytesRead === 0 || reading.signal.aborted) break;
      progress.bytesRead += bytesRead;
      await take(reading, file, chunk.subarray(0, bytesRead));
    }
    // What was written to the old file before it was moved away has been read by now.
    if (there !== null && there.ino !== here.ino && progress.bytesRead === before) {
      for (const window of cutter.end()) await takeWindow(reading, file, window);
      trouble(reading, file, 'was replaced by another file, which is read from its beginning');
      progress.bytesRead = 0;
      await replace(file, input.path);
    }
  } catch (error) {
    if (progress.trouble !== null) return;
    progress.trouble = `cannot be followed any further (${(error as { code?: string }).code ?? 'unknown error'})`;
    trouble(reading, file, progress.trouble, true);
  }
}

async function statOf(path: string): Promise<{ ino: number } | null> {
  try {
    return await stat(path);
  } catch {
    return null;
  }
}

async function replace(file: File, path: string): Promise<void> {
  if (file.input.kind !== 'file') return;
  const handle = await open(path, 'r');
  await file.input.handle.close().catch(() => {});
  file.input.handle = handle;
  file.cutter = new LineCutter();
}

async function take(reading: Reading, file: File, chunk: Buffer): Promise<void> {
  for (const window of file.cutter.feed(chunk)) await takeWindow(reading, file, window);
}

async function takeWindow(reading: Reading, file: File, window: LineWindow): Promise<void> {
  await takeParts(reading, file.parser.parse(window));
}

async function takeParts(reading: Reading, parts: Iterable<SavedPart | CodedPart>): Promise<void> {
  for (const part of parts) {
    if (part.kind === 'gap') {
      if (!reading.gaps.some((gap) => gap.id === part.gap.id)) reading.gaps = [...reading.gaps, part.gap];
      void say(reading, null);
    } else {
      const heard = say(
        reading,
        part.kind === 'packed' ? { kind: 'coded', rows: reading.coder.code(part.rows) } : part,
      );
      if (heard) await heard;
    }
    if (performance.now() - reading.resumed <= SLICE) continue;
    await breathe();
    if (reading.signal.aborted) return;
    reading.resumed = performance.now();
  }
}

function trouble(reading: Reading, file: File, what: string, isLoss = false): void {
  reading.troubles = [...reading.troubles, { file: file.input.name, what, isLoss }];
  void say(reading, null);
}

function isFollowed(file: File): boolean {
  return file.input.kind === 'file' && file.input.size !== null && !file.progress.isGzip;
}

function say(reading: Reading, rows: SavedRows | null): void | Promise<void> {
  if (!reading.signal.aborted) return reading.emit({ rows, report: reportOf(reading) });
}

function reportOf({ files, gaps, troubles, status }: Reading): SavedReport {
  const report = emptyReport(files.length, 0);
  for (const { input, parser, progress, isDone, ahead } of files) {
    report.bytesTotal =
      input.size === null || report.bytesTotal === null ? null : report.bytesTotal + input.size;
    report.bytesRead += progress.bytesRead - ahead;
    report.rows += parser.rows;
    report.bad += parser.bad;
    report.cut += parser.cut;
    report.notText += parser.notText;
    if (isDone) report.filesRead++;
    report.span = joinedSpan(report.span, parser.span);
  }
  return { ...report, status, gaps, troubles };
}
