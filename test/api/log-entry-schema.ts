import * as z from 'zod/mini';
import { amount, id, mapped, maybeText, timestamp } from '../../src/api/schemas/scalars.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import { MASK, maskHostSecrets, maskUrlSecrets } from '../../src/text/mask.ts';

const text = z.string();
const optional = mapped(z.nullish(text), (value) => value ?? null);
const textOrNone = mapped(z.nullish(text), (value) => value ?? '');
const status = z.union([
  z.int().check(z.minimum(0), z.maximum(999)),
  mapped(z.string().check(z.regex(/^\d{1,3}$/)), Number),
]);

/** An entry of logs v2 as it is documented, as a schema: what the reader by hand is held against. */
export const logSchema = mapped(
  z.object({
    timestamp,
    pullZoneId: id,
    requestId: optional,
    cacheStatus: textOrNone,
    statusCode: status,
    bytesSent: amount,
    edgeLocation: text,
    scheme: text,
    host: textOrNone,
    path: textOrNone,
    url: text,
    remoteIp: optional,
    countryCode: optional,
    userAgent: optional,
    referer: optional,
    ja4Fingerprint: optional,
    asn: maybeText,
    asnOrganization: optional,
    bodyBytesSent: mapped(z.nullish(amount), (value) => value ?? null),
    contentRange: optional,
    authorizationHeader: optional,
  }),
  (entry): LogRecord => ({
    ...(Object.fromEntries(
      Object.entries(entry).map(([name, value]) => [
        name,
        typeof value === 'string' ? maskUrlSecrets(value) : value,
      ]),
    ) as typeof entry),
    host: maskHostSecrets(entry.host),
    authorizationHeader: entry.authorizationHeader === null ? null : MASK,
    raw: null,
  }),
);
