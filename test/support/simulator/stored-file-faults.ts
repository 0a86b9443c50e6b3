import { gunzipSync } from 'node:zlib';
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
  plainFile: {
    covers: 'a stored file is not compressed',
    // As long as it is listed, at least.
    body: (body) => Buffer.concat([gunzipSync(body), Buffer.alloc(body.length, '\n')]),
  },
  strangeFile: {
    covers: 'a stored file holds something else than lines of a log',
    body: (body) => Buffer.from('<p>not a log</p>\n'.repeat(Math.ceil(body.length / 17))),
  },
  oddNames: {
    covers: 'a folder of stored files has other things beside them',
    value: (value) => [
      ...(value as object[]),
      { ObjectName: '../../secrets', Length: 5, IsDirectory: false },
      { ObjectName: '14_\u001b[31mred\u0007.txt', Length: 5, IsDirectory: false },
      { ObjectName: '', Length: 5 },
      { ObjectName: '14', Length: 0, IsDirectory: true },
      null,
      'a text',
    ],
  },
  noList: {
    covers: 'the list of a folder is no list',
    instead: () => json({ Items: [] }),
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
