import { EMPTY_QUERY, type Query } from '../../domain/query/query.ts';
import { formRows, termTrouble, textOfRow, withRow } from '../../domain/query/query-form.ts';
import { printQuery } from '../../domain/query/query-text.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { queryOnTop } from '../../screens/screens.ts';
import { listHeight } from '../../state/list/screen-layout.ts';
import { moved, placed } from '../../state/list.ts';
import { offIn, ownerOf, promptSubject } from '../../state/log-zones.ts';
import { noticed, type QueryForm, type State } from '../../state/model.ts';
import { parsedBy, promptOf, windowBy } from '../../state/prompt.ts';
import type { PromptKind } from '../../state/prompt-kind.ts';

/** The query as a form, with the terms switched off in it before. */
export function formOpened(state: State, query: Query): State {
  const asked = new Set(query.terms.map((term) => JSON.stringify(term)));
  const off = offIn(state).filter((term) => !asked.has(JSON.stringify(term)));
  const draft = { ...query, terms: [...query.terms, ...off] };
  return { ...state, prompt: null, overlay: { kind: 'queryForm', draft, off, cursor: 0, top: 0 } };
}

/** The edited line becomes a form; one that is not understood stays, marked at the mistake. */
export function formOfPrompt(state: State): State {
  const { prompt } = state;
  if (prompt?.kind !== 'query') return state;
  const parsed = parsedBy(promptSubject(state), prompt.field.text, state.now);
  if (!parsed.ok) return { ...state, prompt: { ...prompt, error: parsed.error } };
  return formOpened(state, parsed.query);
}

/** What was typed for a row of the form replaces it; what is not understood stays, marked. */
export function formPartSubmitted(state: State): State {
  const { prompt, overlay } = state;
  if (!prompt || overlay?.kind !== 'queryForm') return { ...state, prompt: null };
  const row = formRows(overlay.draft)[overlay.cursor];
  if (!row) return { ...state, prompt: null };
  const { text } = prompt.field;
  const subject = promptSubject(state);
  const window = row.kind === 'window' && text.trim() !== '' ? windowBy(subject, text, state.now) : null;
  const query = parsedBy(subject, text, state.now);
  // In the row of the window a word such as `yesterday` is a time, not a text to search for.
  const isWindow = window !== null && !(query.ok && query.query.window !== null);
  const parsed = !isWindow
    ? query
    : window.ok
      ? ({ ok: true, query: { ...EMPTY_QUERY, window: window.window } } as const)
      : window;
  if (!parsed.ok) return { ...state, prompt: { ...prompt, error: parsed.error } };
  return drafted({ ...state, prompt: null }, overlay, withRow(overlay.draft, row, parsed.query));
}

export function formCommanded(state: State, form: QueryForm, command: CommandId): State | null {
  const { draft, off } = form;
  const at = moved(form, command, formRows(draft).length, listHeight(state));
  if (at) return { ...state, overlay: { ...form, ...at } };
  const row = formRows(draft)[form.cursor];
  const term = row?.kind === 'term' ? draft.terms[row.at] : undefined;
  switch (command) {
    case 'open':
      return run(state, form);
    case 'leaveForm':
      return typing({ ...state, overlay: null }, 'query', printQuery(askedBy(form)));
    case 'editQuery':
      return row ? typing(state, 'formPart', textOfRow(draft, row)) : null;
    case 'filterIn': {
      const rows = formRows(draft);
      const cursor = rows.findIndex((each) => each.kind === 'add');
      const place = placed(form, cursor, rows.length, listHeight(state));
      return typing({ ...state, overlay: { ...form, ...place } }, 'formPart', '');
    }
    case 'filterOut': {
      if (row?.kind !== 'term' || !term) return null;
      const negated = { ...term, negated: !term.negated };
      return drafted(
        state,
        { ...form, off: off.map((each) => (each === term ? negated : each)) },
        { ...draft, terms: draft.terms.with(row.at, negated) },
      );
    }
    case 'dropFilter':
      return row ? drafted(state, form, withRow(draft, row, EMPTY_QUERY)) : null;
    case 'pause': {
      if (!term) return row ? typing(state, 'formPart', textOfRow(draft, row)) : null;
      const others = off.filter((each) => each !== term);
      return { ...state, overlay: { ...form, off: others.length < off.length ? others : [...off, term] } };
    }
    default:
      return null;
  }
}

/** The query that the form asks. */
export function askedBy({ draft, off }: QueryForm): Query {
  return { ...draft, terms: draft.terms.filter((term) => !off.includes(term)) };
}

/** Enter asks the form's query, unless a part of it is invalid; the terms that are off are kept for the next time. */
function run(state: State, form: QueryForm): State {
  const subject = promptSubject(state);
  const own = queryOnTop(state);
  if (own === null) return { ...state, overlay: null };
  const asked = askedBy(form);
  const trouble = asked.terms.map((term) => termTrouble(subject, term)).find((why) => why !== null);
  if (trouble !== undefined) return noticed(state, 'warning', `not sent: ${trouble}`);
  const parsed = parsedBy(subject, printQuery(asked), state.now);
  if (!parsed.ok) {
    const { message, hint } = parsed.error;
    return noticed(state, 'warning', `not sent: ${message}; ${hint}`);
  }
  const terms = form.draft.terms.filter((term) => form.off.includes(term));
  const closed: State = { ...state, overlay: null, termsOff: { of: ownerOf(state), terms } };
  return own.asked(closed, parsed.query);
}

function drafted(state: State, form: QueryForm, draft: Query): State {
  const at = placed(form, form.cursor, formRows(draft).length, listHeight(state));
  return { ...state, overlay: { ...form, ...at, draft } };
}

function typing(state: State, kind: PromptKind, text: string): State {
  return { ...state, prompt: promptOf(kind, text) };
}
