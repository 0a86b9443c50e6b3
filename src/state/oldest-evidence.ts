import { type KeptLog, type RetentionClock, retentionClock, SOON } from '../domain/kept.ts';
import type { ShieldGroup } from '../domain/shield/shield.ts';
import type { ShieldRow } from '../domain/shield/shield-rows.ts';
import type { Subscription } from './messages.ts';
import { type State, topView, zoneOfLog } from './model.ts';

/** How often the clock is looked at while it is on the screen, ms: it tells minutes. */
const EVERY = 60_000;

/** When the oldest line that the view on top shows, or counts, can no longer be read again; null = it shows none. */
export function evidenceClock(state: State): RetentionClock | null {
  const oldest = oldestShown(state);
  return oldest === null ? null : retentionClock(oldest.at, state.now, oldest.log);
}

/** One timer for when the clock begins to be told, then one a minute; a log that is followed needs none. */
export function evidenceSubscriptions(state: State): Subscription[] {
  const view = topView(state);
  const isFollowed =
    (view.kind === 'log' || view.kind === 'groups' || view.kind === 'record') && state.session?.to === null;
  const clock = isFollowed ? null : evidenceClock(state);
  if (clock === null || clock.severity === 'gone') return [];
  return clock.severity === 'calm'
    ? [{ kind: 'clock', key: `evidence clock ${clock.expiresAt}`, every: clock.expiresIn - SOON + 1 }]
    : [{ kind: 'clock', key: 'evidence clock', every: EVERY }];
}

/** What is read from files is kept by who has the files. */
function oldestShown(state: State): { at: number; log: KeptLog } | null {
  const view = topView(state);
  switch (view.kind) {
    case 'log':
    case 'groups': {
      if (!zoneOfLog(state.session)) return null;
      const first = state.session?.book.at(0);
      if (!first) return null;
      const at =
        first.kind === 'row' ? (state.session?.book.record(first.id).timestamp ?? null) : first.gap.from;
      return at === null ? null : { at, log: 'logs' };
    }
    case 'record': {
      if (!zoneOfLog(state.session)) return null;
      const book = state.session?.book;
      return book?.has(view.id) ? { at: book.record(view.id).timestamp, log: 'logs' } : null;
    }
    case 'shieldGroups':
      return shieldAt(oldestOfGroups(view.table.groups));
    case 'shieldRows':
      return shieldAt(oldestOfRows(view.rows.shown));
    case 'shieldEvent':
      return shieldAt(view.row.at);
    case 'answer': {
      const { window } = view.query;
      return window?.kind === 'absolute'
        ? { at: window.from, log: view.subject === 'shield' ? 'shield' : 'logs' }
        : null;
    }
    default:
      return null;
  }
}

function shieldAt(at: number): { at: number; log: KeptLog } | null {
  return Number.isFinite(at) ? { at, log: 'shield' } : null;
}

const oldestOfGroups = remembering((groups: readonly ShieldGroup[]) =>
  groups.reduce((least, { firstSeen }) => Math.min(least, firstSeen ?? least), Number.POSITIVE_INFINITY),
);

const oldestOfRows = remembering((rows: readonly ShieldRow[]) =>
  rows.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY),
);

/** Fifty thousand rows are looked through once, and not at each frame. */
function remembering<T extends object>(count: (list: T) => number): (list: T) => number {
  const known = new WeakMap<T, number>();
  return (list) => {
    const found = known.get(list) ?? count(list);
    known.set(list, found);
    return found;
  };
}
