import { detailSubscriptions } from '../across/beside/detail.ts';
import { screenOf } from '../screens/screens.ts';
import { shieldSubscriptions } from '../screens/shield/shield-reading.ts';
import { changeUnderWay } from '../screens/storage/storage-screens.ts';
import { healthSubscriptions } from '../screens/zones/health-reading.ts';
import { causeSubscriptions } from '../state/evidence/row-cause.ts';
import { listAsks } from '../state/list/list-screen.ts';
import type { Subscription } from '../state/messages.ts';
import type { LogSession, State } from '../state/model.ts';
import { logCauseSubscriptions } from '../state/sessions/log-causes.ts';
import { pageSubscriptions } from '../state/sessions/paging.ts';
import { sessions } from '../state/sessions/session.ts';
import { countSubscriptions } from '../state/sessions/stored-groups.ts';
import { valueSubscriptions } from '../state/sessions/stored-values.ts';
import { stepSubscriptions } from '../state/timeline/stored-steps.ts';
import { watchSubscriptions } from '../state/watching.ts';
import { evidenceSubscriptions } from './oldest-evidence.ts';
import { workOf } from './work.ts';

/** What must be running, as a function of the state: leaving a log ends its tail because no view names it any more. */
export function subscriptions(state: State): Subscription[] {
  if (state.leaving) return [];
  const { exporting } = state.handover;
  const asked = viewsAsk(state);
  const running = [
    ...listAsks(state, 'zones'),
    ...sessions(state).flatMap(readingOf),
    ...pageSubscriptions(state),
    ...countSubscriptions(state),
    ...stepSubscriptions(state),
    ...valueSubscriptions(state),
    ...shieldSubscriptions(state),
    ...asked,
    ...causeSubscriptions(state),
    ...logCauseSubscriptions(state),
    ...evidenceSubscriptions(state),
  ];
  if (exporting) running.push({ kind: 'export', key: `export ${exporting.id}`, job: exporting });
  running.push(...changeUnderWay(state), ...watchSubscriptions(state));
  running.push(...healthSubscriptions(state), ...detailSubscriptions(state));
  if (workOf(state) !== null) running.push({ kind: 'work', key: 'work' });
  // For the spinner of an answer.
  if (asked.some(isOfAnswer)) running.push({ kind: 'clock', key: 'inquiry clock', every: 200 });
  if (needsClock(state, asked)) running.push({ kind: 'clock', key: 'clock', every: 1000 });
  return running;
}

/** What the views in the stack wait for. */
function viewsAsk(state: State): Subscription[] {
  return state.views.flatMap((view) => screenOf(view).asks?.(state, view) ?? []);
}

function isOfAnswer({ kind }: Subscription): boolean {
  return kind === 'inquiry';
}

/** The tails of a log, or the reading of its files. */
function readingOf({ source, generation, paged, tails, from, to, asked }: LogSession): Subscription[] {
  if (source.kind === 'files') {
    const isRead = source.report.status === 'reading' || source.report.status === 'following';
    return isRead ? [{ kind: 'saved', key: `saved ${generation}`, generation, follow: source.follow }] : [];
  }
  if (paged !== null && paged.liveFrom === null) return [];
  return tails.map(({ zone, filter }) => ({
    kind: 'tail',
    key: `tail ${zone.id} ${generation}`,
    generation,
    zone,
    among: tails.length,
    filter,
    from: paged?.liveFrom ?? from,
    to,
    isRelative: paged !== null || asked.window?.kind === 'last',
  }));
}

/** True while something on screen counts seconds; otherwise no timer runs and nothing is written. */
function needsClock(state: State, asked: readonly Subscription[]): boolean {
  if (state.zones.loading.kind === 'loading' || state.storage.job) return true;
  if (!asked.every(isOfAnswer)) return true;
  if (!state.session || state.session.source.kind === 'files') return false;
  return (
    state.session.tails.some(({ report }) => report?.status !== 'live') ||
    (state.budget?.frozenUntil ?? 0) > state.now
  );
}
