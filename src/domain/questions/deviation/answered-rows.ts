import { FIELDS, type Places, type Population } from './population.ts';
import { fieldPlace, type SampledRows } from './sampled-rows.ts';

/** What is told of rows besides their names. */
export type AnsweredRows = {
  rows: number;
  /** What they were answered with, what most were first. */
  statuses: readonly { status: number; rows: number }[];
  /** The page that they have most different URLs of; null: it has but one. */
  queries: { page: string; distinct: number; rows: number } | null;
};

export function answeredRows(sampled: SampledRows, population: Population, places: Places): AnsweredRows {
  const statuses = countsOf(population, places, fieldPlace('status'));
  return {
    rows: places.length,
    statuses: [...statuses]
      .toSorted(([, a], [, b]) => b - a)
      .map(([code, rows]) => ({ status: Number(sampled.nameOf(code).value), rows })),
    queries: queriesOf(sampled, population, places),
  };
}

function queriesOf(
  sampled: SampledRows,
  { names, urls }: Population,
  places: Places,
): AnsweredRows['queries'] {
  const [found] = [...Map.groupBy(places, (place) => names[place * FIELDS + fieldPlace('page')] as number)]
    .filter(([code]) => code >= 0)
    .map(([code, own]) => ({
      code,
      rows: own.length,
      distinct: new Set(own.map((place) => urls[place])).size,
    }))
    .toSorted((a, b) => b.distinct - a.distinct);
  if (found === undefined || found.distinct < 2) return null;
  return { page: sampled.nameOf(found.code).value, distinct: found.distinct, rows: found.rows };
}

function countsOf({ names }: Population, places: Places, field: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const place of places) {
    const code = names[place * FIELDS + field] as number;
    if (code >= 0) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return counts;
}
