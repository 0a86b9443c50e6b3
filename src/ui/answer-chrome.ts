import { explain } from '../domain/failure.ts';
import { EMPTY_QUERY } from '../domain/query/query.ts';
import { printQuery } from '../domain/query/query-text.ts';
import type { State } from '../state/model.ts';
import { type AnswerView, waysOf } from '../state/questions/answer-model.ts';
import { fit, width } from '../text/fit.ts';
import { inAscii, sanitise } from '../text/sanitise.ts';
import { counted, percent } from '../text/units.ts';
import { spinner } from './shield-words.ts';
import type { Badge, Look, ThemeSlot } from './theme.ts';

/** How an answer stands: its price, how far it is, or that it is only a part. */
export function answerBadge(state: State, view: AnswerView): Badge {
  const { stage, needs, met } = view;
  switch (stage.kind) {
    case 'priced':
      return {
        text: `PRICE ${priceWords(view)}`,
        slot: 'paused',
      };
    case 'recalling':
      return {
        text: `COUNTING ${percent(Math.min(0.999, view.recall?.share ?? 0))} of memory ${spinner({ kind: 'asking', since: stage.since }, state)}`.trimEnd(),
        slot: 'quiet',
      };
    case 'asking':
      return {
        text: `ASKING ${met} of ${needs.length} ${spinner(stage, state)}`.trimEnd(),
        slot: 'quiet',
      };
    case 'cancelled':
      return needs.length === 0
        ? { text: 'CANCELLED, Ctrl-r goes on', slot: 'warning' }
        : { text: `CANCELLED ${met} of ${needs.length}, Ctrl-r goes on`, slot: 'warning' };
    case 'read': {
      if (view.failures > 0 && view.failures === view.met) return { text: 'FAILED', slot: 'down' };
      const rest = view.inquiry.rest().length;
      if (view.inquiry.lacks?.()) return { text: 'PART READ', slot: 'warning' };
      if (view.recall !== null && view.spent === 0 && (rest > 0 || waysOf(view) > 1)) {
        const more = waysOf(view) > 1 ? 'other ways' : `read the rest, ${requests(rest)}`;
        return { text: `MEMORY, Ctrl-r: ${more}`, slot: rest > 0 ? 'warning' : 'success' };
      }
      return rest > 0
        ? { text: `PARTIAL, Ctrl-r: ${requests(rest)}`, slot: 'warning' }
        : { text: 'READ', slot: 'success' };
    }
  }
}

/** The answer in one sentence. */
export function answerHeadline(state: State, view: AnswerView, look: Look): string {
  const { failure, failures } = view;
  if (failure && failures === view.met && view.stage.kind !== 'asking') {
    const { what, next } = explain(failure, state.now);
    return look.paint(
      'down',
      fit(` ${sanitise(`${what} ${next}`, 'text', 400)}`, state.size.columns, 'left', look.glyph.cut),
    );
  }
  const slot: ThemeSlot =
    view.table.tone === 'bad' ? 'error' : view.table.tone === 'good' ? 'success' : 'title';
  const text = sanitise(view.table.headline, 'strict', 400);
  return look.paint(slot, fit(` ${text}`, state.size.columns, 'left', look.glyph.cut));
}

/** What the question is about. */
export function answerQueryLine(state: State, view: AnswerView, look: Look): string {
  const text = printQuery({ ...EMPTY_QUERY, ...view.query, groupBy: [] });
  return look.paint('dim', fit(` ${inAscii(text, 400)}`, state.size.columns, 'left', look.glyph.cut));
}

/** The status line: what was read of what there is, and what it cost. */
export function answerFootLine(state: State, view: AnswerView, look: Look): string {
  const failed = view.failures > 0 ? `${view.failures} failed, ` : '';
  const right = `${failed}${requests(view.spent)} `;
  const room = state.size.columns - width(right) - 1;
  const left = fit(
    ` ${sanitise(view.table.coverage, 'strict', 400)}`,
    Math.max(0, room),
    'left',
    look.glyph.cut,
  );
  return `${look.paint('text', left)} ${look.paint(view.failures > 0 ? 'down' : 'dim', right)}`;
}

/** What the way under the cursor costs. */
function priceWords({ choices, cursor }: AnswerView): string {
  const choice = choices[cursor];
  if (!choice?.inquiry) return 'none';
  return `${choice.inquiry.follow ? 'at most ' : ''}${requests(choice.price)}`;
}

function requests(n: number): string {
  return counted(n, 'request');
}
