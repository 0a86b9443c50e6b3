import type { StoragePatch } from '../../../src/simulator/account/storage-zones.ts';
import { type HostKind, json, loggingError, type ServedAnswer } from '../../../src/simulator/http/answers.ts';
import type { TrafficModel } from '../../../src/simulator/traffic/traffic-source.ts';
import type { Delivery } from './fault-delivery.ts';

/** The parameters a fault may take; each row of the table says which it uses. */
export type FaultParameters = {
  ms?: number;
  status?: number;
  /** 0…1 */
  share?: number;
  bytes?: number;
  count?: number;
  text?: string;
};

/** What a fault may look at. */
export type FaultContext = {
  host: HostKind;
  /** With query string. */
  path: string;
  /** Number of the request among those the rule matches by path, host and method; from 1. */
  number: number;
  /** Unix ms. */
  now: number;
  /** The origin that redirects lead to. */
  elsewhere: () => Promise<string>;
};

/** A fault acts at one or more points of a request's way. */
export type FaultRow = {
  /** The entries of the fault list that it serves, and which parameters it reads. */
  covers: string;
  /** Takes the listener away. */
  stopsListening?: true;
  /** Ms to wait before anything else. */
  wait?: (p: FaultParameters) => number;
  /** Ms by which the server's idea of now is off. */
  shift?: (p: FaultParameters) => number;
  /** Ms by which the Date header is off, null = no header. */
  date?: (p: FaultParameters) => number | null;
  /** Changes what is asked before the endpoint sees it. */
  ask?: (url: URL, p: FaultParameters) => void;
  /** What the answer is made of instead of the rows that there are. */
  traffic?: (traffic: TrafficModel, p: FaultParameters, c: FaultContext) => TrafficModel;
  /** What an update of a storage zone changes besides what it was asked for. */
  alsoChanges?: (p: FaultParameters) => StoragePatch;
  status?: (status: number) => number;
  /** Answers instead of the endpoint, which never sees the request. */
  instead?: (p: FaultParameters, c: FaultContext) => ServedAnswer | Promise<ServedAnswer>;
  /** Answers instead of the endpoint where the body of the request has something; null = it has not. */
  refuses?: (body: Buffer, p: FaultParameters) => ServedAnswer | null;
  /** Breaks the connection before the endpoint sees the request. */
  seize?: (d: Pick<Delivery, 'req' | 'signal'>, p: FaultParameters) => Promise<void> | void;
  /** Changes the parsed JSON of the answer. */
  value?: (value: unknown, p: FaultParameters, c: FaultContext) => unknown;
  /** Changes the bytes of the answer. */
  body?: (body: Buffer, p: FaultParameters) => Buffer;
  headers?: (p: FaultParameters) => Record<string, string>;
  /** Sends the answer; the endpoint has done its work. */
  send?: (d: Delivery, p: FaultParameters) => Promise<void> | void;
};

/** An error in the words of the host that is asked. */
export function refusal(c: FaultContext, status: number, code: string, message: string): ServedAnswer {
  if (c.host === 'logging') return loggingError(status, code, message);
  if (!c.path.startsWith('/shield/')) return json({ ErrorKey: code, Field: null, Message: message }, status);
  const errorResponse = {
    statusCode: status === 200 ? 500 : status,
    success: false,
    message,
    errorKey: code,
  };
  return json(
    {
      rows: null,
      groups: null,
      logs: null,
      data: null,
      hasMoreData: false,
      continuationToken: null,
      errorResponse,
    },
    status,
  );
}
