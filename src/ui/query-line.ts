import type { LogBook } from '../domain/logs/log-book.ts';
import { placeTerms } from '../domain/query/push-down.ts';
import type { Term } from '../domain/query/query.ts';
import { printQuery } from '../domain/query/query-text.ts';
import type { TailReport } from '../domain/tail/tail-report.ts';
import type { GroupsView, LogSession, LogView, RecordView, State } from '../state/model.ts';
import { count, percent } from '../text/units.ts';
import { type Chip, chipLine } from './chips.ts';
import { savedWindowWords } from './saved-chrome.ts';
import type { Look } from './theme.ts';

/** The log, and what lies over its rows. */
type OverLog = LogView | GroupsView | RecordView;

/** The query as chips: what the server does in one colour, what is done here in another, with what it hid. */
export function logQueryLine(state: State, view: OverLog, look: Look): string {
  const { session } = state;
  if (!session) return '';
  const { columns } = state.size;
  const { source } = session;
  const window = printQuery({ terms: [], window: view.query.window, groupBy: [] });
  // Where a term runs is decided among all terms that were asked: a second one for the same parameter runs here.
  const asked = source.kind === 'zone' ? placeTerms(session.asked.terms, source.zone) : [];
  const chips = view.query.terms.map((term) => chip(term, isOnServer(term, asked)));
  const times =
    source.kind === 'files' ? savedWindowWords(window, source, state.now, look) : window || 'newest rows';
  return chipLine([{ text: times, slot: 'dim' }, ...chips], keptChip(session, view), columns, look);
}

/** What is kept but hidden, what is not kept any more, and what groups are over; else the status line has the count. */
function keptChip({ book, report }: LogSession, view: OverLog): Chip {
  const { evicted, filtering, hidden, size } = book;
  if (filtering !== null) return { text: `filtering ${percent(filtering)}`, slot: 'local' };
  if (view.kind === 'groups' && view.work?.kind === 'count')
    return { text: `counting ${percent(view.work.of.share)}`, slot: 'dim' };
  const isCounted = view.kind === 'groups';
  const rows = `${count(size)} rows`;
  const parts = [
    ...(isCounted ? [countedWords(view, book, report)] : []),
    ...(hidden > 0 ? [`hidden here ${count(hidden)} of ${count(size)}`] : []),
    ...(evicted > 0 ? [`${isCounted ? '' : `${rows}, `}${count(evicted)} older dropped`] : []),
  ];
  return { text: parts.join(', '), slot: hidden > 0 ? 'local' : 'dim' };
}

/** What groups are over: not what was held back since, nor what was not read of a window. */
function countedWords({ rows }: GroupsView, { backlog }: LogBook, report: TailReport | null): string {
  const of = backlog > 0 ? ` of ${count(rows + backlog)}` : '';
  const share = report?.readShare ?? 1;
  return `over ${count(rows)}${of} rows${share < 1 ? `, ${percent(share)} read` : ''}`;
}

function chip(term: Term, onServer: boolean): Chip {
  return {
    text: printQuery({ terms: [term], window: null, groupBy: [] }),
    slot: onServer ? 'server' : 'local',
  };
}

function isOnServer(term: Term, asked: readonly { term: Term; runs: 'server' | 'local' }[]): boolean {
  const text = JSON.stringify(term);
  return asked.some((each) => each.runs === 'server' && JSON.stringify(each.term) === text);
}
