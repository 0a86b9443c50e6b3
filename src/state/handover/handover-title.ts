import { EMPTY_QUERY } from '../../domain/query/query.ts';
import { printQuery } from '../../domain/query/query-text.ts';
import { isStorageView } from '../account/storage-model.ts';
import { type State, sourceName, topView } from '../model.ts';
import { askedWords } from '../questions/answer-model.ts';
import { isShieldView } from '../shield/shield-model.ts';

/** The view on top in one line: the zone, what is looked at, and by which filters. Untrusted text is escaped by the query. */
export function titleOf(state: State): string {
  const view = topView(state);
  if (view.kind === 'zones' || view.kind === 'keys' || view.kind === 'notebook') return view.kind;
  if (isStorageView(view)) return view.kind === 'storage' ? 'storage' : `storage ${view.zone.name}`;
  const terms = printQuery({ ...EMPTY_QUERY, terms: view.query.terms });
  const isShield = isShieldView(view) || (view.kind === 'answer' && view.subject === 'shield');
  const isSaved = state.session?.source.kind === 'files';
  const zone =
    view.kind === 'answer' && !isSaved
      ? view.zone.name
      : ((isShield ? state.shield?.zone.name : sourceName(state.session)) ?? '');
  const by = view.query.groupBy.length > 0 ? `by ${view.query.groupBy.join(', ')}` : '';
  const one =
    view.kind === 'record'
      ? 'one row'
      : view.kind === 'shieldEvent'
        ? 'one event'
        : view.kind === 'answer'
          ? askedWords(view)
          : '';
  return [isShield ? 'shield' : 'logs', zone, one, terms, by].filter((part) => part !== '').join(' ');
}
