import { readFileSync, statSync } from 'node:fs';
import { failureOf, type Result } from '../../domain/failure.ts';
import { maskUrlSecrets } from '../../text/mask.ts';
import { inAscii } from '../../text/sanitise.ts';
import { type Clock, systemClock } from '../../time/clock.ts';
import { type Answer, DETAIL_LENGTH } from '../http/answer.ts';
import type { HostName } from '../http/origin.ts';
import { type HttpRequest, isWrite, type Transport } from '../http/transport.ts';
import { LARGEST_RECORDING } from './record.ts';
import { type RecordedAnswer, type Recording, readRecording } from './recording.ts';
import { redactedBody } from './redaction.ts';
import { type LogQuestion, logQuestionOf, type RecordedLog, recordedLog } from './replay-logs.ts';

/** What a session is replayed with: the clock of the recording, and the transport that gives its answers. */
export type Replay = { clock: Clock; over: () => Transport };

/** Opens a recording, or says why it is none. */
export function openReplay(path: string): { ok: true; replay: Replay } | { ok: false; reason: string } {
  let text: string;
  try {
    const { size } = statSync(path);
    if (size > LARGEST_RECORDING) return { ok: false, reason: 'it is larger than any recording' };
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string };
    return { ok: false, reason: code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})` };
  }
  const read = readRecording(text);
  if (!read.ok) return { ok: false, reason: `line ${read.line}: ${read.reason}` };
  const clock = replayClock(read.recording);
  return { ok: true, replay: { clock, over: () => replayed(read.recording, clock) } };
}

/** A window of time is another one when it is longer or shorter, or further away than so many ms. */
const SAME_LENGTH = 1_000;
const NEAR = 5 * 60_000;

type SearchBody = { from?: unknown; to?: unknown };

/** The clock of a replay: it starts where the recording did and runs as fast as any. */
function replayClock({ startedAt }: Recording): Clock {
  const begun = systemClock.monotonic();
  const now = () => startedAt + (systemClock.monotonic() - begun);
  return { ...systemClock, now, wall: now };
}

/**
 * Answers from a recording, each after the time that it took; nothing leaves the machine. CDN logs are answered from all
 * rows that were recorded of the same zone and filters, a search in Shield by the one with the nearest window of the
 * same length within five minutes, anything else by the same request; writes never.
 */
export function replayed({ startedAt, answers }: Recording, clock: Clock): Transport {
  const logs = new Map<string, RecordedLog>();
  const others = Map.groupBy(answers, (answer) => keyOf(answer.method, answer.path, answer.body));

  function answerTo(request: HttpRequest): RecordedAnswer | null {
    const path = maskUrlSecrets(request.path);
    const question = logQuestionOf(path);
    if (question !== null) return logAnswer(request, path, question);
    const body = redactedBody(request.body);
    const same = others.get(keyOf(request.method, path, body)) ?? [];
    const { from, to } = (body ?? {}) as SearchBody;
    if (typeof from === 'number' && typeof to === 'number') return nearest(same, from, to);
    const elapsed = clock.now() - startedAt;
    return same.findLast((answer) => answer.at <= elapsed) ?? same[0] ?? null;
  }

  function logAnswer(request: HttpRequest, path: string, question: LogQuestion): RecordedAnswer | null {
    const log =
      logs.get(question.key) ??
      recordedLog(answers.filter(({ path }) => logQuestionOf(path)?.key === question.key));
    logs.set(question.key, log);
    const page = log.page(question);
    if (page === null) return log.failure(question.from, question.to);
    const { limit, offset } = question;
    const pagination = { offset, limit, returned: page.rows.length, hasMore: page.hasMore };
    const headers = { 'content-type': 'application/json' };
    const text = JSON.stringify({ data: page.rows, pagination });
    const at = clock.now() - startedAt;
    const outcome = { status: 200, headers, text };
    return { at, took: 0, host: request.host, method: 'GET', path, body: null, outcome };
  }

  async function send(request: HttpRequest, signal?: AbortSignal): Promise<Result<Answer>> {
    const sentAt = clock.now();
    const host = hostOf(request.host);
    const refused = objection(request);
    const found = refused === null ? answerTo(request) : null;
    if (found === null) return { ok: false, failure: refused ?? failureOf('notRecorded', { host }) };
    await clock.sleep(found.took, signal);
    if (signal?.aborted) return { ok: false, failure: failureOf('cancelled', { host }) };
    const { outcome } = found;
    // A recording is a file, in which somebody may have written anything; a recorded detail has its escapes already.
    if ('failure' in outcome)
      return {
        ok: false,
        failure: failureOf(outcome.failure, { host, detail: inAscii(outcome.detail, DETAIL_LENGTH) }),
      };
    const { status, text } = outcome;
    const receivedAt = clock.now();
    // The server's clock goes with the one of the replay: its answers are as new as they were.
    const headers = { ...outcome.headers, date: new Date(receivedAt).toUTCString() };
    return {
      ok: true,
      value: { host, status, headers, bytes: Buffer.from(text), sentAt, receivedAt, scrub: (words) => words },
    };
  }

  function objection(request: HttpRequest) {
    return isWrite(request) ? failureOf('readOnly', { host: hostOf(request.host) }) : null;
  }

  return {
    send,
    objection,
    hostOf: ({ host }) => hostOf(host),
    scrub: (text) => text,
    // Day files are not recorded: they are read as they come.
    open: (request) =>
      Promise.resolve({ ok: false, failure: failureOf('notRecorded', { host: hostOf(request.host) }) }),
    close: () => Promise.resolve(),
  };
}

function hostOf(host: HostName): string {
  return `recording (${host})`;
}

/** A request without the window that it asks about. */
function keyOf(method: string, path: string, body: unknown): string {
  const { from: _from, to: _to, ...rest } = (body ?? {}) as SearchBody & Record<string, unknown>;
  return `${method} ${path} ${JSON.stringify(Object.entries(rest).sort())}`;
}

function nearest(answers: readonly RecordedAnswer[], from: number, to: number): RecordedAnswer | null {
  const away = (answer: RecordedAnswer) => {
    const asked = answer.body as { from: number; to: number };
    const isAsLong = Math.abs(asked.to - asked.from - (to - from)) <= SAME_LENGTH;
    return isAsLong ? Math.abs(asked.to - to) : Number.POSITIVE_INFINITY;
  };
  const [best] = answers.toSorted((a, b) => away(a) - away(b));
  return best !== undefined && away(best) <= NEAR ? best : null;
}
