import { EMPTY_QUERY, type Query } from '../../domain/query/query.ts';
import type { PullZone, Zones } from '../../domain/zone.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { count } from '../../text/units.ts';
import { MOST_ZONES_WORDS, onlyZone, ZONES_OF_A_LOG } from '../logs/log-zones.ts';
import { openSavedOver } from '../logs/saved.ts';
import { openLogOver } from '../logs/session.ts';
import { noticed, type State } from '../model.ts';
import { noShieldWords } from '../shield/shield-answers.ts';
import { asking } from '../shield/shield-ask.ts';
import { FIRST_QUESTION, shieldStateOf } from '../shield/shield-open.ts';
import { answerCommanded } from './answer.ts';
import { rowUnder, zonesUnder } from './answer-cursor.ts';
import type { AnswerView } from './answer-model.ts';

/** What a command does in an answer; Enter on a row opens the lines of the log that it counts, over the answer. */
export function answerLed(state: State, view: AnswerView, command: CommandId): State | null {
  const next = answerCommanded(state, view, command) ?? besides(state, view, command);
  if (next) return next;
  if (command !== 'open') return null;
  const leads = rowUnder(state, view)?.leads;
  if (!leads) return noticed(state, 'info', 'nothing to open on this line; choose a table row');
  if (state.session?.source.kind === 'files') return openSavedOver(state, leads.query);
  const zones = zonesUnder(state, view);
  if (leads.subject === 'logs') return logOver(state, zones, leads.query);
  const zone = onlyZone(zones);
  return typeof zone === 'string' ? noticed(state, 'info', zone) : shieldOver(state, zone, leads);
}

/**
 * The screens of the zones of an answer that lies over the picker, for the times of the row under the cursor: they open
 * over the answer, which took its time to be read.
 */
function besides(state: State, view: AnswerView, command: CommandId): State | null {
  if (state.views[state.views.length - 2]?.kind !== 'zones') return null;
  const zones = zonesUnder(state, view);
  const window = rowUnder(state, view)?.leads?.query.window ?? view.query.window;
  if (command === 'logsScreen') return logOver(state, zones, { ...EMPTY_QUERY, window });
  if (command !== 'shieldScreen') return null;
  const zone = onlyZone(zones);
  if (typeof zone === 'string') return noticed(state, 'info', zone);
  return zone.shieldZoneId === null
    ? noticed(state, 'warning', noShieldWords(zone.name))
    : shieldOver(state, zone, { query: { ...FIRST_QUESTION, window } });
}

function logOver(state: State, zones: Zones, query: Query): State {
  if (zones.length <= ZONES_OF_A_LOG) return openLogOver(state, zones, query);
  const text = `${count(zones.length)} zones; ${MOST_ZONES_WORDS}: choose a row of one zone`;
  return noticed(state, 'info', text);
}

function shieldOver(state: State, zone: PullZone, { query }: { query: Query }): State {
  const known = state.shield?.zone.id === zone.id ? state.shield : shieldStateOf(state, zone);
  const [shield, view] = asking({ ...state, shield: known }, query);
  return { ...state, shield, views: [...state.views, view] };
}
