import type { LogBook } from '../../domain/logs/log-book.ts';
import type { LogGroup } from '../../domain/logs/log-group.ts';
import { createEvidence } from '../../domain/questions/group-evidence.ts';
import { LEAST_LINES, type SilhouetteTag, silhouettesOf } from '../../domain/questions/silhouette.ts';
import type { Anonymisation } from '../../domain/zone.ts';

/** What groups look like, by `groupName`. A group that is not in it was not looked at. */
export type GroupTags = ReadonlyMap<string, readonly SilhouetteTag[]>;

export const NO_TAGS: GroupTags = new Map();

/** Fields whose groups are senders; a status or an edge looks like nobody. */
const SENDERS: readonly string[] = ['ip', 'ja4', 'ua', 'asn', 'country'];

/** Groups that are looked at, and rows of each: some ten milliseconds for all of them. */
const MOST_GROUPS = 50;
const ROWS_EACH = 250;

export function isTaggable(by: readonly string[]): boolean {
  return by.some((field) => SENDERS.includes(field));
}

/** Looks at a sample of the rows of each of the first groups; those with fewer rows than say anything are left out. */
export function tagsOfGroups(
  book: LogBook,
  by: readonly string[],
  groups: readonly LogGroup[],
  anonymisation: Anonymisation,
): GroupTags {
  const looked = groups.filter(({ count }) => count >= LEAST_LINES).slice(0, MOST_GROUPS);
  if (!isTaggable(by) || looked.length === 0) return NO_TAGS;
  const samples = book.sample(by, looked, ROWS_EACH);
  return new Map(
    looked.map((group, index) => {
      const evidence = createEvidence([], anonymisation);
      for (const record of samples[index] ?? []) evidence.add(record);
      return [groupName(by, group), silhouettesOf(evidence.result()).map(({ tag }) => tag)];
    }),
  );
}

export function tagsOf(
  { by, tags }: { by: readonly string[]; tags: GroupTags },
  group: LogGroup,
): readonly SilhouetteTag[] {
  return tags.get(groupName(by, group)) ?? [];
}

function groupName(by: readonly string[], { key }: LogGroup): string {
  return JSON.stringify(by.map((field) => key[field] ?? null));
}
