import { closeSync, openSync } from 'node:fs';
import type { Result } from '../../domain/failure.ts';
import { writeWhole } from '../../files/durable-files.ts';
import { maskUrlSecrets } from '../../text/mask.ts';
import type { Clock } from '../../time/clock.ts';
import { type Answer, textOfUtf8 } from '../http/answer.ts';
import type { HttpRequest, Transport } from '../http/transport.ts';
import { type RecordedAnswer, recordedAnswerLine, recordingHead } from './recording.ts';
import { redactedAnswer, redactedBody } from './redaction.ts';

type Recorder = {
  /** The same transport, whose whole answers are written down. */
  over: (transport: Transport) => Transport;
  /** Closes the file; what to tell the user of it, null for nothing. */
  close: () => string | null;
};

/** Bytes; a recording is for looking at an incident again, not for keeping a log. */
export const LARGEST_RECORDING = 200_000_000;

/** Headers that the program reads. */
const HEADERS = ['content-type', 'date', 'location', 'retry-after'];

/**
 * Writes a new file, readable by its owner only, with every answer less its secrets. Null when the file is there
 * already or cannot be made. `largest`: bytes, after which nothing more is written.
 */
export function createRecorder(path: string, clock: Clock, largest = LARGEST_RECORDING): Recorder | null {
  const file = opened(path);
  if (file === null) return null;
  const startedAt = clock.now();
  let left = largest;
  let isFull = false;
  let fault: string | null = null;

  function write(line: string): void {
    const bytes = Buffer.byteLength(line);
    isFull ||= bytes > left;
    if (isFull || fault !== null) return;
    left -= bytes;
    try {
      writeWhole(file as number, line);
    } catch (error) {
      fault = (error as { code?: string }).code ?? 'unknown';
    }
  }

  function note(transport: Transport, request: HttpRequest, sentAt: number, result: Result<Answer>): void {
    const outcome = outcomeOf(transport, request, result);
    if (outcome === null) return;
    const { host, method, path: asked, body } = request;
    const entry = {
      at: Math.round(sentAt - startedAt),
      took: Math.round(clock.now() - sentAt),
      host,
      method,
      path: maskUrlSecrets(asked),
      body: redactedBody(body),
      outcome,
    };
    write(transport.scrub(recordedAnswerLine(entry)));
  }

  write(recordingHead(startedAt));
  return {
    over: (transport) => ({
      ...transport,
      async send(request, signal) {
        const sentAt = clock.now();
        const result = await transport.send(request, signal);
        note(transport, request, sentAt, result);
        return result;
      },
    }),
    close() {
      closeSync(file);
      if (fault !== null) return `the recording ${path} is not complete: it could not be written (${fault})`;
      return isFull ? `the recording ${path} is not complete: it is full at ${largest / 1e6} MB` : null;
    },
  };
}

/** Null for what is not written down: what nobody waited for, and text that cannot be looked through for secrets. */
function outcomeOf(
  transport: Transport,
  request: HttpRequest,
  result: Result<Answer>,
): RecordedAnswer['outcome'] | null {
  if (!result.ok) {
    const { kind, detail } = result.failure;
    return kind === 'cancelled' ? null : { failure: kind, detail };
  }
  const { status, headers, bytes } = result.value;
  const text = textOfUtf8(bytes) ?? '';
  const redacted = text === '' ? '' : redactedAnswer(request.path, transport.scrub(text));
  return {
    status,
    headers: Object.fromEntries(
      HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, maskUrlSecrets(headers[name])]])),
    ),
    text: redacted ?? '"[not JSON: left out]"',
  };
}

function opened(path: string): number | null {
  try {
    return openSync(path, 'wx', 0o600);
  } catch {
    return null;
  }
}
