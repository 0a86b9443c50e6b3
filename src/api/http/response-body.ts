import { constants } from 'node:buffer';
import { gunzip } from 'node:zlib';
import { type Failure, failureOf, type Result } from '../../domain/failure.ts';
import type { Clock } from '../../time/clock.ts';
import { networkFailure } from './network-failure.ts';
import type { Answer } from './response.ts';

/** An answer whose body is still to come; `hangUp` ends it at any time. */
export type OpenAnswer = { answer: Answer; body: AsyncIterable<Uint8Array>; hangUp: () => void };

/** Why a body cannot be used. */
type Fault = { kind: 'tooLarge' | 'unreadable'; detail: string };

/** The largest answer read, in decoded bytes. */
const LARGEST_BODY = Math.min(32 * 1024 * 1024, constants.MAX_STRING_LENGTH);
/** Error messages are short; a page in place of one is not worth its transfer. */
const LARGEST_ERROR = 256 * 1024;
const DAMAGED = 'the compressed data is damaged';

export function isSuccess(answer: Answer): boolean {
  return answer.status >= 200 && answer.status <= 299;
}

/** The status of a failed answer is enough: a body that is too large or does not arrive is dropped. */
export async function readWhole(opened: OpenAnswer, clock: Clock): Promise<Result<Answer>> {
  if (isSuccess(opened.answer)) return readBody(opened, LARGEST_BODY, clock);
  const whole: Result<Answer> = { ok: true, value: opened.answer };
  const read = await readBody(opened, LARGEST_ERROR, clock).catch(() => whole);
  return read.ok ? read : whole;
}

async function readBody(
  { answer, body, hangUp }: OpenAnswer,
  cap: number,
  clock: Clock,
): Promise<Result<Answer>> {
  const { host, status, headers } = answer;
  const announced = Number(headers['content-length'] ?? 0);
  const bytes = announced > cap ? null : await readUpTo(body, cap);
  if (bytes === null) {
    hangUp();
    return { ok: false, failure: failureOf('tooLarge', { host, status }) };
  }
  const decoded = await decodedBody(bytes, headers['content-encoding'] ?? '', cap);
  if (Buffer.isBuffer(decoded)) {
    return { ok: true, value: { ...answer, bytes: decoded, receivedAt: clock.now() } };
  }
  return { ok: false, failure: failureOf(decoded.kind, { host, status, detail: decoded.detail }) };
}

/** The bytes of a stream, or null once there are more than `cap`; leaving the loop ends the request. */
async function readUpTo(stream: AsyncIterable<Uint8Array>, cap: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > cap) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Removes one layer of gzip, the only encoding asked for. A second layer stays, and is then not text. */
async function decodedBody(bytes: Buffer, encoding: string, cap: number): Promise<Buffer | Fault> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity' || bytes.byteLength === 0) return bytes;
  if (name !== 'gzip' && name !== 'x-gzip')
    return { kind: 'unreadable', detail: 'compressed in a way that was not asked for' };
  return new Promise((resolve) => {
    gunzip(bytes, { maxOutputLength: cap }, (error, decoded) => {
      if (error === null) resolve(decoded);
      else if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
        resolve({ kind: 'tooLarge', detail: 'it unpacks to more than 32 MiB' });
      else resolve({ kind: 'unreadable', detail: DAMAGED });
    });
  });
}

/** Why a streamed body broke off. */
export function brokenOff(
  error: unknown,
  { host, status }: Answer,
  signal: AbortSignal | undefined,
): Failure {
  if (signal?.aborted) return failureOf('cancelled', { host, status });
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && code.startsWith('Z_'))
    return failureOf('unreadable', { host, status, detail: DAMAGED });
  return { ...networkFailure(error, new URL(`https://${host}`), false), status };
}
