import { keysCommanded } from './account/keys.ts';
import { storageListCommanded, storageZoneCommanded } from './account/storage.ts';
import { changeCommanded } from './account/storage-change.ts';
import { editingCommanded } from './account/storage-edit.ts';
import type { CommandId } from './commands.ts';
import { notebookCommanded } from './handover/notebook-reader.ts';
import { groupsCommanded } from './logs/groups.ts';
import { logCommanded } from './logs/log.ts';
import { recordCommanded } from './logs/record.ts';
import type { Step } from './messages.ts';
import { type State, topView, type View } from './model.ts';
import { answerLed } from './questions/answer-open.ts';
import { shieldCommanded } from './shield/shield.ts';
import { zonesCommanded } from './zones.ts';

type Commanded<V> = (state: State, view: V, command: CommandId) => Step | null;

/** What the commands of a kind of view do; null: the command is none of its own. */
const COMMANDED = {
  zones: zonesCommanded,
  log: logCommanded,
  groups: groupsCommanded,
  record: recordCommanded,
  shieldGroups: shieldCommanded,
  shieldRows: shieldCommanded,
  shieldEvent: shieldCommanded,
  answer: answerLed,
  notebook: notebookCommanded,
  storage: storageListCommanded,
  storageZone: storageZoneCommanded,
  storageEdit: (state, view, command) =>
    view.stage.kind === 'editing' || view.stage.kind === 'preview'
      ? editingCommanded(state, view, command)
      : changeCommanded(state, view, command),
  keys: keysCommanded,
} as const satisfies { [K in View['kind']]: Commanded<Extract<View, { kind: K }>> };

/** What a command does in the view on top alone. */
export function viewCommanded(state: State, command: CommandId): Step | null {
  const view = topView(state);
  // Kind and row belong together, which the compiler cannot see.
  const commanded = COMMANDED[view.kind] as Commanded<View>;
  return commanded(state, view, command);
}
