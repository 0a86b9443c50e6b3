import { joinedRanges, type TimeRange } from '../../domain/tail/coverage.ts';
import { timestampOf } from '../timestamp.ts';
import { isShallow, type RecordedAnswer } from './recording.ts';

/** All that was recorded of one question about a zone's log: its rows once each, and the time that answers covered. */
export type RecordedLog = {
  /**
   * What is known of a question from its beginning on, in its order: `hasMore` where the answers that were recorded end
   * before the question does. Null where they do not hold its beginning.
   */
  page: (question: LogQuestion) => { rows: unknown[]; hasMore: boolean } | null;
  /** An answer that failed and was about this time; null without one. */
  failure: (from: number, to: number) => RecordedAnswer | null;
};

export type LogQuestion = {
  /** The zone and what was asked of it, without the window and the page. */
  key: string;
  from: number;
  to: number;
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
};

type Row = { at: number; isDated: boolean; json: string; value: unknown };

const LOGS = /^\/v2\/pullzones\/\d+\/logs$/;
const OF_THE_WINDOW: readonly string[] = ['from', 'to', 'order', 'limit', 'offset'];
const USUAL_LIMIT = 100;
/** No answer of the API holds more rows, and no row is deeper: the rest of a recording was not recorded. */
const MOST_ROWS = 10_000;
const DEEPEST_ROW = 24;
/**
 * ms that a replay may ask before or behind a window that was asked: it starts a little sooner or later. Never into time
 * that was asked for and not read: rows are known to be there, or nobody knows.
 */
const EDGE = 2_000;

/** The question in a path of the logging API; null for another path. */
export function logQuestionOf(path: string): LogQuestion | null {
  const [route = '', query = ''] = path.split('?', 2);
  if (!LOGS.test(route)) return null;
  const asked = new URLSearchParams(query);
  const filters = [...asked].filter(([name]) => !OF_THE_WINDOW.includes(name)).sort();
  return {
    key: `${route}?${new URLSearchParams(filters)}`,
    from: Date.parse(asked.get('from') ?? ''),
    to: Date.parse(asked.get('to') ?? ''),
    order: asked.get('order') === 'asc' ? 'asc' : 'desc',
    limit: Number(asked.get('limit') ?? USUAL_LIMIT),
    offset: Number(asked.get('offset') ?? 0),
  };
}

/** `answers` are all of one question, in any order. */
export function recordedLog(answers: readonly RecordedAnswer[]): RecordedLog {
  const kept = new Map<string, Row[]>();
  const covered: TimeRange[] = [];
  const unread: TimeRange[] = [];
  for (const answer of answers) {
    const question = logQuestionOf(answer.path);
    if (question === null) continue;
    const page = pageOf(answer);
    if (page === null) {
      unread.push(question);
      continue;
    }
    const rows = rowsOf(page.data, question);
    // Two rows of one answer that are the same text are two requests; in two answers they are one.
    for (const [json, same] of Map.groupBy(rows, (row) => row.json)) {
      if (same.length > (kept.get(json)?.length ?? 0)) kept.set(json, same);
    }
    if (question.offset > 0) continue;
    const reach = reachOf(question, rows, page.hasMore);
    covered.push(reach.read);
    unread.push(reach.left);
  }
  const inOrder = [...kept.values()].flat().sort((a, b) => a.at - b.at);
  const whole = joinedRanges(covered.filter(({ from, to }) => to > from)).map((range) =>
    widened(range, unread),
  );
  return {
    page({ from, to, order, limit, offset }) {
      const isAscending = order === 'asc';
      const range = whole.find((each) =>
        isAscending ? each.from <= from && each.to > from : each.to >= to && each.from < to,
      );
      if (range === undefined) return null;
      const known = inOrder.filter(
        ({ at }) => at >= Math.max(from, range.from) && at < Math.min(to, range.to),
      );
      const isWhole = range.from <= from && range.to >= to;
      // More to come behind nothing would be asked for again and again.
      if (!isWhole && known.length <= offset) return null;
      const rows = (isAscending ? known : known.reverse()).slice(offset, offset + limit);
      return { rows: rows.map((row) => row.value), hasMore: !isWhole || known.length > offset + limit };
    },
    failure: (from, to) =>
      answers.find((answer) => {
        const question = logQuestionOf(answer.path);
        return pageOf(answer) === null && question !== null && question.from < to && question.to > from;
      }) ?? null,
  };
}

/**
 * The time that an answer tells of, and the rest of what was asked. With more to come it is complete up to its last row
 * of which the time can be read, whose millisecond may hold further ones.
 */
function reachOf(
  { from, to, order }: LogQuestion,
  rows: readonly Row[],
  hasMore: boolean,
): { read: TimeRange; left: TimeRange } {
  if (!hasMore) return { read: { from, to }, left: { from: to, to } };
  const last = rows.findLast((row) => row.isDated)?.at;
  const isAscending = order === 'asc';
  const cut = isAscending ? (last ?? from) : last === undefined ? to : last + 1;
  const before = { from, to: Math.min(cut, to) };
  const behind = { from: Math.max(cut, from), to };
  return isAscending ? { read: before, left: behind } : { read: behind, left: before };
}

/** The range with the margin that a replay needs, as far as nothing unread lies in it. */
function widened({ from, to }: TimeRange, unread: readonly TimeRange[]): TimeRange {
  const before = unread.filter((each) => each.from < from && each.to > from - EDGE);
  const behind = unread.filter((each) => each.to > to && each.from < to + EDGE);
  return {
    from: Math.max(from - EDGE, ...before.map((each) => Math.min(each.to, from))),
    to: Math.min(to + EDGE, ...behind.map((each) => Math.max(each.from, to))),
  };
}

function pageOf({ outcome }: RecordedAnswer): { data: unknown[]; hasMore: boolean } | null {
  if (!('status' in outcome) || outcome.status !== 200) return null;
  try {
    const page = JSON.parse(outcome.text) as { data?: unknown; pagination?: { hasMore?: unknown } };
    if (!Array.isArray(page.data)) return null;
    const data = page.data.slice(0, MOST_ROWS).map((row) => (isShallow(row, DEEPEST_ROW) ? row : null));
    return { data, hasMore: page.pagination?.hasMore === true || page.data.length > MOST_ROWS };
  } catch {
    return null;
  }
}

/** A row without a time that can be read stands with the one before it. */
function rowsOf(values: readonly unknown[], { from, to, order }: LogQuestion): Row[] {
  let near = order === 'asc' ? from : to - 1;
  return values.map((value) => {
    const stamp = (value as { timestamp?: unknown } | null)?.timestamp;
    const time = timestampOf(stamp);
    near = time ?? near;
    return { at: near, isDated: time !== null, json: JSON.stringify(value), value };
  });
}
