/**
 * The one door for untrusted text. What leaves it can be written into a terminal cell by cell: an allow-list of code
 * points passes, everything else becomes a visible escape, and nothing is deleted, so that two different inputs never
 * look the same.
 */
type SanitiseMode = 'strict' | 'text';

const PLAIN = /^[ -[\]-~]*$/;
const NOT_PLAIN = /[^ -[\]-~]/gu;

/** Scripts written left to right whose letters stand alone in a cell or two; any other script is escaped. */
const LETTERS =
  '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Armenian}\\p{Script=Georgian}' +
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}\\p{Script=Yi}\\u{ac00}-\\u{d7a3}' +
  '\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}' +
  '\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}' +
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Tibetan}\\p{Script=Myanmar}\\p{Script=Khmer}\\p{Script=Ethiopic}' +
  '\\p{Script=Cherokee}\\p{Script=Canadian_Aboriginal}]';

/** Letters that extend a neighbour's cell although Unicode files them under "letter, other". */
const JOINING = '\\u{e33}\\u{eb3}\\u{d4e}';

/** Beyond the basic plane terminals agree about Han alone; the terminal's filter has the same rule. */
const BEYOND = '[[\\u{10000}-\\u{10ffff}]--\\p{Script=Han}]';

/** Modifier letters without which Japanese names cannot be written. */
const JAPANESE_SIGNS = '\\u{3005}\\u{30fc}';

/** Made for the first name that needs it: such a class costs milliseconds of a start. */
let notText: RegExp | null = null;

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Signs in this program's sentences beside letters and ASCII; each is one cell and acts on nothing. */
const OWN_SIGNS = '\\\u2013\u2026\u00b7\u00d7';

const ESCAPE = /\\(?:([\\nrt])|x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{5,6})\})/g;
const SHORT_MEANINGS: Readonly<Record<string, string>> = { '\\': '\\', n: '\n', r: '\r', t: '\t' };

/**
 * Text that acts on no terminal: `strict` is printable ASCII, for whatever an outsider can set; `text` also keeps
 * letters of left-to-right scripts, for names an operator chose. Both escape as `\n \r \t \\ \x1b \u202e \u{1f1e9}`.
 *
 * With `maxLength` (UTF-16 units of the input) the text is cut before anything else is looked at, and `...(+N)` says
 * how many units were left out.
 */
export function sanitise(s: string, mode: SanitiseMode, maxLength?: number): string {
  if (maxLength !== undefined && s.length > maxLength) return cut(s, mode, maxLength);
  if (PLAIN.test(s)) return s;
  return s.replace(mode === 'strict' ? NOT_PLAIN : allButText(), escapeOf);
}

/**
 * Text whose backslashes are escapes already, as in a printed query, in printable ASCII; truncated as by `sanitise`.
 */
export function inAscii(escaped: string, maxLength?: number): string {
  const kept = maxLength === undefined ? escaped : escaped.slice(0, Math.max(0, maxLength));
  const left = escaped.length - kept.length;
  return kept.replace(/[^ -~]/gu, escapeOf) + (left > 0 ? `...(+${left})` : '');
}

/**
 * What a terminal may get of a sentence of ours, whose backslashes are escapes already or mean themselves: the `text`
 * mode, and our own signs. Two inputs may come out alike, so untrusted parts are sanitised before.
 */
export function inScreenText(s: string): string {
  return PLAIN.test(s)
    ? s
    : s.replace(allButText(), (each) => (OWN_SIGNS.includes(each) ? each : escapeOf(each)));
}

/** The original of a text sanitised in either mode and not truncated; what is no escape stays as it is. */
export function unsanitise(s: string): string {
  if (!s.includes('\\')) return s;
  return s.replace(ESCAPE, (_all, short?: string, byte?: string, unit?: string, point?: string) => {
    if (short !== undefined) return SHORT_MEANINGS[short] ?? short;
    const code = Number.parseInt(byte ?? unit ?? point ?? '', 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : _all;
  });
}

function cut(s: string, mode: SanitiseMode, maxLength: number): string {
  const asked = Math.max(0, Math.floor(maxLength));
  // A pair of surrogates is one character: half of it would show as a lone one that was never sent.
  const end = asked > 0 && (s.codePointAt(asked - 1) ?? 0) > 0xffff ? asked - 1 : asked;
  return `${sanitise(s.slice(0, end), mode)}...(+${s.length - end})`;
}

function allButText(): RegExp {
  notText ??= new RegExp(
    `[^[ -\\[\\]-~${JAPANESE_SIGNS}[[${LETTERS}&&[\\p{Lu}\\p{Ll}\\p{Lt}\\p{Lo}]]--[\\p{Default_Ignorable_Code_Point}\\p{Emoji}${JOINING}${BEYOND}]]]]`,
    'gv',
  );
  return notText;
}

function escapeOf(character: string): string {
  const short = SHORT_ESCAPES.get(character);
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code > 0xffff) return `\\u{${hex}}`;
  return code > 0xff ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`;
}

/** JSON in printable ASCII: all else is a \u escape, so it harms no terminal, pipe or editor. */
export function asciiJson(value: unknown, replacer?: (name: string, each: unknown) => unknown): string {
  const json = JSON.stringify(value, replacer);
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
