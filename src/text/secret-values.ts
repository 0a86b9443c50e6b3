/** Words that, alone or last in a parameter's name, mark its value as a secret. */
const SECRET_WORDS =
  /(?:^|_)(?:sig|key|pass|pwd|auth|jwt|sid|session|otp|hmac|md5|hdne[ax]|hdnt[sl]|credentials?|authorization|bearer)$|(?:token|signature|secret|password|passwd|passphrase|apikey|accesskey|secretkey|privatekey|signingkey|authkey|sessionid|sessid)$/;

/** URL parameters that open something by their purpose, whose names mean other things elsewhere. */
const OPENING =
  /^(?:code|ticket|policy|key_pair_id|code_verifier|assertion|client_assertion|saml_?(?:request|response))$/;

/** Names that end like a secret's and are none: the API's error names, and the start of the next page. */
const HARMLESS = /^(?:error_key|continuation_token|start_token)$/;

/** Fields and headers that hold a secret under a name that does not say so, or with its words run together. */
const FIELDS: ReadonlySet<string> = new Set([
  'authorizationheader',
  'awssigningkey',
  'certificatekey',
  'cookie',
  'proxyauthorization',
  'setcookie',
  'zonesecuritykey',
]);

const NAMES_KEPT = 512;
const NAME_KEPT_LENGTH = 64;

/** Whether the last words of a name mark its value as a secret, of whatever kind. */
function isSecretName(name: string): boolean {
  return areSecretWords(wordsOf(name));
}

function areSecretWords(words: string): boolean {
  if (HARMLESS.test(words)) return false;
  const spellings = [words, words.replace(/(?<![_0-9])[_0-9]+$/, ''), words.replaceAll('_', '')];
  return spellings.some((spelling) => SECRET_WORDS.test(spelling));
}

/** The same for a field or a header. */
export const isSecretField = judgedOnce(
  // Rules name a header with its collection, as in `REQUEST_HEADERS:Cookie`.
  (name) => isSecretName(name) || FIELDS.has(name.toLowerCase().replace(/^.*:|[-_]/g, '')),
);

/** The same for a URL parameter. */
export const isSecretParameter = judgedOnce((name) => {
  const words = wordsOf(name);
  return OPENING.test(words) || areSecretWords(words);
});

/** Rows share few names; these come from outside, so only short ones are kept, and only so many. */
function judgedOnce(judge: (name: string) => boolean): (name: string) => boolean {
  const judged = new Map<string, boolean>();
  return (name) => {
    const known = judged.get(name);
    if (known !== undefined) return known;
    const isSecret = judge(name);
    if (judged.size >= NAMES_KEPT) judged.clear();
    if (name.length <= NAME_KEPT_LENGTH) judged.set(name, isSecret);
    return isSecret;
  };
}

function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}

/** The place of a secret in a text: its first character, and the one behind its last. */
export type SecretSpan = { from: number; to: number };

/** The longest name: with a bound a hostile text costs what its length does. */
const NAME = '[\\w.:\\[\\]-]{1,64}';

/**
 * `"name": ` of JSON, even within a string, or `name="…"` of an attribute: the value begins where the match ends. The
 * sign in between is searched first and the name backwards from it: names are most of a text, such signs are few.
 */
const NAMED_VALUE = new RegExp(
  `:(?<=\\k<slashes>\\k<quote>(?<field>${NAME})(?<slashes>\\\\{0,8})(?<quote>["'])\\s{0,8}:)\\s{0,8}` +
    `|=(?=\\s{0,8}\\\\{0,8}["'])(?<=(?<attribute>${NAME})\\s{0,8}=)\\s{0,8}`,
  'g',
);
/** `<name …>` of XML. */
const ELEMENT = new RegExp(`<(${NAME})(?:\\s[^<>]{0,256})?>`, 'g');
/** The head of a form part, up to the empty line. */
const PART = /\bname=\\{0,8}"?([^"\\\s;]{1,64})[\s\S]{0,256}?(?:\r?\n\r?\n|(?:\\+r)?\\+n(?:\\+r)?\\+n)/g;
/** A header at the start of a line or quoted text, or behind the name of a collection, as in rules. */
const HEADER = /(?:^|[\r\n"'`{,]|\\n|\b[A-Z_]{4,32}:)[ \t]{0,8}([A-Za-z][\w-]{0,63}):/g;

/** The values of fields, elements, form parts and headers with a secret's name. */
export function valueSpans(text: string): SecretSpan[] {
  return [
    ...spansOf(text, NAMED_VALUE, ({ groups }) => groups?.['field'] ?? groups?.['attribute'], valueEnd),
    ...spansOf(
      text,
      ELEMENT,
      ([, name]) => name,
      (from) => endAt(text, from, '</'),
    ),
    ...spansOf(text, PART, ([, name]) => name, partEnd),
    ...spansOf(text, HEADER, ([, name]) => name, headerEnd),
  ];
}

/** The value behind each match with a secret's name; none begins within another. */
function spansOf(
  text: string,
  pattern: RegExp,
  nameOf: (match: RegExpExecArray) => string | undefined,
  end: (from: number, text: string) => number,
): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const search = new RegExp(pattern);
  for (let match = search.exec(text); match !== null; match = search.exec(text)) {
    const from = search.lastIndex;
    if (!isSecretField(nameOf(match) ?? '')) continue;
    const to = end(from, text);
    if (to > from) spans.push({ from, to });
    search.lastIndex = Math.max(from, to);
  }
  return spans;
}

/** Quoted text ends at the same quotes behind no more backslashes; a number or a list at the end of its place. */
function valueEnd(from: number, text: string): number {
  const [, slashes = '', quote] = /^(\\{0,8})(["'])/.exec(text.slice(from, from + 9)) ?? [];
  if (quote === undefined) {
    return text[from] === '[' ? endAt(text, from, ']') + 1 : placeOf(/[\s,}\]&]/g, from, text);
  }
  const mark = slashes + quote;
  for (let at = text.indexOf(mark, from + mark.length); at >= 0; at = text.indexOf(mark, at + 1))
    if (text[at - 1] !== '\\') return at + mark.length;
  return text.length;
}

function partEnd(from: number, text: string): number {
  return placeOf(/(?:\n|\\n)--/g, from, text);
}

function headerEnd(from: number, text: string): number {
  return placeOf(/[\r\n]|\\[rn]/g, from, text);
}

function endAt(text: string, from: number, sign: string): number {
  const at = text.indexOf(sign, from);
  return at < 0 ? text.length : at;
}

/** One search for all ends: searching a text to its end for each of them would cost the square of its length. */
function placeOf(end: RegExp, from: number, text: string): number {
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}
