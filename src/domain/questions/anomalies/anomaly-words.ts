import { counted } from '../../../text/units.ts';
import type { Query } from '../../query/query.ts';
import { figures, ledBy, rest, sectionOf, shares, within, words } from '../inquiry/answer-section.ts';
import type { AnswerRow, AnswerSection } from '../inquiry/answer-table.ts';
import type { AnomalyValue, AnomalyWindow } from './anomaly-windows.ts';
import { TROUBLE } from './samples.ts';

/** What the rows of an anomaly lead into: a query over its times, of these zones by their ids; without them of all. */
type Lead = { query: Query; zones?: readonly string[] };

/** The values that stand out in an anomaly, and where they lead. */
export function valuesSection(anomaly: AnomalyWindow, title: string, lead: Lead): AnswerSection {
  return sectionOf(title, anomaly.values, {
    columns: [
      words('FIELD', 8, ({ field }) => (field === TROUBLE ? 'origin' : field)),
      rest('VALUE', ({ field, value }) => (field === TROUBLE ? 'answered 5xx, STALE or UPDATING' : value)),
      shares('SHARE', 6, ({ share }) => share),
      shares('USUAL', 6, ({ usual }) => usual),
      figures('ROWS', 7, ({ count }) => count),
    ],
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
  if (!value || value.field === TROUBLE) return { leads: { subject: 'logs', query, ...ofZones } };
  const { leads, value: own } = ledBy('logs', query, value.field, value.value);
  return { ...(leads ? { leads: { ...leads, ...ofZones } } : {}), ...(own ? { value: own } : {}) };
}

/** What kind of thing it is, by the fields that stand out in it. */
export function kindOf({ values }: AnomalyWindow): string {
  const has = (field: string, pattern = /^/) =>
    values.some((each) => each.field === field && pattern.test(each.value));
  if (has(TROUBLE)) return 'origin fails';
  if (has('status', /^404$/)) return 'not found';
  if (has('status', /^(?:401|403|429)$/)) return 'refused';
  if (has('cache', /^(?:MISS|EXPIRED)$/)) return 'misses';
  if (has('asn') || has('ja4') || has('ip')) return 'one sender';
  return values.length > 0 ? 'more of it' : 'more at once';
}

/** The values much as terms of a query, but raw: they are made safe where they are shown. */
export function causeOf({ values }: Pick<AnomalyWindow, 'values'>): string {
  return values
    .filter(({ field }) => field !== TROUBLE)
    .map(termOf)
    .join(' ');
}

/** A value much as a term of a query, but raw. */
export function termOf({ field, value }: Pick<AnomalyValue, 'field' | 'value'>): string {
  return `${field}:${/\s/.test(value) ? `"${value}"` : value}`;
}
