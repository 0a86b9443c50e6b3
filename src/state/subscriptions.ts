import { accountSubscriptions, isAccountCounting } from './account/account-subscriptions.ts';
import { detailSubscriptions } from './beside/detail.ts';
import { valueSubscriptions } from './beside/stored-values.ts';
import { causeSubscriptions } from './evidence/row-cause.ts';
import { healthSubscriptions } from './health/health.ts';
import { TAKEN_BACK_FOR } from './input/count.ts';
import { pageAsked } from './list/paged.ts';
import { logCauseSubscriptions } from './logs/log-causes.ts';
import { pageSubscriptions } from './logs/paging.ts';
import { sessions } from './logs/session.ts';
import { countSubscriptions } from './logs/stored-groups.ts';
import { workOf } from './logs/work.ts';
import type { Subscription } from './messages.ts';
import type { State } from './model.ts';
import { evidenceSubscriptions } from './oldest-evidence.ts';
import { answerSubscriptions } from './questions/answer.ts';
import { shieldSubscriptions } from './shield/shield-subscriptions.ts';
import { stepSubscriptions } from './timeline/stored-steps.ts';
import { watchSubscriptions } from './watching.ts';

/** What must be running, as a function of the state: leaving a log hangs up its tail because no view names it any more. */
export function subscriptions(state: State): Subscription[] {
  if (state.leaving) return [];
  const running = pageAsked('zoneList', state.zones, state.zones.request);
  for (const session of sessions(state)) {
    const { source } = session;
    if (source.kind === 'files') {
      const { generation } = session;
      if (source.report.status === 'reading' || source.report.status === 'following') {
        running.push({ kind: 'saved', key: `saved ${generation}`, generation, follow: source.follow });
      }
      continue;
    }
    const { paged } = session;
    if (paged !== null && paged.liveFrom === null) continue;
    for (const { zone, filter } of session.tails) {
      running.push({
        kind: 'tail',
        key: `tail ${zone.id} ${session.generation}`,
        generation: session.generation,
        zone,
        among: session.tails.length,
        filter,
        from: paged?.liveFrom ?? session.from,
        to: session.to,
        isRelative: paged !== null || session.asked.window?.kind === 'last',
      });
    }
  }
  running.push(...pageSubscriptions(state), ...countSubscriptions(state), ...stepSubscriptions(state));
  running.push(...valueSubscriptions(state));
  running.push(...shieldSubscriptions(state), ...answerSubscriptions(state), ...causeSubscriptions(state));
  running.push(...logCauseSubscriptions(state));
  const { left } = state;
  const isHeld = left !== null && sessions(state).length > sessions({ ...state, left: null }).length;
  const shown = new Set(running.map(({ key }) => key));
  const asked =
    left === null ? [] : answerSubscriptions({ ...state, ...left }).filter(({ key }) => !shown.has(key));
  running.push(...asked);
  if (isHeld || asked.length > 0) {
    running.push({ kind: 'clock', key: `left ${left?.since}`, every: TAKEN_BACK_FOR + 1 });
  }
  running.push(...evidenceSubscriptions(state));
  const { exporting } = state.handover;
  if (exporting) running.push({ kind: 'export', key: `export ${exporting.id}`, job: exporting });
  running.push(...accountSubscriptions(state), ...watchSubscriptions(state));
  running.push(...healthSubscriptions(state), ...detailSubscriptions(state));
  if (workOf(state) !== null) running.push({ kind: 'work', key: 'work' });
  if (needsClock(state)) running.push({ kind: 'clock', key: 'clock', every: 1000 });
  return running;
}

/** True while something on screen counts seconds; otherwise no timer runs and nothing is written. */
export function needsClock(state: State): boolean {
  if (state.zones.loading.kind === 'loading' || isAccountCounting(state)) return true;
  if (!state.session || state.session.source.kind === 'files') return false;
  return (
    state.session.tails.some(({ report }) => report?.status !== 'live') ||
    (state.budget?.frozenUntil ?? 0) > state.now
  );
}
