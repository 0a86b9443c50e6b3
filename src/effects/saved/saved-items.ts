import type { LogRecord } from '../../domain/log.ts';
import { createCodedReader } from '../../domain/logs/columns/coded-rows.ts';
import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import { bytesOf, type ReadProgress, type SavedInput } from './saved-input.ts';
import { LineCutter, type LineWindow } from './saved-lines.ts';
import { LinePacker } from './saved-packer.ts';
import { joinedSpan, SavedParser, type SavedPart } from './saved-parse.ts';

export type SavedItem = { kind: 'row'; record: LogRecord } | { kind: 'gap'; gap: Gap };

/** One input being read, and what is known of it so far. */
export type SavedStream = {
  input: SavedInput;
  progress: ReadProgress;
  parser: SavedParser;
  batches: AsyncGenerator<SavedItem[]>;
};

/** Reads inputs in batches of some thousand items each; holds no more than one of them. */
export function openStreams(inputs: readonly SavedInput[], now: number, signal: AbortSignal): SavedStream[] {
  const packer = new LinePacker();
  return inputs.map((input) => {
    const progress: ReadProgress = { bytesRead: 0, isGzip: false, trouble: null };
    const parser = new SavedParser(now, packer);
    return { input, progress, parser, batches: batchesOf(input, progress, parser, signal) };
  });
}

/**
 * The items of all streams by time, in batches. Each stream is taken to be in order: within one that is not, items
 * keep the order of the file.
 */
export async function* merged(streams: readonly SavedStream[]): AsyncGenerator<SavedItem[]> {
  const [only] = streams;
  if (only && streams.length === 1) {
    yield* only.batches;
    return;
  }
  const heads = await Promise.all(streams.map((stream) => nextHead(stream, [])));
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

/** From the oldest to the newest row of files that can be read again; null when there is none. */
export async function itemSpan(inputs: readonly SavedInput[], now: number): Promise<TimeRange | null> {
  let span: TimeRange | null = null;
  const packer = new LinePacker();
  for (const input of inputs) {
    const parser = new SavedParser(now, packer);
    const cutter = new LineCutter();
    const progress: ReadProgress = { bytesRead: 0, isGzip: false, trouble: null };
    const read = (windows: ReturnType<LineCutter['feed']>) => {
      for (const window of windows) for (const _part of parser.parse(window));
    };
    for await (const chunk of bytesOf(input, progress, new AbortController().signal))
      read(cutter.feed(chunk));
    read(cutter.end());
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

async function* batchesOf(
  input: SavedInput,
  progress: ReadProgress,
  parser: SavedParser,
  signal: AbortSignal,
): AsyncGenerator<SavedItem[]> {
  const cutter = new LineCutter();
  // Whole windows: other inputs are parsed in the same memory before the next batch is asked for.
  const items = (window: LineWindow) => {
    const all: SavedItem[] = [];
    for (const part of parser.parse(window)) for (const item of itemsOf(part)) all.push(item);
    return all;
  };
  for await (const chunk of bytesOf(input, progress, signal))
    for (const window of cutter.feed(chunk)) yield items(window);
  for (const window of cutter.end()) yield items(window);
}

function* itemsOf(part: SavedPart): Generator<SavedItem> {
  if (part.kind === 'gap') yield part;
  else if (part.kind === 'records') for (const record of part.records) yield { kind: 'row', record };
  else {
    const recordOf = createCodedReader(part.rows);
    for (let row = 0; row < part.rows.count; row++) yield { kind: 'row', record: recordOf(row) };
  }
}
