import * as z from 'zod';
import type { WafRule } from '../../domain/shield/shield.ts';
import type { Page, ShieldZone } from '../../domain/zone.ts';
import { amount, id, lenientText, openEnum } from './scalars.ts';

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

const page = z.lazy(() =>
  z.object({
    totalCount: amount,
    totalPages: amount.nullish().catch(null),
    currentPage: amount.nullish().catch(null),
    nextPage: amount.nullish().catch(null),
  }),
);
const zones = z.lazy(() => z.object({ data: z.array(z.unknown()), page: page.nullish().catch(null) }));

export function shieldZonesOf(body: unknown): Page<ShieldZone> | null {
  const parsed = zones.safeParse(body);
  if (!parsed.success) return null;
  const items = rowsOf(parsed.data.data, shieldZone);
  const { totalCount, totalPages, currentPage, nextPage } = parsed.data.page ?? {
    totalCount: items.length,
    totalPages: null,
    currentPage: null,
    nextPage: null,
  };
  const number = currentPage ?? 1;
  const hasMore =
    (nextPage ?? 0) > number || (totalPages !== null && totalPages !== undefined && totalPages > number);
  return { items, page: number, total: totalCount, hasMore };
}

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
