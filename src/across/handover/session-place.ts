import { commandWords, type SessionPlace } from '../../domain/handover/place.ts';
import type { Query } from '../../domain/query/query.ts';
import { mergedReport, zonesInTrouble } from '../../domain/tail/merged-report.ts';
import { printWatch } from '../../domain/watch/watch.ts';
import { TAIL_WINDOW, wentTo } from '../../screens/log/log-commands.ts';
import { onTop } from '../../screens/screens.ts';
import { zoneWord } from '../../state/about.ts';
import { listHeight } from '../../state/list/screen-layout.ts';
import {
  clockZone,
  type LogSession,
  type LogView,
  type Remark,
  remarked,
  type State,
} from '../../state/model.ts';
import { logWindow, shownLog } from '../../state/sessions/session.ts';
import { reportOf } from '../../state/sessions/zone-tails.ts';
import { topOf } from '../../state/view-stack.ts';
import { count, timeOfDay } from '../../text/units.ts';

/** The place of the session; null until it is where the command line wants it, or where no command names it. */
export function sessionPlace(state: State): SessionPlace | null {
  if (state.zones.wanted !== null || state.resuming !== null) return null;
  const log = shownLog(state);
  const { session, highlights, watching } = state;
  const utc = clockZone(state) === 'utc';
  const flags = [...state.handover.flags, ...(watching ? ['--until', printWatch(watching.watch)] : [])];
  if (topOf(state, 'log', 'groups', 'record') === null) {
    const source = onTop(state, 'command');
    return typeof source === 'string'
      ? null
      : { words: commandWords(source, flags), utc, pausedAt: null, completeTo: null, highlights };
  }
  // Saved files are still there: the same command opens them.
  if (!log || session?.source.kind !== 'zones') return null;
  const pausedAt = log.paused ? timeUnder(state, session, log) : null;
  const query = { ...openQuery(state, session, log, pausedAt), groupBy: topOf(state, 'groups')?.by ?? [] };
  return {
    words: commandWords({ screen: 'logs', zone: zoneWord(state, session.source.zones), query }, flags),
    utc,
    pausedAt,
    completeTo: session.report?.completeTo ?? null,
    highlights,
  };
}

/** A reopened log that was paused is paused at its row once everything up to now is read. */
export function repaused(state: State): State {
  const { resuming, session } = state;
  const view = shownLog(state);
  if (resuming === null || !session?.report || !view) return state;
  const until = resuming.until ?? session.report.serverNow ?? state.now;
  const parts = session.tails.map(reportOf);
  // A zone that is refused must not delay the place of the others.
  const failing = zonesInTrouble(parts).filter(({ behind }) => behind === null);
  const awaited = parts.filter(
    (part) => failing.length === parts.length || !failing.some(({ of }) => of === part),
  );
  const { completeTo = null, status } = mergedReport(awaited) ?? session.report;
  const isRead = status === 'stopped' || (completeTo !== null && completeTo >= until);
  if (!isRead) return { ...state, resuming: { ...resuming, until } };
  const { book } = session;
  book.settle();
  const index = Math.min(book.indexOfTime(resuming.pausedAt), Math.max(0, book.length - 1));
  const next = wentTo({ ...state, resuming: null }, view, index);
  const at = timeOfDay(resuming.pausedAt, { zone: clockZone(state) });
  const text = `paused at ${at} as before; ${count(book.length - 1 - index)} rows follow`;
  return remarked(next, { tone: 'info', remark: text });
}

/** The remark at the start of a reopened session. */
export function resumedRemark({ pausedAt, completeTo, utc }: SessionPlace): Remark {
  const at = pausedAt === null ? '' : timeOfDay(pausedAt, { zone: utc ? 'utc' : 'local' });
  const remark =
    pausedAt === null
      ? `session resumed; ${completeTo === null ? 'its time range is unchanged' : 'reading what arrived meanwhile'}`
      : `reading what arrived meanwhile, then paused at ${at} as before; any key stays here`;
  return { tone: 'info', remark };
}

/** The query with the times to read again: a followed log stays open at its end. */
function openQuery(state: State, session: LogSession, log: LogView, pausedAt: number | null): Query {
  const { window } = log.query;
  if (window?.kind === 'absolute') return log.query;
  const span = window?.duration ?? TAIL_WINDOW.duration;
  const read = session.report?.completeTo ?? state.now;
  // As much before the place as was asked for before now; the time between is the gap to fill.
  const from = Math.floor((Math.min(read, pausedAt ?? read) - span) / 1000) * 1000;
  return { ...log.query, window: { kind: 'absolute', from, to: null } };
}

function timeUnder(state: State, { book }: LogSession, log: LogView): number | null {
  const item = book.at(logWindow(log, book, listHeight(state)).cursor);
  if (!item) return null;
  return item.kind === 'gap' ? item.gap.from : book.timeOf(item.id);
}
