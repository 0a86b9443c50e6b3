import type { GapReason } from '../domain/tail/coverage.ts';
import type { ThemeSlot } from './theme.ts';

/** Why a gap is there, in the words of the screen. */
export const GAP_WORDS: Record<GapReason, string> = {
  notRead: 'not read yet',
  failed: 'the request failed',
  offline: 'the network was gone',
  rateLimited: 'the API refused: rate limit',
  overload: 'more rows than the quota can fetch',
  overflow: 'more rows in one millisecond than a page holds',
  slept: 'this machine slept',
  retention: 'older than the three days that are kept',
  refused: 'the API refused to answer',
};

/** The colour of a cache status; it never stands alone: letter and word say the same. */
const CACHE_SLOTS: Record<string, ThemeSlot> = {
  HIT: 'hit',
  MISS: 'miss',
  EXPIRED: 'miss',
  BYPASS: 'bypass',
  REVALIDATED: 'revalidated',
  STALE: 'stale',
  UPDATING: 'stale',
  '-': 'dim',
};

export function cacheSlot(word: string): ThemeSlot {
  return CACHE_SLOTS[word] ?? 'unknown';
}

export function statusSlot(code: number): ThemeSlot {
  if (code >= 500) return 'error';
  if (code >= 400) return 'warning';
  if (code >= 300) return 'redirect';
  if (code >= 200) return 'success';
  return 'unknown';
}
