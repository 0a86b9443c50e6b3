import { type Completion, complete, completeWindow } from '../../domain/query/complete.ts';
import type { Query, QuerySubject, TimeWindow } from '../../domain/query/query.ts';
import { type parseQuery, placeOfWord, printQuery, type QueryError } from '../../domain/query/query-text.ts';
import { aheadOf } from '../../domain/query/query-time.ts';
import { editField, type FieldEdit, fieldOf } from '../../domain/query/text-field.ts';
import { windowText } from '../../domain/query/window-text.ts';
import { BINDINGS, type CommandId } from '../../keys/bindings.ts';
import { queryOnTop, screenOf } from '../../screens/screens.ts';
import { dayOffered, daySubmitted, seenInShield } from '../../screens/shield/shield-ask.ts';
import {
  confirmCancelled,
  confirmSubmitted,
  confirmTyped,
  formLineSubmitted,
} from '../../screens/storage/edit-commands.ts';
import { narrowedZones, patternSubmitted } from '../../screens/zones/zones-screen.ts';
import { askedValue, promptSubject, zonesOfLog } from '../../state/log-zones.ts';
import type { Done } from '../../state/messages.ts';
import { noticed, type Prompt, type State } from '../../state/model.ts';
import { mistaken, parsedBy, promptOf, windowBy } from '../../state/prompt.ts';
import type { PromptKind } from '../../state/prompt-kind.ts';
import { begun, isBurst } from '../../state/prompt-kind.ts';
import { storedOffers } from '../../state/sessions/stored-values.ts';
import { topOf, topView } from '../../state/view-stack.ts';
import { exportSubmitted } from '../handover/export-menu.ts';
import { maskToggled, noteSubmitted } from '../handover/note-entry.ts';
import { viewNameSubmitted } from '../handover/view-list.ts';
import { formOfPrompt, formPartSubmitted } from './form.ts';

/** Values of a field searched for completion. */
const MOST_SEEN = 20;

/** The prompts that commands open; null where there is nothing to edit. */
export const PROMPTS: Partial<Record<CommandId, (state: State) => State | null>> = {
  find: (state) => {
    const { overlay, zones } = state;
    if (overlay && 'find' in overlay) return prompted(state, 'listFind', overlay.find);
    if (topOf(state, 'zones')) return prompted(state, 'narrow', zones.narrow);
    const view = topView(state);
    return {
      ...state,
      prompt: { ...promptOf('find', ''), before: screenOf(view).search?.sought(view)?.needle ?? '' },
    };
  },
  markZones: (state) => prompted(state, 'zonePattern', ''),
  editQuery: (state) => {
    const own = queryOnTop(state);
    return own && prompted(state, 'query', printQuery(own.query));
  },
  chooseWindow: (state) => queryOnTop(state) && prompted(state, 'window', ''),
  readDay: (state) => prompted(state, 'day', dayOffered(state)),
  palette: (state) => paletteOpened(state, ''),
};

/** The command line with a text; an overlay that knows what is selected stays beneath it. */
export function paletteOpened(state: State, text: string): State {
  const { overlay } = state;
  const isOver = overlay?.kind === 'timeline' || overlay?.kind === 'topValues';
  const under = overlay?.kind === 'palette' ? overlay.under : isOver ? overlay : null;
  return {
    ...state,
    overlay: { kind: 'palette', under },
    prompt: { ...promptOf('palette', text), before: '' },
  };
}

/**
 * The overlay over the view when a command of the command line runs: the one beneath the line, where the command acts
 * there.
 */
export function overlayUnder({ overlay }: State, command: CommandId): State['overlay'] {
  const under = overlay?.kind === 'palette' ? overlay.under : null;
  return under && BINDINGS[command].where.includes(under.kind) ? under : null;
}

/** The help, narrowed by what is typed. */
export function helpOpened(state: State, find: string): State {
  return { ...prompted(state, 'help', find), overlay: { kind: 'help', cursor: 0, find } };
}

export function openPrompt(state: State, command: CommandId): State | null {
  return PROMPTS[command]?.(state) ?? null;
}

/** Text arrived in the prompt: typed, pasted, or an edit. Lists that the prompt drives follow at once. */
export function promptEdited(state: State, prompt: Prompt, edit: FieldEdit): State {
  const field = editField(prompt.field, edit);
  const next: State = { ...state, prompt: edited(state, prompt, field) };
  if (prompt.kind === 'narrow') return narrowedZones(next, field.text);
  if (prompt.kind === 'confirmZone') return confirmTyped(next, field.text);
  return prompt.kind === 'listFind' || prompt.kind === 'help' ? overlayNarrowed(next, field.text) : next;
}

/** The query line with the offers of now. */
export function reoffered(state: State): State {
  const { prompt } = state;
  if (prompt?.kind !== 'query') return state;
  return { ...state, prompt: { ...prompt, suggestions: suggestionsFor(state, prompt, prompt.field) } };
}

/** Esc: the line closes, and what it drove is as it was before. */
export function promptCancelled(state: State, prompt: Prompt): State {
  const left = closed(state);
  switch (prompt.kind) {
    case 'narrow':
      return narrowedZones(left, prompt.before);
    case 'confirmZone':
      return confirmCancelled(left);
    case 'palette':
      return { ...left, overlay: left.overlay?.kind === 'palette' ? left.overlay.under : null };
    case 'help':
    case 'note':
      return { ...left, overlay: null };
    case 'listFind':
      return overlayNarrowed(left, '');
    default:
      return left;
  }
}

/** The overlay's list narrowed to this text, from its top on. */
function overlayNarrowed(state: State, find: string): State {
  const { overlay } = state;
  if (!overlay || !('find' in overlay)) return state;
  const place = overlay.kind === 'help' ? { cursor: 0 } : { top: 0, cursor: 0 };
  return { ...state, overlay: { ...overlay, find, ...place } as typeof overlay };
}

/**
 * Enter on a line that writes to a file: text meant for something else, with an `o` and line breaks in it, writes
 * nothing.
 */
function written(submitted: (state: State, prompt: Prompt) => Done): typeof submitted {
  return (state, prompt) =>
    isBurst(state.pace)
      ? mistaken(
          { ...state, pace: begun(state.now) },
          prompt,
          'too fast to be typed: not written',
          'Enter writes it',
        )
      : submitted(state, prompt);
}

/** What Enter does, by the kind of line. */
const SUBMITTED: Record<PromptKind, (state: State, prompt: Prompt) => Done> = {
  narrow: closed,
  zonePattern: patternSubmitted,
  palette: closed,
  listFind: closed,
  help: closed,
  find: (state, prompt) => {
    const view = topView(state);
    const { search } = screenOf(view);
    const { text } = prompt.field;
    const again = text === '' ? search?.sought(view) : null;
    if (!search || (text === '' && !again)) return closed(state);
    return again ? search.next(closed(state), view, again, 1) : search.first(closed(state), view, text);
  },
  query: querySubmitted,
  window: windowSubmitted,
  day: daySubmitted,
  formPart: formPartSubmitted,
  exportPath: written(exportSubmitted),
  viewName: written(viewNameSubmitted),
  note: written(noteSubmitted),
  originUrl: formLineSubmitted,
  notFoundPath: formLineSubmitted,
  regions: formLineSubmitted,
  confirmZone: confirmSubmitted,
};

/** Enter. A line that is not understood stays, with its error in place; nothing typed is lost. */
export function promptSubmitted(state: State, prompt: Prompt): Done {
  return SUBMITTED[prompt.kind](state, prompt);
}

function closed(state: State): State {
  return { ...state, prompt: null };
}

function querySubmitted(state: State, prompt: Prompt): State {
  return lineAsked(state, prompt, (text, subject, before) => {
    const parsed = parsedBy(subject, text, state.now);
    if (!parsed.ok) return parsed;
    const window = parsed.query.window ?? (subject === 'shield' ? before.window : null);
    return { ok: true, query: { ...parsed.query, window } };
  });
}

function windowSubmitted(state: State, prompt: Prompt): State {
  if (prompt.field.text.trim() === '')
    return noticed(closed(state), 'info', 'the window stays as it is; i edits the query');
  return lineAsked(state, prompt, (text, subject, before) => {
    const parsed = windowBy(subject, text, state.now);
    return parsed.ok ? { ok: true, query: { ...before, window: parsed.window } } : parsed;
  });
}

/** The top view asked what the line says. */
function lineAsked(
  state: State,
  prompt: Prompt,
  read: (text: string, subject: QuerySubject, before: Query) => ReturnType<typeof parseQuery>,
): State {
  const { text } = prompt.field;
  const own = queryOnTop(state);
  // The view that the line was opened over may be closed by now.
  if (own === null) return closed(state);
  const subject = promptSubject(state);
  const parsed = read(text, subject, own.query);
  const ahead = parsed.ok && subject === 'logs' ? aheadError(state, text, parsed.query.window) : null;
  if (!parsed.ok || ahead)
    return { ...state, prompt: { ...prompt, error: parsed.ok ? ahead : parsed.error } };
  return own.asked(closed(state), parsed.query);
}

/** Tab: takes the suggestion under the cursor into the text. Enter never does. */
export function promptCompleted(state: State, prompt: Prompt): State {
  if (prompt.kind === 'note') return maskToggled(state) ?? state;
  if (!isQueryLine(prompt)) return state;
  const offers = offersFor(state, prompt, prompt.field);
  const offer = offers[prompt.cursor % Math.max(1, offers.length)];
  if (offer) return offerTaken(state, prompt, offer);
  return prompt.kind === 'query' ? formOfPrompt(state) : noticed(state, 'info', 'nothing to complete here');
}

/** The line with an offer in its place, and the cursor behind it. */
export function offerTaken(
  state: State,
  prompt: Prompt,
  { from, to, insert }: Pick<Completion, 'from' | 'to' | 'insert'>,
): State {
  const { text } = prompt.field;
  const field = fieldOf(text.slice(0, from) + insert + text.slice(to), from + insert.length);
  return { ...state, prompt: edited(state, prompt, field) };
}

/** The prompt with another text; the error of the one before goes. */
function edited(state: State, prompt: Prompt, field: Prompt['field']): Prompt {
  const suggestions = suggestionsFor(state, prompt, field);
  return { ...prompt, field, error: null, cursor: 0, chosen: null, suggestions };
}

/** The next suggestion, or the next line of the list that the prompt drives. */
export function promptMoved(state: State, by: number): State {
  const { prompt } = state;
  if (prompt?.kind === 'find') return by < 0 ? sought(state, prompt) : state;
  return prompt ? { ...state, prompt: { ...prompt, cursor: Math.max(0, prompt.cursor + by) } } : state;
}

/** A followed log has no rows of the future; the server's clock counts where it is ahead of ours. */
function aheadError(state: State, text: string, window: TimeWindow | null): QueryError | null {
  if (zonesOfLog(state.session).length === 0) return null;
  const ahead = aheadOf(window, Math.max(state.now, state.session?.report?.serverNow ?? 0));
  return ahead && { ...placeOfWord(text, 'from'), ...ahead };
}

function prompted(state: State, kind: PromptKind, text: string): State {
  const prompt = promptOf(kind, text);
  return { ...state, prompt: { ...prompt, suggestions: suggestionsFor(state, prompt, prompt.field) } };
}

/** Up in the search line: the last search, to change or repeat. */
function sought(state: State, prompt: Prompt): State {
  if (prompt.before === '') return noticed(state, 'info', 'nothing has been searched for yet');
  return { ...state, prompt: { ...prompt, field: fieldOf(prompt.before) } };
}

function suggestionsFor(state: State, prompt: Prompt, field: Prompt['field']): readonly string[] {
  if (!isQueryLine(prompt)) return [];
  return offersFor(state, prompt, field).map((offer) => offer.label);
}

function offersFor(state: State, { kind }: Prompt, { text, cursor }: Prompt['field']) {
  if (kind === 'window') {
    const present = windowText(queryOnTop(state)?.query.window ?? null);
    return completeWindow(text, cursor, present).slice(0, 8);
  }
  const subject = promptSubject(state);
  return complete(text, cursor, subject, (field) => seenValues(state, field, subject)).slice(0, 8);
}

/** Values of a field, most frequent first: in the whole window where a store counted it, then in the rows at hand. */
export function seenValues(state: State, field: string, subject: QuerySubject): string[] {
  if (subject === 'shield') return seenInShield(state, field, MOST_SEEN);
  const seen = state.session?.book.distinct(field, MOST_SEEN) ?? [];
  const values = new Set([...(storedOffers(state, field) ?? []), ...seen.map(({ value }) => value)]);
  return [...values].map((value) => askedValue(state, field, value) ?? '');
}

function isQueryLine({ kind }: Prompt): boolean {
  return kind === 'query' || kind === 'window' || kind === 'formPart';
}
