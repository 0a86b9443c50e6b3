import { type CountedField, type Counts, partOfCounts } from '../../logs/counts.ts';
import { ratioOf } from '../../logs/sums/traffic.ts';
import type { Anonymisation } from '../../zone.ts';
import { clientKey } from './client.ts';
import { VALUES_MOST } from './client-counts.ts';

type Tally = Map<string, number>;

/** The values that are not told apart. */
const UNNAMED = '';

/** Counts rows of a value, if there is one; of more than `most` different ones the rest counts as one, by no name. */
export function tally(counts: Tally, value: string | null | undefined, rows = 1, most = VALUES_MOST): void {
  if (value === null || value === undefined || value === '') return;
  const key = counts.size < most || counts.has(value) ? value : UNNAMED;
  counts.set(key, (counts.get(key) ?? 0) + rows);
}

/** The share of the most frequent of the values that are told apart. */
export function topShare(counts: Tally): number | null {
  let sum = 0;
  let most = 0;
  for (const [value, count] of counts) {
    sum += count;
    if (value !== UNNAMED) most = Math.max(most, count);
  }
  return ratioOf(most, sum);
}

export const NO_EVIDENCE = {
  requests: 0,
  notFound: 0,
  refused: 0,
  fine: 0,
  stopped: 0,
  withBody: 0,
  ownReferer: 0,
};
/** Fields of rows are called as where somebody else counts them. */
const VALUE_NAMES = ['ip', 'asn', 'ja4', 'ua', 'page', 'rule', 'fragment'] as const;

export type Values = Record<(typeof VALUE_NAMES)[number], Tally>;
type Tallied = { values: Values; sums: typeof NO_EVIDENCE; marks: { login: number; bot: number } };

/** The lines of both logs; `beyond`: values of a field that are in no list of the requests. */
export function talliesJoined(
  own: Tallied,
  requests: readonly Counts[],
  anonymisation: Anonymisation,
): Tallied & { beyond: Partial<Record<keyof Values, number>> } {
  const beyond: Partial<Record<keyof Values, number>> = {};
  const values = { ...own.values };
  const [sums, marks] = [{ ...own.sums }, { ...own.marks }];
  for (const { fields, rows } of requests.flatMap((counts) => partOfCounts(counts, 'values') ?? [])) {
    for (const name of VALUE_NAMES) {
      const list = fields.get(name);
      if (list === undefined) continue;
      values[name] = new Map(values[name]);
      // Of more than are told apart there is one more at least.
      const distinct = list.distinct ?? list.values.length + 1;
      let [left, unlisted] = [rows - list.blank, distinct - Math.min(1, list.blank)];
      for (const { value, count } of list.values) {
        if (value === null) continue;
        tally(values[name], name === 'ip' ? clientKey(value, anonymisation) : value, count);
        left -= count;
        unlisted -= 1;
      }
      if (unlisted === 0) continue;
      values[name].set(UNNAMED, (values[name].get(UNNAMED) ?? 0) + left);
      beyond[name] = (beyond[name] ?? 0) + unlisted;
    }
    sums.requests += rows;
    for (const { value, count } of fields.get('status')?.values ?? []) addStatus(sums, Number(value), count);
    marks.login += markedOf(fields.get('loginPath'));
    marks.bot += markedOf(fields.get('botNamed'));
  }
  return { values, sums, marks, beyond };
}

function markedOf(field: CountedField | undefined): number {
  return field?.values.find(({ value }) => value !== null)?.count ?? 0;
}

function addStatus(sums: typeof NO_EVIDENCE, status: number, requests: number): void {
  if (status === 403 || status === 404) sums.notFound += requests;
  if (status === 401 || status === 403 || status === 429) sums.refused += requests;
  if (status >= 200 && status < 400) sums.fine += requests;
}

export function newValues(): Values {
  return Object.fromEntries(VALUE_NAMES.map((name) => [name, new Map()])) as Values;
}
