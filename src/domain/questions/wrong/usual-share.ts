import type { SampledPart, SampledRow, SampledRows } from './sampled-rows.ts';

/** A sample of fewer rows tells no share; so many samples of other times tell a usual one, and of fewer so many rows together. */
const USUAL = { telling: 30, samples: 3, rows: 100 } as const;

/** Where no other time was read, parts of the window tell what is usual: of so many rows each, and so many of them. */
const CHUNKS = { rows: 50, least: 4, most: 12 } as const;

/** What other times say of such rows: their share, and how far it moves from one time to another. */
export type Usual = { share: number; spread: number };

/** All rows in the order of time, some of which a deviation has `taken`: they count as requests, and as nothing else. */
export type Population = {
  sampled: SampledRows;
  parts: readonly SampledPart[];
  rows: readonly SampledRow[];
  /** The first rows of samples before which time was not read. */
  starts: ReadonlySet<SampledRow>;
  taken: ReadonlySet<SampledRow>;
  /** The first row that is of the window. */
  windowAt: number;
  isLevelKnown: boolean;
};

/** The share of such rows at other times: the middle of their samples. Null: too few rows of other times tell. */
export function usualOf(
  { rows, windowAt, parts }: Population,
  isHit: (row: SampledRow) => boolean,
): Usual | null {
  const before = parts.filter(({ side }) => side === 'before');
  const chunks = before.map((part) => countOf(part.rows, isHit));
  const telling = chunks.filter((chunk) => chunk.rows >= USUAL.telling);
  if (telling.length >= USUAL.samples) return middleOf(telling);
  const [all, hits] = [sum(chunks.map((each) => each.rows)), sum(chunks.map((each) => each.hits))];
  if (all >= USUAL.rows) return { share: hits / all, spread: 0 };
  return before.length > 0 ? null : usualWithin(rows.slice(windowAt), isHit);
}

/** Where nothing else was read: what lasts for less than half of the window does not hide itself. */
function usualWithin(rows: readonly SampledRow[], isHit: (row: SampledRow) => boolean): Usual | null {
  const length = Math.max(CHUNKS.rows, Math.ceil(rows.length / CHUNKS.most));
  const chunks = Array.from({ length: Math.floor(rows.length / length) }, (_, n) =>
    countOf(rows.slice(n * length, (n + 1) * length), isHit),
  );
  return chunks.length < CHUNKS.least ? null : middleOf(chunks);
}

function countOf(rows: readonly SampledRow[], isHit: (row: SampledRow) => boolean) {
  return { rows: rows.length, hits: sum(rows.map((row) => Number(isHit(row)))) };
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
