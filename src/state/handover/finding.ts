import { codeSpan, fenced, proseLine, tableHead } from '../../domain/handover/line-formats.ts';
import { headLines } from '../../domain/handover/notebook.ts';
import { commandOf } from '../../domain/handover/place.ts';
import type { Sheet } from '../../domain/handover/sheet.ts';
import { markdownLine } from '../../domain/handover/sheet-formats.ts';
import { count, timeOfDay } from '../../text/units.ts';
import { listHeight } from '../layout.ts';
import { logWindow } from '../logs/log.ts';
import type { Step } from '../messages.ts';
import { noticed, type Prompt, reported, type State, topView } from '../model.ts';
import { promptOf } from '../prompt.ts';
import { crumbOf, rangeOfLog } from './command-sources.ts';
import { answerEntry, FINDING_ROWS, sparkLines, timeOf } from './finding-parts.ts';
import type { Finding } from './handover-model.ts';
import { coverageWords, gapWords, sheetOf } from './handover-rows.ts';
import { titleOf } from './handover-title.ts';

/** Takes the view as it stands now and asks for the note. */
export function findingOpened(state: State): State {
  const sheet = sheetOf(state);
  if (typeof sheet === 'string') return noticed(state, 'info', sheet);
  const crumb = crumbOf(state);
  const view = topView(state);
  const { session } = state;
  const overLog = ['log', 'groups', 'record'].includes(view.kind);
  const gaps = session && overLog ? gapWords(session) : [];
  const none = session && overLog && gaps.length === 0 ? ['no gap in what was read'] : [];
  const isFlow = session && (view.kind === 'log' || view.kind === 'groups');
  const { table, which } = view.kind === 'answer' ? answerEntry(view.table) : chosenLines(state, sheet);
  const told = coverageWords(state);
  // The sentence of an answer stands before its tables.
  const coverage = view.kind === 'answer' ? told.filter((words) => words !== view.table.headline) : told;
  const finding: Finding = {
    title: titleOf(state),
    time: timeOf(state),
    spark: isFlow ? sparkLines(session.book, rangeOfLog(state)) : [],
    table,
    which,
    coverage: [...coverage, ...gaps, ...none, ...sheet.missing.filter((words) => !gaps.includes(words))],
    isMasked: false,
    command: typeof crumb === 'string' ? null : commandOf(crumb, state.handover.flags),
  };
  return { ...state, overlay: { kind: 'finding', finding }, prompt: promptOf('note', '') };
}

export function noteSubmitted(state: State, prompt: Prompt): Step {
  const { overlay } = state;
  const closed: State = { ...state, prompt: null, overlay: null };
  if (overlay?.kind !== 'finding') return [closed, []];
  const { finding } = overlay;
  const entry = entryOf(finding, prompt.field.text.trim(), state.now)
    .map((line) => `${line}\n`)
    .join('');
  return [closed, [{ type: 'addFinding', entry, at: state.now, isMasked: finding.isMasked }]];
}

/** Tab in the note: addresses as they are, or as pseudonyms; null = no note is being written. */
export function maskToggled(state: State): State | null {
  const { overlay } = state;
  if (overlay?.kind !== 'finding') return null;
  const { finding } = overlay;
  return { ...state, overlay: { kind: 'finding', finding: { ...finding, isMasked: !finding.isMasked } } };
}

export function findingAdded(state: State, path: string): State {
  return reported(state, 'info', `added to ${path}`);
}

export function findingFailed(state: State, path: string, why: string): State {
  const text = `not added to the notebook: ${why}; ${path} is as it was`;
  return reported(state, 'error', text);
}

/** The lines of an entry of the notebook. `at`: Unix ms. */
export function entryOf(finding: Finding, note: string, at: number): string[] {
  const { title, time, spark, table, which, coverage, command } = finding;
  return [
    ...headLines({
      noted: timeOfDay(at, { zone: 'utc' }),
      title: codeSpan(title),
      ...time,
      note: proseLine(note),
      struck: null,
      edits: [],
    }),
    ...table,
    '',
    which,
    '',
    ...spark,
    ...coverage.map((words) => `- ${codeSpan(words)}`),
    '',
    ...(command === null ? [] : [...fenced(command, 'sh'), '']),
  ];
}

/** At the live end the newest rows matter; a paused reader stands on the row that he wants; of a list its head. */
function chosenLines(state: State, sheet: Sheet): { table: string[]; which: string } {
  const view = topView(state);
  const book = state.session?.book;
  const isLog = view.kind === 'log' && book !== undefined;
  const length = isLog ? book.length : sheet.rows;
  const at = isLog ? logWindow(view, book, listHeight(state)).cursor : 0;
  const from = isLog && view.paused ? at : isLog ? Math.max(0, length - FINDING_ROWS) : 0;
  const lines = [...sheet.lines(from, Math.min(length, from + FINDING_ROWS))];
  const rows = lines.filter((line) => line.kind === 'row').length;
  const which =
    rows === sheet.rows
      ? `All ${count(rows)}`
      : `${isLog ? (view.paused ? 'From the cursor on' : 'The newest') : 'The first'} ${rows} of ${count(sheet.rows)}`;
  return {
    table: [...tableHead(sheet.brief), ...lines.map((line) => markdownLine(line, sheet.brief))],
    which: `${which} ${sheet.what}.`,
  };
}
