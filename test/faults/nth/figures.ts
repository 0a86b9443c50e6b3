/** What a loop over the n-th of a kind has tried, and what did not hold, a sentence each. */
export type NthFigures = { places: number; failures: string[] };

export function sumOf(...all: readonly NthFigures[]): NthFigures {
  return {
    places: all.reduce((sum, { places }) => sum + places, 0),
    failures: all.flatMap(({ failures }) => failures),
  };
}
