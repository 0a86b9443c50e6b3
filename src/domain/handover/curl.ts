import { shellWord } from './crumb.ts';
import { ndjsonLine } from './line-formats.ts';

/** A request of the API as it leaves, without its credentials. */
export type WireRequest = { method: 'GET' | 'POST'; url: string; body?: Readonly<Record<string, unknown>> };

/** The variable that the copied command takes the key from; the key itself is in no text. */
export const KEY_VARIABLE = 'EDGESCOPE_ACCESS_KEY';

/** The request as one line for a POSIX shell; the key comes from the environment of whoever runs it. */
export function curlOf({ method, url, body }: WireRequest): string {
  const words = ['curl', '-sS', '--compressed', '-H', `"AccessKey: $${KEY_VARIABLE}"`];
  if (method === 'POST') words.push('-H', "'Content-Type: application/json'");
  if (body !== undefined) words.push('--data-raw', shellWord(ndjsonLine(body)));
  return [...words, shellWord(url)].join(' ');
}
