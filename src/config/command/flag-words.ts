import { ANSWERED_OPTIONS, OPTIONS, type OptionName, type OptionRow, optionNamed } from './options.ts';

/**
 * An excluding term, which a flag parser would take apart: `-ip:192.0.2.7`, `-ua~curl`, `-"a b"` also when the shell took
 * the quotes, and whatever no flag begins with, such as `-/login*` or `-404`.
 */
export const EXCLUSION = /^-[A-Za-z][A-Za-z0-9_]*[:~]|^-[^-A-Za-z]|^-[^-].*\s/s;

export const SHORT = Object.values<OptionRow>(OPTIONS).flatMap((row) => row.short ?? []);

/**
 * A flag that is unknown, given twice or has a value that it cannot have. Read from the words themselves: the flag
 * parser takes `--no-` for a negation, changes the case of what it does not know and throws at what is given twice.
 */
export function oddFlag(words: readonly string[]): string | null {
  const seen = new Set<string>();
  for (const word of words) {
    if (EXCLUSION.test(word)) continue;
    if (/^-[A-Za-z]/.test(word) && !SHORT.includes(word.slice(1))) {
      const meant = word.length > 2 ? `; to exclude a text write -- ${word}` : '';
      return `there is no option '${word}'${meant}`;
    }
    const [, name, value] = /^--([^=]+)(=.*)?$/s.exec(word) ?? [];
    if (name === undefined) continue;
    const row: OptionRow | undefined = Object.hasOwn(OPTIONS, name) ? OPTIONS[name as OptionName] : undefined;
    if (row === undefined && !Object.hasOwn(ANSWERED_OPTIONS, name)) return `there is no option '--${name}'`;
    if (row?.type === 'boolean' || row === undefined) {
      if (value !== undefined) return `--${name} takes no value`;
    } else if (seen.has(name)) return `--${name} is given twice; leave one out`;
    seen.add(name);
  }
  return null;
}

/** A switch with its value, so that the parser takes no word `true` or `false` behind it for one. */
export function switched(word: string): string {
  const [name, row] = optionNamed(word) ?? [];
  return row?.type === 'boolean' ? `--${name}=true` : word;
}

/** `--from -1h` is a time before now, which a flag parser would take for another flag. */
export function withJoinedTimes(argv: readonly string[]): string[] {
  const words: string[] = [];
  for (const word of argv) {
    const flag = words.at(-1) ?? '';
    if (/^--(since|from|to)$/.test(flag) && /^-\d/.test(word)) words[words.length - 1] = `${flag}=${word}`;
    else words.push(word);
  }
  return words;
}
