import type { Inquiry, Need } from './inquiry.ts';

/**
 * What an inquiry is asked for when all that it was asked for is answered: what only the answers name; then what they left, in as
 * many requests as may still be sent. `failed`: what failed once is not asked for again and again.
 */
export function nextRound(
  inquiry: Pick<Inquiry, 'follow' | 'rest'>,
  o: { left: number; failed: ReadonlySet<Need['kind']> },
): { isNamed: boolean; needs: readonly Need[] } {
  const named = inquiry.follow?.next() ?? [];
  if (named.length > 0) return { isNamed: true, needs: named };
  const needs = inquiry.rest().filter(({ kind }) => !o.failed.has(kind));
  return { isNamed: false, needs: needs.slice(0, Math.max(0, o.left)) };
}
