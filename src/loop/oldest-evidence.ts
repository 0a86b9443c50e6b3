import { type RetentionClock, retentionClock, SOON } from '../domain/log-retention.ts';
import { onTop } from '../screens/screens.ts';
import type { Subscription } from '../state/messages.ts';
import type { State } from '../state/model.ts';

/** How often the clock is looked at while it is on the screen, ms: it tells minutes. */
const EVERY = 60_000;

/** When the oldest line that the view on top shows, or counts, can no longer be read again; null = it shows none. */
export function evidenceClock(state: State): RetentionClock | null {
  const oldest = onTop(state, 'oldest');
  // What comes from a store stays there.
  if (state.session?.paged && oldest?.log === 'logs') return null;
  return oldest === null ? null : retentionClock(oldest.at, state.now, oldest.log);
}

/** One timer for when the clock begins to be told, then one a minute; a log that is followed needs none. */
export function evidenceSubscriptions(state: State): Subscription[] {
  const clock = onTop(state, 'oldest')?.isFollowed ? null : evidenceClock(state);
  if (clock === null || clock.severity === 'gone') return [];
  return clock.severity === 'calm'
    ? [{ kind: 'clock', key: `evidence clock ${clock.expiresAt}`, every: clock.expiresIn - SOON + 1 }]
    : [{ kind: 'clock', key: 'evidence clock', every: EVERY }];
}
