/** An integer of 16 digits or more, or an exponent, where a JSON value can stand: a double may not hold it. */
const MAYBE_INEXACT = /[:[,]\s*-?(?:\d{16,}(?:\.\d+)?|\d[\d.]*[eE][+-]?\d+)\s*[,}\]]/;
const INTEGER = /^-?\d+$/;

/**
 * JSON with exact numbers: an integer beyond 2^53, or a number too large for a double, becomes the string of its
 * digits. Throws SyntaxError for text that is not JSON, RangeError for one nested too deeply. The reviver is ten
 * times slower than plain parsing, so only a text that may need it pays for it.
 */
export function parseJson(text: string): unknown {
  return MAYBE_INEXACT.test(text) ? JSON.parse(text, keepExact as Reviver) : JSON.parse(text);
}

/** The same, or null where that throws. */
export function jsonOrNull(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The `source` of the context is newer than the types of the standard library. */
type Reviver = (key: string, value: unknown) => unknown;

function keepExact(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || context.source === undefined || Number.isSafeInteger(value)) return value;
  return INTEGER.test(context.source) || !Number.isFinite(value) ? context.source : value;
}

/** Characters parsed or skipped between two pauses for keys: a few milliseconds. */
const TURN = 256 * 1024;
/** The depth to which an answer of the API has lists of rows. */
const DEEPEST_LIST = 2;
/** No object around such a list has more members. */
const MOST_MEMBERS = 1_000;

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The same as `parse(text)`, in pieces with a `rest` between them, and only the first `most` items of each list
 * outside of rows; others are skipped. Throws what `parse` throws.
 */
export async function parseInTurns(
  text: string,
  most: number,
  parse: (text: string) => unknown,
  rest: () => Promise<void>,
): Promise<unknown> {
  let at = 0;
  let rested = 0;

  function restNow(): Promise<void> {
    rested = at;
    return rest();
  }

  async function value(depth: number): Promise<unknown> {
    skipSpace();
    const sign = depth > DEEPEST_LIST ? 0 : text.charCodeAt(at);
    if (sign === OPEN_LIST) return list();
    if (sign === OPEN_OBJECT && depth < DEEPEST_LIST) return object(depth);
    const from = at;
    at = endOfValue(text, at);
    return parse(text.slice(from, at));
  }

  async function list(): Promise<unknown[]> {
    const items: unknown[] = [];
    at += 1;
    let from = at;
    for (let held = 0; ; ) {
      const end = endOfValue(text, at);
      const isLast = text.charCodeAt(end) !== COMMA;
      held += 1;
      at = end;
      if (isLast || at - from >= TURN || items.length + held >= most) {
        if (items.length < most) {
          const piece = text.slice(from, at);
          if (items.length > 0 && piece.trim() === '') throw new SyntaxError('an item was expected');
          for (const item of parse(`[${piece}]`) as unknown[]) items.push(item);
        }
        from = at + 1;
        held = 0;
        if (at - rested >= TURN) await restNow();
      }
      at += 1;
      if (!isLast) continue;
      if (text.charCodeAt(end) !== CLOSE_LIST) throw new SyntaxError('a list is not closed');
      return items;
    }
  }

  async function object(depth: number): Promise<unknown> {
    const members: [string, unknown][] = [];
    at += 1;
    skipSpace();
    if (text.charCodeAt(at) === CLOSE_OBJECT) {
      at += 1;
      return {};
    }
    for (;;) {
      skipSpace();
      const from = at;
      if (text.charCodeAt(at) !== QUOTE) throw new SyntaxError('a name was expected');
      at = endOfString(text, at);
      const name = JSON.parse(text.slice(from, at)) as string;
      skipSpace();
      if (text[at] !== ':') throw new SyntaxError('a colon was expected');
      at += 1;
      const member = await value(depth + 1);
      if (members.length < MOST_MEMBERS) members.push([name, member]);
      if (at - rested >= TURN) await restNow();
      skipSpace();
      const sign = text.charCodeAt(at);
      at += 1;
      if (sign === CLOSE_OBJECT) return Object.fromEntries(members);
      if (sign !== COMMA) throw new SyntaxError('an object is not closed');
    }
  }

  function skipSpace(): void {
    while (at < text.length && ' \t\n\r'.includes(text[at] as string)) at += 1;
  }

  const whole = await value(0);
  skipSpace();
  if (at < text.length) throw new SyntaxError('something stands behind the value');
  return whole;
}

/** The end of the value that begins here, or of what encloses it where there is none; the value is not checked. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) {
      at = endOfString(text, at) - 1;
    } else if (sign === OPEN_LIST || sign === OPEN_OBJECT) {
      depth += 1;
    } else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (sign === COMMA && depth === 0) {
      return at;
    }
  }
  if (depth > 0) throw new SyntaxError('a value is cut short');
  return text.length;
}

function endOfString(text: string, from: number): number {
  for (let at = from + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw new SyntaxError('a text is cut short');
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** Whether a list outside of rows has more than `most` items. */
export function hasListBeyond(value: unknown, most: number, depth = 0): boolean {
  if (Array.isArray(value)) return value.length > most;
  if (typeof value !== 'object' || value === null || depth >= DEEPEST_LIST) return false;
  return Object.values(value).some((inner) => hasListBeyond(inner, most, depth + 1));
}
