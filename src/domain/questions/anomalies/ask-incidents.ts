import { joined } from '../../../text/joined.ts';
import { clockMinute, count, counted, dayMinute, duration, percent } from '../../../text/units.ts';
import type { Query } from '../../query/query.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { besideRows, CausesBeside } from '../evidence/causes-beside.ts';
import { figures, isoTimes, onScreen, sectionOf, shares, words } from '../inquiry/answer-section.ts';
import type { AnswerTable } from '../inquiry/answer-table.ts';
import type { Besides, Inquiry } from '../inquiry/inquiry.ts';
import { type AnomalyWindow, isOfOrigin } from './anomaly-windows.ts';
import { causeOf, kindOf, ledInto, valueFacts, valuesSection } from './anomaly-words.ts';
import { countedWords } from './counted-samples.ts';
import { areWhole } from './samples.ts';
import { ZoneSamples } from './zone-samples.ts';

/** A sample stands for this long, ms: attacks and storms that last five minutes are met by one at least. */
const STEP = 4 * 60_000;

/** Rows of a sample: enough that a tenth of the requests stands out, and 1,000 samples are some megabytes packed. */
const ROWS = 400;

/** Samples of rows that are held: fewer do not tell what is usual, looking at a thousand takes longer than a frame. */
const HELD_SAMPLES = { least: 12, most: 720 } as const;

/** Requests a second that a zone's quota allows all sessions of a user together. */
const PACE = 2.6;

/** Anomaly windows of which the values are listed one by one. */
const DETAILED = 12;

type Question = Besides & {
  zone: PullZone;
  query: Query;
  range: TimeRange;
  /** How long a sample stands for, ms; `STEP` unless told. */
  step?: number;
};

/** What stood out in a long window of the CDN log, by samples of it, the newest first. */
export function incidentsInquiry(o: Question): Inquiry {
  const samples = new ZoneSamples({ step: STEP, rows: ROWS, ...o });
  const causes = o.withCauses ? new CausesBeside([o.zone], o.range) : null;
  const { needs, counted: ofStore } = samples;
  const rows: Inquiry = {
    needs: needs.toReversed(),
    ...(ofStore ? { follow: { most: needs.length + 1, next: () => samples.follow() } } : {}),
    counts: samples.matches,
    add: (need, met) => samples.add(need, met),
    table: () => incidentsTable(samples, o, causes),
    rest: () => samples.rest().toReversed(),
  };
  return besideRows(rows, causes, () => (samples.looked.found.some(isOfOrigin) ? [o.zone] : []));
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

function incidentsTable(
  { looked: { read, found }, wanted, counted: ofStore }: ZoneSamples,
  o: Question,
  causes: CausesBeside | null,
): AnswerTable {
  const [newest] = found;
  const samples = read.length;
  const span = duration(o.range.to - o.range.from);
  return {
    headline:
      samples === 0
        ? `what stood out in ${span}?`
        : newest
          ? `${counted(found.length, 'anomaly window stands', 'anomaly windows stand')} out; the newest: ${timesOf(newest)} ${wordsOf(newest, causes)}`
          : `nothing stands out from the usual in ${counted(samples, 'sample')}`,
    verdict: newest ? 'wrong' : samples > 0 && samples === wanted ? 'calm' : 'unknown',
    isWhole: samples === wanted && areWhole(read) && (causes?.isWhole ?? true),
    sections: [
      sectionOf('windows', `what stood out in ${span}, the newest first (UTC)`, found, {
        first: (anomaly) => isoTimes(anomaly),
        columns: [
          onScreen('FROM  TO', 17, timesOf),
          words('what', 'WHAT', 12, kindOf),
          shares('share', 'SHARE', 6, ({ leader }) => leader?.share ?? null, {
            shown: ({ leader }) => (leader ? percent(leader.share) : ''),
          }),
          shares('shareUsual', 'USUAL', 6, ({ leader }) => leader?.usual ?? null, {
            shown: ({ leader }) => (leader ? percent(leader.usual) : ''),
            from: 100,
          }),
          figures('rateFactor', 'RATE', 5, ({ rateFactor }) => rateFactor, { shown: rateWords, from: 76 }),
          onScreen('WITH', 'rest', (anomaly) => withCause(anomaly, causes)),
        ],
        also: (anomaly) => ({
          with: anomaly.values.map(valueFacts),
          cause: isOfOrigin(anomaly) ? (causes?.facts(anomaly) ?? null) : null,
          ...{ rows: anomaly.rows, samples: anomaly.samples },
        }),
        row: (anomaly) => ({
          tone: 'bad',
          isSubject: anomaly === newest,
          leads: ledInto(anomaly, anomaly.leader, o).leads,
        }),
        note: newest
          ? o.query.terms.length > 0
            ? 'of the rows of the filter; USUAL: the median of its ordinary samples; RATE: against its median one'
            : 'USUAL: the median of all samples; RATE: against the hours around'
          : `what is shorter than ${duration(o.step ?? STEP)} ${ofStore === null ? 'can lie between two samples' : 'may not stand out of a sample'}`,
      }),
      ...(found.some(isOfOrigin) ? (causes?.sections(o.query, o.range) ?? []) : []),
      ...found
        .slice(0, DETAILED)
        .map((anomaly) => valuesSection(anomaly, `${timesOf(anomaly)} ${kindOf(anomaly)}`, o)),
    ],
    coverage: [
      `${count(samples)} of ${count(wanted)} samples, one every ${duration(o.step ?? STEP)}`,
      counted(
        read.reduce((sum, { rows }) => sum + rows, 0),
        'row',
      ),
      ...countedWords([ofStore]),
      ...(causes?.coverage() ?? []),
    ].join(', '),
  };
}

/** What kind of thing it is, and by what; of an origin the cause, where it is told. */
function wordsOf(anomaly: AnomalyWindow, causes: CausesBeside | null): string {
  const cause = isOfOrigin(anomaly) ? causes?.words(anomaly) : null;
  return cause ? `${cause} ${causeOf(anomaly)}` : `${kindOf(anomaly)} ${causeOf(anomaly)}`;
}

/** The values that it goes by, behind the cause where it is told. */
function withCause(anomaly: AnomalyWindow, causes: CausesBeside | null): string {
  const words = isOfOrigin(anomaly)
    ? causes?.words(anomaly)?.replace(/^origin fail(?:s|ed): /, '')
    : undefined;
  return joined([words ?? '', causeOf(anomaly)]);
}

function rateWords({ rateFactor }: AnomalyWindow): string {
  return rateFactor === null ? '' : `x${rateFactor.toFixed(rateFactor < 100 ? 1 : 0)}`;
}

/** `11-21 14:02-14:10`, UTC. */
function timesOf({ from, to }: TimeRange): string {
  return `${dayMinute(from)}-${clockMinute(to)}`;
}
