import { counted, dayMinute, duration, isoOf, joined } from '../../../text/units.ts';
import {
  type Change,
  changedNames,
  type ListedChange,
  listedChanges,
  type NameOf,
  type ZoneIds,
} from '../../evidence/change.ts';
import type { FieldChange } from '../../evidence/diff.ts';
import {
  type AnswerFinding,
  type AnswerSection,
  type AnswerTable,
  findingsOf,
  type Leads,
  onScreen,
  sectionOf,
  within,
} from '../../inquiry/answer-table.ts';
import { readBy } from '../../inquiry/inquiry.ts';
import { EMPTY_QUERY } from '../../query/query.ts';
import { type Brief, type Made, made } from '../asked/asked.ts';
import { changesIn, changesReading, type EvidenceReading } from './evidence-reading.ts';

type Question = { zone: ZoneIds & { name: string } } & Required<Pick<Brief, 'range' | 'starts' | 'nameOf'>>;

/** What was changed in the account, of the zone first, and what lies right before something began. */
export function changes(o: Brief): Made {
  const { range, shieldZoneId, starts = [], nameOf = namesBy(o.zones) } = o;
  const [{ id: pullZoneId, name }] = o.zones;
  const about = { zone: { pullZoneId, shieldZoneId, name }, range, starts, nameOf };
  const reading = changesReading(range);
  return made(
    o,
    readBy([reading], () => changesTable(reading, about)),
    '',
  );
}

function changesTable(reading: EvidenceReading<'changes'>, o: Question): AnswerTable {
  const missing = reading.missing();
  const listed = listedChanges(changesIn(reading, o.range), o.zone, o.starts);
  const own = listed.filter(({ isOwn }) => isOwn);
  const others = listed.filter(({ isOwn }) => !isOwn);
  const near = nearestWords(listed, o.nameOf);
  const days = `${reading.read.length} of ${counted(reading.needs.length, 'day')} read`;
  const part = reading.read.length < reading.needs.length ? ' in what was read' : '';
  const found = `${counted(own.length, 'change')} of ${o.zone.name}, ${others.length} of the rest of the account${part}`;
  return {
    headline:
      reading.read.length === 0
        ? (reading.trouble()[0] ?? 'what was changed in the account?')
        : near === ''
          ? found
          : `${near}; ${found}`,
    // That something was changed is nothing wrong; what was changed right before something began is worth the look.
    verdict: 'unknown',
    ...(near === '' ? {} : { tone: 'bad' }),
    sections: [
      changeSection(
        `of ${o.zone.name}`,
        own,
        o.nameOf,
        reading.read.length > 0 ? `no change of it is recorded${part}` : '',
      ),
      ...(others.length > 0 ? [changeSection('of the rest of the account', others, o.nameOf)] : []),
    ],
    isWhole: reading.rest().length === 0 && missing.length === 0,
    coverage: joined([
      days,
      `${counted(o.starts.length, 'beginning')} known to compare with: 5xx or misses in memory, and origin errors`,
      ...missing,
    ]),
  };
}

/** The times on either side of a change that Enter on it opens, ms. */
const AROUND = 10 * 60_000;
/** Values together no longer than this stand in one line. */
const ONE_LINE = 58;

export function namesBy(zones: readonly { id: string; name: string }[]): NameOf {
  const names = new Map(zones.map(({ id, name }) => [id, name]));
  return ({ resourceType, resourceId }) =>
    [resourceType, resourceId === null ? null : (names.get(resourceId) ?? resourceId)]
      .filter((part) => part !== null && part !== '')
      .join(' ') || 'the account';
}

/** Changes in their order: who did what, and each field before and after. `none`: said where there is none. */
export function changeSection(
  title: string,
  listed: readonly ListedChange[],
  nameOf: NameOf,
  none = '',
): AnswerSection {
  const isNear = listed.some(({ before }) => before !== null);
  const lines = listed.flatMap((each, of) =>
    linesOf(each, nameOf).map((what, at) => ({ ...each, of, what, isFirst: at === 0 })),
  );
  const note = listed.length === 0 ? none : '';
  const section = sectionOf('changes', title, lines, {
    sentence: ({ what }) => what,
    columns: [
      onScreen('TIME (UTC)', 11, ({ isFirst, change }) => (isFirst ? dayMinute(change.timestamp) : '')),
      onScreen(
        'BEFORE',
        6,
        ({ isFirst, before }) => (isFirst && before !== null ? duration(before.by) : ''),
        { align: 'right' },
      ),
      onScreen('WHAT', 'rest', ({ what }) => what),
    ],
    row: ({ change, isOwn, before }) => ({
      tone: before === null ? (isOwn ? 'plain' : 'faint') : isOwn ? 'bad' : 'notable',
      leads: leadsTo(change),
    }),
    note,
    aside: isNear ? 'BEFORE: so long before 5xx or misses rose, which it need not have brought about' : '',
  });
  const rows = section.rows.map((row, at) => ({ ...row, of: lines[at]?.of ?? 0 }));
  const findings = findingsOf({ name: 'changes', note, listed: listed.length }, listed, (each) =>
    findingOf(each, nameOf),
  );
  return { ...section, rows, findings };
}

function findingOf({ change, isOwn, before }: ListedChange, nameOf: NameOf): AnswerFinding {
  const { timestamp, action, actorId, actorType, product, resourceType, resourceId, diff } = change;
  return {
    facts: {
      sentence: sentenceOf({ change, isOwn, before }, nameOf),
      time: isoOf(timestamp),
      action,
      ...{ product, resourceType, resourceId, resource: nameOf(change) },
      ...{ actorType, actorId },
      /** Of the zone that was asked about. */
      isOwn,
      before: before && { what: before.start.what, at: isoOf(before.start.at), seconds: before.by / 1000 },
      fields: diff.fields.map(({ field, old, now }) => ({ field, old, now })),
      text: diff.text,
    },
    leads: leadsTo(change),
  };
}

function sentenceOf(listed: ListedChange, nameOf: NameOf): string {
  const [what, ...fields] = linesOf(listed, nameOf);
  const changed = fields.map((line) => line.trim()).join(' ');
  return joined([`${what} at ${dayMinute(listed.change.timestamp)} UTC`, changed], ': ');
}

function leadsTo({ timestamp: t }: Change): Leads {
  return { subject: 'logs', query: within(EMPTY_QUERY, { from: t - AROUND, to: t + AROUND }) };
}

/** What was done, where it is not of the zone that was asked about, and under it each field before and after. */
function linesOf({ change, isOwn }: ListedChange, nameOf: NameOf): string[] {
  const { action, actorId, diff } = change;
  const by = actorId === null ? '' : ` by ${actorId}`;
  const texts =
    diff.fields.length > 0 ? diff.fields.flatMap(fieldLines) : diff.text === '' ? [] : [diff.text];
  const place = isOwn ? '' : 'elsewhere: ';
  return [`${place}${action ?? 'changed'} ${nameOf(change)}${by}`, ...texts.map((text) => `  ${text}`)];
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
    .filter(({ before }) => before !== null)
    .toSorted((a, b) => (a.before?.by ?? 0) - (b.before?.by ?? 0))[0];
  if (near?.before == null) return '';
  return `changed ${duration(near.before.by)} before: ${changedNames(near.change)} of ${nameOf(near.change)}`;
}
