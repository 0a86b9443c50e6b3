import * as z from 'zod';
import type { WafRule } from '../../domain/shield/shield.ts';
import { id, lenientText, readable, readableOf } from './scalars.ts';

/** The id of a Shield zone; the pull zone is what was asked by, and need not be said again. */
export const shieldZoneAnswer = z.lazy(() =>
  z.object({ data: z.object({ shieldZoneId: id }) }).transform(({ data }) => data.shieldZoneId),
);

const pair = z.lazy(() => z.object({ shieldZoneId: id, pullZoneId: id }));

/** An account without Shield zones has null in the place of the list. */
export const shieldMapping = z.lazy(() =>
  z.object({ data: z.array(z.unknown()).nullable() }).transform(({ data }) => readableOf(data ?? [], pair)),
);

const rule = z.lazy(() =>
  z.object({ ruleId: z.union([z.string(), z.number().transform(String)]), description: lenientText }),
);
const ruleGroup = z.lazy(() => z.object({ name: lenientText, rules: readable(rule) }));
const ruleset = z.lazy(() =>
  z.object({ name: lenientText, ruleset: lenientText, ruleGroups: readable(ruleGroup) }),
);

/** Rule id → text. A bare list, or one inside `data`; what cannot be read is left out: it is decoration. */
export const wafRules = z.lazy(() =>
  z
    .union([z.array(z.unknown()), z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data)])
    .transform((sets): WafRule[] =>
      readableOf(sets, ruleset).flatMap((set) =>
        set.ruleGroups.flatMap((group) =>
          group.rules.map(({ ruleId, description }) => ({
            ruleId,
            description: description ?? '',
            group: group.name ?? '',
            ruleset: set.name ?? set.ruleset ?? '',
          })),
        ),
      ),
    ),
);
