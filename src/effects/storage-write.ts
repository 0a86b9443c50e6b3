import type { Client } from '../api/client.ts';
import { FAILURES, type Failure, failureOf, type Result } from '../domain/failure.ts';
import type { Journal, OpenIntent } from '../domain/storage/journal.ts';
import type { StorageZone } from '../domain/storage/storage.ts';
import type { ChangeEnd, ChangeStep, ConfirmedChange } from '../domain/storage/storage-change.ts';
import { inverseOf } from '../domain/storage/storage-edit.ts';
import { driftBetween, isUnsettled, type Verdict, verdictOf } from '../domain/storage/storage-verdict.ts';
import type { Clock } from '../time/clock.ts';

export type ChangeOptions = {
  client: Pick<Client, 'storageZone' | 'updateStorageZone'>;
  journal: Journal;
  clock: Clock;
  change: ConfirmedChange;
  /** Ends a change that has not been sent yet; after that only the waiting, and the intent stays open. */
  signal: AbortSignal;
  /** Ends the reading back: the verdict is then given by what was read so far. */
  enough?: AbortSignal;
  onStep?: (step: ChangeStep) => void;
};

/** Pauses before each reading back, ms: a store behind the API may show the change a moment later. */
const LOOKS = [0, 700, 2_000];

/** Not what other reads use, so that no guarded read ever shares the answer to a request that was sent before it. */
const GUARDED = { priority: 'user', retries: 2 } as const;

/**
 * Carries out one confirmed change: fresh read → drift → undo and audit on the disk → POST once → read back → verdict.
 * Nothing is sent unless every step before it succeeded, and the POST is never sent again.
 */
export async function carryOut(o: ChangeOptions): Promise<ChangeEnd> {
  const { client, journal, clock, signal } = o;
  const { zone: seen, patch } = o.change;
  o.onStep?.('checking');
  const fresh = await client.storageZone(seen.id, { ...GUARDED, signal });
  if (signal.aborted) return { kind: 'cancelled' };
  if (!fresh.ok) return { kind: 'unread', failure: fresh.failure };
  const before = fresh.value;
  const differences = driftBetween(seen, before);
  if (differences.length > 0) return { kind: 'drift', now: before, differences };

  const at = Math.floor(clock.now());
  const id = process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex');
  const zone = { id: before.id, name: before.name };
  const intended = await journal.intend({ id, at, zone, before, patch, inverse: inverseOf(before, patch) });
  if (!intended.ok) return { kind: 'unrecorded', problem: intended.problem };
  if (signal.aborted) {
    await journal.close(id, clock.now(), {
      verdict: 'notApplied',
      sideEffects: [],
      failure: { kind: 'cancelled', status: null },
    });
    return { kind: 'cancelled' };
  }

  o.onStep?.('posting');
  // Not given the signal: hanging up would not take back what the server has already read.
  const answer = await client.updateStorageZone(before.id, patch, { priority: 'user' });
  o.onStep?.('verifying');
  const failure = answer.ok ? null : answer.failure;
  const enough = o.enough === undefined ? signal : AbortSignal.any([o.enough, signal]);
  const { verdict, after } = await lookedAt({ ...o, before, failure, enough });
  const { undoFile } = intended.value;
  // A program that is ending has not looked: the open intent says so at the next start.
  if (signal.aborted) return { kind: 'verdict', verdict, after, undoFile, unrecorded: 'the program ended' };
  const closed = await journal.close(id, clock.now(), closingOf(verdict));
  return { kind: 'verdict', verdict, after, undoFile, unrecorded: closed.ok ? null : closed.problem };
}

/**
 * Gives a change whose program died its verdict, from its undo file and the zone as it is now. null: nothing is known of
 * it any more, or the zone could not be read.
 */
export async function settleIntent(
  o: Pick<ChangeOptions, 'client' | 'journal' | 'clock'>,
  intent: OpenIntent,
  signal: AbortSignal,
): Promise<Verdict | null> {
  const entry = await o.journal.undoOf(intent.id);
  if (entry === null) return null;
  const read = await o.client.storageZone(entry.zone.id, { ...GUARDED, signal });
  if (!read.ok || signal.aborted) return null;
  const { before, patch } = entry;
  const failure = failureOf('connectionLost', { detail: 'the program that sent it ended' });
  const verdict = verdictOf({ before, patch, failure, after: read.value });
  await o.journal.close(intent.id, o.clock.now(), closingOf(verdict));
  return verdict;
}

async function lookedAt(
  o: ChangeOptions & { before: StorageZone; failure: Failure | null; enough: AbortSignal },
): Promise<{ verdict: Verdict; after: StorageZone | null }> {
  const { before, failure } = o;
  const { patch } = o.change;
  let after: StorageZone | null = null;
  let verdict = verdictOf({ before, patch, failure, after });
  if (failure !== null && FAILURES[failure.kind].arrived === 'no') return { verdict, after };
  for (const pause of LOOKS) {
    await o.clock.sleep(pause, o.enough);
    if (o.enough.aborted) break;
    const read: Result<StorageZone> = await o.client.storageZone(before.id, { ...GUARDED, signal: o.enough });
    if (read.ok) after = read.value;
    verdict = verdictOf({ before, patch, failure, after });
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
