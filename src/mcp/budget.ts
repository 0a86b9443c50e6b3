import type { Transport } from '../api/http/transport.ts';
import { failureOf } from '../domain/failure.ts';

export type Budget = ReturnType<typeof createBudget>;

/**
 * A budget of requests for a session, each try counted; nothing more leaves once `most` were sent, or those of the
 * current call.
 */
export function createBudget(most: number) {
  let sent = 0;
  let callMost = most;
  const isSpent = () => sent >= Math.min(most, callMost);
  const refused = () => ({ ok: false, failure: failureOf('spent') }) as const;

  function over(transport: Transport): Transport {
    return {
      ...transport,
      // Checked before the wait for the quota, and again when its turn comes: others may have gone meanwhile.
      objection: (request) => transport.objection(request) ?? (isSpent() ? refused().failure : null),
      async send(request, signal) {
        if (isSpent()) return refused();
        sent += 1;
        return transport.send(request, signal);
      },
      async open(request, signal) {
        if (isSpent()) return refused();
        sent += 1;
        return transport.open(request, signal);
      },
    };
  }

  return {
    /** Stands between the client and the wire: nothing goes uncounted. */
    over,
    most,
    get left(): number {
      return Math.max(0, most - sent);
    },
    /** Begins a call that may send at most so many; the result gives how many it has sent. */
    begin(ofCall: number): () => number {
      const before = sent;
      callMost = before + ofCall;
      return () => sent - before;
    },
  };
}
