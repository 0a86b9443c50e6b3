import { count } from '../../text/units.ts';
import type { AnswerColumn, AnswerSection } from './answer-table.ts';
import type { GroupEvidence } from './group-evidence.ts';
import { evidenceLines, LEAST_LINES, type TrafficProfile, trafficProfilesOf } from './traffic-profile.ts';

const NUMBER: AnswerColumn = { title: 'NUMBER', cells: 38 };
const VALUE: AnswerColumn = { title: 'VALUE', cells: 8, align: 'right' };
const BOUND: AnswerColumn = { title: 'BOUND', cells: 'rest' };

/** What a group looks like: a section for each tag with the numbers and bounds that led to it, and all numbers. */
export function shapeSections(who: string, evidence: GroupEvidence, note: string): AnswerSection[] {
  const shapes = trafficProfilesOf(evidence);
  return [
    ...shapes.map((shape) => tagSection(who, shape)),
    {
      title: shapes.length > 0 ? `all that was counted of ${who}` : `${who} looks like nothing typical`,
      columns: [NUMBER, VALUE],
      rows: evidenceLines(evidence).map(({ name, value }) => ({ cells: [name, value], tone: 'faint' })),
      note,
    },
  ];
}

/** `scanner`, `botnet, stuffing`; empty for nothing typical. */
export function tagWords(evidence: GroupEvidence): string {
  return trafficProfilesOf(evidence)
    .map(({ tag }) => tag)
    .join(', ');
}

/** Of how much a shape was told, and from when on it is told of at all. */
export function shapeNote({ requests, events }: GroupEvidence, read: string): string {
  return `told of ${count(requests)} requests and ${count(events)} events${read}; of fewer than ${LEAST_LINES} nothing is`;
}

function tagSection(who: string, { tag, help, because }: TrafficProfile): AnswerSection {
  return {
    title: `${who} looks like ${tag}`,
    columns: [NUMBER, VALUE, BOUND],
    rows: because.map(({ name, value, bound }) => ({ cells: [name, value, bound], tone: 'notable' })),
    note: `${tag}: ${help}`,
  };
}
