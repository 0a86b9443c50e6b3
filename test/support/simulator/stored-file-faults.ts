import { json } from '../../../src/simulator/http/answers.ts';
import type { FaultRow } from './fault-row.ts';

/** What stored files of log lines can lack, a row each of the table of faults. */
export const STORED_FILE_FAULTS = {
  noFolder: {
    covers: 'a folder of a storage zone that is not there is a 404',
    instead: () => json({ HttpCode: 404, Message: 'Object Not Found' }, 404),
  },
  fileGone: {
    covers: 'a stored file vanishes between the list and its download',
    instead: () => json({ HttpCode: 404, Message: 'Object Not Found' }, 404),
  },
  wrongPassword: {
    covers: 'the password of a storage zone was changed',
    instead: () => json({ HttpCode: 401, Message: 'Unauthorized' }, 401),
  },
  cutFile: {
    covers: 'an upload ended in the middle: `share` (0.2) of a stored file is all of it',
    body: (body, p) => body.subarray(0, Math.ceil(body.length * (p.share ?? 0.2))),
  },
  cutLengths: {
    covers: 'the sizes that a list has of files that were cut off by `share` (0.2)',
    value: (value, p) =>
      (value as { Length: number }[]).map((file) => ({
        ...file,
        Length: Math.ceil(file.Length * (p.share ?? 0.2)),
      })),
  },
} as const satisfies Record<string, FaultRow>;
