import { MASK } from '../../../text/mask.ts';
import { type LogRecord, TEXT_NAMES, type TextName } from '../../log.ts';
import type { CauseOf } from '../../origin-cause.ts';
import { ArenaDictionary } from '../dictionary/arena-dictionary.ts';
import { Dictionary } from '../dictionary/dictionary.ts';
import { type CodedRows, ID_BYTES, recordOfColumns } from './coded-rows.ts';
import {
  CHUNK_BITS,
  CHUNK_MASK,
  CHUNK_ROWS,
  CodedColumn,
  codeStatuses,
  interned,
  NumberColumn,
  STATUSES,
} from './value-columns.ts';

/** Hex digits of a packed id. */
const ID_DIGITS = ID_BYTES * 2;

/** The value of each lower-case hex digit by character code; -1 for anything else. */
const DIGIT_VALUES = Int8Array.from({ length: 256 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code)),
);

/** Room for an id of 32 UTF-16 units of three bytes each. */
const scratch = Buffer.alloc(ID_DIGITS * 3);

/**
 * Request ids: nearly all differ, so they take 16 bytes each instead of a dictionary. An id that is not 32 lower-case hex digits is
 * kept as a text in `odd`.
 */
class RequestIdColumn {
  readonly packed: Buffer[] = [];
  readonly odd = new CodedColumn<string>(new ArenaDictionary());

  /** True when the id was packed; the caller keeps that bit for `value`. */
  put(slot: number, id: string | null): boolean {
    if (id !== null && id.length === ID_DIGITS && pack(id, this.#chunk(slot), (slot & CHUNK_MASK) * ID_BYTES))
      return true;
    this.odd.put(slot, id);
    return false;
  }

  /** Puts the packed bytes of ids into slots of one chunk from `slot` on. */
  putPacked(slot: number, ids: Uint8Array, from: number, to: number): void {
    this.#chunk(slot).set(ids.subarray(from * ID_BYTES, to * ID_BYTES), (slot & CHUNK_MASK) * ID_BYTES);
  }

  value(slot: number, isPacked: boolean): string | null {
    if (!isPacked) return this.odd.value(slot);
    const at = (slot & CHUNK_MASK) * ID_BYTES;
    return this.#chunk(slot).toString('hex', at, at + ID_BYTES);
  }

  addChunk(): void {
    this.packed.push(Buffer.from(new ArrayBuffer(CHUNK_ROWS * ID_BYTES)));
    this.odd.addChunk();
  }

  /** Visits the rows of a chunk whose packed id contains this needle of lower-case hex. */
  eachContaining(chunk: number, needle: string, visit: (row: number) => void): void {
    const text = (this.packed[chunk] as Buffer).toString('hex');
    for (let at = text.indexOf(needle); at >= 0; ) {
      const end = (Math.floor(at / ID_DIGITS) + 1) * ID_DIGITS;
      const isInside = at + needle.length <= end;
      if (isInside) visit(end / ID_DIGITS - 1);
      at = text.indexOf(needle, isInside ? end : at + 1);
    }
  }

  #chunk(slot: number): Buffer {
    return this.packed[slot >>> CHUNK_BITS] as Buffer;
  }
}

/** Packs an id of 32 lower-case hex digits; false for any other id, with `into` overwritten in part. */
function pack(id: string, into: Uint8Array, from: number): boolean {
  if (scratch.write(id) !== ID_DIGITS) return false;
  for (let i = 0; i < ID_BYTES; i++) {
    const high = DIGIT_VALUES[scratch[2 * i] as number] as number;
    const low = DIGIT_VALUES[scratch[2 * i + 1] as number] as number;
    if ((high | low) < 0) return false;
    into[from + i] = (high << 4) | low;
  }
  return true;
}

/** Bits of a row's state. */
export const LIVE = 1;
export const LATE = 2;
export const MATCHES = 4;
export const HELD = 8;
export const FOUND = 16;
const PACKED_ID = 32;
/** The filter's answer; the row matches once its block is decided, too. */
export const PASSES = 64;

/** A row in the time that groups count; set by who counts them, while they do. */
export const COUNTED = 128;

/** Most slots: a row's id is generation * SLOTS + slot, always below 2^53. */
const SLOTS = 2 ** 26;

/** Consecutive slots of one chunk. */
type SlotRun = { slot: number; count: number };

/** Chooses the rows whose state has exactly `bits` of `mask`. */
export type RowChoice = { mask: number; bits: number };

export function isChosen(state: number, { mask, bits }: RowChoice): boolean {
  return (state & mask) === bits;
}

/** Bits that say whether a row is in the view. */
export const IN_VIEW = { mask: LIVE | MATCHES | HELD, bits: LIVE | MATCHES };
export const IN_BOOK = { mask: LIVE, bits: LIVE };

/** `few`: at most a hundred thousand values in any log; `many`: as many as clients invent. */
const few = () => new CodedColumn<string>(new Dictionary<string>());
const many = () => new CodedColumn<string>(new ArenaDictionary());

/**
 * The rows of a book by column, a slot each. Slots are reused, and a generation keeps row ids unique for ever. Slots
 * have no order: see LogOrder.
 */
export class LogColumns {
  readonly coded = {
    pullZoneId: few(),
    cacheStatus: few(),
    statusCode: new CodedColumn<number>(new Dictionary<number>()),
    edgeLocation: few(),
    scheme: few(),
    host: few(),
    path: many(),
    /** Null where the URL is scheme://host + path, as it nearly always is. */
    url: many(),
    remoteIp: many(),
    countryCode: few(),
    userAgent: many(),
    referer: many(),
    ja4Fingerprint: many(),
    asn: few(),
    asnOrganization: few(),
    contentRange: many(),
    authorizationHeader: few(),
    raw: many(),
  };
  readonly bytesSent = new NumberColumn();
  readonly bodyBytesSent = new NumberColumn();
  readonly requestId = new RequestIdColumn();
  readonly times: Float64Array[] = [];
  readonly states: Uint8Array[] = [];
  readonly #generations: Uint32Array[] = [];
  readonly #all = Object.values(this.coded) as CodedColumn<string | number>[];
  readonly #free: number[] = [];
  /** Codes by status, of one batch after the other. */
  readonly #statuses = new Uint32Array(STATUSES);
  /** All slots ever used are below it. */
  limit = 0;

  /** Adds a row and returns its slot. A timestamp of NaN counts as 0: every row needs a place in the order. */
  add(record: LogRecord, isLate: boolean): number {
    const slot = this.#free.pop() ?? this.#grow();
    const at = slot >>> CHUNK_BITS;
    const row = slot & CHUNK_MASK;
    (this.times[at] as Float64Array)[row] = sortableTime(record.timestamp);
    const generations = this.#generations[at] as Uint32Array;
    generations[row] = (generations[row] as number) + 1;
    const c = this.coded;
    c.pullZoneId.put(slot, record.pullZoneId);
    c.cacheStatus.put(slot, record.cacheStatus);
    c.statusCode.put(slot, record.statusCode);
    c.edgeLocation.put(slot, record.edgeLocation);
    c.scheme.put(slot, record.scheme);
    c.host.put(slot, record.host);
    c.path.put(slot, record.path);
    if (!isDerivedUrl(record)) c.url.put(slot, record.url);
    c.remoteIp.put(slot, record.remoteIp);
    c.countryCode.put(slot, record.countryCode);
    c.userAgent.put(slot, record.userAgent);
    c.referer.put(slot, record.referer);
    c.ja4Fingerprint.put(slot, record.ja4Fingerprint);
    c.asn.put(slot, record.asn);
    c.asnOrganization.put(slot, record.asnOrganization);
    c.contentRange.put(slot, record.contentRange);
    c.authorizationHeader.put(slot, record.authorizationHeader);
    c.raw.put(slot, record.raw);
    this.bytesSent.put(slot, record.bytesSent);
    this.bodyBytesSent.put(slot, record.bodyBytesSent);
    const isPacked = this.requestId.put(slot, record.requestId);
    (this.states[at] as Uint8Array)[row] = LIVE | (isLate ? LATE : 0) | (isPacked ? PACKED_ID : 0);
    return slot;
  }

  /** Adds these rows, as `add` would add their records; returns where they are, in their order. */
  addCoded(rows: CodedRows, late: Readonly<Uint8Array> | null): readonly SlotRun[] {
    const runs = this.#slotsFor(rows.count);
    const known = rows.texts.map((coded, place) =>
      coded === null ? null : interned(this.#textsOf(place), rows, coded),
    );
    const statuses = this.#statuses;
    codeStatuses(this.coded.statusCode, rows, statuses);
    let from = 0;
    for (const { slot, count } of runs) {
      const to = from + count;
      this.#putPlain(rows, late, slot, from, to);
      this.coded.statusCode.putCodes(slot, rows.statuses, from, to, statuses);
      for (let place = 0; place < known.length; place++) {
        const [coded, codes] = [rows.texts[place], known[place]];
        if (coded && codes) this.#textsOf(place).putCodes(slot, coded.codes, from, to, codes);
      }
      from = to;
    }
    return runs;
  }

  /** So many slots: those that were freed last, then new ones. */
  #slotsFor(count: number): SlotRun[] {
    const runs: SlotRun[] = [];
    for (const slot of this.#free.splice(Math.max(0, this.#free.length - count))) {
      const last = runs.at(-1);
      if (last && last.slot + last.count === slot && (slot & CHUNK_MASK) !== 0) last.count++;
      else runs.push({ slot, count: 1 });
    }
    let left = count - runs.reduce((sum, run) => sum + run.count, 0);
    while (left > 0) {
      if ((this.limit & CHUNK_MASK) === 0) this.#addChunk();
      const run = { slot: this.limit, count: Math.min(left, CHUNK_ROWS - (this.limit & CHUNK_MASK)) };
      runs.push(run);
      this.limit += run.count;
      left -= run.count;
    }
    return runs;
  }

  /** Puts all but the texts of the rows `from` to `to` into slots of one chunk from `slot` on. */
  #putPlain(
    rows: CodedRows,
    late: Readonly<Uint8Array> | null,
    slot: number,
    from: number,
    to: number,
  ): void {
    const at = slot >>> CHUNK_BITS;
    const row = slot & CHUNK_MASK;
    const times = this.times[at] as Float64Array;
    const generations = this.#generations[at] as Uint32Array;
    const states = this.states[at] as Uint8Array;
    this.requestId.putPacked(slot, rows.ids, from, to);
    this.bytesSent.putAll(slot, rows.sent, from, to);
    if (rows.bodies !== null) this.bodyBytesSent.putAll(slot, rows.bodies, from, to);
    for (let i = from; i < to; i++) {
      times[row + i - from] = rows.times[i] as number;
      generations[row + i - from] = (generations[row + i - from] as number) + 1;
      const isLate = late !== null && late[i] === 1;
      states[row + i - from] = LIVE | (rows.hasId[i] === 0 ? 0 : PACKED_ID) | (isLate ? LATE : 0);
      if (rows.bodies === null) this.bodyBytesSent.put(slot + i - from, null);
      if (rows.authorized?.[i]) this.coded.authorizationHeader.put(slot + i - from, MASK);
    }
  }

  #textsOf(place: number): CodedColumn<string> {
    const column = TEXT_NAMES[place] as TextName;
    return column === 'requestId' ? this.requestId.odd : this.coded[column];
  }

  /** Approximate memory of all texts, each counted once. */
  get textBytes(): number {
    return this.#all.reduce(
      (sum, { dictionary }) => sum + dictionary.bytes,
      this.requestId.odd.dictionary.bytes,
    );
  }

  get hasFreeSlots(): boolean {
    return this.#free.length > 0;
  }

  /** Column by column, so that what frees a code stays at hand. */
  removeAll(slots: readonly number[]): void {
    for (const slot of slots) (this.states[slot >>> CHUNK_BITS] as Uint8Array)[slot & CHUNK_MASK] = 0;
    for (const column of this.#all) column.dropAll(slots);
    this.requestId.odd.dropAll(slots);
    for (const slot of slots) this.#free.push(slot);
  }

  /** Why the origin failed the row of a slot, by the known origin errors. */
  told(slot: number, causeOf: CauseOf): string | null {
    return causeOf(this.coded.statusCode.value(slot) ?? 0, () => this.record(slot));
  }

  record(slot: number): LogRecord {
    const c = this.coded;
    const textOf = (name: TextName) => (name === 'requestId' ? this.idOfRequest(slot) : c[name].value(slot));
    return recordOfColumns(textOf, {
      timestamp: this.time(slot),
      statusCode: c.statusCode.value(slot) ?? 0,
      bytesSent: this.bytesSent.value(slot) ?? 0,
      bodyBytesSent: this.bodyBytesSent.value(slot),
      authorizationHeader: c.authorizationHeader.value(slot),
      raw: c.raw.value(slot),
    });
  }

  url(slot: number): string {
    const c = this.coded;
    return c.url.value(slot) ?? `${c.scheme.value(slot)}://${c.host.value(slot)}${c.path.value(slot)}`;
  }

  idOfRequest(slot: number): string | null {
    return this.requestId.value(slot, (this.state(slot) & PACKED_ID) !== 0);
  }

  hasPackedId(slot: number): boolean {
    return (this.state(slot) & PACKED_ID) !== 0;
  }

  time(slot: number): number {
    return (this.times[slot >>> CHUNK_BITS] as Float64Array)[slot & CHUNK_MASK] as number;
  }

  state(slot: number): number {
    return (this.states[slot >>> CHUNK_BITS] as Uint8Array)[slot & CHUNK_MASK] as number;
  }

  setState(slot: number, state: number): void {
    (this.states[slot >>> CHUNK_BITS] as Uint8Array)[slot & CHUNK_MASK] = state;
  }

  clearAll(bit: number): void {
    for (const states of this.states) {
      for (let row = 0; row < CHUNK_ROWS; row++) states[row] = (states[row] as number) & ~bit;
    }
  }

  /** Sets a bit of a chunk's rows from this time on, and clears it of the others. */
  markSince(chunk: number, since: number, bit: number): void {
    const [states, times] = [this.states[chunk] as Uint8Array, this.times[chunk] as Float64Array];
    for (let row = 0; row < CHUNK_ROWS; row++) {
      const state = states[row] as number;
      states[row] = (times[row] as number) >= since ? state | bit : state & ~bit;
    }
  }

  /** Slots of a chunk ever used. */
  rowsUsed(chunk: number): number {
    return Math.min(CHUNK_ROWS, this.limit - (chunk << CHUNK_BITS));
  }

  idOf(slot: number): number {
    return this.#generation(slot) * SLOTS + slot;
  }

  /** The slot of a row that is still kept, else -1. */
  slotOf(id: number): number {
    const slot = id % SLOTS;
    if (!(slot < this.limit) || this.#generation(slot) !== Math.floor(id / SLOTS)) return -1;
    return (this.state(slot) & LIVE) === 0 ? -1 : slot;
  }

  #generation(slot: number): number {
    return (this.#generations[slot >>> CHUNK_BITS] as Uint32Array)[slot & CHUNK_MASK] as number;
  }

  #grow(): number {
    if ((this.limit & CHUNK_MASK) === 0) this.#addChunk();
    return this.limit++;
  }

  #addChunk(): void {
    this.times.push(new Float64Array(CHUNK_ROWS));
    this.states.push(new Uint8Array(CHUNK_ROWS));
    this.#generations.push(new Uint32Array(CHUNK_ROWS));
    for (const column of this.#all) column.addChunk();
    this.bytesSent.addChunk();
    this.bodyBytesSent.addChunk();
    this.requestId.addChunk();
  }
}

export function sortableTime(time: number): number {
  return Number.isNaN(time) ? 0 : time;
}

export function isDerivedUrl(r: LogRecord): boolean {
  const { url, scheme, host, path } = r;
  return (
    url.length === scheme.length + 3 + host.length + path.length &&
    url.endsWith(path) &&
    url.startsWith(scheme) &&
    url.startsWith('://', scheme.length) &&
    url.startsWith(host, scheme.length + 3)
  );
}
