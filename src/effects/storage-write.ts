import type { Client } from '../api/client.ts';
import type { Permit } from '../api/quota/quota.ts';
import { FAILURES, type Failure, failureOf, type Result } from '../domain/failure.ts';
import type { StorageZone } from '../domain/storage/storage.ts';
import type {
  ChangeEnd,
  ChangeStep,
  ConfirmedChange,
  Journal,
  OpenIntent,
} from '../domain/storage/storage-change.ts';
import { inverseOf } from '../domain/storage/storage-edit.ts';
import {
  driftBetween,
  isUnsettled,
  type Settlement,
  settlementOf,
  storageVerdict,
  type Verdict,
} from '../domain/storage/storage-verdict.ts';
import type { Clock } from '../time/clock.ts';

export type ChangeOptions = {
  client: Pick<Client, 'takeTurns' | 'storageZone' | 'updateStorageZone'>;
  journal: Journal;
  clock: Clock;
  change: ConfirmedChange;
  /** Ends a change that was not sent yet; after that only the wait, and the intent stays open. */
  signal: AbortSignal;
  /** Ends the read-back: the verdict rests on what was read so far. */
  enough?: AbortSignal;
  onStep?: (step: ChangeStep) => void;
};

/** Pauses before each read-back, ms: a store behind the API may show the change a moment later. */
const LOOKS = [0, 700, 2_000];

/** Unlike other reads, so that no read-back shares the answer to a request sent before it. */
const GUARDED = { priority: 'user', retries: 2 } as const;

/** The longest time between the answer to the guarded read and the request that relies on it, ms. */
const FRESH = 2_000;
/** How long slots taken together are valid, ms. */
const HELD = 20_000;
/** How often the zone is read when disk or machine stalled in between. */
const MOST_READS = 3;

/** A zone just found as the user saw it, and the slot of the request that may follow. */
type Guard = { before: StorageZone; permit: Permit; takenAt: number; readAt: number };

/**
 * Carries out a confirmed change: fresh read → drift → undo and audit on the disk → POST once → read back → verdict.
 * Nothing is sent unless every step before succeeded, and the POST is never sent again. Read and POST wait for their
 * slots together, so that a change made by somebody else meanwhile is seen.
 */
export async function carryOut(o: ChangeOptions): Promise<ChangeEnd> {
  o.onStep?.('checking');
  const first = await guarded(o);
  if ('kind' in first) return first;
  try {
    return await recordedAndSent(o, first);
  } finally {
    first.permit.release('unsent');
  }
}

async function recordedAndSent(o: ChangeOptions, first: Guard): Promise<ChangeEnd> {
  const { client, journal, clock, signal } = o;
  const { patch } = o.change;
  const { before } = first;
  const at = Math.floor(clock.now());
  const id = process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex');
  const zone = { id: before.id, name: before.name };
  const intended = await journal.intend({ id, at, zone, before, patch, inverse: inverseOf(before, patch) });
  if (!intended.ok) return { kind: 'unrecorded', problem: intended.problem };
  const guard = await stillGuarded(o, first);
  if ('kind' in guard) {
    const failure = { kind: guard.kind, status: null };
    await journal.close(id, clock.now(), { verdict: 'notApplied', sideEffects: [], failure });
    return guard;
  }

  o.onStep?.('posting');
  // Without the signal: cancelling would not revert what the server has already read.
  const { permit } = guard;
  const answer = await client.updateStorageZone(before.id, patch, { priority: 'user', permit });
  permit.release('unsent');
  o.onStep?.('verifying');
  const failure = answer.ok ? null : answer.failure;
  const enough = o.enough === undefined ? signal : AbortSignal.any([o.enough, signal]);
  const { verdict: seen, after } = await lookedAt({ ...o, before, failure, enough });
  const { verdict, until } = settlementOf(seen, at, clock.now());
  const { undoFile } = intended.value;
  const end = { kind: 'verdict', verdict, after, undoFile, open: null } as const;
  // An ending program has not looked: the open intent says so at the next start.
  if (signal.aborted) return { ...end, unrecorded: 'the program ended' };
  if (until !== null) return { ...end, open: { id, at, zone }, unrecorded: null };
  const closed = await journal.close(id, clock.now(), closingOf(verdict));
  return { ...end, unrecorded: closed.ok ? null : closed.problem };
}

/**
 * Waits for the slots of a read and of the request behind it, and reads; returns the end of a change that may not be
 * sent.
 */
async function guarded(o: ChangeOptions): Promise<Guard | ChangeEnd> {
  const { client, clock, signal } = o;
  const { zone: seen } = o.change;
  const turns = await client.takeTurns(2, signal);
  if (!turns.ok) return { kind: 'cancelled' };
  const takenAt = clock.monotonic();
  const [reading, permit] = turns.value as [Permit, Permit];
  const fresh = await client.storageZone(seen.id, { ...GUARDED, signal, permit: reading });
  const readAt = clock.monotonic();
  const end = checked(o, fresh);
  if (!('kind' in end)) return { before: end, permit, takenAt, readAt };
  for (const each of turns.value) each.release('unsent');
  return end;
}

/** The zone as read, or how the change ends. */
function checked({ signal, change }: ChangeOptions, fresh: Result<StorageZone>): StorageZone | ChangeEnd {
  if (signal.aborted) return { kind: 'cancelled' };
  if (!fresh.ok) return { kind: 'unread', failure: fresh.failure };
  const now = fresh.value;
  const differences = driftBetween(change.zone, now);
  return differences.length > 0 ? { kind: 'drift', now, differences } : now;
}

/** The same guard, or a new one where the disk was slow or the machine asleep since. */
async function stillGuarded(o: ChangeOptions, first: Guard): Promise<Guard | ChangeEnd> {
  let guard: Guard | ChangeEnd = first;
  for (let reads = 1; ; reads += 1) {
    if (o.signal.aborted) return { kind: 'cancelled' };
    const now = o.clock.monotonic();
    if (now - guard.readAt <= FRESH && now - guard.takenAt <= HELD) return guard;
    guard.permit.release('unsent');
    if (reads === MOST_READS) {
      const detail = 'too long ago for a change to rely on it, three times';
      return { kind: 'unread', failure: failureOf('timeout', { detail }) };
    }
    guard = await guarded(o);
    if ('kind' in guard) return guard;
  }
}

/**
 * Gives a change that nobody answered, or whose program died, its verdict from its undo file and the zone as it is
 * now. While its request may still be carried out it stays open. Null: nothing is known of it any more, or the zone
 * could not be read.
 */
export async function settleIntent(
  o: Pick<ChangeOptions, 'journal' | 'clock'> & { client: Pick<Client, 'storageZone'> },
  intent: OpenIntent,
  signal: AbortSignal,
): Promise<Settlement | null> {
  const entry = await o.journal.undoOf(intent.id);
  if (entry === null) return null;
  const askedAt = o.clock.now();
  const read = await o.client.storageZone(entry.zone.id, { ...GUARDED, signal });
  if (!read.ok || signal.aborted) return null;
  const { before, patch } = entry;
  const failure = failureOf('connectionLost', { detail: 'the program that sent it ended' });
  const verdict = storageVerdict({ before, patch, failure, after: read.value });
  const settlement = settlementOf(verdict, intent.at, askedAt);
  if (settlement.until === null) await o.journal.close(intent.id, o.clock.now(), closingOf(verdict));
  return settlement;
}

async function lookedAt(
  o: ChangeOptions & { before: StorageZone; failure: Failure | null; enough: AbortSignal },
): Promise<{ verdict: Verdict; after: StorageZone | null }> {
  const { before, failure } = o;
  const { patch } = o.change;
  let after: StorageZone | null = null;
  let verdict = storageVerdict({ before, patch, failure, after });
  if (failure !== null && FAILURES[failure.kind].traits.arrived === 'no') return { verdict, after };
  for (const pause of LOOKS) {
    await o.clock.sleep(pause, o.enough);
    if (o.enough.aborted) break;
    const read: Result<StorageZone> = await o.client.storageZone(before.id, { ...GUARDED, signal: o.enough });
    if (read.ok) after = read.value;
    verdict = storageVerdict({ before, patch, failure, after });
    if (!isUnsettled(verdict)) break;
  }
  return { verdict, after };
}

function closingOf(verdict: Verdict) {
  const { failure } = verdict;
  return {
    verdict: verdict.kind,
    sideEffects: verdict.sideEffects.map((each) => each.name),
    failure: failure === null ? null : { kind: failure.kind, status: failure.status },
  };
}
