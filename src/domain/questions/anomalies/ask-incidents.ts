import { count, counted, duration, percent, timeOfDay } from '../../../text/units.ts';
import { matcher } from '../../query/match.ts';
import { splitForServer } from '../../query/push-down.ts';
import type { Query } from '../../query/query.ts';
import { clockSteps, type TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import {
  type AnswerRow,
  type AnswerSection,
  type AnswerTable,
  ledBy,
  within,
} from '../inquiry/answer-table.ts';
import type { Inquiry, LogNeed } from '../inquiry/inquiry.ts';
import { type AnomalyValue, type AnomalyWindow, anomalyWindowsOf } from './anomaly-windows.ts';
import { type Sample, sampleOf, TROUBLE } from './samples.ts';

/** A sample stands for this long, ms: attacks and storms that last five minutes are met by one at least. */
const STEP = 4 * 60_000;

/** Rows of a sample: enough that a tenth of the requests stands out, and 1,000 samples are some megabytes packed. */
const ROWS = 400;

/** Samples of rows that are held: fewer do not tell what is usual, looking at a thousand takes longer than a frame. */
const HELD_SAMPLES = { least: 12, most: 720 } as const;

/** Requests a second that a zone's quota allows all sessions of a user together. */
const PACE = 2.6;

/** All samples are looked at again when this share of them is new: for a thousand it takes longer than a frame. */
const RENEWED = 0.02;

/** Anomaly windows of which the values are listed one by one. */
const DETAILED = 12;

/** What was found when the samples were looked at last, and in how many of them. */
type Looked = { samples: number; rows: number; found: readonly AnomalyWindow[] };

type Question = {
  zone: PullZone;
  query: Query;
  range: TimeRange;
  /** How long a sample stands for, ms; `STEP` unless told. */
  step?: number;
};

/** What stood out in a long window of the CDN log, by samples of it, the newest first. */
export function incidentsInquiry(o: Question): Inquiry {
  const { server } = splitForServer(o.query, o.zone);
  const matches = matcher(o.query, o.zone.anonymisation);
  const { step = STEP } = o;
  const needs = clockSteps(o.range, step)
    .toReversed()
    .map(
      (range): LogNeed => ({
        kind: 'logs',
        side: 'now',
        zoneId: o.zone.id,
        range,
        filter: server,
        rows: ROWS,
      }),
    );
  const samples = new Map<number, Sample>();
  const isFiltered = o.query.terms.length > 0;
  let heard = 0;
  let looked: Looked = { samples: 0, rows: 0, found: [] };
  return {
    needs,
    counts: matches,
    add(need, met) {
      heard++;
      if (need.kind !== 'logs' || met.kind !== 'logs') return;
      const { records, hasMore, gone } = met;
      const range = { from: gone?.to ?? need.range.from, to: need.range.to };
      const readTo = hasMore ? (records.at(-1)?.timestamp ?? range.from) : range.to;
      samples.set(need.range.from, sampleOf(range, readTo, records.filter(matches)));
    },
    table() {
      const more = samples.size - looked.samples;
      // After the first round, whatever failed in it, each sample that comes is the last for all that is known.
      if (more > 0 && (more >= samples.size * RENEWED || heard >= needs.length)) {
        const all = [...samples.values()];
        const rows = all.reduce((sum, sample) => sum + sample.rows, 0);
        looked = { samples: all.length, rows, found: anomalyWindowsOf(all, isFiltered) };
      }
      return incidentsTable(looked, o, needs.length);
    },
    rest: () => needs.filter(({ range }) => !samples.has(range.from)),
  };
}

/** About how long that many requests take, in words. */
export function paceWords(requests: number): string {
  return `about ${duration(Math.ceil(requests / PACE) * 1000)}, the newest first`;
}

/** The step for rows that are held: samples as full as those that are asked for, where that makes neither few nor many. */
export function stepFor({ from, to }: TimeRange, rows: number): number {
  const samples = Math.max(HELD_SAMPLES.least, Math.min(HELD_SAMPLES.most, rows / ROWS));
  return Math.max(1000, Math.min(STEP, Math.ceil((to - from) / samples / 1000) * 1000));
}

function incidentsTable({ samples, rows, found }: Looked, o: Question, wanted: number): AnswerTable {
  const [newest] = found;
  const span = duration(o.range.to - o.range.from);
  return {
    headline:
      samples === 0
        ? `what stood out in ${span}?`
        : newest
          ? `${counted(found.length, 'anomaly window stands', 'anomaly windows stand')} out; the newest: ${timesOf(newest)} ${kindOf(newest)} ${causeOf(newest)}`
          : `nothing stands out from the usual in ${counted(samples, 'sample')}`,
    tone: newest ? 'bad' : samples > 0 ? 'good' : 'plain',
    sections: [
      {
        title: `what stood out in ${span}, the newest first (UTC)`,
        columns: [
          { title: 'FROM  TO', cells: 17 },
          { title: 'WHAT', cells: 12 },
          { title: 'SHARE', cells: 6, align: 'right' },
          { title: 'USUAL', cells: 6, align: 'right', from: 100 },
          { title: 'RATE', cells: 5, align: 'right', from: 76 },
          { title: 'WITH', cells: 'rest' },
        ],
        rows: found.map((anomaly) => summaryOf(anomaly, o, anomaly === newest)),
        note: newest
          ? o.query.terms.length > 0
            ? 'of the rows of the filter; USUAL: the median of its ordinary samples; RATE: against its median one'
            : 'USUAL: the median of all samples; RATE: against the hours around'
          : `what is shorter than ${duration(o.step ?? STEP)} can lie between two samples`,
      },
      ...found.slice(0, DETAILED).map((anomaly) => sectionOf(anomaly, o)),
    ],
    coverage: `${count(samples)} of ${count(wanted)} samples, one every ${duration(o.step ?? STEP)}, ${counted(rows, 'row')}`,
  };
}

function summaryOf(anomaly: AnomalyWindow, o: Question, isNewest: boolean): AnswerRow {
  const { leader, rateFactor } = anomaly;
  return {
    cells: [
      timesOf(anomaly),
      kindOf(anomaly),
      leader ? percent(leader.share) : '',
      leader ? percent(leader.usual) : '',
      rateFactor === null ? '' : `x${rateFactor.toFixed(rateFactor < 100 ? 1 : 0)}`,
      causeOf(anomaly),
    ],
    tone: 'bad',
    isSubject: isNewest,
    leads: ledInto(anomaly, leader, o).leads,
  };
}

function sectionOf(anomaly: AnomalyWindow, o: Question): AnswerSection {
  return {
    title: `${timesOf(anomaly)} ${kindOf(anomaly)}`,
    columns: [
      { title: 'FIELD', cells: 8 },
      { title: 'VALUE', cells: 'rest' },
      { title: 'SHARE', cells: 6, align: 'right' },
      { title: 'USUAL', cells: 6, align: 'right' },
      { title: 'ROWS', cells: 7, align: 'right' },
    ],
    rows: anomaly.values.map((value) => ({
      cells: [
        value.field === TROUBLE ? 'origin' : value.field,
        value.field === TROUBLE ? 'answered 5xx, STALE or UPDATING' : value.value,
        percent(value.share),
        percent(value.usual),
        count(value.count),
      ],
      tone: 'notable',
      ...ledInto(anomaly, value, o),
    })),
    note: `${counted(anomaly.rows, 'row')} in ${counted(anomaly.samples, 'sample')}`,
  };
}

/** The rows of an anomaly that have a value of it, or all where it is none of a field. */
function ledInto(
  anomaly: AnomalyWindow,
  value: AnomalyValue | null,
  o: Question,
): Pick<AnswerRow, 'leads' | 'value'> {
  const query = within(o.query, anomaly);
  if (!value || value.field === TROUBLE) return { leads: { subject: 'logs', query } };
  return ledBy('logs', query, value.field, value.value);
}

/** What kind of thing it is, by the fields that stand out in it. */
function kindOf({ values }: AnomalyWindow): string {
  const has = (field: string, pattern = /^/) =>
    values.some((each) => each.field === field && pattern.test(each.value));
  if (has(TROUBLE)) return 'origin fails';
  if (has('status', /^404$/)) return 'not found';
  if (has('status', /^(?:401|403|429)$/)) return 'refused';
  if (has('cache', /^(?:MISS|EXPIRED)$/)) return 'misses';
  if (has('asn') || has('ja4') || has('ip')) return 'one sender';
  return values.length > 0 ? 'more of it' : 'more at once';
}

/** The values much as terms of a query, but raw: they are made safe where they are shown. */
function causeOf({ values }: AnomalyWindow): string {
  return values
    .filter(({ field }) => field !== TROUBLE)
    .map(({ field, value }) => `${field}:${/\s/.test(value) ? `"${value}"` : value}`)
    .join(' ');
}

/** `11-21 14:02-14:10`, UTC. */
function timesOf({ from, to }: TimeRange): string {
  const [date = '', start = ''] = timeOfDay(from, { zone: 'utc', date: true }).split(' ');
  return `${date.slice(5)} ${start.slice(0, 5)}-${timeOfDay(to, { zone: 'utc' }).slice(0, 5)}`;
}
