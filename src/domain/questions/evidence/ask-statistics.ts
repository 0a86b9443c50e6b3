import { joined } from '../../../text/joined.ts';
import { count, counted, dayMinute, dayOf, percent, roundCount } from '../../../text/units.ts';
import {
  STAT_STEPS,
  type StatName,
  type StatPoint,
  type StatStep,
  usualAt,
} from '../../evidence/statistics.ts';
import { EMPTY_QUERY } from '../../query/query.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { figures, rest, sectionOf, shares, times, within } from '../inquiry/answer-section.ts';
import type { AnswerRow, AnswerSection, AnswerTable } from '../inquiry/answer-table.ts';
import type { Inquiry } from '../inquiry/inquiry.ts';
import { EvidenceReading } from './evidence-reading.ts';

type Question = {
  zone: PullZone;
  step: StatStep;
  /** Unix ms. */
  now: number;
  /** The oldest moment of which there are rows, Unix ms. */
  edge: number;
};

/** When a point stands out from the same hour of other days. */
const UNUSUAL = { requests: 2, errorShare: 0.01, factor: 3, hit: 0.1, response: 2 } as const;
const LEAST_REQUESTS = 100;
const ROWS_UNUSUAL = 20;

/** What the platform counts: by the hour for 30 days, or by the day for a year, beside what is usual then. */
export function statisticsInquiry(o: Question): Inquiry {
  const reading = statisticsReading(o);
  return reading.inquiry(() => statisticsTable(reading, o));
}

/** All that is kept, in one request. */
export function statisticsReading({
  zone,
  step,
  now,
}: Omit<Question, 'edge'>): EvidenceReading<'statistics'> {
  const { length, kept } = STAT_STEPS[step];
  const range: TimeRange = { from: Math.floor((now - kept) / length) * length + length, to: now };
  return new EvidenceReading('statistics', [{ kind: 'statistics', zoneId: zone.id, range, step }]);
}

/** What a point is compared with. */
const OTHERS = {
  hour: 'the same hour of other days',
  day: 'the same day of other weeks',
} as const satisfies Record<StatStep, string>;

type Judged = { point: StatPoint; usual: Figures; why: readonly string[] };

function statisticsTable(reading: EvidenceReading<'statistics'>, o: Question): AnswerTable {
  const [read] = reading.read;
  const points = read?.[1].points ?? [];
  const judged = points.map((point) => judge(point, points, o.step)).toReversed();
  const unusual = judged.filter(({ why }) => why.length > 0);
  const [newest] = judged;
  const unread = read?.[1].unread ?? 0;
  return {
    headline: headlineOf(reading, newest, unusual, o),
    verdict: unusual.length > 0 ? 'wrong' : 'unknown',
    sections: [
      ...(unusual.length > 0
        ? [section('unusual', unusual, ROWS_UNUSUAL, `unlike ${OTHERS[o.step]}`, o)]
        : []),
      section('steps', judged, judged.length, `by the ${o.step}, the newest first (UTC)`, o),
    ],
    coverage: joined([
      read === undefined ? 'nothing read' : `${counted(points.length, o.step)} told`,
      'the platform counts up to an hour late',
      unread > 0 ? `${counted(unread, 'figure')} without a time or value left out` : '',
      ...reading.trouble('statistics'),
    ]),
  };
}

function headlineOf(
  reading: EvidenceReading<'statistics'>,
  newest: Judged | undefined,
  unusual: readonly Judged[],
  { step, zone }: Question,
): string {
  if (reading.read.length === 0) return reading.trouble('statistics')[0] ?? `how was ${zone.name} before?`;
  if (newest === undefined) return `the platform tells no statistics of ${zone.name}`;
  const { requests } = newest.point;
  const usual = newest.usual.requests;
  const beside = usual === null ? '' : `, usually ${roundCount(usual)}`;
  const last = `${requests === null ? 'no' : roundCount(requests)} requests in the last ${step} told${beside}`;
  const [first] = unusual;
  if (first === undefined) return `${last}; no ${step} stands out from what is usual`;
  const stands = counted(unusual.length, `${step} stands`, `${step}s stand`);
  return `${last}; ${stands} out, the newest ${stepTime(first.point.at, step)}: ${first.why.join(', ')}`;
}

/** Why a point is unlike others of its hour; nothing where too few of these are told. */
function judge(point: StatPoint, points: readonly StatPoint[], step: StatStep): Judged {
  const names = Object.keys(point).filter((name) => name !== 'at') as StatName[];
  const usual = Object.fromEntries(
    names.map((name) => [name, usualAt(points, point.at, name, step)?.value ?? null]),
  ) as Record<StatName, number | null>;
  return { point, usual, why: unusualWords(point, usual) };
}

type Figures = Readonly<Record<StatName, number | null>>;

/** What of some figures is unlike the usual ones; nothing of those that are not told. */
function unusualWords(
  { requests, serverErrors, hitRatio, originResponse }: Figures,
  usual: Figures,
): string[] {
  const why: string[] = [];
  if (requests !== null && requests >= LEAST_REQUESTS) {
    const share = (serverErrors ?? 0) / requests;
    const usualShare = (usual.serverErrors ?? 0) / Math.max(1, usual.requests ?? 0);
    if (usual.serverErrors !== null && share >= Math.max(UNUSUAL.errorShare, UNUSUAL.factor * usualShare))
      why.push(`5xx ${percent(share)}, usually ${percent(usualShare)}`);
    if (usual.requests !== null && requests >= UNUSUAL.requests * usual.requests)
      why.push(`requests x${(requests / Math.max(1, usual.requests)).toFixed(1)}`);
    if (hitRatio !== null && usual.hitRatio !== null && hitRatio <= usual.hitRatio - UNUSUAL.hit)
      why.push(`hit ${percent(hitRatio)}, usually ${percent(usual.hitRatio)}`);
    if (
      originResponse !== null &&
      usual.originResponse !== null &&
      originResponse >= UNUSUAL.response * usual.originResponse
    )
      why.push(`origin ${Math.round(originResponse)} ms, usually ${Math.round(usual.originResponse)}`);
  } else if (
    requests !== null &&
    (usual.requests ?? 0) >= UNUSUAL.requests * Math.max(requests, LEAST_REQUESTS)
  ) {
    why.push(`${count(requests)} requests, usually ${roundCount(usual.requests ?? 0)}`);
  }
  return why;
}

function section(
  name: 'unusual' | 'steps',
  judged: readonly Judged[],
  most: number,
  title: string,
  o: Question,
): AnswerSection {
  const isWhy = name === 'unusual';
  const why = rest('why', isWhy ? 'WHY' : '', ({ why: all }: Judged) => all, {
    shown: ({ why: all }) => all.join(', '),
  });
  const round = (name: 'redirects' | 'clientErrors' | 'serverErrors', heading: string, from?: number) =>
    figures(name, heading, 6, ({ point }: Judged) => point[name], {
      shown: ({ point }) => figure(point[name]),
      ...(from === undefined ? {} : { from }),
    });
  return sectionOf(name, title, judged, {
    most,
    columns: [
      times(
        'time',
        'TIME',
        11,
        ({ point }) => point.at,
        (at) => stepTime(at, o.step),
      ),
      figures('requests', 'REQUESTS', 8, ({ point }) => point.requests, {
        shown: ({ point }) => figure(point.requests),
      }),
      figures('requestsUsual', 'USUAL', 6, ({ usual }) => usual.requests, {
        shown: ({ usual }) => figure(usual.requests),
      }),
      shares('hitRatio', 'HIT', 6, ({ point }) => point.hitRatio, {
        shown: ({ point: { hitRatio } }) => (hitRatio === null ? '' : percent(hitRatio)),
      }),
      round('redirects', '3XX', 66),
      round('clientErrors', '4XX', 58),
      round('serverErrors', '5XX'),
      figures('originResponseMs', 'ORIGIN', 7, ({ point }) => point.originResponse, {
        shown: ({ point: { originResponse: ms } }) => (ms === null ? '' : `${Math.round(ms)}ms`),
      }),
      isWhy ? why : { ...why, from: 400 },
    ],
    row: (each) => ({
      tone: each.why.length > 0 ? 'bad' : 'plain',
      ...leadOf(each.point.at, o),
    }),
    note: isWhy
      ? 'USUAL: the middle of the others, of three at least; Enter: the log of that time, where it is kept'
      : 'ORIGIN: its mean response time; an empty figure is not told',
  });
}

/** Rows are kept for three days: an older hour leads nowhere. */
function leadOf(at: number, { step, edge, now }: Question): Pick<AnswerRow, 'leads'> {
  const to = Math.min(at + STAT_STEPS[step].length, now);
  const from = Math.max(at, edge);
  if (from >= to) return {};
  return { leads: { subject: 'logs', query: within(EMPTY_QUERY, { from, to }) } };
}

function figure(value: number | null): string {
  return value === null ? '' : roundCount(value);
}

/** `11-23 09:00`, and of a day its date, UTC. */
function stepTime(at: number, step: StatStep): string {
  return step === 'hour' ? dayMinute(at) : dayOf(at, 'utc');
}
