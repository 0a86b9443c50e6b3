import { stripped } from '../../src/paint/row.ts';
import type { Look } from '../../src/paint/theme.ts';
import type { State } from '../../src/state/model.ts';
import { bodyLines } from '../../src/ui/body.ts';

/** What the body of a screen shows, without its colours; nothing where Ink draws it. */
export function plainBody(state: State, look: Look): string[] {
  return (bodyLines(state, look) ?? []).map(stripped);
}
