import type { Counting, Counts } from '../../logs/counts.ts';
import type { LogGroup } from '../../logs/groups/log-group.ts';
import { type FieldTerm, termOfAny } from '../../query/query.ts';

/** Values of a field that are told apart, as in memory; of the rest it is told how many there are. */
export const VALUES_MOST = 20_000;

/** Statuses and cache statuses are few, whatever a server sends. */
const CELLS_MOST = 100_000;

/** What the shape of a client is told of, by the fields of its rows. */
const SHAPE_FIELDS = ['ip', 'asn', 'ja4', 'ua', 'page', 'status', 'loginPath', 'botNamed'] as const;

export const SHAPE_COUNTING = {
  kind: 'values',
  fields: SHAPE_FIELDS,
  most: VALUES_MOST,
  sums: false,
} as const satisfies Counting;

/** A client by the terms that find it, and the field that these are about. */
type Client = { field: string; terms: readonly FieldTerm[] };

/** What is counted of a client: its requests by what they were answered with, its values, and the rows that say nothing of it. */
export function clientCounting(question: Client): Counting {
  const { field } = question;
  return {
    kind: 'several',
    parts: [
      { of: { kind: 'groups', by: ['status', 'cache'], most: CELLS_MOST } },
      { of: SHAPE_COUNTING },
      ...(asksForNone(question)
        ? []
        : [{ of: { kind: 'groups', by: [], most: 1 }, terms: [termOfAny(field, [''])] } as const]),
    ],
  };
}

/** Whether the client is the one that says nothing in the field. */
function asksForNone({ terms }: Pick<Client, 'terms'>): boolean {
  return terms.some(({ op, values }) => op === 'eq' && values.includes(''));
}

/** The answer to `clientCounting`: the requests by status and cache status, and how many rows lack the field. */
export function clientCounts(counts: Counts): { cells: readonly LogGroup[]; blank: number } {
  const [cells, , blank] = counts.kind === 'several' ? counts.parts : [];
  return {
    cells: cells?.kind === 'groups' ? cells.groups : [],
    blank: blank?.kind === 'groups' ? blank.rows : 0,
  };
}
