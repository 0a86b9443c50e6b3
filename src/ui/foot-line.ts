import { type State, topView } from '../state/model.ts';
import { isShieldView } from '../state/shield-model.ts';
import { fit } from '../text/fit.ts';
import { clock, count } from '../text/units.ts';
import { shieldFootLine } from './shield-chrome.ts';
import { stripped } from './spark.ts';
import type { Look, Slot } from './theme.ts';

/** The line of truth: what was seen, what is missing, up to when the log is complete, and the price. */
export function footLine(state: State, look: Look): string {
  const { session } = state;
  const { columns } = state.size;
  const onTop = topView(state);
  if (isShieldView(onTop)) return shieldFootLine(state, onTop, look);
  const report = session?.report;
  const { dot } = look.glyph;
  // What nobody asked for yet is offered as a row of its own, but it is no hole in what was read.
  const holes = report?.gaps.filter((gap) => gap.reason !== 'notRead').length ?? 0;
  const left = report
    ? [
        `seen ${count(report.seen)}`,
        `unique ${count(report.unique)}`,
        `late ${count(report.late)}`,
        holes > 0 ? look.paint('gap', `gaps ${holes}`) : 'gaps 0',
        ...(report.bad > 0 ? [look.paint('warning', `not understood ${count(report.bad)}`)] : []),
      ].join(` ${dot} `)
    : 'nothing read yet';
  const until = report?.completeTo
    ? `complete to ${clock(report.completeTo, { zone: look.utc ? 'utc' : 'local' })}`
    : 'not complete yet';
  const budget = budgetWords(state);
  const right = `${budget.text} ${dot} ${until}`;
  const plain = stripped(left);
  const gap = columns - plain.length - right.length - 3;
  if (gap < 0) return fit(` ${right}`, columns);
  return ` ${look.paint('text', left)} ${' '.repeat(gap)}${look.paint(budget.slot, budget.text)}${look.paint('dim', ` ${dot} ${until}`)} `;
}

function budgetWords(state: State): { text: string; slot: Slot } {
  const { budget } = state;
  if (!budget) return { text: '0/30', slot: 'dim' };
  if (budget.frozenUntil !== null && budget.frozenUntil > state.now) {
    return { text: `${budget.used}/${budget.cap}`, slot: 'down' };
  }
  const text = `${budget.used}/${budget.cap}${budget.degraded ? ' (quarter: shared ledger broken)' : ''}`;
  return { text, slot: budget.degraded || budget.used > 26 ? 'warning' : 'dim' };
}
