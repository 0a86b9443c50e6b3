import { isUnread } from '../../domain/logs/paged-log.ts';
import { storedCommand } from '../../domain/storage/log-parts.ts';
import type { Gap } from '../../domain/tail/coverage.ts';
import type { ZoneTail } from '../log-source.ts';
import type { Done, Step } from '../messages.ts';
import { type LogSession, noticed, type State } from '../model.ts';
import { isOfPages, resumedReading } from './paging.ts';
import { READING_GAP } from './session.ts';

/** Reads the rows that a gap lacks. */
export function backfilled(state: State, gap: Gap): Done {
  const { session } = state;
  if (!session) return state;
  if (session.source.kind === 'files') {
    const text = 'this was missing when the log was saved: nothing here can read it';
    return noticed(state, 'info', text);
  }
  if (isOfPages(session, gap)) {
    // A failed gap has another reason than time nobody asked for, and may begin with the window, too.
    if (
      gap.from === session.from &&
      (isUnread(gap, true) || session.tails.some(({ pages }) => pages?.failure))
    )
      return noticed(resumedReading(state), 'info', 'reading on; Esc stops it');
  }
  const lost = lostWords(session, gap);
  if (lost !== null) return noticed(state, 'info', lost);
  if (isBeingRead(session, gap)) {
    return noticed(state, 'info', 'this is being read; Esc stops it');
  }
  const { from, to } = gap;
  const tails = session.tails.map((tail) => (isOf(gap, tail) ? { ...tail, isAwaited: true } : tail));
  const { generation } = session;
  return [
    noticed({ ...state, session: { ...session, tails } }, 'info', READING_GAP),
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

/** The command that loads the rows of such a gap into a store; null: none does. */
export function loadingCommand(session: LogSession, gap: Gap): string | null {
  if (!isKeptNoMore(session, gap)) return null;
  const zones = session.tails.filter((tail) => isOf(gap, tail)).map(({ zone }) => zone);
  return storedCommand(zones, gap);
}

/** Why a gap cannot be read here; null: it can. */
function lostWords(session: LogSession, gap: Gap): string | null {
  const command = loadingCommand(session, gap);
  if (command !== null) return `${command} loads it`;
  if (isOfPages(session, gap)) return 'the store does not have this, and the platform keeps it no more';
  return isKeptNoMore(session, gap) ? 'the platform keeps this no more' : null;
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

/** Stops reading gaps; null where none is being read. */
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

/** Whether a gap is still being read on the user's order. */
function isBackfilling({ report }: ZoneTail): boolean {
  return report !== null && report.reading.length > 0 && report.status !== 'stopped';
}
