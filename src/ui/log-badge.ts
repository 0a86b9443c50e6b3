import { FAILURES, type Failure } from '../domain/failure.ts';
import type { TailReport } from '../domain/tail/tail-report.ts';
import { isEndless, shownLog } from '../state/logs/session.ts';
import { type LogView, type State, sourceName } from '../state/model.ts';
import { sanitise } from '../text/sanitise.ts';
import { count, duration, percent } from '../text/units.ts';
import { addedTerms } from './added-terms.ts';
import { savedBadge } from './saved-chrome.ts';
import type { Badge } from './theme.ts';

/** The zone, or for the rows of a group what was added to reach them. */
export function logCrumb(state: State, view: LogView, index: number): string {
  const below = state.views.slice(0, index).findLast((each) => each.kind === 'log');
  if (below?.kind !== 'log') return sanitise(sourceName(state.session) ?? '', 'text', 40);
  return addedTerms(below.query, view.query) || 'rows';
}

/** Time gone by in whole seconds: a title that counts milliseconds cannot be read. */
function wholeSeconds(ms: number): string {
  return duration(Math.floor(Math.max(0, ms) / 1000) * 1000);
}

/** QUIET, OFFLINE and RATE LIMITED are different nights: each has its own word and its own clock. */
export function logBadge(state: State): Badge {
  const { session } = state;
  if (!session) return { text: '', slot: 'dim' };
  const view = shownLog(state);
  if (session.source.kind === 'files') return savedBadge(session.source.report);
  const report = session.report;
  // A window that has an end is read, not followed, and moving in it stops nothing.
  if (session.to !== null && (report?.status === 'live' || report?.status === 'quiet')) {
    return { text: readingWords(report), slot: 'quiet' };
  }
  if (view?.paused && isEndless(session)) {
    const { backlog, newer } = session.book;
    const isRoom = state.size.columns >= 100 && backlog > newer;
    const text = `PAUSED ${count(newer)} new${isRoom ? `, ${count(backlog - newer)} earlier` : ''}`;
    const under = tailBadge(session.report, state.now);
    // A pause must not hide that nothing arrives any more.
    return under.slot === 'down'
      ? { text: `${text}, ${under.text}`, slot: 'down' }
      : { text, slot: 'paused' };
  }
  return tailBadge(session.report, state.now);
}

/** All of a window was read once before its late rows are looked for. */
function readingWords({ readShare }: TailReport): string {
  return readShare === 1 ? 'READING late rows' : `READING ${percent(readShare ?? 0)}`;
}

function tailBadge(report: TailReport | null, now: number): Badge {
  if (!report) return { text: 'CONNECTING', slot: 'quiet' };
  const ago = wholeSeconds(now - report.since);
  switch (report.status) {
    case 'connecting':
      return { text: `CONNECTING ${ago}`, slot: 'quiet' };
    case 'live':
      return { text: 'LIVE', slot: 'live' };
    case 'quiet':
      return {
        text: `QUIET ${wholeSeconds(now - (report.lastRowAt ?? report.since))}`,
        slot: 'quiet',
      };
    case 'rateLimited':
      // A countdown that is over is a request under way.
      return (report.retryAt ?? now) > now
        ? {
            text: `RATE LIMITED ${duration(Math.ceil(((report.retryAt ?? now) - now) / 1000) * 1000)}`,
            slot: 'down',
          }
        : { text: 'RATE LIMITED, retrying', slot: 'down' };
    case 'offline':
      return { text: `OFFLINE ${ago}`, slot: 'down' };
    case 'failed':
      return { text: isDenied(report.failure) ? 'REFUSED' : `FAILING ${ago}`, slot: 'down' };
    case 'stopped':
      return { text: 'COMPLETE', slot: 'success' };
  }
}

/** True when only the user can change the answer; a server in trouble is no refusal. */
function isDenied(failure: Failure | null): boolean {
  return failure !== null && FAILURES[failure.kind].outcome.tail === 'denied';
}
