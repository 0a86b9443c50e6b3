import { FAILURES, type FailureKind } from '../../domain/failure.ts';
import type { Json } from '../../domain/shield/shield.ts';
import type { HostName } from '../http/origin.ts';
import { LATEST_TIMESTAMP } from '../timestamp.ts';

/** One answer of a recorded session. `at`: ms from its start to the sending of the request; `took`: ms. */
export type RecordedAnswer = {
  at: number;
  took: number;
  host: HostName;
  method: 'GET' | 'POST';
  /** With its query, without secrets. */
  path: string;
  body: Json;
  /** What came: an HTTP answer, or why there was none. */
  outcome:
    | { status: number; headers: Record<string, string>; text: string }
    | { failure: FailureKind; detail: string };
};

/** `startedAt`: Unix ms of the clock of the machine that recorded. */
export type Recording = { startedAt: number; answers: readonly RecordedAnswer[] };

export type RecordingText = { ok: true; recording: Recording } | { ok: false; line: number; reason: string };

const VERSION = 1;
/** No answer took longer, ms: a replay waits as long as it says. */
const LONGEST_ANSWER = 600_000;
/** Deeper than any request of the program. */
const DEEPEST_BODY = 24;

/** The first line of a recording. */
export function recordingHead(startedAt: number): string {
  return `${JSON.stringify({ edgescopeRecording: VERSION, startedAt })}\n`;
}

export function recordedAnswerLine(answer: RecordedAnswer): string {
  return `${JSON.stringify(answer)}\n`;
}

/** Reads the lines of a recording. A last line that was cut short by a death of the program is left out. */
export function readRecording(text: string): RecordingText {
  const lines = text.split('\n').slice(0, -1);
  const head = parsed(lines[0] ?? '');
  if (typeof head?.['startedAt'] !== 'number' || head['edgescopeRecording'] === undefined)
    return { ok: false, line: 1, reason: 'it is not a recording of edgescope' };
  if (!isWithin(head['startedAt'], 0, LATEST_TIMESTAMP))
    return { ok: false, line: 1, reason: 'it begins at no time that a log could have' };
  if (head['edgescopeRecording'] !== VERSION)
    return {
      ok: false,
      line: 1,
      reason: `it was made by another version (${Number(head['edgescopeRecording'])})`,
    };
  const answers: RecordedAnswer[] = [];
  for (const [index, line] of lines.slice(1).entries()) {
    const answer = parsed(line);
    if (answer !== null && isAnswer(answer)) answers.push(answer);
    else return { ok: false, line: index + 2, reason: 'this line is no recorded answer' };
  }
  return { ok: true, recording: { startedAt: head['startedAt'], answers } };
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function isAnswer(value: Record<string, unknown>): value is RecordedAnswer {
  const outcome = value['outcome'] as Record<string, unknown> | null | undefined;
  return (
    isWithin(value['at'], 0, LATEST_TIMESTAMP) &&
    isWithin(value['took'], 0, LONGEST_ANSWER) &&
    typeof value['path'] === 'string' &&
    (value['host'] === 'main' || value['host'] === 'logging') &&
    (value['method'] === 'GET' || value['method'] === 'POST') &&
    isShallow(value['body'], DEEPEST_BODY) &&
    typeof outcome === 'object' &&
    outcome !== null &&
    (isFailure(outcome) || isHttpAnswer(outcome))
  );
}

function isFailure({ failure, detail }: Record<string, unknown>): boolean {
  return typeof failure === 'string' && Object.hasOwn(FAILURES, failure) && typeof detail === 'string';
}

function isHttpAnswer({ status, text, headers }: Record<string, unknown>): boolean {
  return (
    isWithin(status, 100, 599) &&
    typeof text === 'string' &&
    typeof headers === 'object' &&
    headers !== null &&
    Object.values(headers).every((value) => typeof value === 'string')
  );
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

/** Whether JSON can be gone through without a stack of any depth. */
export function isShallow(value: unknown, deepest: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return deepest > 0 && Object.values(value).every((inner) => isShallow(inner, deepest - 1));
}
