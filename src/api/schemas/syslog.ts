import { timestampOf } from '../timestamp.ts';

/** A line of syslog (RFC 5424): its head as it stands, when it was sent (Unix ms, null = not said), and its message. */
export type SyslogLine = { head: string; sentAt: number | null; message: string };

/** Priority, version, time, host, program, process and message id; structured data follows. */
const HEAD = /^<\d{1,3}>\d{1,2} (\S+) \S+ \S+ \S+ \S+ /;
/** What marks a message as UTF-8; forwarding has been seen to spell it in letters. */
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

/** Where structured data ends: a dash, or elements in brackets with values in quotes that may hold any sign. */
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
