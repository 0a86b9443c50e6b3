import { markSheet } from '../../domain/handover/marks.ts';
import { commandOf } from '../../domain/handover/place.ts';
import type { Sheet } from '../../domain/handover/sheet.ts';
import { SHEET_FORMATS, type SheetFormat } from '../../domain/handover/sheet-formats.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { againOnTop, onTop } from '../../screens/screens.ts';
import type { ExportJob, ExportOutcome, ExportSubject, HandoverOverlay } from '../../state/handover-model.ts';
import { moved } from '../../state/list.ts';
import { type Notice, noticed, type Prompt, reported, type State } from '../../state/model.ts';
import { mistaken, promptOf } from '../../state/prompt.ts';
import { topView } from '../../state/view-stack.ts';
import { bytes, count, counted } from '../../text/units.ts';

type ExportMenu = Extract<HandoverOverlay, { kind: 'exportMenu' }>;

export const FORMAT_IDS = Object.keys(SHEET_FORMATS) as SheetFormat[];

export function exportMenuOpened(state: State, of: ExportSubject): State {
  return { ...state, overlay: { kind: 'exportMenu', of, cursor: 0, top: 0 } };
}

export function exportMenuCommanded(state: State, menu: ExportMenu, command: CommandId): State | null {
  const place = moved(menu, command, FORMAT_IDS.length, FORMAT_IDS.length);
  if (place) return { ...state, overlay: { ...menu, ...place } };
  if (command !== 'open') return null;
  const name = defaultName(state, menu.of, FORMAT_IDS[menu.cursor] ?? 'ndjson');
  return { ...state, prompt: promptOf('exportPath', name) };
}

/** Enter on the file's name: the rows are those in view now. */
export function exportSubmitted(state: State, prompt: Prompt): State {
  const { overlay, handover } = state;
  if (overlay?.kind !== 'exportMenu') return { ...state, prompt: null };
  const path = prompt.field.text.trim();
  if (path === '') return mistaken(state, prompt, 'a file needs a name', 'Esc goes back', path);
  const { of, cursor } = overlay;
  const sheet = subjectSheet(state, of);
  const closed: State = { ...state, prompt: null, overlay: null };
  if (typeof sheet === 'string') return noticed(closed, 'warning', sheet);
  const id = handover.exports + 1;
  const format = FORMAT_IDS[cursor] ?? 'ndjson';
  const isView = of === 'view';
  const opens = againOnTop(state);
  const source = {
    title: isView ? onTop(state, 'title') : 'marked rows',
    command: isView && typeof opens !== 'string' ? (commandOf(opens, handover.flags) ?? '') : '',
    at: state.now,
    notes: notesOf(state, of),
  };
  const exporting: ExportJob = { id, path, format, of, sheet, source, written: 0, since: state.now };
  return { ...closed, handover: { ...handover, exports: id, exporting } };
}

export function exportAdvanced(state: State, id: number, written: number): State {
  const { exporting } = state.handover;
  if (exporting?.id !== id) return state;
  return { ...state, handover: { ...state.handover, exporting: { ...exporting, written } } };
}

export function exportEnded(state: State, id: number, outcome: ExportOutcome): State {
  const { exporting } = state.handover;
  if (exporting?.id !== id) return state;
  const ended: State = { ...state, handover: { ...state.handover, exporting: null } };
  const { tone, text } = endNotice(exporting.sheet, outcome);
  const next = reported(ended, tone, text);
  if (outcome.kind !== 'exists' || state.prompt || state.overlay) return next;
  const cursor = FORMAT_IDS.indexOf(exporting.format);
  const asked: State = { ...next, overlay: { kind: 'exportMenu', of: exporting.of, cursor, top: 0 } };
  const prompt = promptOf('exportPath', outcome.free);
  return mistaken(asked, prompt, 'that file exists and was left alone', 'this name is free');
}

/** Esc: the writer stops, and its file goes. */
export function exportCancelled(state: State): State {
  const { exporting } = state.handover;
  if (!exporting) return state;
  const text = `export cancelled at ${count(exporting.written)} of ${count(exporting.sheet.rows)} ${exporting.sheet.what}; no file was left`;
  return noticed({ ...state, handover: { ...state.handover, exporting: null } }, 'warning', text);
}

/** The progress of the file; shown while no notice is. */
export function exportWords({ path, sheet, written }: ExportJob): string {
  return `writing ${count(written)} of ${count(sheet.rows)} ${sheet.what} to ${path}; Esc cancels`;
}

/** What the menu says it will write. */
export function exportOffer(state: State, subject: ExportSubject): { words: string; notes: string[] } {
  const sheet = subjectSheet(state, subject);
  if (typeof sheet === 'string') return { words: sheet, notes: [] };
  const rows = `${count(sheet.rows)} ${sheet.what}`;
  const of = sheet.of === null ? '' : ` of ${count(sheet.of)}`;
  const whose = subject === 'view' ? 'of this view' : 'that are marked';
  return { words: `the ${rows}${of} ${whose}`, notes: [...notesOf(state, subject), ...sheet.missing] };
}

function endNotice(sheet: Sheet, outcome: ExportOutcome): Notice {
  switch (outcome.kind) {
    case 'written': {
      const { rows, gaps, path } = outcome;
      const parts = [
        `wrote ${count(rows)} of ${count(sheet.rows)} ${sheet.what}`,
        ...(gaps > 0 ? [`${counted(gaps, 'gap')} stated`] : []),
        ...(sheet.of === null ? [] : [`of ${count(sheet.of)} that the server counts`]),
        `${bytes(outcome.bytes)} to ${path}`,
      ];
      const isWhole = rows === sheet.rows && sheet.missing.length === 0;
      return { tone: isWhole ? 'info' : 'warning', text: parts.join(', ') };
    }
    case 'exists':
      return { tone: 'warning', text: `nothing was written: ${outcome.path} exists and was left alone` };
    case 'failed':
      return { tone: 'error', text: `not exported: ${outcome.why}; nothing was left at ${outcome.path}` };
  }
}

/** `edgescope-<zone>-<UTC time>`, in characters that every file system takes. */
function defaultName(state: State, of: ExportSubject, format: SheetFormat): string {
  const viewed = onTop(state, 'about')?.name || topView(state).kind;
  const zone = of === 'marks' ? of : viewed;
  const safe = zone.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 60);
  const time = new Date(state.now).toISOString().replace(/[-:]|\.\d+/g, '');
  return `edgescope-${safe}-${time}.${SHEET_FORMATS[format].ending}`;
}

function subjectSheet(state: State, of: ExportSubject): Sheet | string {
  if (of === 'view') return onTop(state, 'sheet');
  const { marks } = state.handover;
  return marks.size > 0 ? markSheet(marks) : 'no row is marked any more';
}

function notesOf(state: State, of: ExportSubject): string[] {
  if (of === 'marks') {
    const zones = new Set([...state.handover.marks.values()].map(({ zone }) => zone));
    return [`rows of ${[...zones].join(', ')}, as they were when they were marked`];
  }
  return onTop(state, 'coverage');
}
