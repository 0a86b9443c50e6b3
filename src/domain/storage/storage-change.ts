import type { Failure } from '../failure.ts';
import type { OpenIntent } from './journal.ts';
import type { StorageZone, StorageZonePatch } from './storage.ts';
import type { Difference, Verdict } from './storage-verdict.ts';

/** A change that was confirmed: the zone as the user looked at it, and what is to be sent. */
export type ConfirmedChange = { zone: StorageZone; patch: StorageZonePatch };

/** Where a confirmed change is. Nothing was sent before `posting`. */
export type ChangeStep = 'checking' | 'posting' | 'verifying';

/** How a confirmed change ended. Only `verdict` has sent anything. */
export type ChangeEnd =
  | {
      kind: 'verdict';
      verdict: Verdict;
      /** The zone as read back; null when that failed. */
      after: StorageZone | null;
      undoFile: string;
      /** Set while the request may still be carried out: the audit file has no verdict before that is over. */
      open: OpenIntent | null;
      /** Why the verdict is not in the audit file; null = it is, or need not be yet. */
      unrecorded: string | null;
    }
  /** The zone is not what the user looked at. */
  | { kind: 'drift'; now: StorageZone; differences: readonly Difference[] }
  /** The zone could not be read afresh. */
  | { kind: 'unread'; failure: Failure }
  /** Undo or audit could not be made durable. */
  | { kind: 'unrecorded'; problem: string }
  | { kind: 'cancelled' };
