import type { Failure } from '../../domain/failure.ts';
import type { LogRecord } from '../../domain/log.ts';
import { KEPT_WORDS, LOG_RETENTION } from '../../domain/log-retention.ts';
import type { Query } from '../../domain/query/query.ts';
import { printQuery } from '../../domain/query/query-text.ts';
import { type Strays, sentStrays, sumOfStrays } from '../../domain/strays.ts';
import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import { serverClock } from '../../effects/server-clock.ts';
import { reasonOf } from '../../effects/tail/tail-health.ts';
import { say } from '../../text/say.ts';
import { DAY, dayOf, isoSecond } from '../../text/units.ts';
import type { Printer } from '../printer.ts';
import { createProgressLine, progressText } from '../progress.ts';
import type { PartSource, PrintedQuestion } from './log-question.ts';
import { type PrintedPart, partAlone } from './merged-parts.ts';

/** Query fields that no line of a v1 file has a value for. */
const ABSENT: readonly string[] = ['ja4', 'asn', 'org'];

/** The reading of a whole UTC day, from its midnight (Unix ms), from its v1 file: every term is decided here. */
export function dayReading(reading: PrintedQuestion, midnight: number, query: Query): PrintedQuestion {
  const range = { from: midnight, to: midnight + DAY };
  return { ...reading, range, gone: null, hereText: printQuery({ ...query, window: null, groupBy: [] }) };
}

/** The lines of the day file as they come, a batch held at a time. A broken stream leaves the rest as a gap. */
export function daySource(o: Printer, reading: PrintedQuestion, query: Query): PartSource {
  return async function* parts() {
    const { range } = reading;
    const [{ zone }] = reading.zones;
    const day = dayOf(range.from, 'utc');
    const opened = await o.client.logsV1(
      { pullZoneId: zone.id, day, order: 'asc', ...classesOf(query) },
      { priority: 'user' },
    );
    let readTo = range.from;
    if (!opened.ok) {
      yield part({ from: readTo, to: range.to }, [], opened.failure);
      return;
    }
    let rows = 0;
    let strayed: Strays | null = null;
    const progress = createProgressLine(o, (times) =>
      progressText({ range, readTo, rows, requests: 1, quota: o.client.logQuota(zone.id), ...times }),
    );
    try {
      for await (const batch of opened.value) {
        if (!batch.ok) {
          progress.erase();
          yield part({ from: readTo, to: range.to }, [], batch.failure);
          return;
        }
        const { records, strays } = batch.value;
        strayed = sumOfStrays(strayed, strays ?? null);
        rows += records.length;
        // A line without a time stands at that of the line before it.
        const to = records.reduce((latest, { timestamp }) => Math.max(latest, timestamp), readTo);
        yield part({ from: readTo, to }, records, null);
        readTo = to;
        progress.show();
      }
    } finally {
      progress.end();
    }
    if (strayed !== null) {
      say(o.stderr, sentStrays('the day file', strayed));
      const gap: Gap = { ...range, id: 'strays', reason: 'strays', rows: null };
      yield partAlone({ range: { from: readTo, to: range.to }, records: [], gap, failure: null });
    } else if (rows === 0) {
      const { status } = classesOf(query);
      const asked =
        status === undefined ? '' : ` of status ${status.replace(/\d/g, '$&xx').replaceAll(',', ', ')}`;
      say(o.stderr, `v1 has no lines${asked} for ${day}`);
    }
  };
}

/** What the day file lacks, said once; a term on such a field is named, since it can match nothing. */
export function sayDayLimits(o: Printer, reading: PrintedQuestion, query: Query): void {
  const asked = query.terms.flatMap((term) =>
    term.kind === 'field' && ABSENT.includes(term.field) ? [term.field] : [],
  );
  const grouped = query.groupBy.filter((field) => ABSENT.includes(field));
  const now = serverClock(o, 'main')();
  const oldest = now - LOG_RETENTION.logsV1;
  const inVain = [...new Set([...asked, ...grouped])].join(', ');
  say(
    o.stderr,
    'v1 lines have no JA4, AS number or AS name: null here; lines of a status below 200 are not in it',
  );
  if (inVain !== '') say(o.stderr, `${inVain}: v1 has no value to compare`);
  if (reading.range.from < oldest)
    say(o.stderr, `${KEPT_WORDS.logsV1}: lines before ${isoSecond(oldest)} may be gone`);
  if (reading.range.to > now) say(o.stderr, 'the day is not over: later lines are still to come');
}

function part(range: TimeRange, records: readonly LogRecord[], failure: Failure | null): PrintedPart {
  const gap = failure === null ? null : { ...range, id: 'v1', reason: reasonOf(failure), rows: null };
  return partAlone({ range, records, gap, failure });
}

/** The classes of status that can match, which the day file is asked for; all of them when any may. */
function classesOf(query: Query): { status?: string } {
  const term = query.terms.find(
    (each) => each.kind === 'field' && each.field === 'status' && each.op === 'eq' && !each.negated,
  );
  if (term?.kind !== 'field') return {};
  const digits = [...new Set(term.values.map((value) => value[0] ?? ''))];
  return digits.every((digit) => /^[2-5]$/.test(digit)) ? { status: digits.join(',') } : {};
}
