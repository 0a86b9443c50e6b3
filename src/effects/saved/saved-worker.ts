// A thread that takes pieces of saved logs apart. It sees bytes and knows no file, no key and no screen.
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { createPieceReader, type PieceAnswer, type PieceQuestion } from './saved-piece.ts';

/** A nice value: who answers keys goes first, but is not kept waiting for what such a thread holds. */
const BEHIND_KEYS = 10;

// Elsewhere than on Linux it would be the priority of the whole process.
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
    const { piece, handed } = read(question);
    answer({ piece, trouble: null }, handed);
  } catch (error) {
    answer({ piece: null, trouble: (error as { code?: string }).code ?? String(error) });
  }
});

function answer(said: PieceAnswer, handed: ArrayBuffer[] = []): void {
  parentPort?.postMessage(said, handed);
}
