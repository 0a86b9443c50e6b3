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
import { parseShieldQuery, parseShieldWindow, zoomed } from '../../domain/shield/shield-window.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { promptOf } from '../input/prompt.ts';
import type { PromptKind } from '../input/prompt-kind.ts';
import { listHeight } from '../list/layout.ts';
import { clamp, moved, placed } from '../list/list.ts';
import { noticed, type State } from '../model.ts';
import { requeried, topShield } from './shield-ask.ts';
import type { ShieldForm } from './shield-model.ts';

/** Parts of a filter row that `h` and `l` go through. */
const FORM_PARTS = ['field', 'operator', 'values'] as const;

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

export function formCommanded(state: State, form: ShieldForm, command: CommandId): State | null {
  const { draft } = form;
  const at = moved(form, command, formRows(draft).length, listHeight(state));
  if (at) return { ...state, overlay: { ...form, ...at } };
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
    case 'leaveForm':
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

function drafted(state: State, form: ShieldForm, draft: Query): State {
  const at = placed(form, form.cursor, formRows(draft).length, listHeight(state));
  return { ...state, overlay: { ...form, ...at, draft } };
}

function typing(state: State, kind: PromptKind, text: string): State {
  return { ...state, prompt: promptOf(kind, text) };
}
