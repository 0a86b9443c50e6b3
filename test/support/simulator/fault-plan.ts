import type { HostKind } from '../../../src/simulator/http/answers.ts';
import type { Fault } from './faults.ts';

/** Which requests a fault meets. Numbers count, from 1, the requests that fit path, host and method since the plan was set. */
export type FaultMatch = {
  /** A part of the path with its query string, or a pattern for it. */
  path?: string | RegExp;
  host?: HostKind;
  method?: string;
  nth?: number | readonly number[];
  /** First and last number, both included. */
  from?: number;
  to?: number;
  /** Every so many requests. */
  every?: number;
};

export type FaultRule = { match?: FaultMatch; fault: Fault | readonly Fault[] };
export type FaultPlan = readonly FaultRule[];

export type Hit = { fault: Fault; number: number };

/** Counts requests against a plan; every rule counts its own. */
export function followPlan(plan: FaultPlan): (host: HostKind, method: string, path: string) => Hit[] {
  const counts = plan.map(() => 0);
  return (host, method, path) =>
    plan.flatMap(({ match = {}, fault }, i) => {
      const fits =
        (match.host ?? host) === host &&
        (match.method ?? method) === method &&
        (match.path === undefined || contains(path, match.path));
      if (!fits) return [];
      counts[i] = (counts[i] as number) + 1;
      const number = counts[i] as number;
      return isDue(match, number) ? [fault].flat().map((one) => ({ fault: one as Fault, number })) : [];
    });
}

/** A rule that asks for no particular request is in force from the moment it is set. */
export function isUnconditional({ match = {} }: FaultRule): boolean {
  return Object.keys(match).every((name) => name === 'host');
}

function isDue(match: FaultMatch, number: number): boolean {
  if (match.nth !== undefined && ![match.nth].flat().includes(number)) return false;
  if (match.every !== undefined && number % match.every !== 0) return false;
  return number >= (match.from ?? 1) && number <= (match.to ?? Number.POSITIVE_INFINITY);
}

function contains(path: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? path.includes(wanted) : wanted.test(path);
}
