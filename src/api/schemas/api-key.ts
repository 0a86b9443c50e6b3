import * as z from 'zod';
import type { ApiKey } from '../../domain/api-key.ts';
import { Secret } from '../../text/secret.ts';
import { id } from './scalars.ts';

export const apiKey = z.lazy(() =>
  z
    .object({
      Id: id,
      Key: z.string().nullish().catch(null),
      Roles: z.array(z.string()).nullish().catch(null),
    })
    .transform(
      (key): ApiKey => ({
        id: key.Id,
        roles: key.Roles ?? [],
        secret: key.Key ? new Secret(key.Key) : null,
      }),
    ),
);

/** The answer of the key exchange: a JWT for the logging API. */
export const exchanged = z.lazy(() =>
  z.object({ Token: z.string().min(1) }).transform((answer) => new Secret(answer.Token)),
);
