/** Words that, alone or as the last word of a parameter's name, say that its value opens something. */
const SECRET_WORDS =
  /(?:^|_)(?:sig|key|pass|pwd|auth|jwt|sid|session|otp|hmac|md5|hdne[ax]|hdnt[sl]|credentials?|authorization|bearer)$|(?:token|signature|secret|password|passwd|passphrase|apikey|accesskey|secretkey|privatekey|signingkey|authkey|sessionid|sessid)$/;

/** Parameters of a URL that open something by what they are for, and whose name means other things elsewhere. */
const OPENING =
  /^(?:code|ticket|policy|key_pair_id|code_verifier|assertion|client_assertion|saml_?(?:request|response))$/;

/** Names that end as a secret's does and are none: how the API names an error, and where the next page begins. */
const HARMLESS = /^(?:error_key|continuation_token|start_token)$/;

/** Fields and headers that hold a secret under a name that does not say so, or with all its words run together. */
const FIELDS: ReadonlySet<string> = new Set([
  'authorizationheader',
  'awssigningkey',
  'certificatekey',
  'cookie',
  'proxyauthorization',
  'setcookie',
  'zonesecuritykey',
]);

/** Whether what goes by this name opens something, by its last words: of whatever kind it is. */
export function isSecretName(name: string): boolean {
  return areSecretWords(wordsOf(name));
}

function areSecretWords(words: string): boolean {
  if (HARMLESS.test(words)) return false;
  const spellings = [words, words.replace(/(?<![_0-9])[_0-9]+$/, ''), words.replaceAll('_', '')];
  return spellings.some((spelling) => SECRET_WORDS.test(spelling));
}

/** The same of a field or a header. */
export function isSecretField(name: string): boolean {
  // Rules name a header with the collection that it is of, as in `REQUEST_HEADERS:Cookie`.
  return isSecretName(name) || FIELDS.has(name.toLowerCase().replace(/^.*:|[-_]/g, ''));
}

/** The same of a parameter of a URL. */
export function isSecretParameter(name: string): boolean {
  const words = wordsOf(name);
  return OPENING.test(words) || areSecretWords(words);
}

function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}
