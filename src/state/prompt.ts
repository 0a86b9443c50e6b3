import type { QuerySubject } from '../domain/query/query.ts';
import { parseQuery } from '../domain/query/query-text.ts';
import { fieldOf } from '../domain/query/text-field.ts';
import { parseWindow } from '../domain/query/window-text.ts';
import { parseShieldQuery, parseShieldWindow } from '../domain/shield/shield-window.ts';
import type { Prompt, State } from './model.ts';
import type { PromptKind } from './prompt-kind.ts';

/** A line that holds `text` with the cursor at its end; Esc restores the text. */
export function promptOf(kind: PromptKind, text: string, error: Prompt['error'] = null): Prompt {
  return { kind, before: text, field: fieldOf(text), error, suggestions: [], cursor: 0, chosen: null };
}

/** The line stays and says what is wrong with its text; `text` replaces it where a part of it counts. */
export function mistaken(
  state: State,
  prompt: Prompt,
  message: string,
  hint: string,
  text = prompt.field.text,
): State {
  const error = { column: 0, length: Math.max(1, text.length), message, hint };
  return { ...state, prompt: { ...prompt, error } };
}

export function parsedBy(subject: QuerySubject, text: string, now: number): ReturnType<typeof parseQuery> {
  return subject === 'shield' ? parseShieldQuery(text, now) : parseQuery(text, 'logs', now);
}

export function windowBy(subject: QuerySubject, text: string, now: number): ReturnType<typeof parseWindow> {
  return subject === 'shield' ? parseShieldWindow(text, now) : parseWindow(text, now);
}
