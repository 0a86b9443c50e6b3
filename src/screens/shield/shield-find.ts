import { fieldNamed, shieldFieldOf } from '../../domain/query/fields.ts';
import { compileTerm, shieldMatcher } from '../../domain/query/match.ts';
import { type Term, termOfAny } from '../../domain/query/query.ts';
import { type Sought, termSought } from '../../domain/query/terms.ts';
import type { WafRule } from '../../domain/shield/shield.ts';
import { networkOf } from '../../domain/shield/shield-groups.ts';
import { eventFields } from '../../domain/shield/shield-rows.ts';
import { detailedHeight } from '../../state/list/screen-layout.ts';
import { clamp, placed } from '../../state/list.ts';
import { memoised } from '../../state/memoised.ts';
import { noticed, type State } from '../../state/model.ts';
import type { ShieldEventView, ShieldView } from '../../state/shield-model.ts';
import { withTop } from '../../state/view-stack.ts';
import { readOn } from './shield-ask.ts';
import { listOf, type ShieldLine, valuesOfLine } from './shield-lists.ts';

type Rules = ReadonlyMap<string, WafRule> | null;
type Wanted = { needle: string; field: string | undefined; rules: Rules };

/** The first match from the cursor on, else from the top; the lines around it stay as they are. */
export function shieldSearched(state: State, view: ShieldView, needle: string): State {
  const sought = { ...view, needle, field: undefined };
  const matches = matchesOf(state, sought);
  const at = matches.find((index) => index >= view.cursor) ?? matches[0];
  return at === undefined ? notFound(withTop(state, sought), sought) : shieldWentTo(state, sought, at);
}

/** The next line with what is searched for, round the end. */
export function shieldFound(state: State, of: ShieldView, sought: Sought, direction: 1 | -1): State {
  const view = { ...of, ...sought };
  const matches = matchesOf(state, view);
  const next =
    direction === 1
      ? matches[firstAfter(matches, view.cursor)]
      : matches[firstAfter(matches, view.cursor - 1) - 1];
  const at = next ?? (direction === 1 ? matches[0] : matches.at(-1));
  if (at === undefined) return notFound(state, view);
  const went = shieldWentTo(state, view, at);
  if (next !== undefined) return went;
  return noticed(went, 'info', `search wrapped around the end${ofWhat(view)}`);
}

/** Which of the matches is under the cursor, from 1 (0 = none), and how many there are; null without a search. */
export function matchPlace(state: State, view: ShieldView): { index: number; total: number } | null {
  if (view.needle === null) return null;
  const matches = matchesOf(state, view);
  const after = firstAfter(matches, view.cursor);
  return { index: matches[after - 1] === view.cursor ? after : 0, total: matches.length };
}

/**
 * The term for a text that groups were searched for, where that is more than free text: the API's free text does not
 * search every dimension, so that the one of the cursor has to contain it.
 */
export function containedTerm({ needle, field: of }: ShieldView, dimension: string | undefined): Term | null {
  const field = dimension === undefined ? null : fieldNamed('shield', dimension);
  const row = field === null ? null : shieldFieldOf(field);
  const isContained = of === undefined && !row?.isInFreeText && row?.ops.includes('contains');
  if (field === null || needle === null || !isContained) return null;
  const sought = termSought('shield', { needle });
  return termOfAny(field, [needle], sought.kind === 'text' && sought.isRegex ? 'regex' : 'contains');
}

/** Lines with the needle, ascending. A list is searched once; after that a key only looks up. */
function matchesOf(state: State, view: ShieldView): readonly number[] {
  const { needle, field } = view;
  if (needle === null) return [];
  if (view.reading) {
    return matchingLines(listOf(view).lines(view), { needle, field, rules: state.shield?.rules ?? null });
  }
  const { test } = compileTerm(termSought('shield', { needle }));
  return fieldsOfEvent(state, view).flatMap(({ name, value }, at) => (test(name) || test(value) ? at : []));
}

const matchingLines = memoised(
  (lines: readonly ShieldLine[], { needle, field, rules }: Wanted): readonly number[] => {
    if (field === undefined) return linesWith(lines, needle, rules);
    const test = shieldMatcher([termSought('shield', { needle, field })]);
    return lines.flatMap((line, at) => (test(valuesOfLine(line)) ? at : []));
  },
);

function linesWith(lines: readonly ShieldLine[], needle: string, rules: Rules): number[] {
  const { test } = compileTerm(termSought('shield', { needle }));
  // Values repeat over the rows: each is tested once.
  const known = new Map<string, boolean>();
  const has = (value: string | null | undefined): boolean => {
    if (!value) return false;
    const isFound = known.get(value) ?? test(value);
    known.set(value, isFound);
    return isFound;
  };
  return lines.flatMap((line, at) => {
    const { raw, values, ruleIds } = searchedOf(line);
    const words = ruleIds.map((id) => rules?.get(id ?? '')?.description);
    return has(raw) || values.some(has) || ruleIds.some(has) || words.some(has) ? at : [];
  });
}

function searchedOf(line: ShieldLine) {
  if (!('key' in line))
    return { raw: line.raw, values: Object.values(line.fields), ruleIds: [line.fields['ruleId']] };
  const { key, context, raw } = line;
  const { country, asn } = networkOf(line);
  const values = [...Object.values(key), country, asn, ...context.features];
  return { raw, values, ruleIds: [key['ruleId'], ...context.ruleIds] };
}

/** How many of the ascending numbers are at most `limit`. */
function firstAfter(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The cursor on a line of a view; one off the screen comes to its middle. */
export function shieldWentTo(state: State, view: ShieldView, index: number): State {
  const height = detailedHeight(state);
  const length = lineCount(state, view);
  const isVisible = index >= view.top && index < view.top + height;
  const middle = clamp(index - Math.floor(height / 2), 0, Math.max(0, length - height));
  const at = { ...view, ...placed({ ...view, top: isVisible ? view.top : middle }, index, length, height) };
  return readOn(state, at);
}

/** Lines of a view. */
export function lineCount(state: State, view: ShieldView): number {
  return (view.reading ? listOf(view).lines(view) : fieldsOfEvent(state, view)).length;
}

export function fieldsOfEvent({ shield }: State, { row }: ShieldEventView) {
  return eventFields(row, shield?.rules ?? null);
}

function notFound(state: State, view: ShieldView): State {
  const lines = lineCount(state, view).toLocaleString('en');
  const text = `'${view.needle}' is not here, in ${lines} ${lines === '1' ? 'line' : 'lines'}${ofWhat(view)}`;
  return noticed(state, 'warning', text);
}

/** Pages not read were not searched, which is said where there are any. */
function ofWhat(view: ShieldView): string {
  if (!view.reading || view.reading.isWhole) return '';
  const { total } = view.reading;
  return total === null ? '; more is not read' : `; ${total.toLocaleString('en')} are there, G reads on`;
}
