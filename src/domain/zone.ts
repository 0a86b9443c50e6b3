/** What logs of a zone hold of a client address: all of it, the network only, or nothing. */
export type Anonymisation = 'none' | 'lastOctet' | 'drop';

/** A pull zone as the pickers need it. Ids are decimal digits: they may exceed 2^53. */
export type PullZone = {
  id: string;
  name: string;
  /** Custom hostnames first, then the platform's own. */
  hostnames: string[];
  enabled: boolean;
  suspended: boolean;
  logging: boolean;
  anonymisation: Anonymisation;
  /** Whether the platform stores its log in files for good; absent: it does not say. */
  isStored?: boolean;
  /** Bytes of this month: zones that many people use are asked first; absent: unsaid. */
  bandwidth?: number;
  /** Joined from the Shield mapping; null = no Shield zone, undefined = not asked yet. */
  shieldZoneId: string | null | undefined;
};

/** Whether the log of a zone can be read at all. */
export function canBeRead({ logging, enabled, suspended }: PullZone): boolean {
  return logging && enabled && !suspended;
}

/** One zone, or several that are read as one log, in the order in which they were named. */
export type Zones = readonly [PullZone, ...PullZone[]];

/** What client addresses stand for in rows of all these zones: a network as soon as one of them keeps only that. */
export function anonymisationOf(zones: readonly PullZone[]): Anonymisation {
  const ways = new Set(zones.map(({ anonymisation }) => anonymisation));
  if (ways.has('lastOctet')) return 'lastOctet';
  // A zone that drops addresses has none in its rows, so the others decide.
  return ways.has('drop') && ways.size === 1 ? 'drop' : 'none';
}

/** How client addresses are truncated: in all rows alike, or by pull zone id. */
export type AddressCuts = Anonymisation | ReadonlyMap<string, Anonymisation>;

/** How they are cut in the rows of these zones. */
export function addressCutsOf(zones: Zones): AddressCuts {
  const [{ anonymisation: first }] = zones;
  const isOne = zones.every(({ anonymisation }) => anonymisation === first);
  return isOne ? first : new Map(zones.map(({ id, anonymisation }) => [id, anonymisation]));
}

/** One page of a paged list. `unread`: rows of another shape, left out; absent = none. */
export type Page<T> = { items: T[]; page: number; total: number; hasMore: boolean; unread?: number };

/**
 * Items asked for at once by screens, pipes and copied requests: large pages, because pickers search all of them. The
 * platform takes 5 to 1,000.
 */
export const ITEMS_PER_PAGE = 500;

/** No account has as many; a list that goes on beyond them never ends. */
const MOST_LISTED = 200_000;
/** Pages of one item each would take hours to get there. */
const MOST_PAGES = 2_000;

/**
 * The page behind this one; null = the list has ended. 'endless' = it claims more, but repeats itself or is longer
 * than any account's. `held`: what was read before.
 */
export function pageAfter<T extends { id: string }>(
  held: readonly T[],
  asked: number,
  { items, hasMore }: Page<T>,
): number | null | 'endless' {
  // A page without items ends the list, whatever it claims: a server in trouble must not be asked for ever.
  if (!hasMore || items.length === 0) return null;
  if (held.length + items.length >= MOST_LISTED || asked >= MOST_PAGES) return 'endless';
  if (asked <= 1) return asked + 1;
  const known = new Set(held.map(({ id }) => id));
  return items.every(({ id }) => known.has(id)) ? 'endless' : asked + 1;
}

export const ENDLESS_WORDS = 'the list of the server does not end; this is what was read of it';

/** What a list lacks, in words. */
export function unreadWords(unread: number): string {
  return `${unread} of the list could not be read and ${unread === 1 ? 'is' : 'are'} left out`;
}

/**
 * A zone of which only an id is known. The rest is taken for the most permissive: every term of a query is decided
 * here once more anyway.
 */
export function unlistedZone(known: Pick<PullZone, 'id' | 'name'> & Partial<PullZone>): PullZone {
  return {
    hostnames: [],
    enabled: true,
    suspended: false,
    logging: true,
    anonymisation: 'none',
    shieldZoneId: undefined,
    ...known,
  };
}
