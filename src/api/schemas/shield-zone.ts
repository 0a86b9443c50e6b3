import * as z from 'zod';
import type { WafRule } from '../../domain/shield/shield.ts';
import type { ShieldZone } from '../../domain/zone.ts';
import { id, lenientText, openEnum } from './scalars.ts';

const maybeFlag = z.lazy(() =>
  z
    .boolean()
    .nullish()
    .transform((value) => value ?? null)
    .catch(null),
);

export const shieldZone = z.lazy(() =>
  z
    .object({
      shieldZoneId: id,
      pullZoneId: id,
      planType: openEnum,
      learningMode: maybeFlag,
      wafEnabled: maybeFlag,
      wafExecutionMode: openEnum,
    })
    .transform(({ shieldZoneId, ...zone }): ShieldZone => ({ id: shieldZoneId, ...zone })),
);

export const shieldZoneAnswer = z.lazy(() => z.object({ data: shieldZone }).transform(({ data }) => data));

const pair = z.lazy(() => z.object({ shieldZoneId: id, pullZoneId: id }));
export const shieldMapping = z.lazy(() =>
  z.object({ data: z.array(z.unknown()) }).transform(({ data }) => rowsOf(data, pair)),
);

const ruleset = z.lazy(() =>
  z.object({
    name: lenientText,
    ruleset: lenientText,
    ruleGroups: z
      .array(
        z.object({
          name: lenientText,
          rules: z.array(
            z.object({
              ruleId: z.union([z.string(), z.number().transform(String)]),
              description: lenientText,
            }),
          ),
        }),
      )
      .nullish(),
  }),
);

/** Rule id → text. A bare list, or one inside `data`; what cannot be read is left out: it is decoration. */
export const wafRules = z.lazy(() =>
  z
    .union([z.array(z.unknown()), z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data)])
    .transform((sets): WafRule[] =>
      rowsOf(sets, ruleset).flatMap((set) =>
        (set.ruleGroups ?? []).flatMap((group) =>
          group.rules.map((rule) => ({
            ruleId: rule.ruleId,
            description: rule.description ?? '',
            group: group.name ?? '',
            ruleset: set.name ?? set.ruleset ?? '',
          })),
        ),
      ),
    ),
);

function rowsOf<T>(rows: unknown[], item: z.ZodType<T>): T[] {
  return rows.flatMap((row) => {
    const parsed = item.safeParse(row);
    return parsed.success ? [parsed.data] : [];
  });
}
