// A thread that parses pieces of saved logs. It sees bytes and knows no file name, no key and no screen.
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { createPieceReader, type PieceAnswer, type PieceQuestion } from './saved-piece.ts';

/** A nice value: the thread of the keys goes first, but never waits for what such a thread holds. */
const BEHIND_KEYS = 10;

// On systems other than Linux it would be the priority of the whole process.
if (process.platform === 'linux') {
  try {
    setPriority(0, BEHIND_KEYS);
  } catch {
    // Where it may not be set, keys wait a little longer.
  }
}

const read = createPieceReader();

parentPort?.on('message', (question: PieceQuestion) => {
  try {
    answer({ piece: read(question), trouble: null });
  } catch (error) {
    answer({ piece: null, trouble: (error as { code?: string }).code ?? String(error) });
  }
});

function answer(said: PieceAnswer): void {
  parentPort?.postMessage(said);
}
