import { ClickHouseError } from '@clickhouse/client';
import { MASK, maskSecrets } from '../../text/mask.ts';
import type { Secret } from '../../text/secret.ts';
import { StoreFailure, type StoreFailureKind } from './store-failure.ts';

/** Codes of the server (`ErrorCodes.cpp`) that say what to do. */
const CODES: Partial<Record<StoreFailureKind, readonly number[]>> = {
  version: [16, 47],
  missing: [60, 81],
  slow: [159, 160],
  forbidden: [164, 452, 497],
  refused: [192, 193, 516],
  busy: [202, 209, 210, 216, 225, 236, 242, 252, 279, 285, 286, 289, 319, 999],
  large: [241],
  full: [243],
  // It was sent whole.
  unsure: [32, 33],
};
const KIND_OF_CODE = new Map(
  Object.entries(CODES).flatMap(([kind, codes]) =>
    codes.map((code) => [String(code), kind as StoreFailureKind] as const),
  ),
);
/** A disk that fills up while a part is written has no code of its own. */
const NO_ROOM = /No space left|File too large|Disk quota/i;

/** Longer errors are stacks of one within another, or nobody's; none is said whole. */
const LONGEST_ERROR = 10_000;

/** The forms in which a password leaves this program, each of which may come back in an error's text. */
export function unsaidOf({ user, password }: { user: string; password: Secret | null }): string[] {
  const secret = password?.reveal() ?? '';
  if (secret === '') return [];
  const sent = Buffer.from(`${user}:${secret}`);
  return [secret, encodeURIComponent(secret), sent.toString('base64'), sent.toString('base64url')];
}

/** An engine's own words, less the password and all that opens something by its look. */
function words(text: string, unsaid: readonly string[]): string {
  const scrubbed = unsaid.reduce((left, secret) => left.replaceAll(secret, MASK), text);
  return maskSecrets(scrubbed.slice(0, LONGEST_ERROR));
}

/** What a failure of the client or of the server means, in words; what the signal was aborted with is no failure. */
export function clickhouseFailure(
  error: unknown,
  o: { store: string; limit: string; signal: AbortSignal | undefined; unsaid: readonly string[] },
): unknown {
  const { store, limit, signal } = o;
  if (signal?.aborted) return signal.reason;
  if (error instanceof StoreFailure) return error;
  if (!(error instanceof Error)) return error;
  if (error instanceof ClickHouseError) {
    const kind = NO_ROOM.test(error.message) ? 'full' : (KIND_OF_CODE.get(error.code) ?? 'other');
    return new StoreFailure(kind, { store, limit, detail: words(error.message, o.unsaid) });
  }
  const { code } = error as { code?: string };
  if (/timeout/i.test(error.message)) return new StoreFailure('slow', { store, limit });
  // What is not an error of the server came from the way to it.
  return new StoreFailure('away', { store, detail: code ?? words(error.message, o.unsaid) });
}
