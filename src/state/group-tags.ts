import {
  evidenceOf,
  LEAST_LINES,
  SHAPE_COUNTING,
  type TrafficTag,
  trafficProfilesOf,
} from '../domain/clients/traffic-profile.ts';
import { createRowCounter } from '../domain/logs/counted/count-rows.ts';
import { BookWork, type Parts, STEP_COST } from '../domain/logs/groups/book-work.ts';
import type { LogGroup } from '../domain/logs/groups/log-group.ts';
import type { LogBook } from '../domain/logs/log-book.ts';
import { type CauseOf, NO_CAUSES } from '../domain/origin-cause.ts';
import type { Anonymisation } from '../domain/zone.ts';

/** Traffic profiles by `groupName`. A group that is absent was not examined. */
export type GroupTags = ReadonlyMap<string, readonly TrafficTag[]>;

export const NO_TAGS: GroupTags = new Map();

/** Fields whose groups are senders; a status or an edge has no profile. */
const SENDERS: readonly string[] = ['ip', 'ja4', 'ua', 'asn', 'country'];

/** Groups examined, and rows of each. */
const MOST_GROUPS = 50;
const ROWS_EACH = 250;
/** The cost of examining a row: see `Part`. */
const LOOK_COST = 600;

export function isTaggable(by: readonly string[]): boolean {
  return by.some((field) => SENDERS.includes(field));
}

/** Samples the rows of the first groups; a group with too few rows to judge is left out. */
export function tagGroups(
  book: LogBook,
  by: readonly string[],
  groups: readonly LogGroup[],
  anonymisation: Anonymisation,
  causeOf = NO_CAUSES,
): BookWork<GroupTags> {
  return new BookWork(() => tagParts(book, by, groups, anonymisation, causeOf));
}

function* tagParts(
  book: LogBook,
  by: readonly string[],
  groups: readonly LogGroup[],
  anonymisation: Anonymisation,
  causeOf: CauseOf,
): Parts<GroupTags> {
  const looked = groups.filter(({ count }) => count >= LEAST_LINES).slice(0, MOST_GROUPS);
  if (!isTaggable(by) || looked.length === 0) return NO_TAGS;
  // The groups are painted before any of their rows is looked at.
  yield { cost: STEP_COST, share: 0 };
  const sample = book.sample(by, looked, ROWS_EACH, causeOf);
  while (!sample.step()) yield { cost: STEP_COST, share: sample.share };
  const tags = new Map<string, readonly TrafficTag[]>();
  for (const [index, group] of looked.entries()) {
    const counter = createRowCounter({ terms: [], anonymisation, of: SHAPE_COUNTING });
    // Rows may have gone since they were chosen.
    const ids = (sample.result?.[index] ?? []).filter((id) => book.has(id));
    for (const id of ids) counter.add(book.record(id));
    tags.set(
      groupName(by, group),
      trafficProfilesOf(evidenceOf([], [counter.counts()], anonymisation)).map(({ tag }) => tag),
    );
    yield { cost: ids.length * LOOK_COST, share: 1 };
  }
  return tags;
}

export function tagsOf(
  { by, tags }: { by: readonly string[]; tags: GroupTags },
  group: LogGroup,
): readonly TrafficTag[] {
  return tags.get(groupName(by, group)) ?? [];
}

function groupName(by: readonly string[], { key }: LogGroup): string {
  return JSON.stringify(by.map((field) => key[field] ?? null));
}
