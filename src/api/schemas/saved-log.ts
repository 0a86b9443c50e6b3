import { type LogRecord, TEXT_NAMES, WIRE_FIELDS } from '../../domain/log.ts';
import { type Gap, gapReasonOf } from '../../domain/tail/coverage.ts';
import { unsanitise } from '../../text/sanitise.ts';
import { isObject, jsonOrNull } from '../http/json.ts';
import { timestampOf } from '../timestamp.ts';
import { logRecordOf, RowValues, rawText } from './log-row.ts';
import { logRecordOfLine, urlParts } from './log-v1.ts';

type SavedLine = { kind: 'record'; record: LogRecord } | { kind: 'gap'; gap: Omit<Gap, 'id'> };

/** Reads the lines of one file; null = a line without a row, such as the head of a CSV file. */
type SavedLineReader = (text: string, otherwise: number) => SavedLine | null;

/**
 * Lines of saved logs: the NDJSON or CSV that `logs` prints, entries as the API sends them, CDN logs v1, or what log
 * forwarding makes of those. Never throws: a line of unknown shape is a record with `raw` set, at the time
 * `otherwise` (Unix ms).
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

/** An entry under the API's field names; one with only its URL gets the parts of that. */
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

/** What was forwarded, without its syslog head; that stays where the rest is no row. */
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
  const zoneId = new RowValues().id(zone);
  return {
    from: range.from,
    to: range.to,
    reason: gapReasonOf(reason),
    rows: typeof rows === 'number' && Number.isSafeInteger(rows) && rows >= 0 ? rows : null,
    ...(zoneId === '' ? {} : { zone: zoneId }),
  };
}

/** Texts that every entry has, so that an empty cell is an empty text and not an absence. */
const ALWAYS: ReadonlySet<string> = new Set(TEXT_NAMES.filter((name) => WIRE_FIELDS[name].absent !== 'null'));

/** `--format csv` quotes every field. */
const CELL = /"((?:[^"]|"")*)"(,|$)/y;

/** The column names in the first line of a printed log; null = no such head. */
function csvHead(line: string): string[] | null {
  const names = cellsOf(line);
  return names?.includes('timestamp') && names.includes('statusCode') ? names : null;
}

/** A printed row under the names of its columns, the JSON text of a printed gap, or null for anything else. */
function csvEntry(line: string, head: readonly string[]): Record<string, string | null> | string | null {
  const cells = cellsOf(line)?.map(printed);
  if (cells === undefined || cells.length !== head.length) return null;
  if (cells[0]?.startsWith('{"_gap"')) return cells[0];
  return Object.fromEntries(
    head.map((name, i) => {
      const cell = cells[i] ?? '';
      return [name, cell === '' && !ALWAYS.has(name) ? null : cell];
    }),
  );
}

function cellsOf(line: string): string[] | null {
  const cells: string[] = [];
  CELL.lastIndex = 0;
  for (let match = CELL.exec(line); match !== null; match = CELL.exec(line)) {
    cells.push((match[1] ?? '').replaceAll('""', '"'));
    if (match[2] === '') return CELL.lastIndex === line.length ? cells : null;
  }
  return null;
}

/** The text before it was escaped and guarded from spreadsheets: see `csvLine`. */
function printed(cell: string): string {
  return unsanitise(/^'[=+\-@]/.test(cell) ? cell.slice(1) : cell);
}

/** A line of syslog (RFC 5424): its head, when it was sent (Unix ms, null = unsaid), and its message. */
type SyslogLine = { head: string; sentAt: number | null; message: string };

/** Priority, version, time, host, program, process and message id; structured data follows. */
const HEAD = /^<\d{1,3}>\d{1,2} (\S+) \S+ \S+ \S+ \S+ /;
/** Marks of a message in UTF-8; forwarding has been seen to spell one in letters. */
const MARKS = ['\ufeff', 'BOM'] as const;

/** The parts of a line of syslog; null for any other. */
export function syslogLineOf(line: string): SyslogLine | null {
  const head = HEAD.exec(line);
  if (head === null) return null;
  const end = dataEnd(line, head[0].length);
  if (end === null) return null;
  const marked = line[end] === ' ' ? end + 1 : end;
  const mark = MARKS.find((each) => line.startsWith(each, marked)) ?? '';
  const start = marked + mark.length;
  return { head: line.slice(0, start), sentAt: timestampOf(head[1] ?? ''), message: line.slice(start) };
}

/** Where structured data ends: a dash, or elements in brackets, whose quoted values may hold any character. */
function dataEnd(line: string, start: number): number | null {
  if (line[start] === '-') return start + 1;
  let at = start;
  while (line[at] === '[') {
    let isQuoted = false;
    for (at += 1; at < line.length && (isQuoted || line[at] !== ']'); at += 1) {
      if (line[at] === '"') isQuoted = !isQuoted;
      else if (line[at] === '\\' && isQuoted) at += 1;
    }
    at += 1;
  }
  return at > start && at <= line.length ? at : null;
}
