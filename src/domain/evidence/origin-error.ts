import { pageOf } from '../log.ts';
import type { Strays } from '../strays.ts';

/** Why the platform got no answer out of an origin, once. Texts are untrusted; signed-URL tokens are masked. */
export type OriginError = {
  logId: string | null;
  /** Unix ms. */
  timestamp: number;
  /** What was asked of the origin: a path with its query, or a whole URL. Null where it is not told. */
  url: string | null;
  /** One of `CAUSES`, or any other word; empty where it is not told. */
  code: string;
  /** The status that the client was answered with, as far as it is told. */
  status: number | null;
  /** Where the edge is that met it, as the CDN log names it. */
  edge: string | null;
  message: string | null;
  /** The row as it came, when no time is told in it; its time is then the start of the day. */
  raw: string | null;
};

/** The errors of one UTC day of a zone, as they came; `unread` of them without a time. */
export type OriginErrorDay = { errors: readonly OriginError[]; unread: number; strays?: Strays };

/** The path that was asked for, without its query; null where none is told. */
export function pathOfError({ url }: OriginError): string | null {
  if (url === null || url === '') return null;
  const path = url.startsWith('/') ? url : (/^[a-z][a-z+.-]*:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1] ?? url);
  return pageOf(path === '' ? '/' : path);
}

/** What the platform counted of a zone in the hour that begins `at` this time (Unix ms UTC). Null = not told. */
export type StatHour = { at: number; requests: number | null; serverErrors: number | null };
