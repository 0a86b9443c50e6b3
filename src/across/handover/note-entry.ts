import { answerTables } from '../../domain/handover/answer-formats.ts';
import { codeSpan, fenced, proseLine, tableHead } from '../../domain/handover/line-formats.ts';
import { type NotebookEntry, notebookEntry } from '../../domain/handover/notebook.ts';
import { commandOf } from '../../domain/handover/place.ts';
import type { Sheet } from '../../domain/handover/sheet.ts';
import { markdownLine } from '../../domain/handover/sheet-formats.ts';
import type { AnswerTable } from '../../domain/inquiry/answer-table.ts';
import { trafficRead } from '../../domain/logs/sums/traffic-read.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { onTop, screenOf } from '../../screens/screens.ts';
import type { Finding } from '../../state/handover-model.ts';
import type { Done } from '../../state/messages.ts';
import { type LogSession, noticed, type Prompt, reported, type State } from '../../state/model.ts';
import { promptOf } from '../../state/prompt.ts';
import type { Noted } from '../../state/screen.ts';
import { wholeTimes } from '../../state/sessions/log-times.ts';
import { topView } from '../../state/view-stack.ts';
import { count, counted, percent, timeOfDay } from '../../text/units.ts';

/** Rows of a finding: as many as a reader takes in; its command brings the rest. */
const FINDING_ROWS = 10;

/** Takes the view as it stands now and asks for the note. */
export function findingOpened(state: State): State {
  const sheet = onTop(state, 'sheet');
  if (typeof sheet === 'string') return noticed(state, 'info', sheet);
  const source = onTop(state, 'command');
  const view = topView(state);
  const about = onTop(state, 'about');
  const noted = screenOf(view).noted?.(state, view, FINDING_ROWS) ?? {};
  const { tables, flow } = noted;
  const { table, which } = tables ? answerEntry(tables) : chosenLines(sheet, noted);
  // An answer's sentence stands before its tables.
  const coverage = onTop(state, 'coverage').filter((words) => words !== tables?.headline);
  const moment = onTop(state, 'moment') ?? (about === null ? state.now : null);
  const finding: Finding = {
    title: onTop(state, 'title'),
    time: moment === null ? (about?.range ?? { from: state.now, to: null }) : { from: moment, to: null },
    flow: flow && about ? flowWords(flow, about.range) : [],
    table,
    which,
    coverage: [...new Set([...coverage, ...sheet.missing])],
    isMasked: false,
    command: typeof source === 'string' ? null : commandOf(source, state.handover.flags),
  };
  return { ...state, overlay: { kind: 'finding', finding }, prompt: promptOf('note', '') };
}

export function noteSubmitted(state: State, prompt: Prompt): Done {
  const { overlay } = state;
  const closed: State = { ...state, prompt: null, overlay: null };
  if (overlay?.kind !== 'finding') return closed;
  const { finding } = overlay;
  const entry = entryOf(finding, prompt.field.text.trim(), state.now);
  return [closed, [{ type: 'addFinding', entry, at: state.now, isMasked: finding.isMasked }]];
}

/** Tab in the note: real addresses or pseudonyms; null = no note is being written. */
export function maskToggled(state: State): State | null {
  const { overlay } = state;
  if (overlay?.kind !== 'finding') return null;
  const { finding } = overlay;
  return { ...state, overlay: { kind: 'finding', finding: { ...finding, isMasked: !finding.isMasked } } };
}

export function findingFailed(state: State, path: string, why: string): State {
  return reported(state, 'error', `not added to the notebook: ${why}; what ${path} held is still there`);
}

/** A finding as a notebook entry. `at`: Unix ms. */
export function entryOf(finding: Finding, note: string, at: number): NotebookEntry {
  const { title, time, flow, table, which, coverage, command } = finding;
  const noted = timeOfDay(at, { zone: 'utc' });
  const said = [which, ...flow, ...coverage].map(proseLine);
  return notebookEntry({ noted, title: codeSpan(title), ...time, note: proseLine(note), said }, [
    ...table,
    '',
    ...(command === null ? [] : [...fenced(command, 'sh'), '']),
  ]);
}

function chosenLines(
  sheet: Sheet,
  { from = 0, called = 'the first' }: Noted,
): { table: string[]; which: string } {
  const lines = [...sheet.lines(from, from + FINDING_ROWS)];
  const rows = lines.filter((line) => line.kind === 'row').length;
  const which =
    rows === sheet.rows
      ? `all ${count(rows)} ${sheet.what}`
      : `${rows} of ${count(sheet.rows)} ${sheet.what}, ${called}`;
  return {
    table: [...tableHead(sheet.brief), ...lines.map((line) => markdownLine(line, sheet.brief))],
    which,
  };
}

/** How many requests a log had in a time, as far as that was read; empty where no row of it was. */
function flowWords(session: LogSession, range: TimeRange): string[] {
  const trafficIn = (part: TimeRange) => session.book.stats(part, 1).total;
  const { total } = trafficRead(trafficIn, range, wholeTimes(session), 1);
  if (total.sums.requests === 0) return [];
  const length = range.to - range.from;
  const at = (time: number) => `${timeOfDay(time, { zone: 'utc' })}Z`;
  const share = total.read < length ? `, ${percent(total.read / length)} of which was read` : '';
  return [`${counted(total.sums.requests, 'request')} from ${at(range.from)} to ${at(range.to)}${share}`];
}

/** An answer as it stands, with some rows of each section. */
function answerEntry(table: AnswerTable): { table: string[]; which: string } {
  const { lines, shown, all } = answerTables(table, FINDING_ROWS);
  const which =
    shown === all ? `all ${count(all)} rows of the answer` : `${shown} of ${count(all)} rows of the answer`;
  return { table: lines, which };
}
