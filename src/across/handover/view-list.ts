import { type ListedView, nameTrouble, type SavedView } from '../../domain/handover/place.ts';
import { parseQuery, printQuery } from '../../domain/query/query-text.ts';
import { parseShieldQuery } from '../../domain/shield/shield-window.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { onTop } from '../../screens/screens.ts';
import { openWanted } from '../../screens/zones/zones-screen.ts';
import type { HandoverOverlay } from '../../state/handover-model.ts';
import { listHeight } from '../../state/list/screen-layout.ts';
import { moved, placed } from '../../state/list.ts';
import type { Acted, Done, Message, Step } from '../../state/messages.ts';
import { noticed, type Prompt, reported, type State } from '../../state/model.ts';
import { mistaken, promptOf } from '../../state/prompt.ts';
import { NOT_CONNECTED } from '../../state/sessions/log-coverage.ts';

type ViewList = Extract<HandoverOverlay, { kind: 'viewList' }>;

/** A second key sooner than this was typed ahead, one later means something else; neither confirms, ms. */
const CONFIRMS = { from: 500, to: 5000 } as const;

export function viewListOpened(state: State): Step {
  return [
    { ...state, overlay: { kind: 'viewList', asked: null, cursor: 0, top: 0 } },
    [{ type: 'readViews' }],
  ];
}

export function viewListCommanded(state: State, list: ViewList, command: CommandId): Acted {
  const { items } = state.handover.views;
  const place = moved(list, command, items.length, listHeight(state));
  if (place) return { ...state, overlay: { ...list, ...place, asked: null } };
  const view = items[list.cursor];
  if (command === 'dropFilter') {
    return view ? deleted(state, list, view) : noticed(state, 'info', 'there is no view to delete');
  }
  const calm: State = { ...state, overlay: { ...list, asked: null } };
  switch (command) {
    case 'open':
      return view ? viewOpened(state, view) : noticed(calm, 'info', 'no view is saved yet; + saves this one');
    case 'saveView': {
      const here = placeToSave(state);
      return typeof here === 'string'
        ? noticed(calm, 'info', here)
        : { ...calm, prompt: promptOf('viewName', '') };
    }
    default:
      return null;
  }
}

/** Enter on the name. A name that cannot be used stays, marked. */
export function viewNameSubmitted(state: State, prompt: Prompt): Done {
  const name = prompt.field.text.trim();
  const own = state.handover.views.items.filter(({ isShared }) => !isShared);
  const trouble = nameTrouble(name, own);
  if (trouble) return mistaken(state, prompt, trouble.message, trouble.hint, name);
  const here = placeToSave(state);
  const closed: State = { ...state, prompt: null };
  if (typeof here === 'string') return noticed(closed, 'info', here);
  return [closed, [{ type: 'saveView', view: { name, ...here } }]];
}

/** The file as it is now, and the outcome of a change. */
export function viewsRead(state: State, message: Message<'viewsRead'>): State {
  const { views, shared, trouble, done, failed } = message;
  const known = state.handover.views;
  const others = shared
    ? shared.views.map((view) => ({ ...view, isShared: true }))
    : known.items.filter(({ isShared }) => isShared);
  const items = [...views.map((view) => ({ ...view, isShared: false })), ...others];
  const sharedTrouble = shared ? shared.trouble : known.sharedTrouble;
  const read = { items, isRead: true, trouble, sharedTrouble };
  const next: State = { ...state, handover: { ...state.handover, views: read } };
  const { overlay } = next;
  const settled: State =
    overlay?.kind === 'viewList'
      ? {
          ...next,
          overlay: { ...overlay, ...placed(overlay, overlay.cursor, items.length, listHeight(next)) },
        }
      : next;
  const warning = failed ?? trouble ?? (shared ? sharedTrouble : null);
  if (warning !== null) return reported(settled, 'warning', warning);
  return done === null ? settled : reported(settled, 'info', done);
}

/** What would be saved of the top view, with its relative window; a string says why nothing can be. */
function placeToSave(state: State): Omit<SavedView, 'name'> | string {
  const { trouble } = state.handover.views;
  if (trouble !== null) return `nothing can be saved: ${trouble}`;
  const about = onTop(state, 'about');
  if (about === null) return 'this list cannot be saved; open a log or a Shield view and save that';
  if (state.session?.source.kind === 'files')
    return 'saved logs belong to no zone, so this view cannot be saved';
  const { subject, zones, query } = about;
  if (zones.length === 0) return 'no zone is open';
  return {
    screen: subject,
    zone: zones.map(({ id, name }) => (id === '' ? name : id)).join(','),
    zoneName: zones.map(({ name }) => name).join(', '),
    query: printQuery(query),
    rows: subject === 'shield' && query.groupBy.length === 0,
    savedAt: state.now,
  };
}

function viewOpened(state: State, view: SavedView): State {
  if (state.session?.source.kind === 'files')
    return noticed({ ...state, overlay: null }, 'info', NOT_CONNECTED);
  const parsed =
    view.screen === 'shield'
      ? parseShieldQuery(view.query, state.now)
      : parseQuery(view.query, 'logs', state.now);
  if (!parsed.ok) {
    const { message, hint } = parsed.error;
    const text = `${view.name}: its query is no longer understood: ${message}; ${hint}`;
    return noticed(state, 'warning', text);
  }
  const wanted = { word: view.zone, query: parsed.query, screen: view.screen, rows: view.rows };
  return openWanted({ ...state, overlay: null }, wanted);
}

function deleted(state: State, list: ViewList, { name, isShared }: ListedView): Done {
  if (isShared) return noticed(state, 'info', `${name} is shared: whoever keeps its file takes it out there`);
  const { trouble } = state.handover.views;
  if (trouble !== null) return noticed(state, 'info', `nothing can be deleted: ${trouble}`);
  const waited = list.asked?.name === name ? state.now - list.asked.at : null;
  if (waited === null || waited > CONFIRMS.to) {
    const next: State = { ...state, overlay: { ...list, asked: { name, at: state.now } } };
    return noticed(next, 'info', `x again deletes ${name}; any other key keeps it`);
  }
  if (waited < CONFIRMS.from) return noticed(state, 'info', `not so fast: x again deletes ${name}`);
  return [{ ...state, overlay: { ...list, asked: null } }, [{ type: 'deleteView', name }]];
}
