import { type CodedRows, movedInto, roomFor } from '../domain/coded-rows.ts';
import { createRowCoder } from '../domain/row-coder.ts';
import { LinePacker } from './saved-packer.ts';

/**
 * Whole lines of a file, from `start` up to the line break at `end`, for a thread to take apart. What it makes of them
 * goes behind them where there is room.
 */
export type PieceQuestion = { buffer: ArrayBuffer; start: number; end: number };

/** What a thread made of them, in the order of the lines; the bytes come back. */
export type PieceParts = (
  | { kind: 'coded'; rows: Omit<CodedRows, 'bytes'> }
  | { kind: 'loose'; start: number; end: number }
)[];

export type PieceAnswer = { bytes: Buffer<ArrayBuffer>; parts: PieceParts };

/** Takes pieces apart; gives with each answer what is to be handed over with it. */
export function createPieceReader(): (question: PieceQuestion) => {
  parts: PieceParts;
  handed: ArrayBuffer[];
} {
  const packer = new LinePacker();
  const coder = createRowCoder();
  return ({ buffer, start, end }) => {
    const parts: PieceParts = [];
    const handed = [buffer];
    let free = end + 1;
    for (const part of packer.pack({ bytes: Buffer.from(buffer, 0, end + 1), start, end, isCut: false })) {
      if (part.kind === 'loose') {
        parts.push(part);
        continue;
      }
      const coded = coder.code(part.rows);
      let moved = movedInto(buffer, free, coded);
      if (moved !== null) free = moved.end;
      else {
        const more = new ArrayBuffer(roomFor(coded));
        handed.push(more);
        moved = movedInto(more, 0, coded);
      }
      if (moved === null) throw new Error('coded rows have no room');
      const { bytes: _, ...rows } = moved.rows;
      parts.push({ kind: 'coded', rows });
    }
    return { parts, handed };
  };
}
