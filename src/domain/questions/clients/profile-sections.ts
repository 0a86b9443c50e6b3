import { counted } from '../../../text/units.ts';
import {
  boundWords,
  type GroupEvidence,
  numberWords,
  trafficProfilesOf,
} from '../../clients/traffic-profile.ts';
import { type AnswerSection, figures, onScreen, sectionOf, words } from '../../inquiry/answer-table.ts';

/**
 * What a group looks like: a section for each tag with the numbers and bounds that led to it; none where it looks like nothing typical.
 * `read`: how much of its events was.
 */
export function profileSections(who: string, evidence: GroupEvidence, read: string): AnswerSection[] {
  const { requests, events } = evidence;
  return trafficProfilesOf(evidence).map(({ tag, help, because }) =>
    sectionOf('profile', `${who} looks like ${tag}`, because, {
      sentence: (reason) => {
        const { name, shown } = numberWords(reason);
        return `${name}: ${shown}, ${boundWords(reason)}: ${who} looks like ${tag}`;
      },
      first: () => ({ looksLike: tag }),
      columns: [
        words('number', 'NUMBER', 38, ({ of }) => of, { shown: (reason) => numberWords(reason).name }),
        figures('value', 'VALUE', 8, ({ value }) => value, {
          shown: (reason) => numberWords(reason).shown,
        }),
        onScreen('BOUND', 'rest', boundWords),
      ],
      also: ({ bound }) => ({ ...bound }),
      row: () => ({ tone: 'notable' }),
      note: `${tag}: ${help}; judged by ${counted(requests, 'request')} and ${counted(events, 'event')}${read}`,
    }),
  );
}
