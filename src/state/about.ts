import type { CommandSource } from '../domain/handover/place.ts';
import { EMPTY_QUERY, type Term } from '../domain/query/query.ts';
import { printQuery } from '../domain/query/query-text.ts';
import { findZone } from '../domain/query/zone-search.ts';
import type { PullZone } from '../domain/zone.ts';
import { joined } from '../text/units.ts';
import type { State } from './model.ts';
import type { About } from './screen.ts';

/** A name that needs no quotes in a shell and is no flag. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** The command that opens a part of a log, with absolute times. */
export function aboutCommand(state: State, { subject, zones, query, range }: About): CommandSource | string {
  const asked = { ...query, window: { kind: 'absolute', ...range } } as const;
  const source = state.session?.source;
  if (source?.kind === 'files') {
    return source.names.includes('standard input')
      ? 'standard input can be read only once: no command reopens it'
      : { screen: 'open', files: source.names, query: asked };
  }
  return zones.length === 0
    ? 'no zone is open'
    : { screen: subject, zone: zoneWord(state, zones), query: asked };
}

/** A time as the hand-over writes it. */
export function handedTime(time: number): string {
  return new Date(time).toISOString();
}

/** The word that names zones on a command line: a plain name that no other zone has, else the id. */
export function zoneWord(state: State, zones: readonly PullZone[]): string {
  return zones.map((zone) => wordOf(state, zone)).join(',');
}

function wordOf(state: State, zone: PullZone): string {
  if (zone.id === '') return zone.name;
  const found = PLAIN_NAME.test(zone.name) ? findZone(state.zones.items, zone.name) : null;
  return found?.kind === 'found' && found.zone.id === zone.id ? zone.name : zone.id;
}

/** A part of a log in one line; `one` narrows what it shows. The query escapes untrusted text. */
export function aboutTitle(
  { subject, name, query: { terms, groupBy } }: Pick<About, 'subject' | 'name' | 'query'>,
  one = '',
): string {
  const asked = printQuery({ ...EMPTY_QUERY, terms });
  const by = groupBy.length > 0 ? `by ${groupBy.join(', ')}` : '';
  return joined([subject, name, one, asked, by], ' ');
}

/** The terms of a query that the request leaves to be decided here. */
export function decidedHere(local: readonly Term[]): string {
  return local.length === 0 ? '' : `without ${printQuery({ ...EMPTY_QUERY, terms: local })}: decided here`;
}
