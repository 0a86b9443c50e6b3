import { FAILURES, type Failure } from '../domain/failure.ts';
import type { TailReport } from '../domain/tail/tail-report.ts';
import { isAccountView } from '../state/account/account-views.ts';
import { isEndless, shownLog } from '../state/logs/session.ts';
import { type LogSession, type LogView, type State, sourceName, topView } from '../state/model.ts';
import { askedWords } from '../state/questions/answer-model.ts';
import { isShieldView } from '../state/shield/shield-model.ts';
import { fit, width } from '../text/fit.ts';
import { sanitise } from '../text/sanitise.ts';
import { count, duration, percent } from '../text/units.ts';
import { accountBadge, accountCrumb } from './account-chrome.ts';
import { addedTerms } from './added-terms.ts';
import { answerBadge } from './answer-chrome.ts';
import { savedBadge } from './saved-chrome.ts';
import { notebookBadge } from './screens/notebook.ts';
import { shieldBadge, shieldCrumb } from './shield-chrome.ts';
import type { Look, Slot } from './theme.ts';

/** How the view on top stands, in a word or two. */
type Badge = { text: string; slot: Slot };

/** The first line: where the user is, and how the tail stands. */
export function titleLine(state: State, look: Look): string {
  const crumbs = state.views.map((view, index) => crumb(state, view, index));
  const start = ` edgescope${state.demo ? ' demo' : state.replayed ? ' replay' : ''} ${look.glyph.crumb} `;
  const badge = badgeOf(state);
  const text = sanitise(badge.text, 'text', 60);
  const room = Math.max(0, state.size.columns - width(text) - 2);
  const left = start + shortened(crumbs, room - width(start), look);
  return `${look.paint('title', fit(left, room, 'left', look.glyph.cut))} ${look.paint(badge.slot, text)} `;
}

function badgeOf(state: State): Badge {
  const onTop = topView(state);
  if (isAccountView(onTop)) return accountBadge(state, onTop);
  if (isShieldView(onTop)) return shieldBadge(state, onTop);
  if (onTop.kind === 'answer') return answerBadge(state, onTop);
  if (onTop.kind === 'notebook') return notebookBadge(onTop);
  if (state.session) return statusBadge(state, state.session);
  // The address of a simulator is a port that was free.
  return { text: state.demo ? 'simulated account' : state.endpoint, slot: 'dim' };
}

/** A long way loses its middle first: where it began and where it led say most. */
function shortened(crumbs: readonly string[], room: number, look: Look): string {
  const joint = ` ${look.glyph.crumb} `;
  const all = crumbs.join(joint);
  for (let gone = 1; width(all) > room && gone < crumbs.length - 2; gone++) {
    const text = [...crumbs.slice(0, 1), look.glyph.cut, ...crumbs.slice(1 + gone)].join(joint);
    if (width(text) <= room) return text;
  }
  return all;
}

function crumb(state: State, view: State['views'][number], index: number): string {
  switch (view.kind) {
    case 'zones':
      return state.views.length > 1
        ? 'zones'
        : `zones${state.zones.narrow ? ` /${sanitise(state.zones.narrow, 'text')}` : ''}`;
    case 'log':
      return logCrumb(state, view, index);
    case 'groups':
      return `by ${view.by.join(',')}`;
    case 'record':
      return 'row';
    case 'storage':
    case 'storageZone':
    case 'storageEdit':
    case 'keys':
      return accountCrumb(view);
    case 'answer':
      return sanitise(askedWords(view), 'strict', 40);
    case 'notebook':
      return `notebook ${view.day}`;
    default:
      return shieldCrumb(state, view, index);
  }
}

/** The zone, or for the rows of a group what was added to reach them. */
function logCrumb(state: State, view: LogView, index: number): string {
  const below = state.views.slice(0, index).findLast((each) => each.kind === 'log');
  if (below?.kind !== 'log') return sanitise(sourceName(state.session) ?? '', 'text', 40);
  return addedTerms(below.query, view.query) || 'rows';
}

/** Time gone by in whole seconds: a title that counts milliseconds cannot be read. */
function wholeSeconds(ms: number): string {
  return duration(Math.floor(Math.max(0, ms) / 1000) * 1000);
}

/** QUIET, OFFLINE and RATE LIMITED are different nights: each has its own word and its own clock. */
function statusBadge(state: State, session: LogSession): Badge {
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
