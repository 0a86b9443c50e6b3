import { FAILURES, type Failure } from '../domain/failure.ts';
import type { Priority } from './quota-rule.ts';

/** What a circuit breaker knows of one host. Times are Unix ms. */
export type Circuit = {
  /** Failures of the host or of the way to it, in a row. */
  failures: number;
  openUntil: number;
  probing: boolean;
  lastFailure: Failure | null;
};

/** So many failures in a row open the circuit. */
const TOLERATED = 5;
const FIRST_BREAK = 2_000;
const LONGEST_BREAK = 30_000;

export const CLOSED: Circuit = { failures: 0, openUntil: 0, probing: false, lastFailure: null };

/** While the circuit is open one request at a time may try it: after the break, or at once when a user asks. */
export function mayAsk(circuit: Circuit, priority: Priority, now: number): boolean {
  if (circuit.failures < TOLERATED) return true;
  return !circuit.probing && (now >= circuit.openUntil || priority === 'user');
}

export function asked(circuit: Circuit): Circuit {
  return circuit.failures < TOLERATED ? circuit : { ...circuit, probing: true };
}

/** `failure: null` = the host answered sensibly. `random` in [0, 1) keeps several processes from probing together. */
export function answered(circuit: Circuit, failure: Failure | null, now: number, random: number): Circuit {
  if (failure === null) return CLOSED;
  const { blames } = FAILURES[failure.kind].call;
  if (blames === 'nothing') return { ...circuit, probing: false };
  // A gateway that cannot reach the service counts like a lost link; a 500 may be about one request only.
  const isGateway = blames === 'server' && (failure.status ?? 0) >= 502;
  if (blames !== 'address' && blames !== 'link' && !isGateway) return CLOSED;
  const failures = circuit.failures + 1;
  const longest = Math.min(LONGEST_BREAK, FIRST_BREAK * 2 ** Math.min(10, failures - TOLERATED));
  const openUntil = failures < TOLERATED ? 0 : now + longest * (0.5 + random / 2);
  return { failures, openUntil, probing: false, lastFailure: failure };
}
