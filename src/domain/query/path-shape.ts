import { pageOf } from '../log.ts';

/** Placeholders of varying parts. No other text in `<>` is one. */
const PLACEHOLDERS = ['<n>', '<uuid>', '<hash>', '<date>', '<id>', '<mail>', '<slug>'] as const;

/** A longer shape is cut. */
const LONGEST = 400;
const CUT = '/…';
/** Segments of this length, words joined in this number, and runs of this length are slugs. */
const LONGEST_SEGMENT = 64;
const SLUG_WORDS = 4;
const LONGEST_WORDS = 40;
/** A longer segment is a slug unread: 60 kB of at signs must cost no more than a name. */
const LONGEST_READ = 256;
/** Letters beside digits are a name and its number, unless they are as long as an id. */
const LONGEST_NUMBERED = 20;
const LEAST_HASH = 8;
/** A shorter token is not base64url: its words are folded one by one. */
const LEAST_TOKEN = 16;

/** Kinds of characters, as bits. All beyond ASCII are letters. */
const [LETTER, DIGIT, JOINER, ODD] = [1, 2, 4, 8];
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (/[a-z]/i.test(sign)) return LETTER;
  if (/\d/.test(sign)) return DIGIT;
  return /[-_]/.test(sign) ? JOINER : /[%<@]/.test(sign) ? ODD : 0;
});

/** Scheme and host say where a page is: nothing of them is folded. */
const ORIGIN = /^[a-z][a-z0-9+.-]{0,15}:\/\/[^/]{0,253}(?=\/|$)/i;
const DAY_IN_SEGMENTS = /(?:19|20)\d\d\/(?:0?[1-9]|1[0-2])\/(?:0?[1-9]|[12]\d|3[01])(?=\/|$)/y;
const DAY_IN_WORDS = /(?:19|20)\d\d([-_])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])(?!\d)/y;
const DAY = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-z\u0080-\uffff])/iy;
const VERSION = /^v\d{1,3}(?:(?:alpha|beta|rc)\d{0,3})?$/i;
const HEX = /^(?:[0-9a-f]+|[0-9A-F]+)$/;
const SIZE = /^\d{1,5}x\d{1,5}$/i;
/** Short, with a letter and at most one digit: `mp4` and `7z`, but no `1` of a version. */
const IS_EXTENSION = /^(?=.{1,5}$)(?:[a-z]*\d?[a-z]+|[a-z]+\d|m3u8)$/i;
/** Written as people write words, or digits alone. */
const IS_USUAL = /^(?:[A-Za-z][a-z]*|[A-Z]+|\d+)$/;

const PLACEHOLDER = /<(?:n|uuid|hash|date|id|mail|slug)>/y;
const ESCAPE = /%[0-9a-f]{2}/iy;

/**
 * A path or URL without its query string, and with a placeholder for each part that varies, so that requests of one kind have one
 * text: `/reports/8123/export` and `/reports/8124/export` are `/reports/<n>/export`.
 *
 * - `<n>`: digits, also those at one end of a word (`item12` → `item<n>`) and the sides of a size (`800x600`).
 * - `<date>`: a day, as `2026-11-23`, `2026_11_23`, `20261123` or three segments.
 * - `<uuid>`: hyphens included. `<hash>`: eight hex digits or more in one case, letters among them.
 * - `<id>`: any other word in which letters and digits are mixed, and tokens of base64url.
 * - `<mail>`: an address of mail, its at sign also as `%40`.
 * - `<slug>`: four words or more joined by hyphens, underscores or escapes; words of more than 40 characters, segments of more than 64.
 *
 * Words, versions (`v2`, `v1beta1`), file extensions, percent-escapes, scheme and host stay, as does the case of letters. Nothing is
 * decoded, so that all of a shape but its placeholders stands in the path as well. Beyond 400 characters it ends, at a slash,
 * with `/…`. That of a path that is nothing but a query string is `?`.
 *
 * The shape of a shape is itself. The time is linear in the length.
 */
export function shapeOf(path: string): string {
  const page = pageOf(path);
  if (page.startsWith('?')) return '?';
  const start = page.startsWith('/') ? 0 : (ORIGIN.exec(page)?.[0].length ?? 0);
  let shape = '';
  let done = 0;
  for (let at = start, end = 0; at <= page.length; at = end + 1) {
    end = endOfDay(page, at, start) ?? endOfSegment(page, at);
    const segment = page.slice(at, end);
    const folded = segment.includes('/') ? '<date>' : segmentShape(segment);
    if (folded !== segment) {
      shape += page.slice(done, at) + folded;
      done = end;
    }
    if (shape.length + end - done > LONGEST) return cut(shape + page.slice(done, end));
  }
  return shape + page.slice(done);
}

/**
 * A pattern, `*` any run, of the paths whose shape has this text; a `*` in the text is any run already. It may find
 * more: a text that may be a piece of a placeholder, as `n` is of `<n>`, stands for anything.
 */
export function patternOfShape(text: string): string {
  const pieces = text.split('*').map((piece) => {
    const small = piece.toLowerCase();
    if (PLACEHOLDERS.some((each) => each.includes(small))) return '*';
    return piece.replace(/^[a-z]*>|<[a-z]*(?:>|$)|\u2026/gi, '*');
  });
  return pieces.join('*').replace(/\*+/g, '*');
}

function endOfSegment(page: string, at: number): number {
  const end = page.indexOf('/', at);
  return end < 0 ? page.length : end;
}

/** Where the three segments of a day end; null when none begins here. */
function endOfDay(page: string, at: number, start: number): number | null {
  if (at === start || page[at + 4] !== '/') return null;
  DAY_IN_SEGMENTS.lastIndex = at;
  return DAY_IN_SEGMENTS.test(page) ? DAY_IN_SEGMENTS.lastIndex : null;
}

function cut(shape: string): string {
  return shape.slice(0, shape.lastIndexOf('/', LONGEST - CUT.length)) + CUT;
}

function segmentShape(segment: string): string {
  if (isPlain(segment)) return segment;
  const isRead = segment.length <= LONGEST_READ;
  const text = isRead ? withoutMail(segment) : segment;
  const dot = text.lastIndexOf('.');
  const end = dot >= 0 && IS_EXTENSION.test(text.slice(dot + 1, dot + 7)) ? dot : text.length;
  const folded = isRead ? chunksShape(text.slice(0, end)) : '<slug>';
  const isLong = folded.length + text.length - end > LONGEST_SEGMENT;
  return (isLong ? '<slug>' : folded) + text.slice(end);
}

/** Most segments are plain: letters alone, too few and too short for a slug. */
function isPlain(segment: string): boolean {
  if (segment.length > LONGEST_WORDS) return false;
  let joiners = 0;
  for (let at = 0; at < segment.length; at++) {
    const kind = kindAt(segment, at);
    if ((kind & (DIGIT | ODD)) !== 0) return false;
    if (kind === JOINER && ++joiners === SLUG_WORDS - 1) return false;
  }
  return true;
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < KINDS.length ? (KINDS[code] as number) : LETTER;
}

/** Chunk by chunk: words and what joins them, between signs that stay. */
function chunksShape(text: string): string {
  let shape = '';
  let done = 0;
  for (let at = 0; at < text.length; ) {
    const chunk = chunkAt(text, at);
    if (chunk.end > at) {
      shape += text.slice(done, at) + chunk.shape;
      done = chunk.end;
    }
    at = Math.max(chunk.end, at + 1);
  }
  return shape + text.slice(done);
}

/** The end of a word, a joiner, an escape or a placeholder; `at` itself when none begins here. */
function endOfPart(text: string, at: number): number {
  if (at === text.length) return at;
  switch (kindAt(text, at)) {
    case JOINER:
      return at + 1;
    case ODD: {
      const kept = text[at] === '<' ? PLACEHOLDER : ESCAPE;
      kept.lastIndex = at;
      return kept.test(text) ? kept.lastIndex : at;
    }
    case 0:
      return at;
  }
  let end = at + 1;
  while (end < text.length && (kindAt(text, end) & (LETTER | DIGIT)) !== 0) end++;
  return end;
}

/** The chunk that begins here; an empty one when none does. */
function chunkAt(text: string, from: number): { end: number; shape: string } {
  let shape = '';
  let done = from;
  let parts = 0;
  let at = from;
  for (let end = endOfPart(text, at); end > at; at = end, end = endOfPart(text, at)) {
    parts++;
    if ((kindAt(text, at) & (LETTER | DIGIT)) === 0) continue;
    const whole = wholeAt(text, at, end);
    end = whole?.end ?? end;
    const part = text.slice(at, end);
    const folded = whole?.shape ?? wordShape(part);
    if (folded === part) continue;
    shape += text.slice(done, at) + folded;
    done = end;
  }
  shape += text.slice(done, at);
  if (at - from >= LEAST_TOKEN && isToken(text.slice(from, at))) return { end: at, shape: '<id>' };
  // A part is one word at most: its folded digits separate it from the next.
  const isSlug = shape.length > LONGEST_WORDS || (parts >= SLUG_WORDS && hasManyWords(shape));
  return { end: at, shape: isSlug ? '<slug>' : shape };
}

/** A UUID or a day: begins as the word that ends at `end`, and continues behind it. */
function wholeAt(text: string, at: number, end: number): { end: number; shape: string } | null {
  if ((end - at !== 8 && end - at !== 4) || kindAt(text, end) !== JOINER) return null;
  const [pattern, shape] = end - at === 8 ? [UUID, '<uuid>'] : [DAY_IN_WORDS, '<date>'];
  pattern.lastIndex = at;
  return pattern.test(text) ? { end: pattern.lastIndex, shape } : null;
}

/** Base64url may hold hyphens anywhere: it has letters of both cases and digits, and no part reads as a word. */
function isToken(chunk: string): boolean {
  if (!/[-_]/.test(chunk) || !/[a-z]/.test(chunk) || !/[A-Z]/.test(chunk) || !/^[\w-]+$/.test(chunk))
    return false;
  const words = chunk.split(/[-_]+/);
  return (
    words.every((word) => word.length < 4 || !IS_USUAL.test(word)) &&
    words.some((word) => ['<id>', '<hash>'].includes(wordShape(word)))
  );
}

function wordShape(word: string): string {
  let digits = 0;
  let turns = -1;
  let last = 0;
  for (let at = 0; at < word.length; at++) {
    const kind = kindAt(word, at);
    if (kind === DIGIT) digits++;
    if (kind !== last) turns++;
    last = kind;
  }
  if (digits === 0) return word;
  if (digits === word.length) return numberShape(word);
  if (turns < 4 && VERSION.test(word)) return word;
  if (word.length >= LEAST_HASH && HEX.test(word)) return '<hash>';
  const isNumbered = turns === 1 && word.length < LONGEST_NUMBERED;
  return isNumbered || SIZE.test(word) ? word.replace(/\d+/g, numberShape) : '<id>';
}

function numberShape(digits: string): string {
  return digits.length === 8 && DAY.test(digits) ? '<date>' : '<n>';
}

/** Whether there are as many runs of letters as in a slug. Escapes from %80 on are letters of other scripts. */
function hasManyWords(shape: string): boolean {
  let words = 0;
  let isWord = false;
  for (let at = 0, end = 0; at < shape.length; at = end) {
    end = endOfPart(shape, at);
    const isLetters = shape[at] === '%' ? (shape[at + 1] as string) >= '8' : kindAt(shape, at) === LETTER;
    if (isLetters && !isWord) words++;
    isWord = isLetters;
  }
  return words >= SLUG_WORDS;
}

const AT_SIGN = /@|%40/g;
const IN_LOCAL_PART = /[\w.+%-]/;
const LONGEST_LOCAL_PART = 64;
/** A local part does not begin beside these: what is folded there would make one of its rest. */
const BESIDE_LOCAL_PART = /[<>\u0080-\uffff]/;
/** `icon@2x.png` and `core@12.1.0-beta.next` are no addresses. */
const DOMAIN = /(?!\d+x\.)[a-z0-9-]+(?:\.[a-z][a-z0-9-]*)*\.[a-z]{2,}(?![\w.<>%@\u0080-\uffff-])/iy;

/** A segment of a path with `<mail>` for each address of mail; its at sign may be escaped. The same again leaves it as it is. */
function withoutMail(segment: string): string {
  if (!segment.includes('@') && !segment.includes('%40')) return segment;
  let text = '';
  let done = 0;
  for (const { index, 0: sign } of segment.matchAll(AT_SIGN)) {
    const from = localPartAt(segment, index, done);
    DOMAIN.lastIndex = index + sign.length;
    if (from === null || !DOMAIN.test(segment)) continue;
    text += `${segment.slice(done, from)}<mail>`;
    done = DOMAIN.lastIndex;
  }
  return text + segment.slice(done);
}

/** Where the local part before an at sign begins; null when there is none. */
function localPartAt(segment: string, end: number, least: number): number | null {
  let at = end;
  while (at > least && end - at <= LONGEST_LOCAL_PART && IN_LOCAL_PART.test(segment[at - 1] as string)) at--;
  if (at === end || end - at > LONGEST_LOCAL_PART) return null;
  const isBeside = at === least ? least > 0 : BESIDE_LOCAL_PART.test(segment[at - 1] as string);
  return isBeside ? null : at;
}
