import { oldestAsked } from '../../domain/kept.ts';
import type { Asked, Known } from '../../domain/questions/asked/asked.ts';
import { within } from '../../domain/questions/inquiry/answer-section.ts';
import { onlyZone } from '../logs/log-zones.ts';
import { noticed, type State } from '../model.ts';
import { shieldZoneOf } from '../shield/shield-zone-of.ts';
import { choiceOf, openAnswer } from './answer.ts';
import { mayAskCauses } from './evidence-questions.ts';
import type { Scene } from './scene.ts';

/** What is wrong in the times on screen, in both logs of a zone; what is asked of Shield's screen is asked of all of it. */
export function wrongAsked(state: State, { subject, zones, query, range, edge }: Scene): State {
  const zone = onlyZone(zones);
  if (typeof zone === 'string') return noticed(state, 'info', zone);
  // A filter on events says nothing of requests.
  const terms = subject === 'logs' ? query.terms : [];
  const asked: Asked = { question: 'wrong', subject: 'logs', zones, terms, range, against: null };
  const known: Known = {
    now: state.now,
    edge,
    // Events that are gone are not asked for; a store has none.
    shieldZoneId: range.to <= oldestAsked(state.now, 'shield') ? undefined : shieldZoneOf(state, zone),
    rules: state.shield?.rules ?? null,
    withCauses: mayAskCauses(state, zones),
  };
  return openAnswer(state, {
    crumb: 'wrong',
    subject: 'logs',
    zones,
    query: within({ ...query, terms }, range),
    choices: [choiceOf('what is wrong here?', asked, known)],
    needsAll: true,
  });
}
