import { dayMinute, duration } from '../../../text/units.ts';
import { type Change, changedNames, type ListedChange } from '../../evidence/change.ts';
import type { FieldChange } from '../../evidence/diff.ts';
import { EMPTY_QUERY } from '../../query/query.ts';
import { figures, rest, sectionOf, within, words } from '../inquiry/answer-section.ts';
import type { AnswerSection } from '../inquiry/answer-table.ts';

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
  const lines = listed.flatMap((each) => linesOf(each, nameOf).map((what, at) => ({ ...each, what, at })));
  return sectionOf(title, lines, {
    columns: [
      words('TIME (UTC)', 11, ({ at, change }) => (at === 0 ? dayMinute(change.timestamp) : '')),
      figures('BEFORE', 6, ({ at, before }) => (at === 0 && before !== null ? duration(before.by) : '')),
      rest('WHAT', ({ what }) => what),
    ],
    row: ({ change: { timestamp: t }, isOwn, before }) => ({
      tone: before === null ? (isOwn ? 'plain' : 'faint') : isOwn ? 'bad' : 'notable',
      leads: { subject: 'logs', query: within(EMPTY_QUERY, { from: t - AROUND, to: t + AROUND }) },
    }),
    note: isNear ? 'BEFORE: so long before 5xx or misses rose, which it need not have brought about' : '',
  });
}

/** What was done, and under it each field before and after. */
function linesOf({ change }: ListedChange, nameOf: NameOf): string[] {
  const { action, actorId, diff } = change;
  const by = actorId === null ? '' : ` by ${actorId}`;
  const texts =
    diff.fields.length > 0 ? diff.fields.flatMap(fieldLines) : diff.text === '' ? [] : [diff.text];
  return [`${action ?? 'changed'} ${nameOf(change)}${by}`, ...texts.map((text) => `  ${text}`)];
}

function fieldLines({ field, old, now }: FieldChange): string[] {
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
