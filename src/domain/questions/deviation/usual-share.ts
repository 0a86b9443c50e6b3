import { type Places, type Population, placesWithin } from './population.ts';

/** A sample of fewer rows tells no share; so many samples of other times tell a usual one, and of fewer so many rows together. */
const USUAL = { telling: 30, samples: 3, rows: 100 } as const;

/** Where no other time was read, parts of the window tell what is usual: of so many rows each, and so many of them. */
const CHUNKS = { rows: 50, least: 4, most: 12 } as const;

/** What other times say of such rows: their share, and how far it moves from one time to another. */
export type Usual = { share: number; spread: number };

/** The share of such rows at other times: the middle of their samples. Null: too few rows of other times tell. */
export function usualOf(known: Population, hits: Places): Usual | null {
  const before = known.parts.filter(({ side }) => side === 'before');
  const chunks = before.map(({ first, end }) => ({
    rows: end - first,
    hits: placesWithin(hits, first, end).length,
  }));
  const telling = chunks.filter((chunk) => chunk.rows >= USUAL.telling);
  if (telling.length >= USUAL.samples) return middleOf(telling);
  const [all, own] = [sum(chunks.map((each) => each.rows)), sum(chunks.map((each) => each.hits))];
  if (all >= USUAL.rows) return { share: own / all, spread: 0 };
  return before.length > 0 ? null : usualWithin(known, hits);
}

/** Where nothing else was read: what lasts for less than half of the window does not hide itself. */
function usualWithin({ length: end, windowAt }: Population, hits: Places): Usual | null {
  const rows = end - windowAt;
  const length = Math.max(CHUNKS.rows, Math.ceil(rows / CHUNKS.most));
  const chunks = Array.from({ length: Math.floor(rows / length) }, (_, n) => {
    const from = windowAt + n * length;
    return { rows: length, hits: placesWithin(hits, from, from + length).length };
  });
  return chunks.length < CHUNKS.least ? null : middleOf(chunks);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function middleOf(chunks: readonly { rows: number; hits: number }[]): Usual {
  const share = median(chunks.map(({ rows, hits }) => hits / rows));
  return { share, spread: 1.48 * median(chunks.map(({ rows, hits }) => Math.abs(hits / rows - share))) };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
