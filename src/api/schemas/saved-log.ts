import type { LogRecord } from '../../domain/log.ts';
import { type Gap, gapReasonOf } from '../../domain/tail/coverage.ts';
import { isObject, jsonOrNull } from '../http/json.ts';
import { timestampOf } from '../timestamp.ts';
import { logRecordOf, RowValues, rawText } from './log.ts';
import { logRecordOfLine, urlParts } from './log-v1.ts';
import { csvEntry, csvHead } from './saved-csv.ts';
import { type SyslogLine, syslogLineOf } from './syslog.ts';

type SavedLine = { kind: 'record'; record: LogRecord } | { kind: 'gap'; gap: Omit<Gap, 'id'> };

/** Reads the lines of one file; null = a line that holds no row, such as the head of a CSV file. */
type SavedLineReader = (text: string, otherwise: number) => SavedLine | null;

/**
 * Lines of saved logs: the NDJSON or CSV that `logs` prints, entries as the API gives them, CDN logs v1, or what log forwarding
 * makes of those. Never throws: a line of no known shape is a record with `raw` set, at the time `otherwise` (Unix ms).
 */
export function createSavedLineReader(): SavedLineReader {
  let head: readonly string[] | null = null;
  return (text, otherwise) => {
    const first = text.trimStart()[0];
    if (first === '{') return jsonLine(text, otherwise);
    const forwarded = first === '<' ? syslogLineOf(text.trimStart()) : null;
    if (forwarded !== null) return forwardedLine(forwarded, otherwise);
    if (first !== '"') return { kind: 'record', record: logRecordOfLine(text, otherwise) };
    const names = csvHead(text);
    if (names !== null) {
      head = names;
      return null;
    }
    const entry = head === null ? null : csvEntry(text, head);
    if (typeof entry === 'string') return jsonLine(entry, otherwise);
    return {
      kind: 'record',
      record: entry === null ? logRecordOf(text, otherwise) : savedRecordOf(entry, otherwise),
    };
  };
}

/** An entry under the API's field names; of one that has no more than its URL, the parts of that. */
export function savedRecordOf(row: object, otherwise: number): LogRecord {
  const entry: Record<string, unknown> = { ...row };
  const { url, _raw: raw } = entry;
  const isBare = !URL_PARTS.some((name) => name in entry);
  const whole = {
    ...entry,
    ...(isBare && typeof url === 'string' ? urlParts(url) : {}),
    ...('referer' in entry || !('refererUrl' in entry) ? {} : { referer: entry['refererUrl'] }),
  };
  const record = logRecordOf(whole, otherwise);
  if (typeof raw === 'string') return { ...record, raw: rawText(raw) };
  return record.raw === null ? record : { ...record, raw: rawText(row) };
}

const URL_PARTS = ['scheme', 'host', 'path'] as const;

function jsonLine(text: string, otherwise: number): SavedLine {
  const row = jsonOrNull(text);
  if (!isObject(row)) return { kind: 'record', record: logRecordOf(text, otherwise) };
  const gap = '_gap' in row ? gapOf(row['_gap']) : null;
  return gap === null ? { kind: 'record', record: savedRecordOf(row, otherwise) } : { kind: 'gap', gap };
}

/** What was forwarded, without the head that it was sent under; that stays where the rest is no row. */
function forwardedLine({ head, sentAt, message }: SyslogLine, otherwise: number): SavedLine {
  const near = sentAt ?? otherwise;
  if (message.startsWith('{')) return jsonLine(message, near);
  const record = logRecordOfLine(message, near);
  return {
    kind: 'record',
    record: record.raw === null ? record : { ...record, raw: rawText(head + record.raw) },
  };
}

function gapOf(value: unknown): Omit<Gap, 'id'> | null {
  if (!isObject(value)) return null;
  const { from, to, reason, rows, zone } = value;
  const range = { from: timestampOf(from), to: timestampOf(to) };
  if (range.from === null || range.to === null || range.to < range.from) return null;
  const zoneId = new RowValues(false).id(zone);
  return {
    from: range.from,
    to: range.to,
    reason: gapReasonOf(reason),
    rows: typeof rows === 'number' && Number.isSafeInteger(rows) && rows >= 0 ? rows : null,
    ...(zoneId === '' ? {} : { zone: zoneId }),
  };
}
