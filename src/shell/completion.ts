import { bashScript } from './bash.ts';
import { type CompletionWords, completionWords } from './completion-words.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

/** The shells with a completion script. It asks nobody: a Tab must not wait for a network, so zones are not offered. */
const SCRIPTS: Readonly<Record<string, (words: CompletionWords) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The script of a shell; null for a shell that has none. */
export function completionScript(shell: string): string | null {
  return SCRIPTS[shell]?.(completionWords()) ?? null;
}
