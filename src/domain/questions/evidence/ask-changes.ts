import { joined } from '../../../text/joined.ts';
import { counted } from '../../../text/units.ts';
import { type Change, listedChanges, type Start, type ZoneIds } from '../../evidence/change.ts';
import { missingForStrays } from '../../strays.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { AnswerTable } from '../inquiry/answer-table.ts';
import type { Inquiry } from '../inquiry/inquiry.ts';
import { changeSection, type NameOf, nearestWords } from './change-section.ts';
import { daysOf, EvidenceReading } from './evidence-reading.ts';

type Question = {
  zone: ZoneIds & { name: string };
  range: TimeRange;
  /** When something began to be different, as far as that is known. */
  starts: readonly Start[];
  nameOf: NameOf;
};

/** What was changed in the account, of the zone first, and what lies right before something began. */
export function changesInquiry(o: Question): Inquiry {
  const reading = changesReading(o.range);
  return {
    needs: reading.needs,
    add: (need, met) => void reading.add(need, met),
    table: () => changesTable(reading, o),
    rest: () => reading.rest(),
  };
}

/** The changes of the days of a time. */
export function changesReading(range: TimeRange): EvidenceReading<'changes'> {
  const { days, leftOut } = daysOf(range);
  return new EvidenceReading(
    'changes',
    days.map((day) => ({ kind: 'changes', day })),
    leftOut,
  );
}

/** What was told of a time, and what of it is missing, in words. */
export function changesIn(
  reading: EvidenceReading<'changes'>,
  { from, to }: TimeRange,
): { changes: Change[]; missing: string[] } {
  const pages = reading.read.map(([, page]) => page);
  const changes = pages.flatMap((page) => page.changes.filter(({ timestamp: t }) => t >= from && t < to));
  const unread = pages.reduce((sum, page) => sum + page.unread, 0);
  const cut = reading.read.filter(([, { next }]) => next !== null).map(([{ day }]) => day);
  return {
    changes,
    missing: [
      ...reading.leftOut,
      ...reading.trouble('changes'),
      ...(unread > 0 ? [`${counted(unread, 'change')} without a time left out`] : []),
      ...(cut.length > 0 ? [`of ${cut.join(', ')} only the newest changes`] : []),
      ...missingForStrays(pages).map((words) => `changes: ${words}`),
    ],
  };
}

function changesTable(reading: EvidenceReading<'changes'>, o: Question): AnswerTable {
  const { changes, missing } = changesIn(reading, o.range);
  const listed = listedChanges(changes, o.zone, o.starts);
  const own = listed.filter(({ isOwn }) => isOwn);
  const others = listed.filter(({ isOwn }) => !isOwn);
  const near = nearestWords(listed, o.nameOf);
  const days = `${reading.read.length} of ${counted(reading.needs.length, 'day')} read`;
  const part = reading.read.length < reading.needs.length ? ' in what was read' : '';
  const found = `${counted(own.length, 'change')} of ${o.zone.name}, ${others.length} of the rest of the account${part}`;
  return {
    headline:
      reading.read.length === 0
        ? (reading.trouble('changes')[0] ?? 'what was changed in the account?')
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
