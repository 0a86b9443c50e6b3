import * as z from 'zod';
import type { Change, ChangePage } from '../../domain/evidence/change.ts';
import { diffOf } from '../../domain/evidence/diff.ts';
import { withoutStrays } from '../../domain/strays.ts';
import { maskSecrets } from '../../text/mask.ts';
import { DAY } from '../../text/units.ts';
import { lenientText, readableOf, renamed, timestamp } from './scalars.ts';

const page = z.lazy(() =>
  z.object({
    Logs: z.array(z.unknown()).nullable(),
    HasMoreData: z.boolean().nullish().catch(null),
    ContinuationToken: z.string().nullish().catch(null),
  }),
);
const masked = z.lazy(() => lenientText.transform((text) => (text === null ? null : maskSecrets(text))));
const entry = z.lazy(() =>
  renamed({
    timestamp: ['Timestamp', timestamp],
    product: ['Product', masked],
    resourceType: ['ResourceType', masked],
    resourceId: ['ResourceId', masked],
    action: ['Action', masked],
    actorId: ['ActorId', masked],
    actorType: ['ActorType', masked],
    diff: ['Diff', z.unknown().optional()],
  }).transform((change): Change => ({ ...change, diff: diffOf(textOfDiff(change.diff)) })),
);

/** A page of the changes of the day that begins at `start`; null in the place of the list is none. Null = not the documented shape. */
export function changePageOf(body: unknown, start: number): ChangePage | null {
  const parsed = page.safeParse(body).data;
  if (parsed === undefined) return null;
  const { HasMoreData, ContinuationToken } = parsed;
  const list = parsed.Logs ?? [];
  const changes = readableOf(list, entry);
  if (changes.length === 0 && list.length > 0) return null;
  const { kept, ...strays } = withoutStrays(
    changes,
    { from: start, to: start + DAY },
    { time: ({ timestamp: time }) => time },
  );
  return {
    changes: kept,
    ...strays,
    next: HasMoreData === false ? null : ContinuationToken || null,
    unread: list.length - changes.length,
  };
}

/** Text by the documentation; an object would be what the text is of. */
function textOfDiff(diff: unknown): string | null {
  if (typeof diff === 'string') return diff;
  return diff === undefined || diff === null ? null : JSON.stringify(diff);
}
