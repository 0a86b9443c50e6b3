import { movedInto, roomFor } from '../../domain/logs/columns/row-coder.ts';
import { RangeReader } from './saved-lines.ts';
import { LinePacker, type LinePart } from './saved-packer.ts';

/** A range of an open file for a thread to parse, and a buffer that it may use for the result. */
export type PieceQuestion = { fd: number; from: number; to: number; spare: SharedArrayBuffer | null };

/** The lines that begin in the range, in order; `next` as in RangeLines. `spare` is to be given back. */
export type Piece = { parts: LinePart[]; next: number | null; spare: SharedArrayBuffer };

/** A thread's answer: `trouble` = why the range cannot be read. */
export type PieceAnswer = { piece: Piece; trouble: null } | { piece: null; trouble: string };

/** The size of most results. */
const USUAL_ROOM = 1 << 19;

/**
 * Parses pieces. Their memory is shared: buffers that change hands count as new ones each time, and once one has left a thread
 * V8 asks at each access to any whether it is still there.
 */
export function createPieceReader(): (question: PieceQuestion) => Piece {
  const packer = new LinePacker();
  const reader = new RangeReader(packer.input);
  return ({ fd, from, to, spare }) => {
    const parts: LinePart[] = [];
    const first = spare ?? new SharedArrayBuffer(USUAL_ROOM);
    let buffer = first;
    let free = 0;
    const { window, long, next } = reader.read(fd, from, to);
    for (const part of window === null ? [] : packer.pack(window)) {
      if (part.kind === 'loose') {
        parts.push({ ...part, line: Uint8Array.from(part.line) });
        continue;
      }
      const room = roomFor(part.rows);
      if (free + room > buffer.byteLength) {
        buffer = new SharedArrayBuffer(Math.max(room, USUAL_ROOM));
        free = 0;
      }
      const moved = movedInto(buffer, free, part.rows);
      free = moved.end;
      parts.push({ kind: 'coded', rows: moved.rows });
    }
    if (long !== null) parts.push({ kind: 'loose', line: Uint8Array.from(long), isCut: true });
    return { parts, next, spare: first };
  };
}
