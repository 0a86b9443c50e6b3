import { isSecretParameter, type SecretSpan, valueSpans } from './secret-values.ts';

/**
 * What opens something by its shape, whatever goes before it, a row for each kind. `cue`: what no such text is without, and few
 * others have; `shape`: its group is what is masked, and ends the match.
 */
const SHAPES: readonly { cue: string; shape: string }[] = [
  {
    cue: '[Bb](?:earer|asic)|B(?:EARER|ASIC)',
    // Behind `Basic` an ordinary word may follow, but not the Base64 of a name and a password.
    shape:
      '(?:[Bb]earer|BEARER|(?:[Bb]asic|BASIC)(?![\\s+:]{1,8}[A-Z]?[a-z]+\\b))[\\s+:]{1,8}([\\w+/.=~-]{8,})',
  },
  // JWTs and their like. A run that is none is taken whole, so that nothing is searched twice.
  { cue: 'eyJ', shape: '(eyJ[\\w-]{8,}(?:\\.[\\w-]{8,}|\\.[\\w-]*\\.)[\\w.-]*)|eyJ[\\w-]*' },
  // PEM, to its end or that of the text.
  { cue: 'BEGIN', shape: '-----BEGIN[A-Z0-9 +]{1,40}-----([\\s\\S]+?)(?=-----END|$)' },
  // AWS, Google, GitHub, GitLab, Slack, Stripe, npm, OpenAI and Anthropic, SendGrid, DigitalOcean.
  { cue: 'A(?:KIA|SIA)', shape: '(A(?:KIA|SIA)[0-9A-Z]{16})' },
  { cue: 'AIza|ya29\\.', shape: '(AIza[\\w-]{35}|ya29\\.[\\w-]{20,})' },
  { cue: 'gh[oprsu]_|github_', shape: '(gh[oprsu]_[A-Za-z0-9]{36,}|github_pat_\\w{40,})' },
  { cue: 'glpat-', shape: '(glpat-[\\w-]{20,})' },
  { cue: 'xox[abeprs]', shape: '(xox[abeprs][.-][\\w.-]{0,8}\\d[\\w-]{9,})' },
  { cue: '[rs]k_(?:live|test)_', shape: '([rs]k_(?:live|test)_\\w{16,})' },
  { cue: 'npm_', shape: '(npm_[A-Za-z0-9]{36})' },
  { cue: 'sk-(?:ant|proj)', shape: '(sk-(?:ant|proj)-[\\w-]{20,})' },
  { cue: 'SG\\.', shape: '(SG\\.[\\w-]{16,}\\.[\\w-]{16,})' },
  { cue: 'do[opr]_v1_', shape: '(do[opr]_v1_[0-9a-f]{64})' },
  // The platform's own: an account key, two UUIDs run together, and the password of a storage zone.
  {
    cue: '-[0-9a-f]{12}(?:[0-9a-f]{8})?-',
    shape:
      '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{20}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){2}-[0-9a-f]{12}(?:-[0-9a-f]{4}){2})',
  },
];

/** What a text, or many joined, must have to hold a credential by its shape. */
const SHAPE_CUES = SHAPES.map(({ cue }) => cue).join('|');

const SHAPE = new RegExp(SHAPES.map(({ shape }) => shape).join('|'), 'g');

/** Credentials by their shape. */
function shapeSpans(text: string): SecretSpan[] {
  return [...text.matchAll(SHAPE)].flatMap((match) => {
    const [whole, ...groups] = match;
    const secret = groups.find((group) => group !== undefined);
    const to = match.index + whole.length;
    return secret === undefined ? [] : [{ from: to - secret.length, to }];
  });
}

/** A text seen through its percent-encoding, however many layers. */
type Decoded = {
  text: string;
  /** How many times the character was percent-encoded: 0 for a bare one. */
  levels: Uint8Array;
  /** Where the character begins in the source; one more entry than characters. */
  starts: Uint32Array;
};

/** What replaces a secret. */
export const MASK = '[masked]';

/** No text without any of this holds a credential by its shape. */
export const MAYBE_SHAPE = new RegExp(SHAPE_CUES);

/** A value follows a `=` or stands before an `@`, either of them bare or percent-encoded. */
export const PARAMETER_SIGNS = ['=', '@', '%'] as const;

/**
 * The same as a single search. Most URLs have neither such a sign nor a shape: two searches take a fifth of the time
 * of one for both.
 */
const MAYBE_PARAMETER = new RegExp(`[${PARAMETER_SIGNS.join('')}]`);

/** The same of any text: a value also follows a colon or stands in an element. */
const MAYBE_VALUE = /[=@%:<]/;

/** No secret is shorter with its name or shape, and most values of a row are. */
const SHORTEST = 'sig=x'.length;

/**
 * Cheap and wide: a text without any of this holds no secret. Whoever hides letters, digits, `-` and `.` encodes
 * them.
 */
const SUSPICIOUS = new RegExp(
  `%(?:25)*(?:u00)?(?:[4-7][0-9a-f]|2[de]|3[0-9])|token|sig|key|pass|pwd|auth|jwt|sid|sess|otp|hmac|md5|hdn|cred|secret|bearer|cod|ticket|policy|assertion|saml|cookie|@|${SHAPE_CUES}`,
  'i',
);

const SPACES_AND_QUOTES = ' \t\r\n"\'<>';

/** One character that is a (repeatedly) percent-encoded byte, `%41`, `%2541`, or the old `%u0041`. */
const ENCODED = /%((?:25)*)(?:u00)?([0-9a-f]{2})/iy;

/** The last words of a name say what it is; a longer name is not read, so that a huge one costs nothing. */
const NAME_LENGTH = 64;

const NAME_ENDS = new Set('?&;/#=~:,@"\'<>()|{} \t\r\n\\');

/**
 * The URL (or any text that visitors write) with `[masked]` for every value that opens something: signed-URL tokens
 * (`token=`, `bcdn_token=` as a parameter or as a path segment, `X-Amz-Signature=`, `sig=` …), keys and passwords by the
 * look of their names, the password of a `user:password@host`, and credentials by their shape. All of it is recognised
 * through percent-encoding, and so are URLs nested in a parameter. When in doubt it masks more.
 */
export function maskUrlSecrets(url: string): string {
  if (url.length < SHORTEST || !(MAYBE_PARAMETER.test(url) || MAYBE_SHAPE.test(url))) return url;
  if (!SUSPICIOUS.test(url)) return url;
  const decoded = decode(url);
  const spans = [...passwordSpans(decoded), ...parameterSpans(decoded), ...shapeSpans(decoded.text)];
  return spans.length === 0 ? url : withMasks(url, decoded, spans);
}

/** The same for a URL's host: the slashes before a password identify it. */
export function maskHostSecrets(host: string): string {
  return maskUrlSecrets(`//${host}`).slice(2);
}

/**
 * Any text less its secrets: those of URLs and forms, and in bodies and heads of requests the values of JSON, of XML, of
 * the parts of a form and of headers, by the look of their names.
 */
export function maskSecrets(text: string): string {
  if (!(MAYBE_VALUE.test(text) || MAYBE_SHAPE.test(text)) || !SUSPICIOUS.test(text)) return text;
  const decoded = decode(text);
  const spans = [
    ...passwordSpans(decoded),
    ...parameterSpans(decoded),
    ...shapeSpans(decoded.text),
    ...valueSpans(decoded.text),
  ];
  return spans.length === 0 ? text : withMasks(text, decoded, spans);
}

function decode(source: string): Decoded {
  const levels = new Uint8Array(source.length);
  const starts = new Uint32Array(source.length + 1);
  let text = '';
  let at = 0;
  while (at < source.length) {
    starts[text.length] = at;
    ENCODED.lastIndex = at;
    const encoded = source.charCodeAt(at) === 0x25 ? ENCODED.exec(source) : null;
    if (encoded?.[2] !== undefined) {
      levels[text.length] = Math.min(255, 1 + (encoded[1] ?? '').length / 2);
      text += String.fromCharCode(Number.parseInt(encoded[2], 16));
      at += encoded[0].length;
    } else {
      text += source[at];
      at++;
    }
  }
  starts[text.length] = source.length;
  return { text, levels, starts };
}

function parameterSpans(decoded: Decoded): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const valueEnd = createValueEnds(decoded);
  let nameFrom = 0;
  let inQuery = false;
  for (let at = 0; at < decoded.text.length; at++) {
    const sign = decoded.text[at] ?? '';
    if (sign === '?' || sign === '#') inQuery = true;
    if (!NAME_ENDS.has(sign)) continue;
    if (sign === '=' && isSecretParameter(decoded.text.slice(Math.max(nameFrom, at - NAME_LENGTH), at))) {
      const to = valueEnd(at, inQuery);
      if (to > at + 1) spans.push({ from: at + 1, to });
      at = Math.max(at, to - 1);
    }
    nameFrom = at + 1;
  }
  return spans;
}

/** The end of the value behind a `=`; to be asked from left to right. */
function createValueEnds(decoded: Decoded): (equals: number, inQuery: boolean) => number {
  const inQueries = createSearch(decoded, `&${SPACES_AND_QUOTES}`);
  const inPaths = createSearch(decoded, `&?${SPACES_AND_QUOTES}`);
  const inSegments = createSearch(decoded, `/?${SPACES_AND_QUOTES}`);
  return (equals, inQuery) => {
    if (inQuery) return inQueries(equals);
    const end = inPaths(equals);
    // In a path `&` joins the parameters of a token, and a `/` before the first `&` is base64 of the token.
    return decoded.text[end] === '&' ? end : inSegments(equals);
  };
}

/**
 * Finds the sign that ends a value: one encoded no more often than the `=`, as deeper ones belong to the value. A
 * result for one depth holds for every `=` before it, so that a text full of them is searched once.
 */
function createSearch({ text, levels }: Decoded, ends: string): (equals: number) => number {
  const found = new Map<number, number>();
  return (equals) => {
    const depth = levels[equals] ?? 0;
    let at = found.get(depth) ?? 0;
    if (at > equals) return at;
    at = equals + 1;
    while (at < text.length && ((levels[at] ?? 0) > depth || !ends.includes(text[at] ?? ''))) at++;
    found.set(depth, at);
    return at;
  };
}

/** Two slashes before a host; in JSON each may stand behind a backslash, or several in a nested string. */
const SLASHES = /\/\\{0,8}\//g;

/** From behind the first `:` to the last `@` of every `//user:password@host`. */
function passwordSpans(decoded: Decoded): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const { 0: slashes, index } of decoded.text.matchAll(SLASHES)) {
    const depth = decoded.levels[index] ?? 0;
    let colon = -1;
    let sign = -1;
    for (let at = index + slashes.length; at < decoded.text.length; at++) {
      const character = decoded.text[at] ?? '';
      if ((decoded.levels[at] ?? 0) > depth) continue;
      if ('/?# \t\r\n'.includes(character)) break;
      if (character === ':' && colon < 0) colon = at;
      if (character === '@') sign = at;
    }
    if (colon >= 0 && sign > colon + 1) spans.push({ from: colon + 1, to: sign });
  }
  return spans;
}

function withMasks(url: string, decoded: Decoded, spans: SecretSpan[]): string {
  spans.sort((a, b) => a.from - b.from);
  let masked = '';
  let kept = 0;
  for (const { from, to } of spans) {
    const start = Math.max(kept, decoded.starts[from] ?? url.length);
    const end = decoded.starts[to] ?? url.length;
    if (end <= kept) continue;
    masked += url.slice(kept, start) + MASK;
    kept = end;
  }
  return masked + url.slice(kept);
}
