import * as z from 'zod';
import { FAILURES, type FailureKind } from '../../domain/failure.ts';
import type { Json } from '../../domain/shield/shield.ts';
import { LATEST_TIMESTAMP } from '../timestamp.ts';

const VERSION = 1;
/** No answer took longer, ms: a replay waits as long as it says. */
const LONGEST_ANSWER = 600_000;
/** Deeper than any request of the program. */
const DEEPEST_BODY = 24;

/** One answer of a recorded session. */
const recordedAnswer = z.lazy(() =>
  z.object({
    /** ms from the start of the session to the sending of the request. */
    at: z.number().min(0).max(LATEST_TIMESTAMP),
    /** ms */
    took: z.number().min(0).max(LONGEST_ANSWER),
    host: z.enum(['main', 'logging', 'originErrors', 'storage']),
    method: z.enum(['GET', 'POST']),
    /** With its query, without secrets. */
    path: z.string(),
    body: z.custom<Json>((body) => isShallow(body, DEEPEST_BODY)),
    /** What came: an HTTP answer, or why there was none. */
    outcome: z.union([
      z.object({ failure: z.enum(FAILURE_KINDS), detail: z.string() }),
      z.object({
        status: z.number().min(100).max(599),
        headers: z.record(z.string(), z.string()),
        text: z.string(),
      }),
    ]),
  }),
);

const FAILURE_KINDS = Object.keys(FAILURES) as FailureKind[];

export type RecordedAnswer = z.infer<typeof recordedAnswer>;

/** `startedAt`: Unix ms of the clock of the machine that recorded. */
export type Recording = { startedAt: number; answers: readonly RecordedAnswer[] };

type RecordingText = { ok: true; recording: Recording } | { ok: false; line: number; reason: string };

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
  const { edgescopeRecording: version, startedAt } = (parsed(lines[0] ?? '') ?? {}) as Record<
    string,
    unknown
  >;
  const refused = (line: number, reason: string) => ({ ok: false, line, reason }) as const;
  if (typeof startedAt !== 'number' || version === undefined)
    return refused(1, 'it is not a recording of edgescope');
  if (!(startedAt >= 0 && startedAt <= LATEST_TIMESTAMP))
    return refused(1, 'it begins at no time that a log could have');
  if (version !== VERSION) return refused(1, `it was made by another version (${Number(version)})`);
  const answers: RecordedAnswer[] = [];
  for (const [index, line] of lines.slice(1).entries()) {
    const answer = recordedAnswer.safeParse(parsed(line));
    if (!answer.success) return refused(index + 2, 'this line is no recorded answer');
    answers.push(answer.data);
  }
  return { ok: true, recording: { startedAt, answers } };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Whether JSON can be gone through without a stack of any depth. */
export function isShallow(value: unknown, deepest: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return deepest > 0 && Object.values(value).every((inner) => isShallow(inner, deepest - 1));
}
