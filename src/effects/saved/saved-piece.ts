import { type CodedRows, movedInto, roomFor } from '../../domain/logs/columns/coded-rows.ts';
import { RangeReader } from './saved-lines.ts';
import { LinePacker } from './saved-packer.ts';

/** A range of an open file for a thread to take apart, and a buffer that it may use for what it makes of it. */
export type PieceQuestion = { fd: number; from: number; to: number; spare: ArrayBuffer | null };

/** The lines that begin in the range, in their order; `next` as with RangeLines. `spare` is to be given back. */
export type Piece = { parts: PiecePart[]; next: number | null; spare: ArrayBuffer };
type PiecePart = { kind: 'coded'; rows: CodedRows } | { kind: 'loose'; line: Uint8Array; isCut: boolean };

/** What a thread answers: `trouble` = why the range cannot be read. */
export type PieceAnswer = { piece: Piece; trouble: null } | { piece: null; trouble: string };

/** What most pieces are made into. */
const USUAL_ROOM = 1 << 19;

/** Takes pieces apart; gives with each the memory that is handed over with it. */
export function createPieceReader(): (question: PieceQuestion) => { piece: Piece; handed: ArrayBuffer[] } {
  const packer = new LinePacker();
  const reader = new RangeReader(packer.input);
  return ({ fd, from, to, spare }) => {
    const parts: PiecePart[] = [];
    let buffer = spare ?? new ArrayBuffer(USUAL_ROOM);
    let free = 0;
    const handed = [buffer];
    const { window, long, next } = reader.read(fd, from, to);
    for (const part of window === null ? [] : packer.pack(window)) {
      if (part.kind === 'loose') {
        const line = Uint8Array.from((window as { bytes: Buffer }).bytes.subarray(part.start, part.end));
        parts.push({ kind: 'loose', line, isCut: false });
        continue;
      }
      const room = roomFor(part.rows);
      if (free + room > buffer.byteLength) {
        buffer = new ArrayBuffer(Math.max(room, USUAL_ROOM));
        free = 0;
        handed.push(buffer);
      }
      const moved = movedInto(buffer, free, part.rows);
      free = moved.end;
      parts.push({ kind: 'coded', rows: moved.rows });
    }
    if (long !== null) parts.push({ kind: 'loose', line: Uint8Array.from(long), isCut: true });
    return { piece: { parts, next, spare: handed[0] as ArrayBuffer }, handed };
  };
}
