import { failureOf, type Result } from '../domain/failure.ts';
import type { Clock } from '../time/clock.ts';
import type { Answer } from './answer.ts';
import { decodeBody, LARGEST_BODY, readUpTo } from './body.ts';

/** An answer whose body is still to come; `hangUp` ends it at any time. */
export type OpenAnswer = { answer: Answer; body: AsyncIterable<Uint8Array>; hangUp: () => void };

/** An error's message is short; a page in its place is not worth the link. */
const LARGEST_ERROR = 256 * 1024;

export function isSuccess(answer: Answer): boolean {
  return answer.status >= 200 && answer.status <= 299;
}

/** Of an answer that failed, the status alone is enough: a body that is too much or does not come is left out. */
export async function readWhole(opened: OpenAnswer, clock: Clock): Promise<Result<Answer>> {
  const { answer, body, hangUp } = opened;
  if (isSuccess(answer)) return readBody(answer, body, hangUp, LARGEST_BODY, clock);
  try {
    const read = await readBody(answer, body, hangUp, LARGEST_ERROR, clock);
    return read.ok ? read : { ok: true, value: answer };
  } catch {
    return { ok: true, value: answer };
  }
}

async function readBody(
  answer: Answer,
  body: AsyncIterable<Uint8Array>,
  hangUp: () => void,
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
  const decoded = await decodeBody(bytes, headers['content-encoding'] ?? null, cap);
  if (decoded.ok) return { ok: true, value: { ...answer, bytes: decoded.bytes, receivedAt: clock.now() } };
  const { kind, detail } = decoded.fault;
  return { ok: false, failure: failureOf(kind, { host, status, detail }) };
}
