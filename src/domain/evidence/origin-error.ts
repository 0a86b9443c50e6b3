import { pageOf } from '../log.ts';
import type { Strays } from '../strays.ts';

/** Why an origin failed, once. Texts are untrusted; signed-URL tokens are masked. */
export type OriginError = {
  logId: string | null;
  /** Unix ms. */
  timestamp: number;
  /** What the origin was asked for: a path with its query, or a whole URL. Null where unsaid. */
  url: string | null;
  /** One of `CAUSES`, or any other word; empty where unsaid. */
  code: string;
  /** The status of the answer to the client, where it is given. */
  status: number | null;
  /** The edge that met it, by its name in the CDN log. */
  edge: string | null;
  message: string | null;
  /** The row as it came, where it has no readable time; its time is then the start of the day. */
  raw: string | null;
};

/** The errors of one UTC day of a zone; `unread` of them have no readable time. */
export type OriginErrorDay = { errors: readonly OriginError[]; unread: number; strays?: Strays };

/** The requested path without its query; null where unsaid. */
export function pathOfError({ url }: OriginError): string | null {
  if (url === null || url === '') return null;
  const path = url.startsWith('/') ? url : (/^[a-z][a-z+.-]*:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1] ?? url);
  return pageOf(path === '' ? '/' : path);
}

/** What the platform counted of a zone in the hour from `at` (Unix ms UTC). Null = unsaid. */
export type StatHour = { at: number; requests: number | null; serverErrors: number | null };
