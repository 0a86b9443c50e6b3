/** One of several processes that ask for the same zone as fast as the quota lets them, until they are ended. */
import { createClient } from '../../src/api/client.ts';
import { TIMEOUTS } from '../../src/api/http/connections.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import { SharedSlots } from '../../src/api/quota/shared-slots.ts';
import { Secret } from '../../src/text/secret.ts';
import { type Clock, systemClock } from '../../src/time/clock.ts';
import { SLICE } from './support.ts';

const [url = '', directory = '', factor = '1', shift = '0'] = process.argv.slice(2);
const PARALLEL = 4;

/** Ahead of the clock of other processes, as in a container with a clock of its own. */
const clock: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() + Number(shift) };

const client = createClient({
  baseUrl: url,
  loggingUrl: url,
  credentials: { accessKey: new Secret('hammer-key'), token: null },
  allowWrites: false,
  timeouts: { total: TIMEOUTS.total * Number(factor) },
  quota: createQuota({ store: new SharedSlots({ directories: [directory] }), clock, factor: Number(factor) }),
});

let asked = 0;
async function hammer(priority: 'user' | 'background'): Promise<void> {
  for (;;) {
    asked += 1;
    // A limit of its own makes every request different, so that none is shared.
    await client.logs({ ...SLICE, limit: asked }, { priority, retries: 0 });
  }
}

for (let each = 0; each < PARALLEL; each += 1) void hammer(each % 2 === 0 ? 'user' : 'background');
