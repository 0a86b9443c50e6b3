import { sanitise } from './sanitise.ts';

/** Characters that mean themselves in every shell; at the front `=` names a program to zsh, `%` a job to fish. */
const BARE = /^[A-Za-z0-9@+:,./_-][A-Za-z0-9@%+=:,./_-]*$/;

/** No argument can hold a NUL or half a character, and a substitution strips line breaks at its end. */
const NO_ARGUMENT = /\0|\n$/;

/**
 * The words as one line that sh, bash, zsh and fish read back as the same words, and in which nothing acts, neither
 * in the shell nor on the terminal it is pasted into. Nothing in it may be altered any more. Null: no such line
 * exists.
 */
export function shellCommand(words: readonly string[]): string | null {
  const canBe = words.every((word) => word.isWellFormed() && !NO_ARGUMENT.test(word));
  return canBe ? words.map(shellWord).join(' ') : null;
}

function shellWord(text: string): string {
  if (BARE.test(text)) return text;
  const isShown = text.split('\\').every((part) => sanitise(part, 'text') === part);
  return isShown ? quoted(text) : printed(text);
}

/** Between single quotes only fish lets a backslash escape, so it stands outside of them. */
function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, (sign) => `'\\${sign}'`)}'`;
}

/** What would act on a terminal, such as a control character in a file name, is printed by its octal number. */
function printed(text: string): string {
  const format = [...text].map((each) => (isSafeInFormat(each) ? each : octal(each))).join('');
  return `"$(printf '${format}')"`;
}

/** Means itself in a printf format, between nested quotes, and on a typed line. */
function isSafeInFormat(character: string): boolean {
  return sanitise(character, 'text') === character && !/[!"$`'\\%-]/.test(character);
}

function octal(character: string): string {
  const bytes = new TextEncoder().encode(character);
  return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
