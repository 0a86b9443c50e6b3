import type { AnswerRow } from '../domain/answer-table.ts';
import { EMPTY_QUERY } from '../domain/query.ts';
import { printQuery } from '../domain/query-text.ts';
import type { PullZone } from '../domain/zone.ts';
import { answerCommanded, rowUnder } from './answer.ts';
import type { AnswerView } from './answer-model.ts';
import type { CommandId } from './commands.ts';
import type { Effect } from './messages.ts';
import { type State, zoneOfLog } from './model.ts';
import { openLogOver } from './session.ts';
import { asking } from './shield-ask.ts';
import { shieldStateOf } from './shield-open.ts';

/** What a command does in an answer; Enter on a row opens the lines of the log that it counts, over the answer. */
export function answerLed(state: State, view: AnswerView, command: CommandId): [State, Effect[]] | null {
  const next = answerCommanded(state, view, command);
  if (next) return [next, []];
  if (command !== 'open') return null;
  const leads = rowUnder(view)?.leads;
  const zone = zoneOf(state);
  if (!leads || !zone) {
    return [
      { ...state, notice: { tone: 'info', text: 'this line leads nowhere; choose a row of a table' } },
      [],
    ];
  }
  return [
    leads.subject === 'logs' ? openLogOver(state, zone, leads.query) : shieldOver(state, zone, leads),
    [],
  ];
}

function zoneOf(state: State): PullZone | null {
  return zoneOfLog(state.session) ?? state.shield?.zone ?? null;
}

function shieldOver(state: State, zone: PullZone, { query }: NonNullable<AnswerRow['leads']>): State {
  const known = state.shield?.zone.id === zone.id ? state.shield : shieldStateOf(state, zone);
  const crumb = printQuery({ ...EMPTY_QUERY, terms: query.terms.slice(-1) }) || 'events';
  const [shield, view] = asking({ ...state, shield: known }, query, crumb);
  return { ...state, shield, views: [...state.views, view] };
}
