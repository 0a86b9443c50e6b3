import { open, stat } from 'node:fs/promises';
import {
  emptyReport,
  type SavedEvent,
  type SavedReport,
  type SavedRows,
  type SavedTrouble,
} from '../../domain/logs/saved-report.ts';
import type { Gap } from '../../domain/tail/coverage.ts';
import type { Clock } from '../../time/clock.ts';
import type { Ahead, FilePieces } from './saved-ahead.ts';
import { bytesOf, closeInputs, newProgress, type ReadProgress, type SavedInput } from './saved-input.ts';
import { LineCutter, type LineWindow } from './saved-lines.ts';
import { LinePacker } from './saved-packer.ts';
import { joinedSpan, SavedParser, type SavedPart } from './saved-parse.ts';

/** How long reading may hold the loop before keys and frames have their turn, ms. */
const SLICE = 3;

/** Turns of the loop until the first rows are painted, or nearly so. */
const FIRST_FRAME_TURNS = 3;

/** Between two looks at files that are followed, ms: a longer time shows rows later, a shorter one costs a slow line more. */
const LOOK_AGAIN = 150;
/** The same where more than `READABLE` rows come at once: each frame is then another screen, which nobody reads. */
const LOOK_AGAIN_AT_MANY = 200;
const READABLE = 100;

/** Bytes read at once of what has come. */
const CHUNK = 1 << 18;

type File = {
  input: SavedInput;
  progress: ReadProgress;
  parser: SavedParser;
  cutter: LineCutter;
  isDone: boolean;
  /** Of the file that is open, once it is known. */
  ino: number | null;
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
  ahead: Ahead | null;
  /** For what is read here and not by threads: one for all looks, since seven new ones a second keep the collector busy. */
  chunk: Buffer | null;
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
  /** Threads that read ahead; they end with the reading. */
  ahead?: Ahead | null;
}): Promise<void> {
  const packer = new LinePacker();
  const reading: Reading = {
    files: o.inputs.map((input) => ({
      input,
      progress: newProgress(),
      parser: new SavedParser(o.clock.now(), packer),
      cutter: new LineCutter(),
      isDone: false,
      ino: null,
    })),
    gaps: [],
    troubles: [],
    status: 'reading',
    emit: o.emit,
    clock: o.clock,
    signal: o.signal,
    ahead: o.ahead ?? null,
    chunk: null,
    resumed: o.clock.monotonic(),
  };
  const endThreads = () => reading.ahead?.close();
  o.signal.addEventListener('abort', endThreads);
  void say(reading, null);
  for (const file of reading.files) {
    await readToEnd(reading, file, o.follow);
    if (o.signal.aborted) break;
  }
  await endThreads();
  const followed = o.follow ? reading.files.filter(isFollowed) : [];
  if (!o.signal.aborted) {
    reading.status = followed.length > 0 ? 'following' : 'read';
    void say(reading, null);
  }
  for (let pause = LOOK_AGAIN; followed.length > 0 && !o.signal.aborted; ) {
    await o.clock.sleep(pause, o.signal);
    const before = rowsOf(followed);
    for (const file of followed) if (!o.signal.aborted) await readWhatCame(reading, file);
    pause = rowsOf(followed) - before > READABLE ? LOOK_AGAIN_AT_MANY : LOOK_AGAIN;
  }
  await closeInputs(reading.files.map((file) => file.input));
}

async function readToEnd(reading: Reading, file: File, follow: boolean): Promise<void> {
  const { input, progress } = file;
  const { signal } = reading;
  const pieces = reading.ahead?.of(input) ?? null;
  if (pieces !== null) await readByThreads(reading, pieces, file);
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
 * file. What has no end yet, and what was added meanwhile, is read here.
 */
async function readByThreads(reading: Reading, pieces: FilePieces, file: File): Promise<void> {
  const { progress, parser } = file;
  try {
    const head = pieces.head();
    if (head.window !== null) await takeWindow(reading, file, head.window);
    if (head.long !== null) await takeWindow(reading, file, wholeOf(head.long));
    progress.bytesRead = head.next ?? 0;
    // The start of threads takes the cores that paint the first rows.
    for (let turn = 0; turn < FIRST_FRAME_TURNS; turn++) await reading.clock.sleep(0);
    for await (const { piece } of pieces.rest()) {
      if (reading.signal.aborted) return;
      progress.bytesRead = piece.next ?? progress.bytesRead;
      await takeParts(reading, parser.take(piece.parts));
    }
    await readOn(reading, file);
  } catch (error) {
    if (reading.signal.aborted) return;
    const why = (error as { code?: string }).code ?? (error as Error).message;
    progress.trouble ??= `cannot be read any further (${why})`;
  }
}

function wholeOf(line: Buffer): LineWindow {
  return { bytes: line, start: 0, end: line.length, isCut: true };
}

/** Reads a file from where its reading stands to where it ends now. */
async function readOn(reading: Reading, file: File): Promise<void> {
  const { input, progress } = file;
  if (input.kind !== 'file') return;
  reading.chunk ??= Buffer.allocUnsafeSlow(CHUNK);
  const { chunk } = reading;
  let isEnd = false;
  while (!isEnd) {
    const { bytesRead } = await input.handle.read(chunk, 0, CHUNK, progress.bytesRead);
    if (reading.signal.aborted) return;
    progress.bytesRead += bytesRead;
    await take(reading, file, chunk.subarray(0, bytesRead));
    isEnd = bytesRead < CHUNK;
  }
}

/** Reads what was added to a file since; one that became shorter or another is read from its beginning. */
async function readWhatCame(reading: Reading, file: File): Promise<void> {
  const { input, progress, cutter } = file;
  if (input.kind !== 'file') return;
  try {
    const there = await statOf(input.path);
    const here = there !== null && there.ino === file.ino ? there : await input.handle.stat();
    file.ino = here.ino;
    if (here.size < progress.bytesRead) {
      trouble(reading, file, 'became shorter, and is read from its beginning');
      progress.bytesRead = 0;
      await replace(file, input.path);
    }
    const before = progress.bytesRead;
    if (here.size > before) await readOn(reading, file);
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

function rowsOf(files: readonly File[]): number {
  return files.reduce((sum, { parser }) => sum + parser.rows, 0);
}

async function statOf(path: string): Promise<{ ino: number; size: number } | null> {
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
  file.ino = null;
}

async function take(reading: Reading, file: File, chunk: Buffer): Promise<void> {
  for (const window of file.cutter.feed(chunk)) await takeWindow(reading, file, window);
}

async function takeWindow(reading: Reading, file: File, window: LineWindow): Promise<void> {
  await takeParts(reading, file.parser.parse(window));
}

async function takeParts(reading: Reading, parts: Iterable<SavedPart>): Promise<void> {
  for (const part of parts) {
    if (part.kind === 'gap') {
      if (!reading.gaps.some((gap) => gap.id === part.gap.id)) reading.gaps = [...reading.gaps, part.gap];
      void say(reading, null);
    } else {
      const heard = say(reading, part);
      if (heard) await heard;
    }
    if (reading.clock.monotonic() - reading.resumed <= SLICE) continue;
    await reading.clock.sleep(0);
    if (reading.signal.aborted) return;
    reading.resumed = reading.clock.monotonic();
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
  for (const { input, parser, progress, isDone } of files) {
    report.bytesTotal =
      input.size === null || report.bytesTotal === null ? null : report.bytesTotal + input.size;
    report.bytesRead += progress.bytesRead;
    report.rows += parser.rows;
    report.bad += parser.bad;
    report.cut += parser.cut;
    report.notText += parser.notText;
    if (isDone) report.filesRead++;
    report.span = joinedSpan(report.span, parser.span);
  }
  return { ...report, status, gaps, troubles };
}
