import { MASK, maskUrlSecrets } from '../../text/mask.ts';
import type { PullZone } from '../zone.ts';
import { isCauseTerm } from './cause-terms.ts';
import { LOG_FIELDS, logField, type ServerParam } from './fields.ts';
import type { FieldTerm, Query, Term } from './query.ts';
import { commonText, textsHeld } from './regex.ts';

/** The filter sent to CDN logs v2. Lists match any of their values. */
export type ServerLogFilter = {
  [P in ServerParam]?: P extends 'status' | 'cacheStatus' ? string[] : string;
};

/**
 * Where a term is decided, and why, in words for the user. `narrowed`: the server is asked for rows with a part of
 * it, which are all that it matches and maybe more, and the term is decided here.
 */
type Placement =
  | { runs: 'server'; param: ServerParam; why: string }
  | { runs: 'narrowed'; param: keyof typeof HELD_IN; part: string; why: string }
  | { runs: 'local'; why: string };

export type PlacedTerm = Placement & { term: Term };

/** What the server looks for a text in. */
const HELD_IN = {
  urlContains: 'URLs',
  userAgentContains: 'user agents',
  refererContains: 'referers',
} as const;

/** Splits a query into the server's filter and the terms left to decide locally. */
export function splitForServer(
  query: Query,
  zone: PullZone,
): { server: ServerLogFilter; local: readonly Term[] } {
  const server: ServerLogFilter = {};
  const local: Term[] = [];
  for (const place of placeTerms(query.terms, zone)) {
    const { term } = place;
    if (place.runs !== 'server' || term.kind === 'text') local.push(term);
    else if (place.param === 'status' || place.param === 'cacheStatus')
      server[place.param] = [...term.values];
    else server[place.param] = term.values[0] ?? '';
    if (place.runs === 'narrowed') server[place.param] = place.part;
  }
  // Only rows answered 5xx have a cause: the server need not send others.
  if (query.terms.some(isOfFailed)) server.status ??= ['5xx'];
  return { server, local };
}

function isOfFailed(term: Term): boolean {
  return term.kind === 'field' && !term.negated && !term.values.includes('') && isCauseTerm(term);
}

/** What a filter stands for, as terms. */
export function termsOfFilter(filter: ServerLogFilter): Term[] {
  return Object.entries(LOG_FIELDS).flatMap(([field, { server }]): Term[] => {
    const value = server === null ? undefined : filter[server.param];
    if (server === null || value === undefined) return [];
    const values = typeof value === 'string' ? [value] : value;
    return [{ kind: 'field', field, op: server.op, values, negated: false }];
  });
}

/**
 * Where each term of a query is decided. The first term that needs a parameter gets it; a host, which most rows of a
 * zone share, only where no other term does.
 */
export function placeTerms(terms: readonly Term[], zone: PullZone): PlacedTerm[] {
  const places = terms.map((term): PlacedTerm => ({ term, ...whereRuns(term, zone) }));
  const owners = new Map<ServerParam, PlacedTerm>();
  for (const place of places) {
    if (place.runs === 'local') continue;
    const owner = owners.get(place.param);
    if (owner === undefined || (isOfHost(owner.term) && !isOfHost(place.term)))
      owners.set(place.param, place);
  }
  return places.map((place) => {
    if (place.runs === 'local' || owners.get(place.param) === place) return place;
    return { term: place.term, ...local(`the server takes ${place.param} once, another term has it`) };
  });
}

function isOfHost(term: Term): boolean {
  return term.kind === 'field' && term.field === 'host';
}

/**
 * Where a term is decided by itself. The server decides only what it decides exactly as we do. Assumes that a zone
 * without anonymisation logs IPv4 clients as whole dotted addresses.
 */
export function whereRuns(term: Term, zone: PullZone): Placement {
  const exact = whereDecided(term, zone);
  const part = exact.runs === 'local' && term.kind === 'field' ? heldPartOf(term) : null;
  if (part === null) return exact;
  const own = logField(term.kind === 'field' ? term.field : '')?.server?.param;
  const param = own === 'userAgentContains' || own === 'refererContains' ? own : 'urlContains';
  return {
    runs: 'narrowed',
    param,
    part,
    why: `${exact.why}: it is asked for ${HELD_IN[param]} with ${part}`,
  };
}

function whereDecided(term: Term, zone: PullZone): Placement {
  if (term.kind === 'text') return local('the server searches other columns, and only after the fetch');
  const field = logField(term.field);
  if (term.negated) return local('the server has no exclusion');
  if (field?.column === null)
    return local('origin errors tell it, which the server of the log does not know');
  if (!field?.server) return local(`the server cannot filter by ${term.field} exactly`);
  const { param, op, list } = field.server;
  if (term.op !== op) return local(`the server has no such comparison for ${term.field}`);
  if (!list && term.values.length !== 1) return local(`the server takes one ${term.field} at a time`);
  const obstacle = term.values.map((value) => obstacleTo(value, term, zone)).find((why) => why !== null);
  return obstacle === undefined
    ? { runs: 'server', param, why: `asked of the server as ${param}` }
    : local(obstacle);
}

/**
 * True when `before` selects every row that `next` selects, so that rows read under `before` suffice; also when they are equal.
 */
export function isNarrower(next: ServerLogFilter, before: ServerLogFilter): boolean {
  return (
    listWithin(
      next.status,
      before.status,
      (code, of) => code === of || (of.endsWith('xx') && code[0] === of[0]),
    ) &&
    listWithin(next.cacheStatus, before.cacheStatus, (word, of) => word === of) &&
    (['edgeLocation', 'remoteIp', 'requestId'] as const).every(
      (param) => before[param] === undefined || next[param] === before[param],
    ) &&
    (['urlContains', 'userAgentContains', 'refererContains'] as const).every((param) => {
      const [inner, outer] = [next[param]?.toLowerCase(), before[param]?.toLowerCase()];
      return outer === undefined || (inner?.includes(outer) ?? false);
    })
  );
}

function listWithin(
  next: readonly string[] | undefined,
  before: readonly string[] | undefined,
  covers: (value: string, of: string) => boolean,
): boolean {
  if (before === undefined) return true;
  return next?.every((value) => before.some((of) => covers(value, of))) ?? false;
}

/** Fields that visitors write. */
const MAY_BE_MASKED: ReadonlySet<string> = new Set(['url', 'referer', 'ua']);

/** Why the server would decide this value otherwise than we do; null when it would not. */
function obstacleTo(value: string, term: FieldTerm, zone: PullZone): string | null {
  const field = logField(term.field);
  if (value === '') return 'the server cannot ask for an absent value';
  if (value.includes(MASK) || (MAY_BE_MASKED.has(term.field) && besideMasks(value)[0] !== value))
    return 'the server knows the secret that is masked here';
  if (!/^[!-~](?:[ -~]*[!-~])?$/.test(value)) {
    return 'how the server compares such characters is not documented';
  }
  if (value.length > LONGEST_PUSHED) return 'too long for a request';
  if (field?.server?.list && value.includes(',')) return 'the server would split it at the comma';
  if (term.op === 'eq') {
    const reading = field?.read(value);
    if (!reading?.ok || reading.value !== value) return 'the server does not know such a value';
  }
  if (term.field === 'ip') {
    if (zone.anonymisation === 'lastOctet') return 'the server widens an address that lost its last octet';
    if (zone.anonymisation === 'drop')
      return 'the zone logs no addresses, and the server then ignores the filter';
    if (value.includes(':')) return 'an IPv6 address has many spellings, the server may compare only one';
    if (value.includes('*')) return 'the server compares whole addresses';
  }
  if (term.field === 'status' && value === '0') return 'the server knows no such status';
  if (term.field === 'edge' && value === value.toLowerCase() && value !== value.toUpperCase()) {
    return 'the server minds the case: write it in capitals to have it asked';
  }
  return null;
}

function local(why: string): Placement {
  return { runs: 'local', why };
}

/** A shorter text is in most URLs: it would save nothing, and what was read for it answers no other question. */
const LEAST = 3;

/** Longer texts are truncated: a URL has only so much room. */
const LONGEST_PUSHED = 256;

const MASKED = MASK.toLowerCase();
const MASKS = new RegExp(RegExp.escape(MASK), 'i');

/** Terms never change, and those of the query on screen are looked up in every frame. */
const known = new WeakMap<FieldTerm, string | null>();

/**
 * The longest text in host and path, or in the other field, of every row that the term matches, so that the server need not
 * send others. Null where none helps. A URL on the wire is ASCII, so no other letter belongs to it.
 */
function heldPartOf(term: FieldTerm): string | null {
  let part = known.get(term);
  if (part === undefined) {
    part = partOf(term);
    known.set(term, part);
  }
  return part;
}

function partOf(term: FieldTerm): string | null {
  const wider = term.negated ? undefined : logField(term.field)?.wider;
  if (wider === undefined) return null;
  const pieces = term.values.map((value) =>
    textsHeld(term.op, value)
      // The server has the secret that rows here have masked.
      .flatMap((text) => textsHeld('wildcard', wider(maskUrlSecrets(text))).flatMap(besideMasks))
      .map((text) => text.trim()),
  );
  const longest = commonText(pieces).trim().slice(0, LONGEST_PUSHED).trim();
  return longest.length < LEAST ? null : longest;
}

/** The parts of a text beside a mask, not in one or across its ends: the server has other text there. */
function besideMasks(text: string): string[] {
  return text.split(MASKS).map(trimmedOfMask);
}

function trimmedOfMask(text: string): string {
  const small = text.toLowerCase();
  if (MASKED.includes(small)) return '';
  const lengths = Array.from(MASKED, (_, at) => at + 1).reverse();
  const end = lengths.find((length) => small.endsWith(MASKED.slice(0, length))) ?? 0;
  const start = lengths.find((length) => small.startsWith(MASKED.slice(-length))) ?? 0;
  return text.slice(start, Math.max(start, text.length - end));
}
