import type { LogBook } from '../domain/logs/log-book.ts';
import { placeTerms } from '../domain/query/push-down.ts';
import type { Term } from '../domain/query/query.ts';
import { printQuery } from '../domain/query/query-text.ts';
import { type State, topView, type View } from '../state/model.ts';
import { isShieldView } from '../state/shield/shield-model.ts';
import { count, percent } from '../text/units.ts';
import { answerQueryLine } from './answer-chrome.ts';
import { type Chip, chipLine } from './chips.ts';
import { savedWindowWords } from './saved-chrome.ts';
import { shieldQueryLine } from './shield-chrome.ts';
import type { Look } from './theme.ts';

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
  const times =
    source.kind === 'files' ? savedWindowWords(window, source, state.now, look) : window || 'newest rows';
  return chipLine([{ text: times, slot: 'dim' }, ...chips], keptChip(session.book, view), columns, look);
}

/** What is kept but hidden, what is not kept any more, and what groups are over; else the line of truth has the count. */
function keptChip({ filtering, hidden, size, evicted }: LogBook, view: View): Chip {
  if (filtering !== null) return { text: `filtering ${percent(filtering)}`, slot: 'local' };
  if (view.kind === 'groups' && view.work?.kind === 'count')
    return { text: `counting ${percent(view.work.of.share)}`, slot: 'dim' };
  if (hidden > 0) return { text: `hidden here ${count(hidden)} of ${count(size)}`, slot: 'local' };
  if (evicted > 0) return { text: `${count(size)} rows, ${count(evicted)} older dropped`, slot: 'dim' };
  return { text: view.kind === 'groups' ? `over ${count(view.rows)} rows` : '', slot: 'dim' };
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
