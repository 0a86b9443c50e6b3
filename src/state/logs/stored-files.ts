import { type FilesRead, NOT_PROMISED } from '../../domain/logs/log-history.ts';
import { bytes, counted } from '../../text/units.ts';
import { noticed, remarked, type State } from '../model.ts';

/** Files of a window that are more than this are read when the reader has seen how much that is, bytes. */
const PRICED_FROM = 100e6;

/** How much was read of stored files; before so much that it takes its time, the price is said and a key waited for. */
export function filesSeen(state: State, read: FilesRead): State {
  const remark = `STORED FILES: ${NOT_PROMISED}`;
  const { session, history } = state;
  if (history === null) return state;
  const shown = { ...state, history: { ...history, files: read } };
  const told = history.files === null && read.of > 0 ? remarked(shown, { tone: 'info', remark }) : shown;
  const paged = session?.paged ?? null;
  if (session === null || paged === null || paged.isPriced || read.ofBytes < PRICED_FROM) return told;
  const text = `${filesPrice(read)}: Enter reads them, the newest first, as far as you go`;
  return noticed(
    { ...told, session: { ...session, paged: { ...paged, isStopped: true, isPriced: true } } },
    'warning',
    text,
  );
}

/** `37 stored files, 1.2G` */
export function filesPrice({ of, ofBytes }: FilesRead): string {
  return `${counted(of, 'stored file')}, ${bytes(ofBytes)}`;
}
