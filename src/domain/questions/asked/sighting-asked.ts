import { MASK } from '../../../text/mask.ts';
import { EMPTY_QUERY, type Term } from '../../query/query.ts';
import { printQuery } from '../../query/query-text.ts';
import { termForShown, termForValue } from '../../query/terms.ts';
import type { Sighting } from '../clients/client.ts';

const WAYS =
  'timeline asks about one request: id:<request id>, or ip:<address> and the moment as from:<time>';

/** The request or client that a query names, at a moment (Unix ms); or why it names none. */
export function sightingAsked(terms: readonly Term[], at: number): Sighting | string {
  const found: Partial<Record<'id' | 'ip' | 'url', string>> = {};
  for (const term of terms) {
    const [value, ...others] = term.kind === 'field' ? term.values : [];
    const isOne = term.kind === 'field' && !term.negated && others.length === 0 && term.op !== 'contains';
    const field = term.kind === 'field' ? term.field : '';
    if (!isOne || !value || !(field === 'id' || field === 'ip' || field === 'url') || found[field]) {
      return `${printQuery({ ...EMPTY_QUERY, terms: [term] })} names no single request; ${WAYS}`;
    }
    // A secret in a URL is masked in every log, and any run of characters in a query.
    found[field] = field === 'url' ? value.replaceAll('*', MASK) : value;
  }
  const requestId = found.id?.replaceAll('-', '').toLowerCase() ?? null;
  if (requestId !== null && !/^[0-9a-f]{32}$/.test(requestId))
    return `${requestId} is no request id; ${WAYS}`;
  if (requestId === null && found.ip === undefined) return WAYS;
  return { at, requestId, ip: found.ip ?? null, url: found.url ?? null };
}

/** The terms that name a line again. */
export function termsOfSighting({ requestId, ip, url }: Sighting): readonly Term[] {
  return [
    requestId === null ? null : termForValue('logs', 'id', requestId, false),
    ip === null ? null : termForShown('logs', 'ip', ip),
    // By its URL a request is found where nothing else tells it.
    url === null || ip !== null ? null : termForShown('logs', 'url', url),
  ].filter((term) => term !== null);
}
