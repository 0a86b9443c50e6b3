import type { Failure } from '../failure.ts';
import type { StorageZone, StorageZonePatch } from './storage.ts';
import type { StorageInverse } from './storage-edit.ts';
import type { Difference, Verdict, VerdictKind } from './storage-verdict.ts';

/** A confirmed change: the zone as the user saw it, and what is to be sent. */
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
      /** Set while the request may still be carried out: until then the audit file has no verdict. */
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

/** What a change will do, written before it is sent: the zone as it was, the request, and its inverse. */
export type UndoEntry = {
  id: string;
  /** Unix ms. */
  at: number;
  zone: { id: string; name: string };
  before: StorageZone;
  patch: StorageZonePatch;
  inverse: StorageInverse;
};

/** A recorded change without a verdict: nobody answered it, or its program ended before it could look. */
export type OpenIntent = { id: string; at: number; zone: { id: string; name: string } };

/** How a change ended, for the audit file. */
export type Closing = {
  verdict: VerdictKind;
  sideEffects: readonly string[];
  failure: { kind: string; status: number | null } | null;
};

export type Recorded<T> = { ok: true; value: T } | { ok: false; problem: string };

/** The files that a change leaves behind: an undo file each, and one audit file of all. */
export type Journal = {
  /** Durable when it resolves to `ok`: file and directory are on the disk. Nothing may be sent before. */
  intend(entry: UndoEntry): Promise<Recorded<{ undoFile: string }>>;
  close(id: string, at: number, closing: Closing): Promise<Recorded<null>>;
  /** A key's value was shown. */
  revealed(at: number, key: { id: string; fingerprint: string }): Promise<Recorded<null>>;
  openIntents(now: number): Promise<OpenIntent[]>;
  /** The undo entry of the newest recorded change of a zone. */
  newestUndo(zoneId: string): Promise<Recorded<UndoEntry | null>>;
  /** The undo entry of one change, null when its file is gone. */
  undoOf(id: string): Promise<UndoEntry | null>;
};
