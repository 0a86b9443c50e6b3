import * as z from 'zod';
import type { OriginError, OriginErrorDay } from '../../domain/evidence/origin-error.ts';
import { withoutStrays } from '../../domain/strays.ts';
import { maskSecrets, maskUrlSecrets } from '../../text/mask.ts';
import { DAY } from '../../text/units.ts';
import { isObject, jsonOrNull } from '../http/json.ts';
import { rawText } from './log-row.ts';
import { lenientText, timestamp } from './scalars.ts';

const labels = z.lazy(() =>
  z
    .object({ ErrorCode: lenientText, StatusCode: lenientText, ServerZone: lenientText })
    .nullish()
    .catch(null),
);
const row = z.lazy(() => z.object({ logId: lenientText, timestamp, log: z.unknown().optional(), labels }));
const inner = z.lazy(() =>
  z
    .object({
      RequestUrl: lenientText,
      Message: lenientText,
      ErrorCode: lenientText,
      StatusCode: lenientText,
      PullZoneId: lenientText,
    })
    .catch({ RequestUrl: null, Message: null, ErrorCode: null, StatusCode: null, PullZoneId: null }),
);

/**
 * The errors of the day that begins at `start`, those of one zone where they name it; a bare list passes, too, and
 * null instead is an empty one. Null = another shape.
 */
export function originErrorsOf(
  body: unknown,
  start: number,
  zone: string | null = null,
): OriginErrorDay | null {
  const list = Array.isArray(body) ? body : listOf(body);
  if (list === undefined) return null;
  const all = list.map((item) => errorOf(item) ?? { error: salvaged(item, start), zone: null });
  const unread = all.filter(({ error }) => error.raw !== null).length;
  if (unread === list.length && unread > 0) return null;
  const { kept, ...strays } = withoutStrays(
    all,
    { from: start, to: start + DAY, zone },
    { time: ({ error }) => error.timestamp, zone: (each) => each.zone },
  );
  return { errors: kept.map(({ error }) => error), unread, ...strays };
}

function listOf(body: unknown): unknown[] | undefined {
  if (!isObject(body) || !Object.hasOwn(body, 'logs')) return undefined;
  const { logs } = body;
  if (logs === null) return [];
  return Array.isArray(logs) ? logs : undefined;
}

function errorOf(item: unknown): { error: OriginError; zone: string | null } | null {
  const parsed = row.safeParse(item).data;
  if (parsed === undefined) return null;
  const log = inner.parse(typeof parsed.log === 'string' ? jsonOrNull(parsed.log) : parsed.log);
  const status = Number(parsed.labels?.StatusCode ?? log.StatusCode ?? Number.NaN);
  const error = {
    logId: parsed.logId,
    timestamp: parsed.timestamp,
    url: log.RequestUrl === null ? null : maskUrlSecrets(log.RequestUrl),
    code: maskSecrets(parsed.labels?.ErrorCode ?? log.ErrorCode ?? ''),
    status: Number.isInteger(status) && status >= 100 && status < 1000 ? status : null,
    edge: masked(parsed.labels?.ServerZone),
    message: masked(log.Message),
    raw: null,
  };
  return { error, zone: log.PullZoneId };
}

function masked(text: string | null | undefined): string | null {
  return text == null ? null : maskSecrets(text);
}

function salvaged(item: unknown, start: number): OriginError {
  const nothing = { logId: null, url: null, code: '', status: null, edge: null, message: null };
  return { ...nothing, timestamp: start, raw: rawText(item) };
}
