import { SHIELD_FIELDS } from '../../domain/query/fields.ts';
import { EMPTY_QUERY, type Query } from '../../domain/query/query.ts';
import {
  formRows,
  nextField,
  nextOperator,
  termTrouble,
  textOfRow,
  withRow,
} from '../../domain/query/query-form.ts';
import { printQuery } from '../../domain/query/query-text.ts';
import { placedShieldColumns, SHIELD_COLUMN_IDS } from '../../domain/shield/shield-columns.ts';
import { parseShieldQuery, parseShieldWindow, zoomed } from '../../domain/shield/shield-window.ts';
import type { CommandId } from '../commands.ts';
import { listHeight } from '../layout.ts';
import { clamp, moved, placed } from '../list.ts';
import { noticed, type Overlay, type PromptKind, type State } from '../model.ts';
import { promptOf } from '../prompt.ts';
import { requeried, topShield } from './shield-ask.ts';
import type { ShieldOverlay } from './shield-model.ts';

type Form = Extract<ShieldOverlay, { kind: 'shieldForm' }>;

/** Dimensions that events can be grouped by. */
export const SHIELD_GROUP_FIELDS: readonly string[] = Object.keys(SHIELD_FIELDS);

/** Parts of a filter row that `h` and `l` go through. */
export const FORM_PARTS = ['field', 'operator', 'values'] as const;

export function isShieldOverlay(overlay: Overlay): overlay is ShieldOverlay {
  return overlay.kind === 'shieldPick' || overlay.kind === 'shieldColumns' || overlay.kind === 'shieldForm';
}

/** Opens what a command lays over a view of the explorer; null = nothing of the explorer's. */
export function openShieldOverlay(state: State, command: CommandId): State | null {
  const view = topShield(state);
  if (!view || view.kind === 'shieldEvent') return null;
  const place = { cursor: 0, top: 0 };
  switch (command) {
    case 'chooseGroups':
      return { ...state, overlay: { kind: 'shieldPick', chosen: [], ...place } };
    case 'chooseColumns': {
      const chosen = placedShieldColumns(state.shield?.columns ?? null, state.size.columns);
      return { ...state, overlay: { kind: 'shieldColumns', chosen, ...place } };
    }
    case 'switchForm':
      return formOpened(state, view.query);
    default:
      return null;
  }
}

/** The explorer's own overlays come before those that all views have. */
export function shieldFirst(state: State, command: CommandId): State | null {
  if (command === 'switchForm' && state.prompt) return formOfPrompt(state);
  const { overlay } = state;
  if (overlay && isShieldOverlay(overlay)) return shieldOverlayCommanded(state, overlay, command) ?? state;
  return overlay ? null : openShieldOverlay(state, command);
}

export function formOpened(state: State, draft: Query): State {
  return { ...state, prompt: null, overlay: { kind: 'shieldForm', draft, part: 2, cursor: 0, top: 0 } };
}

/** The line of text becomes a form; one that cannot be understood stays, marked at its place. */
export function formOfPrompt(state: State): State {
  const { prompt } = state;
  if (prompt?.kind !== 'query' || !topShield(state)) return state;
  const parsed = parseShieldQuery(prompt.field.text, state.now);
  if (!parsed.ok) return { ...state, prompt: { ...prompt, error: parsed.error } };
  return formOpened(state, parsed.query);
}

/** What a command does while an overlay of the explorer lies over it. */
export function shieldOverlayCommanded(
  state: State,
  overlay: ShieldOverlay,
  command: CommandId,
): State | null {
  if (command === 'leave' || command === 'back') return { ...state, overlay: null };
  const length = {
    shieldPick: SHIELD_GROUP_FIELDS.length,
    shieldColumns: SHIELD_COLUMN_IDS.length,
    shieldForm: overlay.kind === 'shieldForm' ? formRows(overlay.draft).length : 0,
  }[overlay.kind];
  const at = moved(overlay, command, length, listHeight(state), state.count);
  if (at) return { ...state, overlay: { ...overlay, ...at } };
  switch (overlay.kind) {
    case 'shieldPick':
      return picked(state, overlay, command);
    case 'shieldColumns':
      return columnsPicked(state, overlay, command);
    case 'shieldForm':
      return formCommanded(state, overlay, command);
  }
}

/** In the row of the window a word such as `yesterday` is a time, and no text to search for. */
function windowRow(text: string, now: number): ReturnType<typeof parseShieldQuery> {
  const parsed = parseShieldWindow(text, now);
  if (parsed.ok) return { ok: true, query: { ...EMPTY_QUERY, window: parsed.window } };
  const query = parseShieldQuery(text, now);
  return query.ok && query.query.window !== null ? query : parsed;
}

/** What was typed for a row of the form takes its place; what cannot be understood is marked and stays. */
export function formPartSubmitted(state: State): State {
  const { prompt, overlay } = state;
  if (!prompt || overlay?.kind !== 'shieldForm') return { ...state, prompt: null };
  const row = formRows(overlay.draft)[overlay.cursor];
  if (!row) return { ...state, prompt: null };
  const { text } = prompt.field;
  const parsed =
    row.kind === 'window' && text.trim() !== ''
      ? windowRow(text, state.now)
      : parseShieldQuery(text, state.now);
  if (!parsed.ok) return { ...state, prompt: { ...prompt, error: parsed.error } };
  return drafted({ ...state, prompt: null }, overlay, withRow(overlay.draft, row, parsed.query));
}

function picked(
  state: State,
  overlay: Extract<ShieldOverlay, { kind: 'shieldPick' }>,
  command: CommandId,
): State | null {
  const field = SHIELD_GROUP_FIELDS[overlay.cursor] ?? 'ip';
  if (command === 'pause')
    return { ...state, overlay: { ...overlay, chosen: toggled(overlay.chosen, field) } };
  const view = topShield(state);
  if (command === 'sort' && view) {
    return requeried({ ...state, overlay: null }, { ...view.query, groupBy: [] });
  }
  if (command !== 'open' || !view) return null;
  const groupBy = overlay.chosen.length > 0 ? overlay.chosen : [field];
  return requeried({ ...state, overlay: null }, { ...view.query, groupBy });
}

function columnsPicked(
  state: State,
  overlay: Extract<ShieldOverlay, { kind: 'shieldColumns' }>,
  command: CommandId,
): State | null {
  const column = SHIELD_COLUMN_IDS[overlay.cursor] ?? 'share';
  if (command === 'pause')
    return { ...state, overlay: { ...overlay, chosen: toggled(overlay.chosen, column) } };
  if (command !== 'open' || !state.shield) return null;
  return { ...state, overlay: null, shield: { ...state.shield, columns: overlay.chosen } };
}

function formCommanded(state: State, form: Form, command: CommandId): State | null {
  const { draft } = form;
  const row = formRows(draft)[form.cursor];
  const term = row?.kind === 'term' ? draft.terms[row.at] : undefined;
  switch (command) {
    case 'left':
      return { ...state, overlay: { ...form, part: clamp(form.part - 1, 0, FORM_PARTS.length - 1) } };
    case 'right':
      return { ...state, overlay: { ...form, part: clamp(form.part + 1, 0, FORM_PARTS.length - 1) } };
    case 'open':
      return run(state, draft);
    case 'switchForm':
      return typing({ ...state, overlay: null }, 'query', printQuery(draft));
    case 'editQuery':
      return row ? typing(state, 'formPart', textOfRow(draft, row)) : null;
    case 'filterIn': {
      const rows = formRows(draft);
      const cursor = rows.findIndex((each) => each.kind === 'add');
      const at = placed(form, cursor, rows.length, listHeight(state));
      return typing({ ...state, overlay: { ...form, ...at } }, 'formPart', '');
    }
    case 'filterOut':
      if (row?.kind !== 'term' || !term) return null;
      return drafted(state, form, {
        ...draft,
        terms: draft.terms.with(row.at, { ...term, negated: !term.negated }),
      });
    case 'dropFilter':
      return row ? drafted(state, form, withRow(draft, row, EMPTY_QUERY)) : null;
    case 'pause': {
      if (row?.kind === 'window') {
        const window = draft.window?.kind === 'absolute' ? null : zoomed(draft.window, 'out', state.now);
        return drafted(state, form, { ...draft, window: window ?? { kind: 'last', duration: 300_000 } });
      }
      if (row?.kind !== 'term' || !term) return row ? typing(state, 'formPart', textOfRow(draft, row)) : null;
      const part = FORM_PARTS[form.part];
      if (part === 'values') return typing(state, 'formPart', textOfRow(draft, row));
      const next = part === 'field' ? nextField('shield', term) : nextOperator('shield', term);
      return drafted(state, form, { ...draft, terms: draft.terms.with(row.at, next) });
    }
    default:
      return null;
  }
}

/** Enter: the form's query is asked, unless a part of it cannot be meant so. */
function run(state: State, draft: Query): State {
  const trouble = draft.terms.map((term) => termTrouble('shield', term)).find((why) => why !== null);
  if (trouble !== undefined) return noticed(state, 'warning', `not sent: ${trouble}`);
  const parsed = parseShieldQuery(printQuery(draft), state.now);
  if (!parsed.ok) {
    const { message, hint } = parsed.error;
    return noticed(state, 'warning', `not sent: ${message}; ${hint}`);
  }
  return requeried({ ...state, overlay: null }, parsed.query);
}

function drafted(state: State, form: Form, draft: Query): State {
  const at = placed(form, form.cursor, formRows(draft).length, listHeight(state));
  return { ...state, overlay: { ...form, ...at, draft } };
}

function typing(state: State, kind: PromptKind, text: string): State {
  return { ...state, prompt: promptOf(kind, text) };
}

function toggled<T>(chosen: readonly T[], item: T): T[] {
  return chosen.includes(item) ? chosen.filter((each) => each !== item) : [...chosen, item];
}
