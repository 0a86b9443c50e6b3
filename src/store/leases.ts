import { hash } from 'node:crypto';
import type { Engine } from './engines/engine.ts';
import { DIALECTS } from './sql/dialect.ts';
import { tableSql } from './sql/schema.ts';
import { among, sql, text, whole } from './sql/sql.ts';

/**
 * Who reads a zone, where several keepers share them. A lease is a row beside what is known of time: its zone, a term, its owner, and until when it
 * holds by the clock of the engine alone. An engine may have no way to write a row only if another is not there, so that two may claim one term: of
 * those one is the winner, by the same rule for all who read them, and who claimed waits before it reads whether it won. One whose claim was
 * delayed for longer leaves two owners until each has read again. That costs requests and nothing else: a row that two store is one.
 */
type Lease = { zone: string; term: number; owner: string; until: number };

/** How long a lease holds, how often it is renewed, and how long a claim waits for others, ms: another takes over within 25 s. */
const HELD = 15_000;
export const LEASE_TURN = 4_000;

const NOBODY = 'nobody';

/**
 * Renews what an owner holds of some zones, claims what nobody holds, and resolves to the zones that it may read until its next turn,
 * `LEASE_TURN` later. What it claims it holds once it has read that it won. One that could not renew in time holds on as long as no other has
 * claimed.
 */
export async function takeLeases(
  engine: Engine,
  { zones, owner }: { zones: readonly string[]; owner: string },
): Promise<Set<string>> {
  const { now, leases } = await leasesOf(engine, zones);
  const held = new Set<string>();
  const written: Lease[] = [];
  for (const zone of zones) {
    const last = lastOf(leases.filter((lease) => lease.zone === zone));
    const isOwn = last?.owner === owner;
    if (isOwn) held.add(zone);
    else if (last !== null && last.until > now) continue;
    const term = isOwn ? last.term : (last?.term ?? 0) + 1;
    written.push({ zone, term, owner, until: now + HELD });
  }
  if (written.length > 0) await engine.note(written.map(storedLease));
  return held;
}

/** Gives up what an owner holds of some zones: nobody has their next term, so that whoever comes next claims the one behind it. */
export async function leaveLeases(
  engine: Engine,
  { zones, owner }: { zones: readonly string[]; owner: string },
): Promise<void> {
  const { leases } = await leasesOf(engine, zones);
  const left = zones.flatMap((zone) => {
    const last = lastOf(leases.filter((lease) => lease.zone === zone));
    return last?.owner === owner ? [{ zone, term: last.term + 1, owner: NOBODY, until: 0 }] : [];
  });
  if (left.length > 0) await engine.note(left.map(storedLease));
}

/** The lease of the latest term; of those who claimed one at once another wins for each zone, so that they share them. */
function lastOf(leases: readonly Lease[]): Lease | null {
  const term = leases.reduce((latest, lease) => Math.max(latest, lease.term), 0);
  const place = ({ zone, owner }: Lease) => hash('sha256', `${zone} ${owner}`);
  const [first] = leases
    .filter((lease) => lease.term === term)
    .toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
  return first ?? null;
}

async function leasesOf(
  { place, ask }: Engine,
  zones: readonly string[],
): Promise<{ now: number; leases: Lease[] }> {
  const { now } = DIALECTS[place.dialect];
  const of = among(
    sql`pullZoneId`,
    zones.map((zone) => text(wordOf(zone))),
  );
  // One row more than there are leases, so that the time is told where there is none.
  const { rows } = await ask(
    sql`SELECT pullZoneId, missing AS term, state AS owner, max(till) AS until FROM ${tableSql(place, 'spans')} WHERE ${of} GROUP BY pullZoneId, missing, state UNION ALL SELECT '', ${whole(0)}, '', ${now}`,
  );
  const leases: Lease[] = [];
  let present = 0;
  for (const [zone = '', term, owner = '', until] of rows)
    if (zone === '') present = Number(until);
    else
      leases.push({
        zone: String(zone).slice(wordOf('').length),
        term: Number(term),
        owner: String(owner),
        until: Number(until),
      });
  return { now: present, leases };
}

/** In the place of a zone's id, which is digits. */
function wordOf(zone: string): string {
  return `lease ${zone}`;
}

/** A lease goes on by a row that differs in its end alone, which takes the place of the one before. */
function storedLease({ zone, term, owner, until }: Lease) {
  return { pullZoneId: wordOf(zone), since: 0, till: until, state: owner, missing: term, noted: 0 };
}
