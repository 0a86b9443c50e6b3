import { EVENT_COLUMNS } from './shield.ts';

/** Columns of groups besides key and count. `from` = the width of terminal from which one shows unasked. */
type ShieldColumn = {
  title: string;
  width: number;
  from: number;
  align: 'left' | 'right';
  help: string;
};

export const SHIELD_COLUMNS = {
  share: column('SHARE', 6, 90, 'right', 'share of the events of all groups read'),
  bar: column(
    '',
    8,
    92,
    'left',
    'when its events were, as levels of its busiest part; as a bar where the server does not tell',
  ),
  blocked: column('BLOCKED', 8, 0, 'right', 'events that were stopped'),
  // Both or none: with the blocked ones they add up to the events.
  challenged: column('CHALL.', 7, 70, 'right', 'events that were challenged: they had to pass a check'),
  logged: column('LOGGED', 7, 70, 'right', 'events that were let through and noted'),
  first: column('FIRST', 8, 100, 'left', 'the oldest event'),
  last: column('LAST', 8, 78, 'left', 'the newest event'),
  country: column('CC', 2, 112, 'left', 'country, where all events have one'),
  asn: column('ASN', 7, 118, 'left', 'autonomous system, where all events have one'),
  features: column('FEATURES', 12, 130, 'left', 'parts of Shield that acted'),
  rules: column('RULES', 24, 150, 'left', 'rules that were touched'),
} as const satisfies Record<string, ShieldColumn>;

function column(
  title: string,
  width: number,
  from: number,
  align: ShieldColumn['align'],
  help: string,
): ShieldColumn {
  return { title, width, from, align, help };
}

export type ShieldColumnId = keyof typeof SHIELD_COLUMNS;

export const SHIELD_COLUMN_IDS = Object.keys(SHIELD_COLUMNS) as ShieldColumnId[];

/** The chosen columns, or those for which a terminal of this width has room. */
export function placedShieldColumns(
  chosen: readonly ShieldColumnId[] | null,
  columns: number,
): ShieldColumnId[] {
  return SHIELD_COLUMN_IDS.filter((id) =>
    chosen ? chosen.includes(id) : columns >= SHIELD_COLUMNS[id].from,
  );
}

/** A column of single events with the cells it got. */
type PlacedRowColumn = { dimension: string; title: string; width: number };

/** The columns of single events in the order of the screen, on which the URL takes what the others leave. */
const ROW_COLUMNS = EVENT_COLUMNS.toSorted(
  (a, b) => Number(a.dimension === 'url') - Number(b.dimension === 'url'),
);

/** Those that a terminal of this width has room for beside the time. */
export function placedRowColumns(columns: number, time: number): PlacedRowColumn[] {
  const placed = ROW_COLUMNS.filter(({ from }) => columns >= from);
  const used = placed.slice(0, -1).reduce((sum, { width }) => sum + width + 1, 1 + time + 1);
  return placed.map((column) =>
    column.dimension === 'url' ? { ...column, width: Math.max(column.width, columns - used) } : column,
  );
}
