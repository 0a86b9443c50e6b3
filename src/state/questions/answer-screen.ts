import { askedCommand } from '../../domain/handover/asked-command.ts';
import type { CommandSource } from '../../domain/handover/place.ts';
import { answerCells, answerSheet, lineOf } from '../../domain/handover/sheet.ts';
import { rangeOf } from '../../domain/shield/shield-window.ts';
import { aboutCommand, aboutTitle, zoneWord } from '../about.ts';
import { sourceName, zonesName } from '../logs/log-zones.ts';
import type { State } from '../model.ts';
import { type About, OF_LIST, plainLine, type Screen } from '../screen.ts';
import { answerLineUnder, rowUnder } from './answer-cursor.ts';
import { type AnswerView, askedWords } from './answer-model.ts';
import { answerLed } from './answer-open.ts';

export const ANSWER_SCREEN: Screen<AnswerView> = {
  ...OF_LIST,
  commands: answerLed,
  about: aboutAnswer,
  title: (state, view) => aboutTitle(aboutAnswer(state, view), askedWords(view)),
  // No command opens an answer on a screen: it opens the part of the log that it is about.
  command: (state, view) => aboutCommand(state, aboutAnswer(state, view)),
  again: askAgain,
  request: () => 'an answer is made of several requests; @ lists them',
  sheet: (_, { table, stage, needs, met, failures }) =>
    table.sections.some(({ rows }) => rows.length > 0)
      ? answerSheet(table, [
          ...(stage.kind === 'read' ? [] : [`${met} of ${needs.length} requests were answered`]),
          ...(failures > 0 ? [`${failures} requests failed`] : []),
        ])
      : 'no row is in this answer',
  under: (state, view) => {
    const line = answerLineUnder(state, view);
    return line?.kind === 'row' ? plainLine(lineOf(line, answerCells, answerCells)) : null;
  },
  cell: (state, view) => {
    const value = rowUnder(state, view)?.value;
    if (!value) return 'there is no value on this line';
    return { text: value.value, asked: { subject: view.subject, ...value } };
  },
  coverage: (_, { table }) => [table.headline, table.coverage].filter((text) => text !== ''),
  oldest: (_, { query: { window }, subject }) =>
    window?.kind === 'absolute' ? { at: window.from, log: subject, isFollowed: false } : null,
};

/** The command that prints the answer. */
function askAgain(state: State, view: AnswerView): CommandSource | string {
  const opens = aboutCommand(state, aboutAnswer(state, view));
  const { asked } = view;
  if (typeof opens === 'string' || asked === null) return opens;
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
