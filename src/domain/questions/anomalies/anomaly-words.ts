import { counted } from '../../../text/units.ts';
import { ORIGIN_TROUBLE } from '../../logs/counted/row-marks.ts';
import type { Query } from '../../query/query.ts';
import {
  figures,
  isoTimes,
  ledBy,
  rest,
  sectionOf,
  shares,
  within,
  words,
} from '../inquiry/answer-section.ts';
import type { AnswerRow, AnswerSection } from '../inquiry/answer-table.ts';
import type { Facts } from '../inquiry/findings.ts';
import type { AnomalyValue, AnomalyWindow } from './anomaly-windows.ts';

/** What the rows of an anomaly lead into: a query over its times, of these zones by their ids; without them of all. */
type Lead = { query: Query; zones?: readonly string[] };

const TROUBLE_WORDS = 'answered 5xx, STALE or UPDATING';

/** What a value that stands out is called as data. */
export function valueFacts(value: AnomalyValue): Facts {
  const { share, usual } = value;
  return {
    field: fieldOf(value),
    value: value.field === ORIGIN_TROUBLE ? TROUBLE_WORDS : value.value,
    share,
    shareUsual: usual,
  };
}

function fieldOf({ field }: Pick<AnomalyValue, 'field'>): string {
  return field === ORIGIN_TROUBLE ? 'origin' : field;
}

/** The values that stand out in an anomaly, and where they lead. */
export function valuesSection(anomaly: AnomalyWindow, title: string, lead: Lead): AnswerSection {
  return sectionOf('values', title, anomaly.values, {
    first: () => ({ window: isoTimes(anomaly), ...(lead.zones ? { zoneIds: lead.zones } : {}) }),
    columns: [
      words('field', 'FIELD', 8, fieldOf),
      rest('value', 'VALUE', ({ field, value }) => (field === ORIGIN_TROUBLE ? TROUBLE_WORDS : value)),
      shares('share', 'SHARE', 6, ({ share }) => share),
      shares('shareUsual', 'USUAL', 6, ({ usual }) => usual),
      figures('rows', 'ROWS', 7, ({ count }) => count),
    ],
    also: ({ g2 }) => ({ g2 }),
    row: (value) => ({ tone: 'notable', ...ledInto(anomaly, value, lead) }),
    note: `${counted(anomaly.rows, 'row')} in ${counted(anomaly.samples, 'sample')}`,
  });
}

/** The rows of an anomaly that have a value of it, or all where it is none of a field. */
export function ledInto(
  anomaly: AnomalyWindow,
  value: AnomalyValue | null,
  { query: asked, zones }: Lead,
): Pick<AnswerRow, 'leads' | 'value'> {
  const query = within(asked, anomaly);
  const ofZones = zones ? { zones } : {};
  if (!value || value.field === ORIGIN_TROUBLE) return { leads: { subject: 'logs', query, ...ofZones } };
  const { leads, value: own } = ledBy('logs', query, value.field, value.value);
  return { ...(leads ? { leads: { ...leads, ...ofZones } } : {}), ...(own ? { value: own } : {}) };
}

/** What kind of thing it is, by the fields that stand out in it. */
export function kindOf({ values }: AnomalyWindow): string {
  const has = (field: string, pattern = /^/) =>
    values.some((each) => each.field === field && pattern.test(each.value));
  if (has(ORIGIN_TROUBLE)) return 'origin fails';
  if (has('status', /^404$/)) return 'not found';
  if (has('status', /^(?:401|403|429)$/)) return 'refused';
  if (has('cache', /^(?:MISS|EXPIRED)$/)) return 'misses';
  if (has('asn') || has('ja4') || has('ip')) return 'one sender';
  return values.length > 0 ? 'more of it' : 'more at once';
}

/** The values much as terms of a query, but raw: they are made safe where they are shown. */
export function causeOf({ values }: Pick<AnomalyWindow, 'values'>): string {
  return values
    .filter(({ field }) => field !== ORIGIN_TROUBLE)
    .map(termOf)
    .join(' ');
}

/** A value much as a term of a query, but raw. */
export function termOf({ field, value }: { field: string; value: string }): string {
  return `${field}:${/\s/.test(value) ? `"${value}"` : value}`;
}
