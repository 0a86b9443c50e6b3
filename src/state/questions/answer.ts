import type { Query, QuerySubject } from '../../domain/query/query.ts';
import type { AnswerLine, AnswerRow } from '../../domain/questions/answer-table.ts';
import { type Met, type Need, priceOf } from '../../domain/questions/inquiry.ts';
import type { PullZone } from '../../domain/zone.ts';
import type { CommandId } from '../commands.ts';
import { listHeight } from '../layout.ts';
import { clamp, moved, placed, timesOf } from '../list.ts';
import type { Subscription } from '../messages.ts';
import { noticed, type State, withTop } from '../model.ts';
import { shownLines } from './answer-lines.ts';
import type { AnswerChoice, AnswerStage, AnswerView } from './answer-model.ts';

/** An inquiry of more requests than this says its price first and runs on Enter. */
export const FREE_REQUESTS = 6;

/** An inquiry of more requests than this is kept when its view is left. */
const KEPT_REQUESTS = 100;

/** After this time under way the spinner shows, and Esc cancels. */
const SLOW = 200;

export type AnswerQuestion = {
  crumb: string;
  subject: QuerySubject;
  zone: PullZone;
  query: Query;
  choices: readonly AnswerChoice[];
  variant?: string;
};

/** Opens a question: one that is cheap and has one way to be asked runs at once, any other says its price first. */
export function openAnswer(
  state: State,
  { crumb, subject, zone, query, choices, variant }: AnswerQuestion,
): State {
  const way = choices.find(({ inquiry }) => inquiry !== null);
  const first = way?.inquiry;
  if (!first) return noticed(state, 'warning', choices[0]?.why ?? 'nothing to ask');
  const number = state.inquiries + 1;
  const view: AnswerView = {
    kind: 'answer',
    cursor: 0,
    top: 0,
    isMoved: false,
    subject,
    zone,
    query,
    crumb,
    variant: variant ?? null,
    choices,
    number,
    inquiry: first,
    table: first.table(),
    stage: { kind: 'priced' },
    needs: way?.isKept ? [] : first.needs,
    begun: 0,
    met: 0,
    spent: 0,
    failures: 0,
    failure: null,
  };
  const next = { ...state, inquiries: number, views: [...state.views, view] };
  return choices.length === 1 && priceOf(first) <= FREE_REQUESTS ? begun(next, view, first.needs) : next;
}

/** One request of an inquiry was answered. An answer to an inquiry that was left or cancelled is dropped. */
export function needMet(state: State, number: number, need: Need, met: Met): State {
  const at = state.views.findIndex((view) => view.kind === 'answer' && view.number === number);
  const view = state.views[at];
  if (view?.kind !== 'answer' || view.stage.kind !== 'asking') return state;
  view.inquiry.add(need, met);
  const done = view.met + 1;
  const table = view.inquiry.table();
  const isOver = done >= view.needs.length;
  const follow = isOver ? (view.inquiry.follow?.next() ?? []) : [];
  const next: AnswerView = {
    ...view,
    table,
    needs: [...view.needs, ...follow],
    begun: follow.length > 0 ? done : view.begun,
    met: done,
    spent: view.spent + 1,
    failures: view.failures + (met.kind === 'failed' ? 1 : 0),
    failure: view.failure ?? (met.kind === 'failed' ? met.failure : null),
    stage: isOver && follow.length === 0 ? { kind: 'read' } : view.stage,
  };
  return { ...state, views: state.views.with(at, withCursorHeld(state, view, next)) };
}

/** What a command does in an answer; null = it is none of its own. Opening a row is the caller's. */
export function answerCommanded(state: State, view: AnswerView, command: CommandId): State | null {
  const length =
    view.stage.kind === 'priced' ? view.choices.length : shownLines(view.table, state.size.columns).length;
  const place = moved(view, command, length, listHeight(state), state.count);
  if (place) return withTop(state, { ...view, ...place, isMoved: view.stage.kind !== 'priced' });
  switch (command) {
    case 'nextTable':
      return toTable(state, view, timesOf(state.count));
    case 'previousTable':
      return toTable(state, view, -timesOf(state.count));
    case 'open':
      return view.stage.kind === 'priced' ? chosen(state, view) : null;
    case 'refresh': {
      if (view.stage.kind === 'asking') return state;
      if (view.stage.kind === 'priced') return chosen(state, view);
      const rest = view.inquiry.rest();
      return rest.length > 0
        ? begun(state, { ...view, failures: 0, failure: null }, rest)
        : noticed(state, 'info', 'everything that was asked about has been read');
    }
    case 'leave':
      return view.stage.kind === 'asking' && state.now - view.stage.since >= SLOW
        ? withTop(state, { ...view, stage: { kind: 'cancelled' } })
        : null;
    default:
      return null;
  }
}

/** What must be asked for the answers of the stack; those beneath the top one go on being read. */
export function answerSubscriptions(state: State): Subscription[] {
  const asking = state.views.filter(
    (view): view is AnswerView => view.kind === 'answer' && view.stage.kind === 'asking',
  );
  if (asking.length === 0) return [];
  return [
    ...asking.map(
      ({ number, spent, met, begun, needs }): Subscription => ({
        kind: 'inquiry',
        key: `inquiry ${number} ${spent - met + begun}`,
        inquiry: number,
        needs: needs.slice(begun),
      }),
    ),
    { kind: 'clock', key: 'inquiry clock', every: 200 },
  ];
}

/** The line under the cursor. */
export function answerLineUnder({ size }: State, view: AnswerView): AnswerLine | undefined {
  return shownLines(view.table, size.columns)[view.cursor];
}

/** The row under the cursor; null on a title, a head or a note. */
export function rowUnder(state: State, view: AnswerView): AnswerRow | null {
  const line = answerLineUnder(state, view);
  return line?.kind === 'row' ? line.row : null;
}

function chosen(state: State, view: AnswerView): State {
  const choice = view.choices[view.cursor];
  if (!choice?.inquiry) {
    return noticed(state, 'info', choice?.why ?? 'nothing to ask');
  }
  const { inquiry, title, query = view.query, isKept = false } = choice;
  const crumb = view.choices.length > 1 ? `${view.crumb} ${title}` : view.crumb;
  const kept = { zoneId: view.zone.id, inquiry, query, readAt: state.now };
  const next = priceOf(inquiry) > KEPT_REQUESTS && !isKept ? { ...state, keptAnswer: kept } : state;
  return begun(
    next,
    { ...view, crumb, query, inquiry, cursor: 0, top: 0, isMoved: false },
    isKept ? [] : inquiry.needs,
  );
}

function begun(state: State, view: AnswerView, needs: readonly Need[]): State {
  const stage: AnswerStage = needs.length === 0 ? { kind: 'read' } : { kind: 'asking', since: state.now };
  const next: AnswerView = { ...view, needs, begun: 0, met: 0, stage, table: view.inquiry.table() };
  return withTop(state, withCursorHeld(state, view, next));
}

/** The cursor stays on its row while rows arrive above it; one that nobody moved goes to what was asked about, or leads on. */
function withCursorHeld(state: State, before: AnswerView, after: AnswerView): AnswerView {
  const { columns } = state.size;
  const lines = shownLines(after.table, columns);
  const at = before.isMoved
    ? heldLine(shownLines(before.table, columns)[before.cursor], lines, before.cursor)
    : firstLine(lines, after.stage.kind === 'read');
  return { ...after, ...placed(after, at, lines.length, listHeight(state)) };
}

function firstLine(lines: readonly AnswerLine[], isRead: boolean): number {
  const subject = lines.findIndex((line) => line.kind === 'row' && line.row.isSubject);
  return Math.max(0, isRead && subject > 0 ? subject : lines.findIndex(isLeading));
}

function heldLine(held: AnswerLine | undefined, lines: readonly AnswerLine[], before: number): number {
  if (held?.kind !== 'row') return before;
  const at = lines.findIndex((line) => line.kind === 'row' && idOf(line) === idOf(held));
  return at < 0 ? before : at;
}

/** So many tables on or back: to the first line of it that leads somewhere, else to its title. */
function toTable(state: State, view: AnswerView, by: number): State {
  const lines = shownLines(view.table, state.size.columns);
  const titles = lines.flatMap((line, at) => (line.kind === 'title' ? at : []));
  const here = titles.findLastIndex((at) => at <= view.cursor);
  const to = clamp(here + by, 0, titles.length - 1);
  const title = titles[to];
  if (title === undefined || to === here) {
    return noticed(state, 'info', `this is the ${by > 0 ? 'last' : 'first'} table of the answer`);
  }
  const leading = lines.findIndex((line, at) => at > title && isLeading(line));
  const at = leading >= 0 && leading < (titles[to + 1] ?? lines.length) ? leading : title;
  const height = listHeight(state);
  // Where the line was out of sight, the title of its table comes with it.
  const top = at >= view.top && at < view.top + height ? view.top : title;
  return withTop(state, { ...view, ...placed({ ...view, top }, at, lines.length, height), isMoved: true });
}

function isLeading(line: AnswerLine): boolean {
  return line.kind === 'row' && line.row.leads !== undefined;
}

function idOf(line: Extract<AnswerLine, { kind: 'row' }>): string {
  const { value, cells } = line.row;
  return `${line.section.title} ${value ? `${value.field} ${value.value}` : cells[0]}`;
}
