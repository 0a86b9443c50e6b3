import type { RetentionSeverity } from '../domain/kept.ts';
import { layoutOf } from '../state/layout.ts';
import type { State } from '../state/model.ts';
import { evidenceClock } from '../state/oldest-evidence.ts';
import { stripped } from './row.ts';
import { footLine, queryLine } from './screens.ts';
import type { Look, ThemeSlot } from './theme.ts';

/** Days away it is no news; within hours it is. */
const SLOTS = {
  calm: null,
  soon: 'warning',
  urgent: 'error',
  gone: 'error',
} as const satisfies Record<RetentionSeverity, ThemeSlot | null>;

/** Blank cells that stay on either side of it. */
const MARGIN = 2;

/** The query with the clock, where the screen has a line for the query. */
export function queryLineWithClock(state: State, look: Look): string {
  return withEvidenceClock(queryLine(state, look), state, look);
}

/** The status line; the clock is told there where the line of the query has no room for it. */
export function footLineWithClock(state: State, look: Look): string {
  const foot = footLine(state, look);
  const severity = evidenceClock(state)?.severity ?? 'calm';
  if (SLOTS[severity] === null) return foot;
  const query = queryLine(state, look);
  const isTold = layoutOf(state).head > 2 && withEvidenceClock(query, state, look) !== query;
  return isTold ? foot : withEvidenceClock(foot, state, look);
}

/**
 * A line of the screen with the retention clock in its widest blank, in the longest form that fits there. Nothing gives
 * way to it: where no form fits the line stays as it is.
 */
export function withEvidenceClock(line: string, state: State, look: Look): string {
  const clock = evidenceClock(state);
  const slot = clock && SLOTS[clock.severity];
  if (!clock || !slot) return line;
  const end = ' '.repeat(Math.max(0, state.size.columns - stripped(line).length));
  const whole = line + end;
  const blank = widestBlank(whole);
  const forms = [`${clock.text}, e saves it`, clock.text, clock.short];
  const text = forms.find((each) => each.length + 2 * MARGIN <= blank.length);
  if (text === undefined) return line;
  // At the right end of the blank: what stands left of it grows and shrinks more often.
  const from = blank.at + blank.length - MARGIN - text.length;
  return whole.slice(0, from) + look.paint(slot, text) + whole.slice(from + text.length);
}

function widestBlank(line: string): { at: number; length: number } {
  let widest = { at: 0, length: 0 };
  for (const match of line.matchAll(/ +/g)) {
    if (match[0].length > widest.length) widest = { at: match.index, length: match[0].length };
  }
  return widest;
}
