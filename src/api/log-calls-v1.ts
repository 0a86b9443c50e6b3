import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import type { Failure, Result } from '../domain/failure.ts';
import { dayParts, idSegment, queryText } from '../domain/handover/wire-request.ts';
import type { LogRecord } from '../domain/log.ts';
import { type Strays, withoutStrays } from '../domain/strays.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import { DAY } from '../text/units.ts';
import type { Call } from './caller.ts';
import { type Answer, answerParts, failureOfStatus } from './http/response.ts';
import { brokenOff, type OpenAnswer } from './http/response-body.ts';
import { STRAY_FIELDS } from './schemas/log-row.ts';
import { logRecordOfLine } from './schemas/log-v1.ts';

/**
 * One UTC day of a zone. `order` is always given: servers have different defaults. `start`: lines to skip; `status`:
 * class digits, all when absent.
 */
export type LogDayRequest = {
  pullZoneId: string;
  /** `YYYY-MM-DD` */
  day: string;
  order: 'asc' | 'desc';
  start?: number;
  end?: number;
  status?: string;
  search?: string;
};

/** Rows in file order; those of another shape are among them, with `raw` set. */
export type LogBatch = { records: LogRecord[]; bad: number; strays?: Strays };

/** Ends after the last batch or after one failure. Leaving the loop ends the request. */
export type LogLines = AsyncIterable<Result<LogBatch>>;

/** No request line or header is longer on the platform's edge; a longer line is truncated and shown raw. */
const LONGEST_LINE = 64 * 1024;
const BATCH = 1_000;

/** Null for an invalid id or day. */
export function logDayCall(r: LogDayRequest): Call<null> | null {
  const id = idSegment(r.pullZoneId);
  const day = dayParts(r.day);
  if (id === null || day === null) return null;
  const { order, start, end, status, search } = r;
  const query = queryText({ sort: order, start, end, status, search });
  return {
    host: 'logging',
    method: 'GET',
    path: `/${day.month}-${day.date}-${day.year.slice(2)}/${id}.log${query}`,
    read: (answer) => {
      const failure = failureOfStatus(answer) ?? failureOfType(answer);
      return failure === null ? { ok: true, value: null } : { ok: false, failure };
    },
  };
}

/** Lines are plain text: an object is an error with a status of success, an HTML page is somebody else's. */
function failureOfType(answer: Answer): Failure | null {
  const type = answer.headers['content-type'] ?? '';
  if (/json/i.test(type)) return answerParts(answer, 'errorInside', `${type} in the place of lines`);
  return /html/i.test(type) ? answerParts(answer, 'wrongShape', `${type} in the place of lines`) : null;
}

/** A day without data is a 404 without an error code, or an empty 200: both mean no lines. */
export function isDayWithoutData(failure: Failure): boolean {
  return failure.kind === 'notFound';
}

/** The body in batches of the rows asked for, one batch in memory. A line without a time takes the day's. */
export async function* v1Lines(
  opened: OpenAnswer,
  { pullZoneId, day }: Pick<LogDayRequest, 'pullZoneId' | 'day'>,
  signal?: AbortSignal,
): LogLines {
  const { answer, body, hangUp } = opened;
  const from = dayParts(day)?.start ?? 0;
  const asked = { from, to: from + DAY, zone: pullZoneId };
  try {
    const decoder = new StringDecoder('utf8');
    let rest = '';
    let lines: string[] = [];
    for await (const chunk of plain(answer, body)) {
      const parts = (rest + decoder.write(chunk)).split('\n');
      rest = (parts.pop() ?? '').slice(0, LONGEST_LINE);
      for (const line of parts) if (line.trim() !== '') lines.push(line.slice(0, LONGEST_LINE));
      while (lines.length >= BATCH) {
        yield batchOf(lines.slice(0, BATCH), asked, answer.scrub);
        lines = lines.slice(BATCH);
      }
    }
    if (rest.trim() !== '') lines.push(rest);
    if (lines.length > 0) yield batchOf(lines, asked, answer.scrub);
  } catch (error) {
    yield { ok: false, failure: brokenOff(error, answer, signal) };
  } finally {
    hangUp();
  }
}

function batchOf(
  lines: string[],
  asked: TimeRange & { zone: string },
  scrub: Answer['scrub'],
): Result<LogBatch> {
  let near = asked.from;
  let bad = 0;
  const records = lines.map((line) => {
    const record = logRecordOfLine(scrub(line.endsWith('\r') ? line.slice(0, -1) : line), near);
    if (record.raw === null) near = record.timestamp;
    else bad += 1;
    return record;
  });
  const { kept, ...strays } = withoutStrays(records, asked, STRAY_FIELDS);
  return { ok: true, value: { records: kept, bad, ...strays } };
}

function plain(answer: Answer, body: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
  if (!/^x?-?gzip$/i.test(answer.headers['content-encoding'] ?? '')) return body as AsyncIterable<Buffer>;
  const source = body as Readable;
  const unzip = createGunzip();
  source.once('error', (error) => unzip.destroy(error));
  return source.pipe(unzip);
}
