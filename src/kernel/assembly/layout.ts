// Where everything stands in the memory of the kernel: places and sizes in bytes.

/** The most rows of a batch: their numbers must fit 16 bits, its tables the cache of a core, and a book takes them in a ms. */
export const MOST_ROWS: i32 = 1 << 12;

/** The columns of text in the order of TEXT_NAMES (`domain/log`), and called as those. */
export const PULL_ZONE_ID: i32 = 0;
export const REQUEST_ID: i32 = 1;
export const CACHE_STATUS: i32 = 2;
export const EDGE_LOCATION: i32 = 3;
export const SCHEME: i32 = 4;
export const HOST: i32 = 5;
export const PATH: i32 = 6;
export const URL: i32 = 7;
export const REMOTE_IP: i32 = 8;
export const COUNTRY_CODE: i32 = 9;
export const USER_AGENT: i32 = 10;
export const REFERER: i32 = 11;
export const JA4_FINGERPRINT: i32 = 12;
export const ASN: i32 = 13;
export const ASN_ORGANIZATION: i32 = 14;
export const CONTENT_RANGE: i32 = 15;
export const COLUMNS: i32 = 16;

/** For each column how many texts it has. */
export const TEXTS_OF: i32 = 1024;
/** Where the parts of the line end that is being read; one word before them where its first begins, less one. */
export const PART_ENDS: i32 = TEXTS_OF + COLUMNS * 4 + 64;

/**
 * Areas of one column. A table at most half full, so that what is not there is soon found not to be; a code for each
 * row; for each text where it stands, its hash and how many rows have it. Numbers of texts begin with 1.
 */
export const TABLE_SIZE: i32 = MOST_ROWS * 2;
export const TABLE: i32 = 0;
export const CODES: i32 = TABLE + TABLE_SIZE * 4;
export const SPANS: i32 = CODES + MOST_ROWS * 2;
export const HASHES: i32 = SPANS + (MOST_ROWS + 1) * 8;
export const USES: i32 = HASHES + (MOST_ROWS + 1) * 8;
export const COLUMN_SIZE: i32 = USES + (MOST_ROWS + 2) * 4;
export const COLUMN_AREA: i32 = 4096;

/** A row each: what is no text. */
export const TIMES: i32 = COLUMN_AREA + COLUMNS * COLUMN_SIZE;
export const SENT: i32 = TIMES + MOST_ROWS * 8;
export const BODIES: i32 = SENT + MOST_ROWS * 8;
export const IDS: i32 = BODIES + MOST_ROWS * 8;
export const STATUSES: i32 = IDS + MOST_ROWS * 16;
export const HAS_ID: i32 = STATUSES + MOST_ROWS * 2;
export const AUTHORIZED: i32 = HAS_ID + MOST_ROWS;
/** Rows that were packed outside of the kernel: see `PackedRows`. */
export const DERIVED: i32 = AUTHORIZED + MOST_ROWS;
export const PACKED_SPANS: i32 = DERIVED + MOST_ROWS;
export const SPAN_WIDTH: i32 = COLUMNS * 2;
export const NO_SPAN: i32 = -1;

/** Bytes of log lines. Behind them are a few more, since texts are compared by words. */
export const INPUT: i32 = PACKED_SPANS + MOST_ROWS * SPAN_WIDTH * 4 + 64;
export const INPUT_SIZE: i32 = 3 << 19;

/** The texts of a batch, once each; those of a URL and of its parts may be the same bytes of the input. */
export const TEXT: i32 = INPUT + INPUT_SIZE + 64;
export const TEXT_SIZE: i32 = INPUT_SIZE * 2 + 64;

memory.grow(((TEXT + TEXT_SIZE) >> 16) + 1);
