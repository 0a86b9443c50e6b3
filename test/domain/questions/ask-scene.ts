import assert from 'node:assert/strict';
import { type AnswerTable, firstFindings } from '../../../src/domain/inquiry/answer-table.ts';
import type { Inquiry, Met, Need } from '../../../src/domain/inquiry/inquiry.ts';
import type { LogRecord } from '../../../src/domain/log.ts';
import type { Brief } from '../../../src/domain/questions/asked/asked.ts';
import { inquiryOf } from '../../../src/domain/questions/asked/inquiry-of.ts';
import type { QuestionId } from '../../../src/domain/questions/asked/questions.ts';
import type { ShieldEvent, ShieldGroup } from '../../../src/domain/shield/shield.ts';
import { type TimeRange, without } from '../../../src/domain/tail/coverage.ts';
import { countsOf } from '../../support/counts.ts';
import { NOON, type Scene } from '../scene.ts';

/** A question as a key or a command line asks it. */
export function asking(question: QuestionId, o: Pick<Brief, 'zones' | 'range'> & Partial<Brief>): Inquiry {
  const about = { subject: 'logs', terms: [], against: null, now: NOON, shieldZoneId: null, ...o } as const;
  const made = inquiryOf({ ...about, question }, about);
  assert.ok(made.ok, made.ok ? '' : made.why);
  return made.inquiry;
}

/** A question about a window against another one, or several. */
export function comparing(
  question: 'misses' | 'compare',
  o: Partial<Omit<Brief, 'against' | 'now'>> &
    Pick<Brief, 'zones'> & { now: TimeRange; before: TimeRange | readonly TimeRange[]; against: string },
): Inquiry {
  const against = { id: 'other', title: o.against, ranges: [o.before].flat() } as const;
  return asking(question, { ...o, now: NOON, range: o.now, against });
}

/** Answers the needs of an inquiry as the platform would, from a scene; the last first, so that no order is relied on. */
export function answered(inquiry: Inquiry, scene: Scene, needs: readonly Need[] = inquiry.needs): Inquiry {
  for (const need of needs.toReversed()) inquiry.add(need, metBy(scene, need));
  return inquiry;
}

export function metBy(scene: Scene, need: Need): Met {
  if (need.kind === 'logs') {
    const statuses = need.filter.status;
    const passes = (record: LogRecord) =>
      !statuses || statuses.includes(`${Math.floor(record.statusCode / 100)}xx`);
    const records = scene.records(need.range.from, need.range.to).filter(passes);
    return { kind: 'logs', records, hasMore: false };
  }
  if (need.kind !== 'shield') throw new Error('the scene tells no other evidence');
  const { from, to, groupBy, filters, page, pageSize } = need.ask;
  const found = scene
    .events(from, to)
    .filter(({ fields }) => filters.every(({ field, value }) => value.includes(fields[field] ?? '')));
  const [dimension] = groupBy;
  const all = dimension ? groupsOf(found, dimension) : found;
  const part = all.slice(page * pageSize, (page + 1) * pageSize);
  return {
    kind: 'shield',
    answer: {
      kind: dimension ? 'groups' : 'rows',
      events: dimension ? [] : (part as ShieldEvent[]),
      groups: dimension ? (part as ShieldGroup[]) : [],
      total: all.length,
      totalPages: Math.ceil(all.length / pageSize),
      page,
      bad: 0,
    },
  };
}

/** Answers as a store would for what it is asked to count, and as the platform for the rest. */
export function storedMetBy(scene: Scene, gaps: readonly TimeRange[] = []): (need: Need) => Met {
  return (need) => {
    if (need.kind !== 'logs' || need.counts === undefined) return metBy(scene, need);
    const covered = gaps.reduce((left, gap) => without(left, gap), [need.range]);
    const rows = scene.records(need.range.from, need.range.to);
    return { kind: 'counts', covered, counts: countsOf(rows, covered, need.counts) };
  };
}

/** Answers all that an inquiry asks for, what it follows up too; how many needs that were. */
export function answeredAll(inquiry: Inquiry, met: (need: Need) => Met): number {
  let asked = 0;
  for (let needs = inquiry.needs; needs.length > 0; needs = inquiry.follow?.next() ?? [])
    for (const need of needs) {
      asked += 1;
      inquiry.add(need, met(need));
    }
  return asked;
}

function groupsOf(events: readonly ShieldEvent[], dimension: string): ShieldGroup[] {
  return [...Map.groupBy(events, ({ fields }) => fields[dimension] ?? null)].map(([value, own]) => ({
    key: { [dimension]: value },
    count: own.length,
    firstSeen: own[0]?.timestamp ?? null,
    lastSeen: own.at(-1)?.timestamp ?? null,
    context: {
      country: null,
      asn: null,
      blocked: null,
      challenged: null,
      logged: null,
      features: [],
      ruleIds: [],
    },
    raw: null,
  }));
}

/** What an answer says, whoever counted: on screen and as data, less what it was read of. */
export function figuresOf({ headline, verdict, sections }: AnswerTable): unknown {
  return {
    headline,
    verdict,
    sections: sections.map((section) => ({
      ...section,
      findings: firstFindings(section.findings, section.findings.told),
    })),
  };
}
