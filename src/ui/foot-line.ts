import type { TailReport } from '../domain/tail/tail-report.ts';
import type { State, View } from '../state/model.ts';
import { count } from '../text/units.ts';
import { stripped, timeText } from './row.ts';
import { savedFootLine } from './saved-chrome.ts';
import type { Look, ThemeSlot } from './theme.ts';

/** The status line: what was seen, what is missing, up to when the log is complete, and the price. */
export function logFootLine(state: State, _: View, look: Look): string {
  const { session } = state;
  const { columns } = state.size;
  if (session?.source.kind === 'files') return savedFootLine(session.source.report, columns, look);
  const report = session?.report;
  const { dot } = look.glyph;
  // What nobody asked for yet is offered as a row of its own, but it is no gap in what was read.
  const gapCount = report?.gaps.filter((gap) => gap.reason !== 'notRead').length ?? 0;
  const budget = budgetWords(state);
  const until = untilWords(report, state, look);
  const right = `${budget.text} ${dot} ${until}`;
  const reading = report?.reading.length ? [look.paint('accent', 'reading a gap')] : [];
  const gaps = [gapCount > 0 ? look.paint('gap', `gaps ${gapCount}`) : 'gaps 0', ...reading].join(` ${dot} `);
  const bad = report && report.bad > 0 ? [look.paint('warning', `not understood ${count(report.bad)}`)] : [];
  // With the sign that such rows have in the list.
  const late = report?.late ? '~late' : 'late';
  const room = columns - right.length - 3;
  const left = report
    ? fitting(
        [
          [
            `seen ${count(report.seen)}`,
            `unique ${count(report.unique)}`,
            `${late} ${count(report.late)}`,
            gaps,
            ...bad,
          ],
          [
            `seen ${short(report.seen)}`,
            `unique ${short(report.unique)}`,
            `${late} ${short(report.late)}`,
            gaps,
            ...bad,
          ],
          [`unique ${short(report.unique)}`, `${late} ${short(report.late)}`, gaps, ...bad],
          [`unique ${short(report.unique)}`, gaps, ...bad],
          [gaps, ...bad],
        ].map((parts) => parts.join(` ${dot} `)),
        room,
      )
    : 'nothing read yet';
  const blank = ' '.repeat(Math.max(1, room - stripped(left).length + 1));
  return ` ${left}${blank}${look.paint(budget.slot, budget.text)}${look.paint('dim', ` ${dot} ${until}`)} `;
}

/**
 * `complete to`: rows that come late were looked for again behind this time. `read to`: an answer covers it, and late
 * rows may follow; said where there is room for both, or nothing is complete yet.
 */
function untilWords(report: TailReport | null | undefined, { now, size }: State, look: Look): string {
  const time = (at: number) => timeText(at, now, look);
  if (!report?.completeTo) return 'not complete yet';
  const { watermark, completeTo } = report;
  const complete = watermark === null ? 'not complete yet' : `complete to ${time(watermark)}`;
  const read = `read to ${time(completeTo)}`;
  if (size.columns < 100) return watermark === null ? read : complete;
  return watermark !== null && watermark >= completeTo ? complete : `${read} ${look.glyph.dot} ${complete}`;
}

/** The first of the texts that fits; a gap is told even where nothing else is. */
function fitting(texts: readonly string[], room: number): string {
  return texts.find((text) => stripped(text).length <= room) ?? texts.at(-1) ?? '';
}

/** A count in few cells: `1.2k`, `3.4M`. */
function short(n: number): string {
  if (n < 10_000) return count(n);
  return n < 1_000_000 ? `${(n / 1000).toFixed(n < 100_000 ? 1 : 0)}k` : `${(n / 1_000_000).toFixed(1)}M`;
}

function budgetWords(state: State): { text: string; slot: ThemeSlot } {
  const { budget } = state;
  if (!budget) return { text: 'nothing asked', slot: 'dim' };
  const used = `${state.size.columns < 80 ? '' : 'quota '}${budget.used}/${budget.cap}`;
  if (budget.frozenUntil !== null && budget.frozenUntil > state.now) return { text: used, slot: 'down' };
  const text = `${used}${budget.degraded ? ' (an eighth: no shared ledger)' : ''}`;
  return { text, slot: budget.degraded || budget.isSpent ? 'warning' : 'dim' };
}
