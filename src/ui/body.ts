import { isTooSmall, layoutOf, SMALLEST } from '../state/layout.ts';
import { type State, topView } from '../state/model.ts';
import { fit } from '../text/fit.ts';
import { padLines } from './row.ts';
import { answerBody } from './screens/answer.ts';
import { groupsBody } from './screens/groups.ts';
import { copyMenuBody, exportMenuBody, findingBody, markListBody, viewListBody } from './screens/handover.ts';
import { logBody } from './screens/log.ts';
import { notebookBody } from './screens/notebook.ts';
import { helpBody, paletteBody, pickerBody } from './screens/overlays.ts';
import { plainBody } from './screens/plain.ts';
import { shieldFormBody } from './screens/shield-form-body.ts';
import { shieldGroupsBody } from './screens/shield-groups-body.ts';
import { shieldRowsBody } from './screens/shield-rows-body.ts';
import { storageBody } from './screens/storage.ts';
import { storageChangeBody } from './screens/storage-change.ts';
import { storageEditBody } from './screens/storage-edit.ts';
import { zonesBody } from './screens/zones.ts';
import type { Look } from './theme.ts';

/**
 * The list part of the screen as styled lines, each exactly as wide as the terminal. They go past React to the cell
 * writer, because a key that moves one row must not pay for a layout of the whole tree. Null: Ink draws the body.
 */
export function bodyLines(state: State, look: Look): string[] | null {
  const { height } = layoutOf(state).body;
  const { columns } = state.size;
  if (isTooSmall(state)) {
    const text = `edgescope needs ${SMALLEST.columns}x${SMALLEST.rows}; this is ${columns}x${state.size.rows}`;
    return padLines([fit(text, columns)], columns, height);
  }
  const { overlay } = state;
  switch (overlay?.kind) {
    case 'help':
      return helpBody(state, overlay, look, height);
    case 'palette':
      return paletteBody(state, look, height);
    case 'groupPick':
    case 'columnPick':
    case 'shieldPick':
    case 'shieldColumns':
      return pickerBody(state, overlay, look, height);
    case 'shieldForm':
      return shieldFormBody(state, overlay, look, height);
    case 'copyMenu':
      return copyMenuBody(state, overlay, look, height);
    case 'exportMenu':
      return exportMenuBody(state, overlay, look, height);
    case 'marks':
      return markListBody(state, overlay, look, height);
    case 'viewList':
      return viewListBody(state, overlay, look, height);
    case 'finding':
      return findingBody(state, overlay, look, height);
    case 'requests':
      return null;
    case 'plain':
      return plainBody(state, look, height);
    default:
  }
  const view = topView(state);
  switch (view.kind) {
    case 'record':
    case 'shieldEvent':
    case 'storageZone':
    case 'keys':
      return null;
    case 'storage':
      return storageBody(state, view, look, height);
    case 'storageEdit':
      return view.stage.kind === 'editing'
        ? storageEditBody(state, view, look, height)
        : storageChangeBody(state, view, look, height);
    case 'zones':
      return zonesBody(state, view, look, height);
    case 'log':
      return state.session
        ? logBody(state, view, state.session, look, height)
        : padLines([], columns, height);
    case 'groups':
      return groupsBody(state, view, look, height);
    case 'shieldGroups':
      return shieldGroupsBody(state, view, look, height);
    case 'shieldRows':
      return shieldRowsBody(state, view, look, height);
    case 'answer':
      return answerBody(state, view, look, height);
    case 'notebook':
      return notebookBody(state, view, look, height);
  }
}
