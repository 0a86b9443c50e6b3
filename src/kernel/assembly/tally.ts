// Sums over rows of columns: of groups, a chunk after the other, and of all rows of a run.

/** Rows of a chunk. */
export const ROWS: i32 = 1 << 14;

/** A row each: its state, a byte; the number of its group, 32 bits; its time, a float; the others as wide as is said. */
export const STATES: i32 = 1024;
export const GROUPS: i32 = STATES + ROWS;
export const TIMES: i32 = GROUPS + ROWS * 4;
export const SIZES: i32 = TIMES + ROWS * 8;
export const CACHES: i32 = SIZES + ROWS * 8;
export const STATUSES: i32 = CACHES + ROWS * 4;
/** For each code of a cache status who served it, for each of a status whether it is an error: a byte each, see below. */
export const TABLES: i32 = STATUSES + ROWS * 4;

/** Where the sums of a group stand, all of them floats: one run a group is one cache line. */
export const COUNT: i32 = 0;
export const BYTES: i32 = 8;
export const FIRST: i32 = 16;
export const LAST: i32 = 24;
export const HITS: i32 = 32;
export const ERRORS: i32 = 40;
export const MISSES: i32 = 48;
export const WIDTH: i32 = 64;

/** Where `sum` leaves its sums, all of them floats. */
export const TRAFFIC: i32 = 64;
const REQUESTS: i32 = 0;
const REQUEST_BYTES: i32 = 1;
const EDGE_REQUESTS: i32 = 2;
const EDGE_BYTES: i32 = 3;
const ORIGIN_REQUESTS: i32 = 4;
const ORIGIN_BYTES: i32 = 5;
const FAILURES: i32 = 6;

/** What the tables say; other numbers are none of it. */
const EDGE: u8 = 2;
const ORIGIN: u8 = 3;
const ERROR: u8 = 2;

/** No answer is larger than this, bytes. */
declare const mostBytes: f64;

/**
 * Adds the rows of which the state has `bits` of `mask` to the sums of their groups. `sides`, `errors` and `sums`: where
 * these stand. Sizes are floats, or else numbers of 32 bits; a code takes `1 << width` bytes.
 */
export function add(
  mask: i32,
  bits: i32,
  sides: i32,
  cacheWidth: i32,
  errors: i32,
  statusWidth: i32,
  isFloat: bool,
  sums: i32,
): void {
  for (let row = 0; row < ROWS; row++) {
    if ((load<u8>(STATES + row) & mask) !== bits) continue;
    const group = sums + load<i32>(GROUPS + (row << 2)) * WIDTH;
    const time = load<f64>(TIMES + (row << 3));
    const size = isFloat ? load<f64>(SIZES + (row << 3)) : (load<u32>(SIZES + (row << 2)) as f64);
    const side = load<u8>(sides + codeAt(CACHES, row, cacheWidth));
    const error = load<u8>(errors + codeAt(STATUSES, row, statusWidth));
    const count = load<f64>(group, COUNT);
    const isFirst = count === 0;
    store<f64>(group, count + 1, COUNT);
    store<f64>(group, load<f64>(group, BYTES) + counted(size), BYTES);
    store<f64>(group, isFirst ? time : min(load<f64>(group, FIRST), time), FIRST);
    store<f64>(group, isFirst ? time : max(load<f64>(group, LAST), time), LAST);
    store<f64>(group, load<f64>(group, HITS) + ((side === EDGE) as f64), HITS);
    store<f64>(group, load<f64>(group, MISSES) + ((side === ORIGIN) as f64), MISSES);
    store<f64>(group, load<f64>(group, ERRORS) + ((error === ERROR) as f64), ERRORS);
  }
}

/** Adds up those of the first `rows` rows of which the state has the bit; the rest as for `add`. */
export function sum(
  rows: i32,
  bit: i32,
  sides: i32,
  cacheWidth: i32,
  errors: i32,
  statusWidth: i32,
  isFloat: bool,
): void {
  let requests: i32 = 0;
  let edgeRequests: i32 = 0;
  let originRequests: i32 = 0;
  let failures: i32 = 0;
  let bytes: f64 = 0;
  let edgeBytes: f64 = 0;
  let originBytes: f64 = 0;
  for (let row = 0; row < rows; row++) {
    if ((load<u8>(STATES + row) & bit) === 0) continue;
    const size = counted(isFloat ? load<f64>(SIZES + (row << 3)) : (load<u32>(SIZES + (row << 2)) as f64));
    const side = load<u8>(sides + codeAt(CACHES, row, cacheWidth));
    requests++;
    bytes += size;
    if (side === EDGE) {
      edgeRequests++;
      edgeBytes += size;
    } else if (side === ORIGIN) {
      originRequests++;
      originBytes += size;
    }
    if (load<u8>(errors + codeAt(STATUSES, row, statusWidth)) === ERROR) failures++;
  }
  put(REQUESTS, requests as f64);
  put(REQUEST_BYTES, bytes);
  put(EDGE_REQUESTS, edgeRequests as f64);
  put(EDGE_BYTES, edgeBytes);
  put(ORIGIN_REQUESTS, originRequests as f64);
  put(ORIGIN_BYTES, originBytes);
  put(FAILURES, failures as f64);
}

function put(place: i32, value: f64): void {
  store<f64>(TRAFFIC + (place << 3), value);
}

/** As `countedBytes` has it. */
function counted(size: f64): f64 {
  return size > 0 && size <= mostBytes ? trunc(size) : 0;
}

function codeAt(codes: i32, row: i32, width: i32): i32 {
  if (width === 0) return load<u8>(codes + row);
  return width === 1 ? load<u16>(codes + (row << 1)) : load<i32>(codes + (row << 2));
}
