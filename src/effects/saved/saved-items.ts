import type { LogRecord } from '../../domain/log.ts';
import { recordsOf } from '../../domain/logs/log-rows.ts';
import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import type { Clock } from '../../time/clock.ts';
import { loopTurns } from '../../time/turns.ts';
import type { Ahead } from './saved-ahead.ts';
import { bytesOf } from './saved-bytes.ts';
import { newProgress, type ReadProgress, type SavedInput } from './saved-input.ts';
import { LineCutter, type LineWindow } from './saved-lines.ts';
import { LinePacker } from './saved-packer.ts';
import { joinedSpan, partsAhead, SavedParser, type SavedPart } from './saved-parse.ts';

export type SavedItem = { kind: 'row'; record: LogRecord } | { kind: 'gap'; gap: Gap };

/**
 * An input being read, and what is known of it. Its rows come as batches of items, or as parts whose memory is used again once the next is asked
 * for; those of other inputs are asked for once its own are read.
 */
export type SavedStream = {
  input: SavedInput;
  progress: ReadProgress;
  parser: SavedParser;
  batches: AsyncGenerator<SavedItem[]>;
  parts: AsyncGenerator<SavedPart>;
};

/**
 * How inputs are read. `near`: the time of rows before the first one with a time, Unix ms. `most`: bytes that each
 * may unpack to, where nobody looks at the result: half a line at the end of a truncated input is then no item. `ahead`: threads
 * that read the parts of large files.
 */
type Reading = { clock: Clock; near: number; signal: AbortSignal; most?: number; ahead?: Ahead | null };

/**
 * Reads inputs in batches of some thousand items. Ask them one at a time: their lines are parsed in the same memory.
 */
export function openStreams(inputs: readonly SavedInput[], how: Reading): SavedStream[] {
  const packer = new LinePacker();
  const turn = loopTurns(how.clock);
  return inputs.map((input) => {
    const progress = newProgress(how.most);
    const parser = new SavedParser(how.near, packer);
    const turns = { turn, ...how };
    const batches = batchesOf(windowsOf(input, progress, turns), parser, turns);
    const stream = { input, progress, parser };
    return { ...stream, batches, parts: partsOf(stream, turns) };
  });
}

/**
 * The items of all streams merged by time, in batches. Each stream should be in order; one that is not keeps its own.
 */
export async function* merged(streams: readonly SavedStream[]): AsyncGenerator<SavedItem[]> {
  const [only] = streams;
  if (only && streams.length === 1) {
    yield* only.batches;
    return;
  }
  const heads: Head[] = [];
  for (const stream of streams) heads.push(await nextHead(stream, []));
  for (;;) {
    const open = heads.filter((head) => head.items.length > head.at);
    const first = open.reduce<Head | null>(
      (best, head) => (best && timeAt(best) <= timeAt(head) ? best : head),
      null,
    );
    if (first === null) return;
    const others = open.filter((head) => head !== first);
    const until = others.reduce((least, head) => Math.min(least, timeAt(head)), Number.POSITIVE_INFINITY);
    const from = first.at;
    do first.at++;
    while (first.at < first.items.length && timeAt(first) <= until);
    yield first.items.slice(from, first.at);
    if (first.at === first.items.length) Object.assign(first, await nextHead(first.stream, first.items));
  }
}

/** The time span of files that can be read again; null without rows. */
export async function itemSpan(inputs: readonly SavedInput[], how: Reading): Promise<TimeRange | null> {
  let span: TimeRange | null = null;
  const packer = new LinePacker();
  const turn = loopTurns(how.clock);
  for (const input of inputs) {
    const parser = new SavedParser(how.near, packer);
    for await (const window of windowsOf(input, newProgress(), { turn, ...how })) {
      for (const _part of parser.parse(window)) {
        await turn();
        if (how.signal.aborted) return null;
      }
      // Even where a window has no part, as one of blank lines.
      await turn();
    }
    span = joinedSpan(span, parser.span);
  }
  return span;
}

type Head = { stream: SavedStream; items: SavedItem[]; at: number };

/** `before` keeps its place when the stream has ended. */
async function nextHead(stream: SavedStream, before: SavedItem[]): Promise<Head> {
  for (;;) {
    const { value, done } = await stream.batches.next();
    if (done === true) return { stream, items: before, at: before.length };
    if (value.length > 0) return { stream, items: value, at: 0 };
  }
}

function timeAt({ items, at }: Head): number {
  const item = items[at] as SavedItem;
  return item.kind === 'row' ? item.record.timestamp : item.gap.from;
}

/** Bytes of lines that are parsed together where no key waits for them: a text that comes again in them is found once. */
const LARGE_WINDOW = 1 << 18;

type Turns = { turn: () => Promise<void> | undefined; signal: AbortSignal };

/** Whole windows: other inputs are parsed in the same memory before the next batch is asked for. */
async function* batchesOf(
  windows: AsyncIterable<LineWindow>,
  parser: SavedParser,
  { turn, signal }: Turns,
): AsyncGenerator<SavedItem[]> {
  for await (const window of windows) {
    const items: SavedItem[] = [];
    for (const part of parser.parse(window)) {
      if (part.kind === 'gap') items.push(part);
      else for (const record of recordsOf(part.rows)) items.push({ kind: 'row', record });
      await turn();
      if (signal.aborted) return;
    }
    // Even where a window has no part, as one of blank lines.
    await turn();
    yield items;
  }
}

async function* partsOf(
  { input, progress, parser }: Pick<SavedStream, 'input' | 'progress' | 'parser'>,
  how: Turns & Reading,
): AsyncGenerator<SavedPart> {
  const { turn, signal, ahead = null } = how;
  async function* inTurns(parts: Iterable<SavedPart>): AsyncGenerator<SavedPart> {
    for (const part of parts) {
      yield part;
      await turn();
      if (signal.aborted) return;
    }
    // Even where there is no part, as of blank lines.
    await turn();
  }
  const pieces = ahead?.of(input) ?? null;
  if (pieces !== null)
    for await (const parts of partsAhead(pieces, { parser, progress }, how)) yield* inTurns(parts);
  if (progress.trouble !== null) return;
  for await (const window of windowsOf(input, progress, how, LARGE_WINDOW))
    yield* inTurns(parser.parse(window));
}

async function* windowsOf(
  input: SavedInput,
  progress: ReadProgress,
  { turn, signal }: Turns,
  size?: number,
): AsyncGenerator<LineWindow> {
  const cutter = new LineCutter(size);
  for await (const chunk of bytesOf(input, progress, signal)) {
    yield* cutter.feed(chunk);
    // Even where no line ends.
    await turn();
    if (signal.aborted) return;
  }
  if (progress.trouble === null || progress.most === undefined) yield* cutter.end();
}
