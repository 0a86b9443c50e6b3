import { type RetentionClock, retentionClock, SOON } from '../domain/log-retention.ts';
import { onTop } from '../screens/screens.ts';
import type { Subscription } from '../state/messages.ts';
import type { State } from '../state/model.ts';

/** How often the clock moves while it is on screen, ms: it counts minutes. */
const EVERY = 60_000;

/** When the oldest line that the top view shows or counts can no longer be read again; null = it shows none. */
export function evidenceClock(state: State): RetentionClock | null {
  const oldest = onTop(state, 'oldest');
  // What a store has stays there.
  if (state.session?.paged && oldest?.log === 'logs') return null;
  return oldest === null ? null : retentionClock(oldest.at, state.now, oldest.log);
}

/** One timer for the clock's first appearance, then one a minute; a followed log needs none. */
export function evidenceSubscriptions(state: State): Subscription[] {
  const clock = onTop(state, 'oldest')?.isFollowed ? null : evidenceClock(state);
  if (clock === null || clock.severity === 'gone') return [];
  return clock.severity === 'calm'
    ? [{ kind: 'clock', key: `evidence clock ${clock.expiresAt}`, every: clock.expiresIn - SOON + 1 }]
    : [{ kind: 'clock', key: 'evidence clock', every: EVERY }];
}
