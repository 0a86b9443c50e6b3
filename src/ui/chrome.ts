import { explain, type Failure, type FailureKind } from '../domain/failure.ts';
import { placeTerms } from '../domain/query/push-down.ts';
import type { Term } from '../domain/query/query.ts';
import { printQuery } from '../domain/query/query-text.ts';
import type { TailReport } from '../domain/tail/tail-report.ts';
import { hints } from '../keymap/resolve.ts';
import { exportWords } from '../state/handover/export-menu.ts';
import { tagsOf } from '../state/logs/group-tags.ts';
import { shownLog } from '../state/logs/session.ts';
import {
  type GroupsView,
  type LogSession,
  type LogView,
  type State,
  sourceName,
  topView,
} from '../state/model.ts';
import { isShieldView } from '../state/shield/shield-model.ts';
import { watchWords } from '../state/watching.ts';
import { fit, width } from '../text/fit.ts';
import { inAscii, sanitise } from '../text/sanitise.ts';
import { count, duration } from '../text/units.ts';
import { accountBadge, accountCrumb, isAccountView } from './account-chrome.ts';
import { answerBadge, answerQueryLine } from './answer-chrome.ts';
import { savedBadge, savedWindowWords } from './saved-chrome.ts';
import { hasTagColumn } from './screens/groups.ts';
import { shieldBadge, shieldCrumb, shieldQueryLine } from './shield-chrome.ts';
import { searchWords as shieldSearchWords, troubleWords } from './shield-words.ts';
import { stripped } from './spark.ts';
import type { Look, Slot } from './theme.ts';

/** The first line: where the user is, and how the tail stands. */
export function titleLine(state: State, look: Look): string {
  const crumbs = state.views.map((view, index) => crumb(state, view, index));
  const start = ` edgescope${state.demo ? ' demo' : state.replayed ? ' replay' : ''} ${look.glyph.crumb} `;
  const onTop = topView(state);
  const badge = isAccountView(onTop)
    ? accountBadge(state, onTop)
    : isShieldView(onTop)
      ? shieldBadge(state, onTop)
      : onTop.kind === 'answer'
        ? answerBadge(state, onTop)
        : state.session
          ? statusBadge(state, state.session)
          : { text: state.endpoint, slot: 'dim' as Slot };
  const text = sanitise(badge.text, 'text', 60);
  const room = Math.max(0, state.size.columns - width(text) - 2);
  const left = start + shortened(crumbs, room - width(start), look);
  return `${look.paint('title', fit(left, room, 'left', look.glyph.cut))} ${look.paint(badge.slot, text)} `;
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
      return sanitise(view.crumb, 'strict', 40);
    default:
      return shieldCrumb(view);
  }
}

/** The zone, or for the rows of a group what was added to reach them. */
function logCrumb(state: State, view: LogView, index: number): string {
  const below = state.views.slice(0, index).findLast((each) => each.kind === 'log');
  if (below?.kind !== 'log') return sanitise(sourceName(state.session) ?? '', 'text', 40);
  const before = new Set(below.query.terms.map((term) => JSON.stringify(term)));
  const terms = view.query.terms.filter((term) => !before.has(JSON.stringify(term)));
  return inAscii(printQuery({ terms, window: null, groupBy: [] }) || 'rows', 40);
}

/** Time gone by in whole seconds: a title that counts milliseconds cannot be read. */
function wholeSeconds(ms: number): string {
  return duration(Math.floor(Math.max(0, ms) / 1000) * 1000);
}

type Badge = { text: string; slot: Slot };

/** QUIET, OFFLINE and RATE LIMITED are different nights: each has its own word and its own clock. */
function statusBadge(state: State, session: LogSession): Badge {
  const view = shownLog(state);
  if (session.source.kind === 'files') return savedBadge(session.source.report);
  const report = session.report;
  // A window that has an end is read, not followed.
  if (session.to !== null && !view?.paused && (report?.status === 'live' || report?.status === 'quiet')) {
    return { text: 'READING', slot: 'quiet' };
  }
  if (view?.paused) {
    const text = `PAUSED ${count(session.book.backlog)} new`;
    const under = tailBadge(session.report, state.now);
    // A pause must not hide that nothing arrives any more.
    return under.slot === 'down'
      ? { text: `${text}, ${under.text}`, slot: 'down' }
      : { text, slot: 'paused' };
  }
  return tailBadge(session.report, state.now);
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
      return { text: isRefusal(report.failure) ? 'REFUSED' : `FAILING ${ago}`, slot: 'down' };
    case 'stopped':
      return { text: 'COMPLETE', slot: 'success' };
  }
}

const REFUSALS: ReadonlySet<FailureKind> = new Set([
  'noKey',
  'refusedKey',
  'forbidden',
  'suspended',
  'loggingDisabled',
]);

/** True when only the user can change the answer; a server in trouble is no refusal. */
function isRefusal(failure: Failure | null): boolean {
  return failure !== null && REFUSALS.has(failure.kind);
}

/** The query as chips: what the server does in one colour, what is done here in another, with what it hid. */
export function queryLine(state: State, look: Look): string {
  const { session } = state;
  const view = topView(state);
  if (isShieldView(view)) return shieldQueryLine(state, view, look);
  if (view.kind === 'answer') return answerQueryLine(state, view, look);
  if (!session || !('query' in view)) return '';
  const { columns } = state.size;
  const { source } = session;
  const window = printQuery({ terms: [], window: view.query.window, groupBy: [] });
  // Where a term runs is decided among all terms that were asked: a second one for the same parameter runs here.
  const asked = source.kind === 'zone' ? placeTerms(session.asked.terms, source.zone) : [];
  const chips = view.query.terms.map((term) => chip(term, isOnServer(term, asked)));
  const hidden =
    session.book.hidden > 0
      ? `hidden here ${count(session.book.hidden)} of ${count(session.book.size)}`
      : `${count(session.book.size)} rows${session.book.evicted > 0 ? `, ${count(session.book.evicted)} older dropped` : ''}`;
  let room = columns - hidden.length - 3;
  let line = ' ';
  for (const part of [
    {
      text: source.kind === 'files' ? savedWindowWords(window, source, look) : window || 'newest rows',
      slot: 'dim' as Slot,
    },
    ...chips,
  ]) {
    const text = fit(
      inAscii(part.text, Math.max(1, room)),
      Math.max(0, Math.min(part.text.length, room)),
      'left',
      look.glyph.cut,
    );
    line += `${look.paint(part.slot, text)} `;
    room -= width(text) + 1;
    if (room <= 0) break;
  }
  return `${line}${' '.repeat(Math.max(0, room))} ${look.paint(session.book.hidden > 0 ? 'local' : 'dim', hidden)}`;
}

function chip(term: Term, onServer: boolean): { text: string; slot: Slot } {
  return {
    text: printQuery({ terms: [term], window: null, groupBy: [] }),
    slot: onServer ? 'server' : 'local',
  };
}

function isOnServer(term: Term, asked: readonly { term: Term; runs: 'server' | 'local' }[]): boolean {
  const text = JSON.stringify(term);
  return asked.some((each) => each.runs === 'server' && JSON.stringify(each.term) === text);
}

/** The last line: a notice, or the keys that matter here. */
export function bottomLine(state: State, look: Look): string {
  const { columns } = state.size;
  const { notice, session } = state;
  if (notice) {
    const slot = notice.tone === 'error' ? 'error' : notice.tone === 'warning' ? 'warning' : 'accent';
    return look.paint(
      slot,
      fit(` ${sanitise(notice.text, 'text', columns * 2)}`, columns, 'left', look.glyph.cut),
    );
  }
  const { watching } = state;
  if (watching?.told) {
    const words = ` ${sanitise(watching.told, 'text', columns * 2)}`;
    return look.paint('warning', fit(words, columns, 'left', look.glyph.cut));
  }
  const { exporting } = state.handover;
  if (exporting) {
    const words = ` ${sanitise(exportWords(exporting), 'text', columns * 2)}`;
    return look.paint('accent', fit(words, columns, 'left', look.glyph.cut));
  }
  const view = topView(state);
  const trouble = isShieldView(view) ? troubleWords(state, view, columns - 1) : null;
  if (trouble !== null) return look.paint('warning', fit(` ${trouble}`, columns, 'left', look.glyph.cut));
  // The log may be followed behind the explorer; its troubles are told where it is on show.
  const report = isShieldView(view) ? null : session?.report;
  if (
    report?.failure &&
    report.status !== 'live' &&
    report.status !== 'quiet' &&
    (session?.book.length ?? 0) > 0
  ) {
    const { what, next } = explain(report.failure);
    // What to do comes before the details where both do not fit.
    const both = ` ${what} ${next}`;
    const text = both.length <= columns ? both : ` ${next} ${what}`;
    return look.paint('warning', fit(text, columns, 'left', look.glyph.cut));
  }
  const search = isShieldView(view)
    ? shieldSearchWords(state, view)
    : view.kind === 'log' && view.search?.at
      ? searchWords(view)
      : view.kind === 'groups'
        ? tagLine(view, columns)
        : '';
  const slot: Slot = view.kind === 'groups' ? 'warning' : 'match';
  const words = watching
    ? fit(watchWords(watching), Math.min(watchWords(watching).length, columns >> 1), 'left', look.glyph.cut)
    : '';
  let line = `${search ? ` ${look.paint(slot, search)} ` : ' '}${words ? `${look.paint('accent', words)}  ` : ''}`;
  let room = columns - stripped(line).length;
  for (const { key, word } of hints(state)) {
    const length = key.length + word.length + 3;
    if (room < length) break;
    line += `${look.paint('key', key)} ${look.paint('dim', word)}  `;
    room -= length;
  }
  return line;
}

/** What the group under the cursor looks like, where the list has no column for it. */
function tagLine(view: GroupsView, columns: number): string {
  const group = view.groups[view.cursor];
  const tags = group && !hasTagColumn(view, columns) ? tagsOf(view, group) : [];
  return tags.length === 0 ? '' : `looks like ${tags.join(', ')} (a: why) `;
}

function searchWords(view: LogView): string {
  return view.search?.at
    ? `/${sanitise(view.search.needle, 'strict', 24)} ${count(view.search.at.index)}/${count(view.search.at.total)}`
    : '';
}
