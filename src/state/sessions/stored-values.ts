import { explain, type Failure } from '../../domain/failure.ts';
import type { CountedField } from '../../domain/logs/counts.ts';
import type { RowsAsked, StoredValues } from '../../domain/logs/log-history.ts';
import { complete } from '../../domain/query/complete.ts';
import { type TopValues, VALUE_FIELDS, type ValuesTold } from '../beside-model.ts';
import { areValuesShown } from '../list/screen-layout.ts';
import type { Subscription, ValuesAnswer } from '../messages.ts';
import type { State } from '../model.ts';
import { isReading } from './paging.ts';
import { shownLog } from './session.ts';
import { countShares, storedRows } from './stored-groups.ts';

/** Values that a store counts of a field: as many as the tallest screen lists, and as a query line offers. */
const MOST = 20;

/** What the values are counted over, where that is not the whole window, counted here. */
type ValuesSource =
  | { kind: 'counting' }
  /** `share`: of the window's time, 0…1; `lacking`: the fields that are not stored. */
  | { kind: 'store'; share: number; lacking: readonly string[] }
  /** The rows held; `why`: what the store said, '' = it lacks a part of the window. */
  | { kind: 'rows'; why: string };

/** The rows a store would count, and the prefix of the keys of its questions; null where all rows are in memory. */
function wanted(state: State): { key: string; rows: RowsAsked } | null {
  const { session } = state;
  const log = shownLog(state);
  if (session?.paged == null || log === null || isWhole(state)) return null;
  const { terms } = log.query;
  const rows = storedRows(state, terms);
  // A window that the platform has a part of is not the store's to count alone.
  if (rows === null || rows.sharedFrom !== undefined) return null;
  return { key: `values ${session.generation} ${JSON.stringify(terms)}`, rows };
}

function isWhole({ session }: State): boolean {
  const report = session?.report;
  return report?.status === 'stopped' && report.gaps.length === 0 && report.failure === null;
}

/** The questions to ask, behind the pages, which somebody waits for; what a query line offers goes first. */
export function valueSubscriptions(state: State): Subscription[] {
  const want = wanted(state);
  if (want === null || isReading(state)) return [];
  const { rows } = want;
  const { stored, offered } = state.beside;
  const field = fieldOffered(state);
  const offer = `${want.key} ${field}`;
  if (field !== null && offered?.key !== offer && topOf(state, field) === null)
    return [{ kind: 'values', key: offer, rows, fields: [field], most: MOST }];
  if (!areValuesShown(state) || stored?.key === want.key) return [];
  return [{ kind: 'values', key: want.key, rows, fields: VALUE_FIELDS, most: MOST }];
}

/** The field whose values the query line offers at its cursor; null = none. */
function fieldOffered({ prompt }: State): string | null {
  if (prompt?.kind !== 'query') return null;
  let asked: string | null = null;
  complete(prompt.field.text, prompt.field.cursor, 'logs', (field) => {
    asked = field;
    return [];
  });
  return asked;
}

/** A store's answer about the values of a window; one about another window is dropped. */
export function storeValued(state: State, { key, answer }: { key: string; answer: ValuesAnswer }): State {
  const want = wanted(state);
  const told: ValuesTold = { key, answer: answer.ok ? answer.value : answer.failure };
  if (key === want?.key) return { ...state, beside: { ...state.beside, stored: told } };
  if (want === null || !key.startsWith(`${want.key} `)) return state;
  return { ...state, beside: { ...state.beside, offered: told } };
}

/** What a store counted for the top values; null = nothing, or not yet. */
function toldNow(state: State): StoredValues | null {
  const { stored } = state.beside;
  return stored !== null && stored.key === wanted(state)?.key ? countedOf(stored) : null;
}

function countedOf({ answer }: ValuesTold): StoredValues | null {
  return answer !== null && 'fields' in answer ? answer : null;
}

/** Whether a store counts these values or will: those of the rows held would differ. */
export function isOfStore(state: State): boolean {
  const kind = valuesSource(state)?.kind;
  return kind === 'counting' || kind === 'store';
}

/** Null: all rows of the window are in memory. */
export function valuesSource(state: State): ValuesSource | null {
  const { session } = state;
  if (session?.paged == null || isWhole(state)) return null;
  const want = wanted(state);
  if (want === null) return { kind: 'rows', why: '' };
  const { stored } = state.beside;
  if (stored?.key !== want.key) return { kind: 'counting' };
  const told = countedOf(stored);
  if (told !== null) {
    const { to } = want.rows.range;
    return {
      kind: 'store',
      share: countShares(session, { to, gaps: told.gaps }).stored,
      lacking: VALUE_FIELDS.filter((field) => !told.fields.has(field)),
    };
  }
  const engine = state.history?.engine ?? '';
  const { answer } = stored;
  return {
    kind: 'rows',
    why: answer === null ? `${engine} cannot count them` : explain(answer as Failure).what,
  };
}

/** The top values as a store counted them, none while it counts; null where the rows held are counted. */
export function storedTop(state: State): readonly TopValues[] | null {
  if (!isOfStore(state)) return null;
  const told = toldNow(state);
  const query = shownLog(state)?.query;
  if (told === null || query === undefined) return [];
  const of = { generation: state.session?.generation ?? 0, query, version: 0 };
  return [...told.fields].map(([field, { values, distinct }]) => ({
    ...{ field, values, distinct: distinct ?? values.length, of, at: 0 },
    rows: told.rows,
  }));
}

/** A field's values over the whole window, most frequent first; null where no store counted them. */
export function storedOffers(state: State, field: string): string[] | null {
  const { offered } = state.beside;
  const want = wanted(state);
  const own = want !== null && offered?.key === `${want.key} ${field}` ? countedOf(offered) : null;
  const found = topOf(state, field) ?? own?.fields.get(field) ?? null;
  return found?.values.flatMap(({ value }) => value ?? []) ?? null;
}

function topOf(state: State, field: string): CountedField | null {
  return toldNow(state)?.fields.get(field) ?? null;
}
