import { askedCommand, type CommandSource } from '../../domain/handover/place.ts';
import { answerSheet, findingLine } from '../../domain/handover/sheet.ts';
import { EMPTY_QUERY, type Query } from '../../domain/query/query.ts';
import { rangeOf } from '../../domain/shield/shield-window.ts';
import type { Zones } from '../../domain/zone.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { aboutCommand, aboutTitle, zoneWord } from '../../state/about.ts';
import { type AnswerView, askedWords, leftOf, progressOf, waysOf } from '../../state/answer-model.ts';
import { plainLine } from '../../state/list/list-screen.ts';
import { MOST_ZONES_WORDS, onlyZone, sourceName, ZONES_OF_A_LOG, zonesName } from '../../state/log-zones.ts';
import { noticed, type State } from '../../state/model.ts';
import { type About, byCommand, type Screen } from '../../state/screen.ts';
import { openLogOver } from '../../state/sessions/session.ts';
import { noShieldWords } from '../../state/shield-model.ts';
import { withTop } from '../../state/view-stack.ts';
import { count } from '../../text/units.ts';
import { openSavedOver } from '../log/log-open.ts';
import { FIRST_QUESTION, shieldOver } from '../shield/shield-open.ts';
import { answerAsks, chosenUnder, IN_ANSWER, recalling } from './answer-commands.ts';
import { answerLineUnder, rowUnder, shownLines, zonesUnder } from './answer-cursor.ts';

export const ANSWER_SCREEN: Screen<AnswerView> = {
  commands: byCommand({
    ...IN_ANSWER,
    open: (state, view) => (view.stage.kind === 'priced' ? chosenUnder : rowOpened)(state, view),
    logsScreen: besides,
    shieldScreen: besides,
  }),
  list: {
    length: ({ size }, { stage, choices, table }) =>
      stage.kind === 'priced' ? choices.length : shownLines(table, size.columns).length,
    moved: (state, view) => withTop(state, { ...view, isMoved: view.stage.kind !== 'priced' }),
  },
  asks: answerAsks,
  idle: {
    nextTable: priced,
    previousTable: priced,
    refresh: (_, view) => !(view.stage.kind === 'read' && (leftOf(view).length > 0 || waysOf(view) > 1)),
  },
  about: aboutAnswer,
  // A row may be about a part of the times and some of the zones, and so is a further question.
  askedOf: (state, view) => {
    const window = rowUnder(state, view)?.leads?.query.window ?? view.query.window;
    return { subject: view.subject, zones: zonesUnder(state, view), query: { ...view.query, window } };
  },
  title: (state, view) => aboutTitle(aboutAnswer(state, view), askedWords(view)),
  // No command opens an answer on a screen; this one opens the part of the log that it is about.
  command: (state, view) => aboutCommand(state, aboutAnswer(state, view)),
  again: askAgain,
  request: () => 'an answer is made of several requests; :requests lists them',
  sheet: (_, view) =>
    view.table.sections.some(({ rows }) => rows.length > 0)
      ? answerSheet(view.table, missingOf(view))
      : 'no row is in this answer',
  noted: (_, { table }) => ({ tables: table }),
  under: (state, view) => {
    const line = answerLineUnder(state, view);
    return line?.kind === 'row' ? plainLine(findingLine(line.section, line.row)) : null;
  },
  cell: (state, view) => {
    const value = rowUnder(state, view)?.value;
    if (!value) return 'there is no value on this line';
    return { text: value.value, asked: { subject: view.subject, ...value } };
  },
  coverage: (_, { table }) => [table.headline, table.coverage].filter((text) => text !== ''),
  oldest: (_, { query: { window }, subject }) =>
    window?.kind === 'absolute' ? { at: window.from, log: subject, isFollowed: false } : null,
  work: (state, view) =>
    view.stage.kind === 'recalling' ? { of: 'recall', turn: () => recalling(state, view) } : null,
};

/** What was asked for and did not come. */
function missingOf(view: AnswerView): string[] {
  const { stage, failures } = view;
  const { met, all } = progressOf(view);
  return [
    ...(stage.kind === 'read' ? [] : [`${met} of ${all} requests were answered`]),
    ...(failures > 0 ? [`${failures} requests failed`] : []),
  ];
}

function priced(_: State, { stage }: AnswerView): string | boolean {
  return stage.kind === 'priced' && 'nothing was asked yet; Enter asks';
}

/** The command that prints the answer. */
function askAgain(state: State, view: AnswerView): CommandSource | string {
  const opens = aboutCommand(state, aboutAnswer(state, view));
  const { asked } = view;
  if (typeof opens === 'string') return opens;
  return opens.screen === 'open'
    ? askedCommand(asked, { zone: null, files: opens.files })
    : askedCommand(asked, { zone: zoneWord(state, asked.zones), files: [] });
}

function aboutAnswer({ session, now }: State, { subject, zones, query }: AnswerView): About {
  const { from, to } = query.window?.kind === 'absolute' ? query.window : rangeOf(query.window, now);
  const isSaved = session?.source.kind === 'files';
  const name = isSaved ? (sourceName(session) ?? '') : zonesName(zones);
  return { subject, zones: isSaved ? [] : zones, name, query, range: { from, to: to ?? now } };
}

/** Enter on a row opens the log lines that it counts, over the answer. */
function rowOpened(state: State, view: AnswerView): State {
  const leads = rowUnder(state, view)?.leads;
  if (!leads) return noticed(state, 'info', 'nothing to open on this line; choose a table row');
  if (state.session?.source.kind === 'files') return openSavedOver(state, leads.query);
  const zones = zonesUnder(state, view);
  if (leads.subject === 'logs') return logOver(state, zones, leads.query);
  const zone = onlyZone(zones);
  return typeof zone === 'string' ? noticed(state, 'info', zone) : shieldOver(state, zone, leads);
}

/**
 * The screens of an answer's zones over the picker, for the times of the row under the cursor. They open over the
 * answer, which took time to read.
 */
function besides(state: State, view: AnswerView, command: CommandId): State | null {
  if (state.views[state.views.length - 2]?.kind !== 'zones') return null;
  const zones = zonesUnder(state, view);
  const window = rowUnder(state, view)?.leads?.query.window ?? view.query.window;
  if (command === 'logsScreen') return logOver(state, zones, { ...EMPTY_QUERY, window });
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
