/** Columns of the groups besides the key and the count. `from` = the width of terminal at which one shows by itself. */
export type ShieldColumn = {
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
  bar: { title: '', width: 8, from: 92, align: 'left', help: 'the count as a bar' },
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

const ROW_COLUMNS: readonly (PlacedRowColumn & { from: number })[] = [
  { dimension: 'action', title: 'ACTION', width: 10, from: 0 },
  { dimension: 'ruleId', title: 'RULE', width: 9, from: 0 },
  { dimension: 'ip', title: 'IP', width: 15, from: 0 },
  { dimension: 'country', title: 'CC', width: 2, from: 60 },
  { dimension: 'asn', title: 'ASN', width: 6, from: 90 },
  { dimension: 'feature', title: 'FEATURE', width: 10, from: 110 },
  { dimension: 'ua', title: 'USER AGENT', width: 30, from: 130 },
  { dimension: 'ja4', title: 'JA4', width: 36, from: 180 },
];

/** The columns of single events beside their time; the URL takes what they leave. */
export function placedRowColumns(columns: number, time: number): PlacedRowColumn[] {
  const fixed = ROW_COLUMNS.filter(({ from }) => columns >= from);
  const used = fixed.reduce((sum, { width }) => sum + width + 1, 1 + time + 1);
  return [...fixed, { dimension: 'url', title: 'URL', width: Math.max(4, columns - used) }];
}
