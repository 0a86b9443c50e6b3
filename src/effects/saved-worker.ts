// A thread that takes pieces of saved logs apart. It sees bytes and knows no file, no key and no screen.
import { parentPort } from 'node:worker_threads';
import { createPieceReader, type PieceQuestion } from './saved-piece.ts';

const read = createPieceReader();

parentPort?.on('message', (question: PieceQuestion) => {
  const { parts, handed } = read(question);
  parentPort?.postMessage({ buffer: question.buffer, parts }, handed);
});
