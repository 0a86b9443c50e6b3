import { FAILURES, type Failure } from '../failure.ts';
import type { StorageZone, StorageZonePatch } from './storage.ts';
import {
  addedRegions,
  fieldsIn,
  STORAGE_FIELDS,
  type StorageField,
  valueIn,
  wantedIn,
} from './storage-edit.ts';

/** What a change came to, after reading the zone again: the words of the screen, the audit file and a pipe. */
export const VERDICTS = {
  applied: 'APPLIED',
  sideEffects: 'APPLIED + side effects',
  notApplied: 'NOT APPLIED',
  unknown: 'UNKNOWN',
} as const;

export type VerdictKind = keyof typeof VERDICTS;

/** What became of one field of the patch. `unseen` = it cannot be read back, or nothing was read. */
type FieldFate = 'applied' | 'notApplied' | 'unseen';

export type Difference = { name: string; before: string; after: string };

export type Verdict = {
  kind: VerdictKind;
  fates: readonly { field: StorageField; fate: FieldFate; after: string | null }[];
  /** Settings that changed though the request did not name them. */
  sideEffects: readonly Difference[];
  /** The reasons of the verdict, a sentence each. */
  reasons: readonly string[];
  /** The POST's own answer, where it was no success. */
  failure: Failure | null;
};

/**
 * Settings as text, by the API's own names; null where an answer lacks them. What changes by itself (use, files,
 * replication under way) is not among them.
 */
const SETTINGS: Readonly<Record<string, (zone: StorageZone) => string | null>> = {
  Name: (zone) => zone.name,
  Deleted: (zone) => String(zone.deleted),
  Region: (zone) => zone.region,
  ReplicationRegions: (zone) => [...zone.replicationRegions].sort().join(' '),
  Custom404FilePath: (zone) => zone.custom404FilePath ?? '',
  Rewrite404To200: (zone) => valueIn(zone, 'Rewrite404To200'),
  ZoneTier: (zone) => String(zone.tier ?? ''),
  StorageHostname: (zone) => zone.hostname,
  StorageZoneType: (zone) => String(zone.type ?? ''),
  PriceOverride: (zone) => String(zone.priceOverride),
  Discount: (zone) => String(zone.discount),
  PullZones: (zone) =>
    zone.pullZones
      .map((each) => each.id)
      .sort()
      .join(' '),
};

/**
 * How a zone differs from what the user saw. The modification date counts, too: it is the only sign that somebody
 * else set the origin, which nobody can read.
 */
export function driftBetween(seen: StorageZone, now: StorageZone): Difference[] {
  const settings = differences(seen, now);
  if (settings.length > 0 || seen.modifiedAt === now.modifiedAt) return settings;
  return [{ name: 'DateModified', before: dateOf(seen.modifiedAt), after: dateOf(now.modifiedAt) }];
}

/**
 * The verdict of a change. `failure`: what the POST answered, null = success. `after`: the zone read back, null where
 * that failed. The POST is one act of the server: a field that is read back speaks for one that cannot be.
 */
export function storageVerdict(o: {
  before: StorageZone;
  patch: StorageZonePatch;
  failure: Failure | null;
  after: StorageZone | null;
}): Verdict {
  const { before, patch, failure, after } = o;
  const arrived = failure === null ? 'yes' : FAILURES[failure.kind].traits.arrived;
  const fates = fieldsIn(patch).map((field) => ({
    field,
    fate: fateOf(field, before, patch, after),
    after: after === null ? null : valueIn(after, field),
  }));
  const sideEffects = after === null ? [] : unasked(before, patch, after);
  const verdict = (kind: VerdictKind, ...reasons: string[]): Verdict => {
    const seenAs = kind === 'applied' && sideEffects.length > 0 ? 'sideEffects' : kind;
    return { kind: seenAs, fates, sideEffects, reasons, failure };
  };
  const seen = fates.filter((each) => each.fate !== 'unseen');
  const done = seen.filter((each) => each.fate === 'applied');
  const unseen = fates.filter((each) => each.fate === 'unseen').map((each) => each.field);

  if (arrived === 'no') return verdict('notApplied', 'nothing was sent');
  if (after === null) {
    return arrived === 'refused'
      ? verdict('notApplied', 'the server refused the request', 'the zone could not be read back')
      : verdict('unknown', 'the zone could not be read back');
  }
  if (seen.length > 0 && done.length === 0) {
    const despite = failure === null ? ['though the server answered with success'] : [];
    return verdict('notApplied', 'the zone was read back and is as it was', ...despite);
  }
  if (done.length < seen.length) {
    const names = done.map((each) => each.field).join(', ');
    return verdict('notApplied', `in part: ${names} changed, the rest did not`);
  }
  if (done.length > 0) {
    const together = unseen.map((field) => `${field} cannot be read back; it went in the same request`);
    return verdict('applied', 'the zone was read back and has the new values', ...together);
  }
  if (arrived === 'refused') return verdict('notApplied', 'the server refused the request');
  // Only what cannot be read was changed: the modification date is the one witness, and only beside a success.
  const isStamped = after.modifiedAt !== null && after.modifiedAt !== before.modifiedAt;
  const words = `${unseen.join(', ')} cannot be read back`;
  if (failure === null && isStamped) {
    return verdict('applied', `${words}; the server accepted it and the date of change moved`);
  }
  return verdict(
    'unknown',
    failure === null
      ? `${words}; the server accepted it, but the date of change did not move`
      : `${words}, and the answer to the request was lost`,
  );
}

/** True while reading again may still show what the answer promised. */
export function isUnsettled(verdict: Verdict): boolean {
  const isRefused = verdict.failure !== null && FAILURES[verdict.failure.kind].traits.arrived === 'refused';
  return verdict.kind === 'unknown' || (verdict.kind === 'notApplied' && !isRefused);
}

function fateOf(
  field: StorageField,
  before: StorageZone,
  patch: StorageZonePatch,
  after: StorageZone | null,
): FieldFate {
  if (after === null) return 'unseen';
  if (field === 'ReplicationZones') {
    const missing = addedRegions(before, patch).filter((code) => !after.replicationRegions.includes(code));
    return missing.length === 0 ? 'applied' : 'notApplied';
  }
  const value = valueIn(after, field);
  if (value === null) return 'unseen';
  return value === String(patch[field]) ? 'applied' : 'notApplied';
}

/** Changes that the patch did not ask for, such as further regions. */
function unasked(before: StorageZone, patch: StorageZonePatch, after: StorageZone): Difference[] {
  return differences(before, after).filter(({ name }) => {
    const field = fieldsIn(patch).find((each) => STORAGE_FIELDS[each].readAs === name);
    if (field === undefined) return true;
    if (field !== 'ReplicationZones') return wantedIn(patch, field) !== valueIn(after, field);
    const wanted = new Set([...before.replicationRegions, ...(patch.ReplicationZones ?? [])]);
    return (
      after.replicationRegions.some((code) => !wanted.has(code)) ||
      before.replicationRegions.some((code) => !after.replicationRegions.includes(code))
    );
  });
}

function differences(before: StorageZone, after: StorageZone): Difference[] {
  return Object.entries(SETTINGS).flatMap(([name, read]) => {
    const [old, now] = [read(before), read(after)];
    // A missing value is no change.
    return old === null || now === null || old === now ? [] : [{ name, before: old, after: now }];
  });
}

/**
 * How long a request without an answer may still be carried out, ms: the minute that gateways give one, and half of
 * that for its way there.
 */
const SETTLING = 90_000;

/** A verdict by what was read so far; `until`: when it can be final, Unix ms, null = now. */
export type Settlement = { verdict: Verdict; until: number | null };

/**
 * A zone with the new values has them; one without may still get them where nobody answered the request. `sentAt`,
 * `now`: Unix ms.
 */
export function settlementOf(verdict: Verdict, sentAt: number, now: number): Settlement {
  const until = sentAt + SETTLING;
  const isDone = verdict.kind === 'applied' || verdict.kind === 'sideEffects';
  if (isDone || now >= until || !mayBeUnderWay(verdict.failure)) return { verdict, until: null };
  const reason = `the request may still be carried out until ${new Date(until).toISOString()}`;
  return { verdict: { ...verdict, kind: 'unknown', reasons: [...verdict.reasons, reason] }, until };
}

/** Whether a request that ended so may still be at work: nobody answered it, or a gateway did in the server's place. */
function mayBeUnderWay(failure: Failure | null): boolean {
  if (failure === null || FAILURES[failure.kind].traits.arrived !== 'maybe') return false;
  return failure.status === null || failure.status > 500;
}

export function settlementWords(settlement: Settlement | null): string {
  if (settlement === null) return 'still UNKNOWN: its undo file or the zone cannot be read';
  const { verdict, until } = settlement;
  const why =
    until === null ? ' by the zone as it is now' : `: ${verdict.reasons.join('; ')}; look again then`;
  return `${VERDICTS[verdict.kind]}${why}`;
}

function dateOf(at: number | null): string {
  return at === null ? '' : new Date(at).toISOString();
}
