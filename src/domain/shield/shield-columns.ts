import { EVENT_COLUMNS } from './shield.ts';

/** Columns of the groups besides the key and the count. `from` = the width of terminal at which one shows by itself. */
type ShieldColumn = {
  title: string;
  width: number;
  from: number;
  align: 'left' | 'right';
  help: string;
};

export const SHIELD_COLUMNS = {
  share: {
    title: 'SHARE',
    width: 6,
    from: 60,
    align: 'right',
    help: 'share of the events of all groups read',
  },
  bar: {
    title: '',
    width: 8,
    from: 92,
    align: 'left',
    help: 'when its events were, as levels of its busiest part; as a bar where the server does not tell',
  },
  blocked: { title: 'BLOCK', width: 7, from: 50, align: 'right', help: 'events that were stopped' },
  challenged: { title: 'CHALL', width: 7, from: 76, align: 'right', help: 'events that had to pass a check' },
  logged: {
    title: 'LOG',
    width: 7,
    from: 66,
    align: 'right',
    help: 'events that were let through and noted',
  },
  first: { title: 'FIRST', width: 8, from: 100, align: 'left', help: 'the oldest event' },
  last: { title: 'LAST', width: 8, from: 78, align: 'left', help: 'the newest event' },
  country: { title: 'CC', width: 2, from: 112, align: 'left', help: 'country, where all events have one' },
  asn: {
    title: 'ASN',
    width: 7,
    from: 118,
    align: 'left',
    help: 'autonomous system, where all events have one',
  },
  features: { title: 'FEATURES', width: 12, from: 130, align: 'left', help: 'parts of Shield that acted' },
  rules: { title: 'RULES', width: 24, from: 150, align: 'left', help: 'rules that were touched' },
} as const satisfies Record<string, ShieldColumn>;

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
export type PlacedRowColumn = { dimension: string; title: string; width: number };

/** The columns of single events in the order of the screen, on which the URL takes what the others leave. */
export const ROW_COLUMNS = EVENT_COLUMNS.toSorted(
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
