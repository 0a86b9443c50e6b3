import type { LogFieldId } from '../../domain/query/fields.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { openGroups } from '../../screens/log/group-commands.ts';
import { refiltered } from '../../screens/screens.ts';
import {
  type CountedOver,
  type TopValues,
  VALUE_FIELDS,
  type ValuesOverlay,
} from '../../state/beside-model.ts';
import {
  areValuesShown,
  hasDetailBeside,
  hasValuesBeside,
  layoutOf,
  panelColumns,
  tellsValues,
} from '../../state/list/screen-layout.ts';
import { FILTER_MODES, filteredBy } from '../../state/list/value-filter.ts';
import { moved } from '../../state/list.ts';
import { askedValue } from '../../state/log-zones.ts';
import { noticed, type State } from '../../state/model.ts';
import { shownLog } from '../../state/sessions/session.ts';
import { isOfStore, storedTop, valuesSource } from '../../state/sessions/stored-values.ts';

/** Values kept of a field: as many as the tallest screen lists. */
const MOST_VALUES = 8;

/** While rows come: the age at which a field's values are counted again, and the time between two fields, ms. */
const RECOUNT_AFTER = 8000;
const TURN = 1000;

/** Values listed of each field, where more than one field has room. */
const LEAST_LISTED = 2;

/** The next field to be counted; null = nothing is due. */
export function valuesDue(state: State): LogFieldId | null {
  const { session, beside, overlay, now } = state;
  const of = countedNow(state);
  if (of === null || session === null || !areValuesShown(state) || isOfStore(state)) return null;
  const { work } = beside;
  if (work !== null && isSameView(work.of, of)) return work.field as LogFieldId;
  const known = new Map(beside.values.map((each) => [each.field, each]));
  const first = VALUE_FIELDS.find((field) => {
    const values = known.get(field);
    return values === undefined || !isSameView(values.of, of);
  });
  if (first !== undefined) return first;
  // A cursor on the values must not find another value under it.
  if (overlay?.kind === 'topValues') return null;
  const oldest = beside.values.reduce((least, each) => (each.at < least.at ? each : least));
  if (oldest.of.version === of.version) return null;
  if (!isMoving(state)) return oldest.field as LogFieldId;
  const newest = Math.max(...beside.values.map(({ at }) => at));
  return now - oldest.at >= RECOUNT_AFTER && now - newest >= TURN ? (oldest.field as LogFieldId) : null;
}

/** One step of the count. */
export function valuesCounted(state: State, field: LogFieldId): State {
  const of = countedNow(state);
  const { beside } = state;
  if (of === null || state.session === null) return state;
  const { book } = state.session;
  const work =
    beside.work !== null && isSameView(beside.work.of, of)
      ? beside.work
      : { field, of, work: book.countGroups([field], MOST_VALUES) };
  if (!work.work.step()) return { ...state, beside: { ...beside, work: { ...work } } };
  const { groups = [], total = 0, rows = 0 } = work.work.result ?? {};
  const values: TopValues = {
    field: work.field,
    values: groups.map(({ key, count }) => ({ value: key[work.field] ?? null, count })),
    distinct: total,
    rows,
    of: work.of,
    at: state.now,
  };
  const others = beside.values.filter((each) => each.field !== work.field && isSameView(each.of, of));
  return { ...state, beside: { ...beside, work: null, values: [...others, values] } };
}

/** Rows come, so what was counted ages. */
function isMoving({ session }: State): boolean {
  if (session === null || session.book.isFrozen) return false;
  const status = session.source.kind === 'files' ? session.source.report.status : session.report?.status;
  return status === 'live' || status === 'quiet' || status === 'reading' || status === 'following';
}

function countedNow(state: State): CountedOver | null {
  const { session } = state;
  const log = shownLog(state);
  if (session === null || log === null || session.book.filtering !== null) return null;
  const { book, generation } = session;
  return { generation, query: log.query, version: book.isFrozen ? book.rowsInView : book.version };
}

/** A count ends when its log is left: it would keep the rows. */
export function withoutStaleWork(state: State): State {
  const { work } = state.beside;
  if (work === null || work.of.generation === state.session?.generation) return state;
  return { ...state, beside: { ...state.beside, work: null } };
}

/** Another filter or window is another view; rows that came are not. */
function isSameView(a: CountedOver, b: CountedOver): boolean {
  return a.generation === b.generation && a.query === b.query;
}

/** A line of the list: the name of a field, or one of its values. */
export type ValueLine =
  | { kind: 'field'; of: TopValues }
  | { kind: 'value'; of: TopValues; value: string | null; count: number; at: number };

/**
 * The values listed on so many lines, each field under its name; every field has as many as the others, where it has
 * them.
 */
export function valueLines(state: State, height: number): ValueLine[] {
  const values = storedTop(state) ?? state.beside.values;
  const all = VALUE_FIELDS.flatMap((field) => values.find((each) => each.field === field) ?? []);
  const pages = all.find(({ field }) => field === 'page')?.distinct ?? 0;
  // Shapes that fold nothing repeat the pages, and what no row has says nothing.
  const known = all.filter(
    ({ field, distinct, values }) =>
      (field !== 'shape' || distinct < pages) && values.some(({ value }) => value !== null),
  );
  const listed = known.map(({ values }) => Math.min(values.length, LEAST_LISTED));
  let room = height - known.length - listed.reduce((sum, each) => sum + each, 0);
  for (let before = -1; room > 0 && room !== before; ) {
    before = room;
    known.forEach(({ values }, at) => {
      if (room === 0 || listed[at] === values.length) return;
      listed[at] = (listed[at] as number) + 1;
      room--;
    });
  }
  let next = 0;
  return known.flatMap((of, at): ValueLine[] => [
    { kind: 'field', of },
    ...of.values
      .slice(0, listed[at])
      .map((value): ValueLine => ({ kind: 'value', of, ...value, at: next++ })),
  ]);
}

/**
 * Lines for the values: of the panel, whose lower half a detail takes, or of the whole body. The title takes its own.
 */
export function valuesHeight(state: State): number {
  const { height } = layoutOf(state).body;
  const all = hasValuesBeside(state) && hasDetailBeside(state) ? Math.ceil(height * VALUES_SHARE) : height;
  return Math.max(1, all - valuesTitle(state));
}

/** Lines above the values: how many rows they count, and who counted them where not all were read here. */
export function valuesTitle(state: State): number {
  return valuesSource(state) === null ? 1 : 2;
}

const VALUES_SHARE = 0.6;

/** The key of the top values: moves to them; there it hides them beside the list. */
export function valuesOpened(state: State): State {
  if (!tellsValues(state)) return state;
  return {
    ...state,
    beside: { ...state.beside, isHidden: false },
    overlay: { kind: 'topValues', at: 0 },
  };
}

/** What a command does on the top values; null = nothing. */
export function valuesCommanded(state: State, overlay: ValuesOverlay, command: CommandId): State | null {
  const lines = valueLines(state, valuesHeight(state)).filter((line) => line.kind === 'value');
  const line = lines[overlay.at];
  const page = fieldLength(lines, overlay.at) + 1;
  const place = moved({ cursor: overlay.at, top: 0 }, command, lines.length, page);
  if (place) return { ...state, overlay: { ...overlay, at: place.cursor } };
  const beneath: State = { ...state, overlay: null };
  const mode = command === 'open' ? 'in' : FILTER_MODES[command];
  if (mode !== undefined) {
    if (line === undefined) return noticed(state, 'info', 'no value is counted yet');
    const { field } = line.of;
    const value = askedValue(state, field, line.value);
    const next = refiltered(beneath, (terms) => filteredBy(terms, mode, field, value));
    return { ...next, overlay: { ...overlay, at: 0 } };
  }
  switch (command) {
    case 'dropFilter':
      return { ...refiltered(beneath, (terms) => terms.slice(0, -1)), overlay: { ...overlay, at: 0 } };
    case 'chooseGroups':
      return line === undefined ? null : openGroups(beneath, [line.of.field]);
    case 'topValues':
      return panelColumns(state) === 0
        ? beneath
        : { ...beneath, beside: { ...state.beside, isHidden: true } };
    case 'leave':
    case 'back':
      return beneath;
    default:
      return null;
  }
}

/** Values listed of the field under the cursor: a page moves to the next field. */
function fieldLength(lines: readonly Extract<ValueLine, { kind: 'value' }>[], at: number): number {
  const field = lines[at]?.of.field;
  return Math.max(1, lines.filter(({ of }) => of.field === field).length);
}
