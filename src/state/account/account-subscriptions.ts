import { pageAsked } from '../list/paged.ts';
import type { Subscription } from '../messages.ts';
import type { State } from '../model.ts';
import { topView } from '../view-stack.ts';

/**
 * What the screens of storage zones and keys wait for. A read belongs to a view on the way to the screen and ends with
 * it; a confirmed change belongs to nobody's screen and goes on until it has its verdict.
 */
export function accountSubscriptions(state: State): Subscription[] {
  const { storage, keys } = state;
  const running: Subscription[] = [];
  const shows = (kind: string) => state.views.some((view) => view.kind === kind);
  if (shows('storage')) running.push(...pageAsked('storageList', storage, storage.listRequest));
  if (shows('keys')) running.push(...pageAsked('keyList', keys, keys.request));
  for (const view of state.views) {
    if (view.kind === 'storageZone') {
      const { id } = view.zone;
      if (view.loading.kind === 'loading') running.push(zoneRead(view.request, id));
      const request = view.undoing;
      if (request !== null) running.push({ kind: 'storageUndo', key: `undo ${request}`, request, id });
    }
    if (view.kind === 'storageEdit' && view.stage.kind === 'opening') {
      running.push(zoneRead(view.stage.request, view.zone.id));
    }
  }
  const { job } = storage;
  if (job) {
    const { request, change } = job;
    running.push({ kind: 'storageChange', key: `storage change ${request}`, request, change });
  }
  const top = topView(state);
  if (top.kind === 'storageZone') {
    const intent = storage.intents.find((each) => each.zone.id === top.zone.id);
    if (intent) running.push({ kind: 'storageIntent', key: `intent ${intent.id}`, intent });
  }
  const { recording, revealed } = keys;
  const fingerprint = keys.items.find((key) => key.id === recording?.id)?.secret?.fingerprint;
  if (recording && fingerprint !== undefined) {
    const { request, id } = recording;
    running.push({ kind: 'keyReveal', key: `reveal ${id} ${request}`, request, id, fingerprint });
  }
  if (revealed) {
    // Timers may fire a millisecond early by another clock.
    const after = Math.max(0, revealed.until - state.now) + 2;
    running.push({ kind: 'keyHide', key: `hide ${revealed.id} ${revealed.until}`, after });
  }
  return running;
}

/** True while one of these screens counts seconds. */
export function isAccountCounting(state: State): boolean {
  const { storage, keys } = state;
  if (storage.job || keys.revealed || keys.recording) return true;
  return state.views.some(
    (view) =>
      (view.kind === 'storage' && storage.loading.kind === 'loading') ||
      (view.kind === 'keys' && keys.loading.kind === 'loading') ||
      (view.kind === 'storageZone' && view.loading.kind === 'loading') ||
      (view.kind === 'storageEdit' && view.stage.kind === 'opening'),
  );
}

function zoneRead(request: number, id: string): Subscription {
  return { kind: 'storageZone', key: `storage zone ${id} ${request}`, request, id };
}
