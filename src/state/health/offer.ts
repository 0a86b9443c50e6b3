import { parseQuery } from '../../domain/query/query-text.ts';
import type { Zones } from '../../domain/zone.ts';
import { noticed, type State, topView, withTop } from '../model.ts';

/** Said behind an offer. */
const OTHER_KEYS = '  ? help  q back';

/**
 * A log opened from the picker with the terms that made its zones stand out as the query ahead: `]` takes it, and `[` goes back to
 * all rows.
 */
export function withOffer(opened: State, { health }: Pick<State, 'health'>, zones: Zones): State {
  const view = topView(opened);
  const parts = zones.map(({ id }) => health.known.get(id)?.score?.parts[0]);
  const [first] = parts;
  // Several zones are offered what all of them stand out by.
  if (view.kind !== 'log' || !first?.query || parts.some((part) => part?.query !== first.query))
    return opened;
  const parsed = parseQuery(first.query, 'logs', opened.now);
  if (!parsed.ok || opened.notice !== null) return opened;
  const query = { ...view.query, terms: [...view.query.terms, ...parsed.query.terms] };
  const { past = [] } = view.history ?? {};
  const next = withTop(opened, { ...view, history: { past, future: [query] } });
  const what = zones.length === 1 ? first.words : 'all of them stand out';
  const text = `${what}: ] filters ${first.query}`;
  // It stands where the keys do, at the first look at a log: where there is room it says how to go on without it.
  const whole = `${text}${OTHER_KEYS}`;
  return noticed(next, 'info', whole.length < opened.size.columns ? whole : text);
}
