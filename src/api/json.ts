/** An integer of 16 digits or more, or an exponent, where a JSON value can stand: what a double may not hold. */
const MAYBE_INEXACT = /[:[,]\s*-?(?:\d{16,}(?:\.\d+)?|\d[\d.]*[eE][+-]?\d+)\s*[,}\]]/;
const INTEGER = /^-?\d+$/;

/**
 * JSON with exact numbers: an integer beyond 2^53, or a number too large for a double, becomes the string of its
 * digits. Throws SyntaxError for text that is no JSON, RangeError for one nested too deeply to be looked through.
 * The reviver is ten times slower than plain parsing, so only a text that may need it pays for it.
 */
export function parseJson(text: string): unknown {
  return MAYBE_INEXACT.test(text) ? JSON.parse(text, keepExact as Reviver) : JSON.parse(text);
}

/** The source text is newer than the type of the standard library. */
type Reviver = (key: string, value: unknown) => unknown;

function keepExact(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || context.source === undefined || Number.isSafeInteger(value)) return value;
  return INTEGER.test(context.source) || !Number.isFinite(value) ? context.source : value;
}
