import * as z from 'zod';
import type { ApiKey } from '../../domain/api-key.ts';
import { Secret } from '../../text/secret.ts';
import { id, lenientText, readable } from './scalars.ts';

export const apiKey = z.lazy(() =>
  z
    .object({
      Id: id,
      Key: lenientText,
      Roles: readable(z.string()),
    })
    .transform(
      (key): ApiKey => ({
        id: key.Id,
        roles: key.Roles,
        secret: key.Key ? new Secret(key.Key) : null,
      }),
    ),
);
