import { stat } from 'node:fs/promises';
import type { LogRows } from '../../domain/logs/log-rows.ts';
import {
  emptyReport,
  type SavedEvent,
  type SavedReport,
  type SavedTrouble,
} from '../../domain/logs/saved-report.ts';
import type { Gap } from '../../domain/tail/coverage.ts';
import type { Clock } from '../../time/clock.ts';
import { loopTurns } from '../../time/turns.ts';
import type { Ahead, FilePieces } from './saved-ahead.ts';
import { bytesOf } from './saved-bytes.ts';
import {
  closeInputs,
  newProgress,
  openFile,
  type ReadProgress,
  type SavedInput,
  unreadable,
} from './saved-input.ts';
import { LineCutter, type LineWindow } from './saved-lines.ts';
import { LinePacker } from './saved-packer.ts';
import { joinedSpan, partsAhead, SavedParser, type SavedPart } from './saved-parse.ts';

/**
 * Time between two looks at followed files, ms: a longer one shows rows later, a shorter one costs a slow line more.
 */
const LOOK_AGAIN = 150;
/** The same where more than `READABLE` rows come at once: each frame is then another screen, which nobody reads. */
const LOOK_AGAIN_AT_MANY = 200;
const READABLE = 100;

/** Bytes of new data read at once. */
const CHUNK = 1 << 18;

type File = {
  input: SavedInput;
  progress: ReadProgress;
  parser: SavedParser;
  cutter: LineCutter;
  isDone: boolean;
  /** Of the file that is open, once it is known. */
  ino: number | null;
  /** The last look found more of it. */
  isGrowing: boolean;
};

/**
 * Reads saved logs one after the other, in slices so short that a key never waits for more than one; then, with
 * `follow`, what is added to the files. Ends when the signal fires. Never throws.
 */
export async function readSavedLogs({
  inputs,
  follow,
  clock,
  emit,
  signal,
  ahead = null,
}: {
  inputs: readonly SavedInput[];
  follow: boolean;
  clock: Clock;
  /** The reading waits for the promise that it returns. */
  emit: (event: SavedEvent) => void | Promise<void>;
  signal: AbortSignal;
  /** Threads that read ahead; they end with the reading. */
  ahead?: Ahead | null;
}): Promise<void> {
  const packer = new LinePacker();
  const files = inputs.map(
    (input): File => ({
      input,
      progress: newProgress(),
      parser: new SavedParser(clock.now(), packer),
      cutter: new LineCutter(),
      isDone: false,
      ino: null,
      isGrowing: false,
    }),
  );
  const found = new Map<string, Gap>();
  // Replaced when there are more, so that a change is a change of identity.
  let gaps: readonly Gap[] = [];
  let troubles: readonly SavedTrouble[] = [];
  let status: SavedReport['status'] = 'reading';
  /** The buffer for what is read here and not by threads: seven new ones a second would keep the collector busy. */
  let space: Buffer | null = null;
  const turn = loopTurns(clock);

  async function readToEnd(file: File): Promise<void> {
    const { input, progress } = file;
    const pieces = ahead?.of(input) ?? null;
    if (pieces !== null) await readByThreads(pieces, file);
    else
      for await (const chunk of bytesOf(input, progress, signal)) {
        if (signal.aborted) return;
        await take(file, chunk);
      }
    if (signal.aborted) return;
    // A line that is still being written is waited for.
    if (!(follow && isFollowed(file))) for (const window of file.cutter.end()) await takeWindow(file, window);
    file.isDone = true;
    if (progress.trouble !== null) trouble(file, progress.trouble, true);
    else if (progress.bytesRead === 0 && !follow) trouble(file, 'is empty');
    if (follow && progress.isGzip) trouble(file, 'is compressed, and is not followed');
    void say(null);
  }

  async function readByThreads(pieces: FilePieces, file: File): Promise<void> {
    const { progress } = file;
    for await (const parts of partsAhead(pieces, file, { clock, signal })) {
      await takeParts(parts);
      if (signal.aborted) return;
    }
    if (progress.trouble !== null || signal.aborted) return;
    try {
      await readOn(file);
    } catch (error) {
      progress.trouble = unreadable(error);
    }
  }

  /** Reads a file on to where it ends now. */
  async function readOn(file: File): Promise<void> {
    const { input, progress } = file;
    if (input.kind !== 'file') return;
    space ??= Buffer.allocUnsafeSlow(CHUNK);
    for (let isEnd = false; !isEnd; ) {
      const { bytesRead } = await input.handle.read(space, 0, CHUNK, progress.bytesRead);
      if (signal.aborted) return;
      progress.bytesRead += bytesRead;
      await take(file, space.subarray(0, bytesRead));
      isEnd = bytesRead < CHUNK;
    }
  }

  /** Reads what was added to a file; one that became shorter, or is another file, is read from its beginning. */
  async function readWhatCame(file: File): Promise<void> {
    const { input, progress, cutter } = file;
    if (input.kind !== 'file') return;
    try {
      const known = progress.bytesRead;
      // What grew most likely did again, and then its size need not be asked for.
      if (file.isGrowing) await readOn(file);
      if (progress.bytesRead > known) return;
      const there = await stat(input.path).catch(() => null);
      const here = there !== null && there.ino === file.ino ? there : await input.handle.stat();
      file.ino = here.ino;
      if (here.size < progress.bytesRead) {
        trouble(file, 'became shorter, and is read from its beginning');
        progress.bytesRead = 0;
        await replace(file, input.path);
      }
      const before = progress.bytesRead;
      if (here.size > before) await readOn(file);
      file.isGrowing = progress.bytesRead > before;
      // What was written to the old file before it was moved has been read by now.
      if (there !== null && there.ino !== here.ino && !file.isGrowing) {
        for (const window of cutter.end()) await takeWindow(file, window);
        trouble(file, 'was replaced by another file, which is read from its beginning');
        progress.bytesRead = 0;
        await replace(file, input.path);
      }
    } catch (error) {
      if (progress.trouble !== null) return;
      const { code = 'unknown error' } = error as { code?: string };
      progress.trouble = `cannot be followed any further (${code})`;
      trouble(file, progress.trouble, true);
    }
  }

  async function take(file: File, chunk: Buffer): Promise<void> {
    for (const window of file.cutter.feed(chunk)) {
      await takeWindow(file, window);
      if (signal.aborted) return;
    }
    // Even where no line ends.
    await turn();
  }

  async function takeWindow(file: File, window: LineWindow): Promise<void> {
    await takeParts(file.parser.parse(window));
  }

  async function takeParts(parts: Iterable<SavedPart>): Promise<void> {
    for (const part of parts) {
      if (part.kind === 'gap') {
        if (!found.has(part.gap.id)) found.set(part.gap.id, part.gap);
      } else {
        const heard = say(part.rows);
        if (heard) await heard;
      }
      await turn();
      if (signal.aborted) return;
    }
    if (gaps.length < found.size) await say(null);
    // Even where there is no part, as of blank lines.
    await turn();
  }

  function trouble({ input }: File, what: string, isLoss = false): void {
    troubles = [...troubles, { file: input.name, what, isLoss }];
    void say(null);
  }

  function say(rows: LogRows | null): void | Promise<void> {
    if (!signal.aborted) return emit({ rows, report: reportNow() });
  }

  function reportNow(): SavedReport {
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
    if (gaps.length < found.size) gaps = [...found.values()];
    return { ...report, status, gaps, troubles };
  }

  const endThreads = () => ahead?.close();
  signal.addEventListener('abort', endThreads);
  void say(null);
  for (const file of files) {
    await readToEnd(file);
    if (signal.aborted) break;
  }
  await endThreads();
  const followed = follow ? files.filter(isFollowed) : [];
  if (!signal.aborted) {
    status = followed.length > 0 ? 'following' : 'read';
    void say(null);
  }
  for (let pause = LOOK_AGAIN; followed.length > 0 && !signal.aborted; ) {
    await clock.sleep(pause, signal);
    const before = rowsOf(followed);
    for (const file of followed) if (!signal.aborted) await readWhatCame(file);
    pause = rowsOf(followed) - before > READABLE ? LOOK_AGAIN_AT_MANY : LOOK_AGAIN;
  }
  await closeInputs(files.map(({ input }) => input));
}

function rowsOf(files: readonly File[]): number {
  return files.reduce((sum, { parser }) => sum + parser.rows, 0);
}

async function replace(file: File, path: string): Promise<void> {
  if (file.input.kind !== 'file') return;
  const handle = await openFile(path);
  await file.input.handle.close().catch(() => {});
  file.input.handle = handle;
  file.cutter = new LineCutter();
  file.ino = null;
}

function isFollowed({ input, progress }: File): boolean {
  return input.kind === 'file' && input.size !== null && !progress.isGzip;
}
