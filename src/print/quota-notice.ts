import type { Writable } from 'node:stream';
import type { Quota } from '../api/quota/quota.ts';
import type { RequestEvent } from '../domain/request-event.ts';
import { say } from '../text/say.ts';

const WORDS =
  'the ledger by which all edgescopes of this user share the quota cannot be used: this one keeps to an eighth';

/** Goes on to `next` at each request, and says when the ledger cannot be used, as the foot line of the screen does. */
export function withQuotaNotice(
  quota: Pick<Quota, 'snapshot'>,
  stderr: Pick<Writable, 'write'>,
  next: (event: RequestEvent) => void,
): (event: RequestEvent) => void {
  let isSaid = false;
  return (event) => {
    const { degraded } = quota.snapshot('');
    if (degraded && !isSaid) say(stderr, WORDS);
    isSaid = degraded;
    next(event);
  };
}
