import { type Area, padLines } from '../paint/row.ts';
import type { State } from '../state/model.ts';
import { topOf } from '../state/view-stack.ts';
import { fit } from '../text/fit.ts';
import { sanitise } from '../text/sanitise.ts';

/** The whole screen as bare text: rows with all of their path, address and agent, wrapped. `rows`: not sanitised yet. */
export function plainBody(state: State, rows: readonly string[], { columns, height, look }: Area): string[] {
  const given = state.overlay?.kind === 'plain' ? state.overlay.text : null;
  // A given text was escaped where it was offered, and is shown as it was copied.
  const texts = given === null ? rows.map((text) => sanitise(text, 'strict')) : [given];
  const lines = texts.flatMap((text) => wrapped(text, columns));
  // At the live end the newest rows matter; a paused reader stands on the row that he wants.
  const isLive = topOf(state, 'log')?.paused === false && given === null;
  const shown = isLive ? lines.slice(-(height - 1)) : lines.slice(0, height - 1);
  const more = lines.length > shown.length ? `${lines.length - shown.length} more lines do not fit; ` : '';
  return [...padLines(shown, height - 1), look.paint('dim', fit(`${more}any key returns`, columns))];
}

function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (let at = 0; at < Math.max(1, text.length); at += columns)
    lines.push(fit(text.slice(at, at + columns), columns));
  return lines;
}
