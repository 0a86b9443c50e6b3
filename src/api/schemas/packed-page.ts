import type { LogRecord } from '../../domain/log.ts';
import { bufferOf, type CodedRows } from '../../domain/logs/columns/coded-rows.ts';
import { withoutSecrets } from '../../domain/logs/columns/masked-rows.ts';
import { createRowCoder, keptRows } from '../../domain/logs/columns/row-coder.ts';
import { parseJson } from '../http/json.ts';
import { textOfUtf8 } from '../http/response.ts';
import { logRecordOf } from './log-row.ts';
import { createJsonPacker } from './packed-log.ts';

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const CLOSING = 0x7d;
const CLOSING_LIST = 0x5d;

/** Bytes packed between two pauses for keys: four milliseconds, and most of the rows that a batch may have. */
const TURN = 1 << 21;

/** What stands before the rows in the body of an answer. */
const HEAD = Buffer.from('"data":[');

/** The rows of an answer in the server's order, and the JSON around them. */
type PackedPage = { rows: (LogRecord | CodedRows)[]; around: unknown };

export type PageOptions = {
  /** Of a row without a time of its own that is the first, Unix ms. */
  near: number;
  /** More rows than this are not read. */
  most: number;
  /** Masks the key in use if a server echoes it. */
  scrub: (text: string) => string;
  rest: () => Promise<void>;
};

/** Arrays of some megabytes, which are empty between two turns. */
let shared: { coder: ReturnType<typeof createRowCoder>; pack: ReturnType<typeof createJsonPacker> } | null =
  null;

/**
 * The rows of a long answer, read from its bytes in turns: those of a plain shape coded, others as records, as
 * `logRecordOf` makes them. Null: it has another form, is no JSON, has too many rows or echoes the key, and is to be
 * parsed as any other.
 */
export async function packedPage(bytes: Buffer, o: PageOptions): Promise<PackedPage | null> {
  const head = bytes.indexOf(HEAD);
  const first = head + HEAD.length;
  if (head < 0 || bytes[first] !== BRACE) return null;
  const list = await packedRows(bytes, first, o);
  if (list === null) return null;
  const { rows, end } = list;
  const text = textOfUtf8(Buffer.concat([bytes.subarray(0, first), bytes.subarray(end)]));
  // What is named twice is the last of the two.
  if (text === null || text.indexOf('"data"') !== text.lastIndexOf('"data"')) return null;
  try {
    const around = parseJson(o.scrub(text));
    const { data } = around as { data?: unknown };
    return Array.isArray(data) && data.length === 0 ? { rows, around } : null;
  } catch {
    return null;
  }
}

/** The rows of a list of which the first begins here, and the place of its bracket. */
async function packedRows(
  bytes: Buffer,
  first: number,
  { near, most, scrub, rest }: PageOptions,
): Promise<{ rows: (LogRecord | CodedRows)[]; end: number } | null> {
  shared ??= { coder: createRowCoder(TURN), pack: createJsonPacker() };
  const { coder, pack } = shared;
  const input = coder.rows.bytes;
  const rows: (LogRecord | CodedRows)[] = [];
  let count = 0;
  let before = near;

  /** The batch so far is full or ends: false where a text of it may echo the key. */
  function flush(): boolean {
    if (coder.rows.count === 0) return true;
    before = coder.rows.times[coder.rows.count - 1] as number;
    const batch = keptRows(withoutSecrets(coder.finished()));
    coder.begin();
    rows.push(batch);
    const texts = [bufferOf(batch.ids).toString('hex'), bufferOf(batch.bytes).toString('latin1')];
    return texts.every((text) => scrub(text) === text);
  }

  function takeRecord(of: Buffer): boolean {
    const text = textOfUtf8(of);
    if (text === null || !flush()) return false;
    try {
      const record = logRecordOf(parseJson(scrub(text)), before);
      if (record.raw === null) before = record.timestamp;
      rows.push(record);
      return true;
    } catch {
      return false;
    }
  }

  for (let from = first; ; ) {
    const size = Math.min(TURN - 1, bytes.length - from);
    bytes.copy(input, 0, from, from + size);
    input[size] = NEWLINE;
    coder.begin();
    let at = 0;
    while (at < size && coder.rows.count < coder.rows.capacity) {
      let end = pack(coder.rows, at, size);
      const isPlain = end >= 0;
      if (isPlain) coder.rows.count++;
      // Cut by the end of the input, or another row.
      else end = objectEnd(input, at, size);
      if (end < 0 && at > 0) break;
      if (end < 0) end = objectEnd(bytes, from, bytes.length) - from;
      if (end < 0 || count === most) return null;
      count += 1;
      if (!isPlain && !takeRecord(bytes.subarray(from + at, from + end))) return null;
      const sign = bytes[from + end];
      if (sign === CLOSING_LIST) return flush() ? { rows, end: from + end } : null;
      if (sign !== COMMA) return null;
      at = end + 1;
    }
    if (at === 0 || !flush()) return null;
    from += at;
    await rest();
  }
}

/** The place behind the object that begins here; -1 = there is none, or it does not end before `to`. */
function objectEnd(bytes: Buffer, from: number, to: number): number {
  if (bytes[from] !== BRACE) return -1;
  let depth = 0;
  for (let at = from; at < to; at++) {
    const sign = bytes[at];
    if (sign === BRACE) depth += 1;
    else if (sign === CLOSING) {
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (sign === QUOTE) {
      for (at += 1; bytes[at] !== QUOTE; at++) {
        if (at >= to) return -1;
        if (bytes[at] === BACKSLASH) at += 1;
      }
    }
  }
  return -1;
}
