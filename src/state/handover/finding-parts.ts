import { codeSpan, tableHead, tableLine } from '../../domain/handover/line-formats.ts';
import type { LogBook } from '../../domain/logs/log-book.ts';
import type { AnswerTable } from '../../domain/questions/inquiry/answer-table.ts';
import { rangeOf } from '../../domain/shield/shield-window.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { count, timeOfDay } from '../../text/units.ts';
import { listHeight } from '../layout.ts';
import { logWindow } from '../logs/log.ts';
import { type State, topView } from '../model.ts';
import { isShieldView } from '../shield/shield-model.ts';
import { listOf, rangeOfLog } from './command-sources.ts';

/** Rows of a finding: what a reader takes in; the command brings the rest. */
export const FINDING_ROWS = 10;

const BUCKETS = 30;

/** From none to the most of them; ASCII, as all of a notebook, and nothing that could be taken for an address. */
const RAMP = '_-=+oxX#';

/** What time a finding is about: of one row or event its moment, of a paused log the row under the cursor. */
export function timeOf(state: State): { from: number; to: number | null } {
  const view = topView(state);
  const { now, session } = state;
  const moment = (from: number) => ({ from, to: null });
  if (view.kind === 'record' && session?.book.has(view.id))
    return moment(session.book.record(view.id).timestamp);
  if (view.kind === 'shieldEvent') return moment(view.row.at);
  if (isShieldView(view)) return listOf(state, view)?.reading.range ?? moment(now);
  if (view.kind === 'answer') {
    const range =
      view.query.window?.kind === 'absolute' ? view.query.window : rangeOf(view.query.window, now);
    return { from: range.from, to: range.to ?? now };
  }
  if (view.kind === 'log' && view.paused && session) {
    const item = session.book.at(logWindow(view, session.book, listHeight(state)).cursor);
    if (item?.kind === 'row') return moment(session.book.record(item.id).timestamp);
  }
  return session && (view.kind === 'log' || view.kind === 'groups') ? rangeOfLog(state) : moment(now);
}

/** How the requests of a log lie in its time, as one line; none where there is no row. */
export function sparkLines(book: LogBook, range: TimeRange): string[] {
  const { buckets, total } = book.stats(range, BUCKETS);
  const most = Math.max(...buckets.map(({ requests }) => requests));
  if (most === 0) return [];
  const step = RAMP.length - 1;
  // A part with few is never drawn as one with none.
  const text = buckets.map(({ requests }) => RAMP[Math.ceil((requests / most) * step)] ?? '').join('');
  const at = (time: number) => `${timeOfDay(time, { zone: 'utc' })}Z`;
  return [
    `Requests \`${text}\` from ${at(range.from)} to ${at(range.to)}: ${count(total.requests)}, at most ${count(most)} in a part.`,
    '',
  ];
}

/** An answer as it stands: its sentence, and each of its sections as a table with what its note says. */
export function answerEntry({ headline, sections }: AnswerTable): { table: string[]; which: string } {
  let shown = 0;
  let all = 0;
  const table = sections.flatMap(({ title, columns, rows, note }) => {
    const some = rows.slice(0, FINDING_ROWS);
    shown += some.length;
    all += rows.length;
    const more = rows.length > some.length ? `, the first ${some.length} of ${count(rows.length)}` : '';
    return [
      `**${codeSpan(title)}**${more}`,
      '',
      ...(some.length === 0 ? [] : tableHead(columns.map((column) => column.title))),
      ...some.map(({ cells }) => tableLine(columns.map((_, at) => codeSpan(cells[at] ?? null)))),
      ...(some.length === 0 ? [] : ['']),
      ...(note === undefined ? [] : [codeSpan(note), '']),
    ];
  });
  const which =
    shown === all ? `All ${count(all)} rows of the answer.` : `${shown} of ${count(all)} rows of the answer.`;
  return { table: [...(headline === '' ? [] : [codeSpan(headline), '']), ...table.slice(0, -1)], which };
}
