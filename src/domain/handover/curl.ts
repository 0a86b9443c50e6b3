import { shellCommand } from '../../text/shell-command.ts';
import { ndjsonLine } from './line-formats.ts';

/** A request of the API as it leaves, without its credentials. */
export type WireRequest = { method: 'GET' | 'POST'; url: string; body?: Readonly<Record<string, unknown>> };

/** The variable that the copied command takes the key from; the key itself is in no text. */
export const KEY_VARIABLE = 'EDGESCOPE_ACCESS_KEY';

/**
 * The request as one line for a shell. The key comes from the environment of whoever runs it, by way of curl's standard
 * input: everybody on the machine can read the arguments of a process.
 */
export function curlOf({ method, url, body }: WireRequest): string | null {
  const words = ['curl', '-sS', '--compressed', '-H', '@-'];
  if (method === 'POST') words.push('-H', 'Content-Type: application/json');
  if (body !== undefined) words.push('--data-raw', ndjsonLine(body));
  const command = shellCommand([...words, url]);
  return command && `printf 'AccessKey: %s\\n' "$${KEY_VARIABLE}" | ${command}`;
}
