import { fieldOf } from '../../domain/query/text-field.ts';
import type { Prompt } from '../model.ts';
import type { PromptKind } from './prompt-kind.ts';

/** A line that holds `text`, the cursor at its end; Esc gives that text back. */
export function promptOf(kind: PromptKind, text: string, error: Prompt['error'] = null): Prompt {
  return { kind, before: text, field: fieldOf(text), error, suggestions: [], cursor: 0, chosen: null };
}
