import type { SecretSpan } from './secret-values.ts';

/**
 * What opens something by its shape, whatever goes before it, a row for each kind. `cue`: what no such text is without, and few
 * others have; `shape`: its group is what is masked, and ends the match.
 */
const SHAPES: readonly { cue: string; shape: string }[] = [
  {
    cue: '[Bb](?:earer|asic)|B(?:EARER|ASIC)',
    // Behind `Basic` an ordinary word may follow; the Base64 of a name and a password is none.
    shape:
      '(?:[Bb]earer|BEARER|(?:[Bb]asic|BASIC)(?![\\s+:]{1,8}[A-Z]?[a-z]+\\b))[\\s+:]{1,8}([\\w+/.=~-]{8,})',
  },
  // JWTs and what is built alike. A run that is none is taken whole, so that none is looked through twice.
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
  // The platform's own: the key of an account, two UUIDs with nothing between them, and the password of a storage zone.
  {
    cue: '-[0-9a-f]{12}(?:[0-9a-f]{8})?-',
    shape:
      '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{20}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){2}-[0-9a-f]{12}(?:-[0-9a-f]{4}){2})',
  },
];

/** What a text, or many behind each other, must have to hold a credential by its shape. */
export const SHAPE_CUES = SHAPES.map(({ cue }) => cue).join('|');

const SHAPE = new RegExp(SHAPES.map(({ shape }) => shape).join('|'), 'g');

/** Credentials by their shape. */
export function shapeSpans(text: string): SecretSpan[] {
  return [...text.matchAll(SHAPE)].flatMap((match) => {
    const [whole, ...groups] = match;
    const secret = groups.find((group) => group !== undefined);
    const to = match.index + whole.length;
    return secret === undefined ? [] : [{ from: to - secret.length, to }];
  });
}
