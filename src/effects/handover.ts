import type { ViewStore } from '../domain/handover/place.ts';
import { fileTrouble } from '../files/file-trouble.ts';
import type { ExportJob } from '../state/handover-model.ts';
import type { Action, Effect } from '../state/messages.ts';
import type { Clock } from '../time/clock.ts';
import { exportFile, shownPath } from './export-file.ts';
import { addEntry, notebookPath } from './notebook.ts';
import { type Running, untilStopped } from './supervise.ts';

/** Where what is handed over goes. */
export type HandoverPlaces = {
  /** Asks the terminal to take a text into the clipboard; false when the text is too long for terminals. */
  copy: (text: string) => boolean;
  views: ViewStore;
  /** The directory of notebooks, and those that a file's name is relative to. */
  notebooks: string;
  current: string;
  home: string;
};

type HandoverEffect = Extract<
  Effect,
  { type: 'copy' | 'readViews' | 'saveView' | 'deleteView' | 'addFinding' }
>;

/** Carries out one order of the handover; what came of it goes in as an action. */
export async function handOver(
  effect: HandoverEffect,
  { places, clock }: { places: HandoverPlaces; clock: Clock },
  dispatch: (action: Action) => void,
): Promise<void> {
  switch (effect.type) {
    case 'copy': {
      const { what, text } = effect;
      dispatch({ type: 'copied', what, length: text.length, isSent: places.copy(text) });
      return;
    }
    case 'readViews':
      dispatch({ type: 'viewsRead', ...(await places.views.read()), done: null, failed: null });
      return;
    case 'saveView': {
      const { failed, ...file } = await places.views.save(effect.view);
      const done = `saved as ${effect.view.name}`;
      dispatch({ type: 'viewsRead', ...file, done, failed: failed && `not saved: ${failed}` });
      return;
    }
    case 'deleteView': {
      const { failed, ...file } = await places.views.remove(effect.name);
      const done = `deleted ${effect.name}`;
      dispatch({ type: 'viewsRead', ...file, done, failed: failed && `not deleted: ${failed}` });
      return;
    }
    case 'addFinding': {
      const { entry, at, isMasked } = effect;
      const path = shownPath(notebookPath(places.notebooks, at), places);
      try {
        await addEntry(places.notebooks, entry, at, { isMasked, clock });
        dispatch({ type: 'findingAdded', path });
      } catch (error) {
        dispatch({ type: 'findingFailed', path, why: fileTrouble(error) });
      }
    }
  }
}

/** Writes a file until it is whole or stopped; stopping leaves nothing behind. */
export function startExport(
  job: ExportJob,
  { places, clock }: { places: HandoverPlaces; clock: Clock },
  dispatch: (action: Action) => void,
): Running {
  const { id } = job;
  return untilStopped(dispatch, async (signal, tell) => {
    const advanced = (written: number) => tell({ type: 'exportAdvanced', id, written });
    const outcome = await exportFile(job, places, { clock, signal, advanced });
    tell({ type: 'exportEnded', id, outcome });
  });
}
