import { duration, timeOfDay } from '../../../text/units.ts';
import { type Change, changedNames, type ListedChange } from '../../evidence/change.ts';
import type { FieldChange } from '../../evidence/diff.ts';
import { EMPTY_QUERY } from '../../query/query.ts';
import { figures, rest, words } from '../inquiry/answer-columns.ts';
import { type AnswerRow, type AnswerSection, within } from '../inquiry/answer-table.ts';

/** The times on either side of a change that Enter on it opens, ms. */
const AROUND = 10 * 60_000;
/** Values together no longer than this stand in one line. */
const ONE_LINE = 58;

/** How a resource is called: a zone by its name where that is known. */
export type NameOf = (change: Change) => string;

export function namesBy(zones: readonly { id: string; name: string }[]): NameOf {
  const names = new Map(zones.map(({ id, name }) => [id, name]));
  return ({ resourceType, resourceId }) =>
    [resourceType, resourceId === null ? null : (names.get(resourceId) ?? resourceId)]
      .filter((part) => part !== null && part !== '')
      .join(' ') || 'the account';
}

/** Changes in their order: who did what, and each field before and after. */
export function changeSection(title: string, listed: readonly ListedChange[], nameOf: NameOf): AnswerSection {
  const isNear = listed.some(({ before }) => before !== null);
  return {
    title,
    columns: [words('TIME (UTC)', 11), figures('BEFORE', 6), rest('WHAT')],
    rows: listed.flatMap((each) => rowsOf(each, nameOf)),
    ...(isNear
      ? { note: 'BEFORE: so long before 5xx or misses rose, which it need not have brought about' }
      : {}),
  };
}

function rowsOf({ change, isOwn, before }: ListedChange, nameOf: NameOf): AnswerRow[] {
  const { timestamp, action, actorId, diff } = change;
  const by = actorId === null ? '' : ` by ${actorId}`;
  const row = (cells: readonly string[]): AnswerRow => ({
    cells,
    tone: before === null ? (isOwn ? 'plain' : 'faint') : isOwn ? 'bad' : 'notable',
    leads: {
      subject: 'logs',
      query: within(EMPTY_QUERY, { from: timestamp - AROUND, to: timestamp + AROUND }),
    },
  });
  const time = timeOfDay(timestamp, { zone: 'utc', date: true }).slice(5, 16);
  const near = before === null ? '' : duration(before.by);
  const texts = diff.fields.length > 0 ? diff.fields.flatMap(linesOf) : diff.text === '' ? [] : [diff.text];
  return [
    row([time, near, `${action ?? 'changed'} ${nameOf(change)}${by}`]),
    ...texts.map((text) => row(['', '', `  ${text}`])),
  ];
}

function linesOf({ field, old, now }: FieldChange): string[] {
  const name = field === '' ? '' : `${field}: `;
  if (old === null) return [`${name}${now ?? 'none'}`];
  const one = `${name}${old} -> ${now ?? 'none'}`;
  return one.length <= ONE_LINE ? [one] : [`${name}${old}`, `  -> ${now ?? 'none'}`];
}

/** `changed 4m before: OriginUrl of PullZone shop`; empty where no change of the zone lies right before. */
export function nearestWords(listed: readonly ListedChange[], nameOf: NameOf): string {
  const near = listed
    .filter(({ isOwn, before }) => isOwn && before !== null)
    .toSorted((a, b) => (a.before?.by ?? 0) - (b.before?.by ?? 0))[0];
  if (near?.before == null) return '';
  return `changed ${duration(near.before.by)} before: ${changedNames(near.change)} of ${nameOf(near.change)}`;
}
