import * as z from 'zod';
import type { ApiKey } from '../../domain/api-key.ts';
import { Secret } from '../../text/secret.ts';
import { id, lenientText, readable, renamed } from './scalars.ts';

export const apiKey = z.lazy(() =>
  renamed({ id: ['Id', id], roles: ['Roles', readable(z.string())], key: ['Key', lenientText] }).transform(
    ({ id, roles, key }): ApiKey => ({ id, roles, secret: key ? new Secret(key) : null }),
  ),
);
