import { randomUUID } from 'node:crypto';
import { LEASE_TURN } from '../../store/leases.ts';
import { say } from '../../text/say.ts';
import { count, counted } from '../../text/units.ts';
import type { Printer } from '../printer.ts';
import type { Kept } from './kept-figures.ts';

/** `over`: when the zone is no longer read. */
type Run = { stop: () => void; over: Promise<void> };

/**
 * Keeps the zones whose leases this keeper has, until the signal fires: each from when it has it until another has. A store that is away takes
 * no lease from anybody.
 */
export async function keepShared(
  o: Pick<Printer, 'stderr' | 'clock'>,
  { zones, store }: Kept,
  signal: AbortSignal,
): Promise<void> {
  const lease = { zones: zones.map(({ id }) => id), owner: randomUUID() };
  const runs = new Map<string, Run>();
  const failed = Promise.withResolvers<never>();
  let told = -1;
  function begin(zone: Kept['zones'][number]): void {
    const own = new AbortController();
    const ends = AbortSignal.any([signal, own.signal]);
    // What it has in hand is stored before it begins anew.
    const over = (runs.get(zone.id)?.over ?? Promise.resolve()).then(() => zone.run(ends));
    over.catch(failed.reject);
    runs.set(zone.id, { stop: () => own.abort(), over });
  }
  async function turn(): Promise<void> {
    const held = await store.leases(lease);
    for (const zone of zones) {
      const isHeld = held.has(zone.id);
      if (isHeld && !zone.isKept) begin(zone);
      if (!isHeld) runs.get(zone.id)?.stop();
      zone.isKept = isHeld;
    }
    if (held.size !== told)
      say(
        o.stderr,
        `${counted(held.size, 'zone')} of ${count(zones.length)} kept here, the others elsewhere`,
      );
    told = held.size;
  }
  async function turns(): Promise<void> {
    while (!signal.aborted) {
      await turn();
      await o.clock.sleep(LEASE_TURN, signal);
    }
  }
  for (const zone of zones) zone.isKept = false;
  try {
    await Promise.race([turns(), failed.promise]);
  } finally {
    if (signal.aborted) {
      await Promise.allSettled([...runs.values()].map(({ over }) => over));
      // Others need not wait until the leases end. A store that is away keeps nobody from ending.
      await store.leave(lease).catch(() => {});
    }
  }
}
