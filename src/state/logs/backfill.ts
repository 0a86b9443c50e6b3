import { isUnread } from '../../domain/logs/paged-log.ts';
import { storedCommand } from '../../domain/storage/log-parts.ts';
import type { Gap } from '../../domain/tail/coverage.ts';
import type { PullZone } from '../../domain/zone.ts';
import type { Done, Step } from '../messages.ts';
import { type LogSession, noticed, type State } from '../model.ts';
import type { ZoneTail } from './log-source.ts';
import { isOfPages, resumedReading } from './paging.ts';

/** Reads what a gap lacks. */
export function backfilled(state: State, gap: Gap): Done {
  const { session } = state;
  if (!session) return state;
  if (session.source.kind === 'files') {
    const text = 'this was missing when the log was saved: nothing here can read it';
    return noticed(state, 'info', text);
  }
  if (isOfPages(session, gap)) {
    // What failed has another reason than what nobody asked for, and begins with the window as well.
    if (
      gap.from === session.from &&
      (isUnread(gap, true) || session.tails.some(({ pages }) => pages?.failure))
    )
      return noticed(resumedReading(state), 'info', 'reading on; Esc stops it');
    return noticed(state, 'info', keptNoMoreWords(session, gap));
  }
  if (isKeptNoMore(session, gap)) return noticed(state, 'info', keptNoMoreWords(session, gap));
  if (isBeingRead(session, gap)) {
    return noticed(state, 'info', 'this is being read; Esc stops it');
  }
  const { from, to } = gap;
  const tails = session.tails.map((tail) => (isOf(gap, tail) ? { ...tail, isAwaited: true } : tail));
  const { generation } = session;
  return [
    noticed(
      { ...state, session: { ...session, tails } },
      'info',
      'reading what is missing here; Esc stops it',
    ),
    tails
      .filter((tail) => isOf(gap, tail))
      .map(({ zone }) => ({ type: 'backfill', generation, zone: zone.id, range: { from, to } })),
  ];
}

/** Whether a gap is of time that only a store, or the platform's permanent storage, may have. */
export function isKeptNoMore(session: LogSession, gap: Gap): boolean {
  return (
    gap.reason === 'retention' ||
    (isOfPages(session, gap) && gap.reason === 'notRead' && !isUnread(gap, true))
  );
}

function keptNoMoreWords(session: LogSession, gap: Gap): string {
  const command = storedCommand(zonesOfGap(session, gap), gap);
  if (command !== null) return `${command} loads it`;
  return session.paged === null
    ? 'the platform keeps this no more'
    : 'the store does not have this, and the platform keeps it no more';
}

/** The zones of a log whose rows a gap lacks. */
export function zonesOfGap({ tails }: LogSession, gap: Gap): PullZone[] {
  return tails.filter((tail) => isOf(gap, tail)).map(({ zone }) => zone);
}

/** Whether a gap is being read on the user's order. */
export function isBeingRead({ tails }: LogSession, gap: Gap): boolean {
  return tails.some(
    (tail) =>
      isOf(gap, tail) && tail.report?.reading.some((asked) => asked.from < gap.to && gap.from < asked.to),
  );
}

/** A gap names its zone where there are several. */
function isOf(gap: Gap, { zone }: ZoneTail): boolean {
  return gap.zone === undefined || gap.zone === zone.id;
}

/** Reads no gap any more; null where none is being read. */
export function backfillStopped(state: State): Step | null {
  const { session } = state;
  const reading = session?.tails.filter(isBackfilling) ?? [];
  if (!session || reading.length === 0) return null;
  const text = 'stopped; what was read of the gap stays, and Enter on what is left of it goes on';
  const { generation } = session;
  const tails = session.tails.map((tail) => ({ ...tail, isAwaited: false }));
  return [
    noticed({ ...state, session: { ...session, tails } }, 'info', text),
    reading.map(({ zone }) => ({ type: 'stopBackfill', generation, zone: zone.id })),
  ];
}

/** What the user asked for of a gap is still being read. */
function isBackfilling({ report }: ZoneTail): boolean {
  return report !== null && report.reading.length > 0 && report.status !== 'stopped';
}
