import { joined } from '../../../text/joined.ts';
import { bytes, counted, percent, roundCount } from '../../../text/units.ts';
import {
  LEAST_DAYS,
  NO_POINT,
  STAT_STEPS,
  type Statistics,
  type StatName,
  type StatPoint,
  type StatStep,
} from '../../evidence/statistics.ts';
import {
  againstOthers,
  type ChosenSteps,
  chosenSteps,
  isWhole,
  type StatLine,
} from '../../evidence/statistics-baseline.ts';
import { EMPTY_QUERY } from '../../query/query.ts';
import { windowText } from '../../query/window-text.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { type ColumnOf, figures, rest, sectionOf, within, words } from '../inquiry/answer-section.ts';
import type { AnswerTable } from '../inquiry/answer-table.ts';
import type { Inquiry } from '../inquiry/inquiry.ts';
import { OTHERS, statisticsReading, stepTime, unusualWords } from './ask-statistics.ts';

type Question = {
  zone: PullZone;
  step: StatStep;
  /** The hours that begin in it are compared. */
  range: TimeRange;
  /** Unix ms. */
  now: number;
};

/** By what statistics a time is compared: by the hour as long as they are kept by it. */
export function stepOfTime({ from }: TimeRange, now: number): StatStep {
  return from >= now - STAT_STEPS.hour.kept ? 'hour' : 'day';
}

/** Some hours beside the same hours of the other days, by the platform's own counts; for one request. */
export function statisticsComparison(o: Question): Inquiry {
  const reading = statisticsReading(o);
  return reading.inquiry(() => {
    const [read] = reading.read;
    const trouble = reading.trouble('statistics');
    if (read !== undefined) return comparisonTable(read[1], o);
    const headline = trouble[0] ?? `how does this compare with other days of ${o.zone.name}?`;
    return {
      headline,
      verdict: 'unknown',
      isWhole: false,
      sections: [],
      coverage: ['nothing read', ...trouble].join('; '),
    };
  });
}

/** The same of statistics that are told: nothing is asked. */
export function heldComparison(told: Statistics, o: Question): Inquiry {
  return { needs: [], add: () => {}, table: () => comparisonTable(told, o), rest: () => [] };
}

function comparisonTable(told: Statistics, o: Question): AnswerTable {
  const { points, unread } = told;
  const steps = chosenSteps(points, o.range, o.step, o.now);
  const lines = againstOthers(points, steps.told, o.step, o.now);
  const days = Math.max(0, ...lines.map(({ others }) => others?.days ?? 0));
  const why = unusualWords(figuresOf(lines, 'value'), figuresOf(lines, 'median'));
  const of = OTHERS[o.step];
  const other = otherWord(steps.told, o.step);
  const missing = missingWords(steps, o);
  // What may still grow, or is not told, says nothing of what is usual.
  const isWhole = steps.told.length > 0 && steps.late.length === 0 && missing.length === 0;
  const times = isLong(steps.told, o.step) ? 'TIMES' : 'DAYS';
  const listed = lines.filter(({ value, others }) => value !== null || others !== null);
  const [from, last] = [steps.told[0] ?? 0, steps.told.at(-1) ?? 0];
  const range = { from, to: Math.min(o.now, last + STAT_STEPS[o.step].length) };
  const leads = { subject: 'logs', query: within(EMPTY_QUERY, range) } as const;
  return {
    headline: [headlineOf(steps, lines, why, points, o), ...missing].join('; '),
    ...(why.length > 0
      ? { verdict: 'wrong', tone: 'notable' }
      : { verdict: isWhole && days >= LEAST_DAYS ? 'calm' : 'unknown' }),
    isWhole,
    sections:
      steps.told.length === 0
        ? []
        : [
            sectionOf('measures', `${namesOf(steps.told, o)} UTC, beside ${of}`, listed, {
              columns: [
                words('measure', 'MEASURE', 15, ({ name }) => name, {
                  shown: ({ name }) => MEASURES[name].title,
                }),
                figures('value', 'VALUE', 8, ({ value }) => value, {
                  shown: ({ name, value }) => (value === null ? 'not told' : MEASURES[name].shown(value)),
                }),
                ofOthers('median', 'MEDIAN'),
                ofOthers('lowest', 'LOWEST'),
                ofOthers('highest', 'HIGHEST'),
                figures('others', times, 5, ({ others }) => others?.days ?? 0),
                rest('factor', 'FACTOR', ({ factor }) => factor, {
                  shown: ({ factor }) => (factor === null ? '' : `x${factor.toFixed(2)}`),
                }),
              ],
              row: () => ({ leads }),
              note: `FACTOR: the value by the median of ${of}; ${times}: so many of them are told, this one is none of them`,
            }),
          ],
    coverage: joined([
      `${counted(points.length, o.step)} told, ${counted(days, other)} to compare with`,
      'the platform counts up to an hour late: what may still grow is in no other day',
      unread > 0 ? `${counted(unread, 'figure')} without a time or value left out` : '',
      ...missing,
    ]),
  };
}

/** Hours of more than a day are compared with as many of other times. */
function isLong(steps: readonly number[], step: StatStep): boolean {
  return (steps.at(-1) ?? 0) - (steps[0] ?? 0) >= STAT_STEPS[step].cycle;
}

function otherWord(steps: readonly number[], step: StatStep): string {
  return isLong(steps, step) ? 'other time' : 'other day';
}

const MEASURES = {
  requests: { title: 'requests', shown: roundCount },
  hitRatio: { title: 'hit ratio', shown: percent },
  redirects: { title: '3xx', shown: roundCount },
  clientErrors: { title: '4xx', shown: roundCount },
  serverErrors: { title: '5xx', shown: roundCount },
  originResponse: { title: 'origin response', shown: (ms) => `${Math.round(ms)}ms` },
  bytes: { title: 'bytes', shown: bytes },
  originBytes: { title: 'origin bytes', shown: bytes },
} as const satisfies Record<StatName, { title: string; shown: (value: number) => string }>;

function ofOthers(which: 'median' | 'lowest' | 'highest', title: string): ColumnOf<StatLine> {
  return figures(which, title, 8, ({ others }) => others?.[which] ?? null, {
    shown: ({ name, others }) => (others === null ? '' : MEASURES[name].shown(others[which])),
  });
}

function headlineOf(
  { told, late }: ChosenSteps,
  lines: readonly StatLine[],
  why: readonly string[],
  points: readonly StatPoint[],
  o: Question,
): string {
  if (told.length === 0) return nothingWords(points, o);
  const requests = lines.find(({ name }) => name === 'requests');
  const days = requests?.others?.days ?? 0;
  const grows = late.length > 0 ? ', which may still grow' : '';
  const name = `${namesOf(told, o)}${grows}`;
  if (why.length > 0) return `${name}: ${why.join(', ')}`;
  if (days < LEAST_DAYS) return `${name}: too few other days are told to say what is usual`;
  const beside = requests?.factor == null ? '' : `requests x${requests.factor.toFixed(2)} of usual; `;
  return `${name}: ${beside}nothing stands out from ${counted(days, otherWord(told, o.step))}`;
}

/** The newest that can be compared is offered, and not taken. */
function nothingWords(points: readonly StatPoint[], { step, now }: Question): string {
  const { length } = STAT_STEPS[step];
  const last = points.findLast(({ at }) => at + length <= now)?.at;
  if (last === undefined) return 'the platform tells no statistics of these times';
  const window = windowText({ kind: 'absolute', from: last, to: last + length });
  return `nothing to compare yet: the last ${step} told is ${stepTime(last, step)}, ${window}`;
}

function missingWords({ notTold, notOver }: ChosenSteps, o: Question): string[] {
  const isComing = notTold.some((at) => !isWhole(at, o.step, o.now));
  return [
    ...(notTold.length > 0 ? [`${namesOf(notTold, o)} is not told${isComing ? ' yet' : ''}`] : []),
    ...(notOver.length > 0 ? [`${namesOf(notOver, o)} is not over`] : []),
  ];
}

/** `the hour 11-23 09:00`, `3 hours from 11-23 07:00`. */
function namesOf(steps: readonly number[], { step }: Question): string {
  const [first = 0, ...others] = steps;
  const time = stepTime(first, step);
  return others.length === 0 ? `the ${step} ${time}` : `${counted(steps.length, step)} from ${time}`;
}

/** As one point, for the same words as of a single hour; what too few days tell is usual in nothing. */
function figuresOf(
  lines: readonly StatLine[],
  of: 'value' | 'median',
): Readonly<Record<StatName, number | null>> {
  const figures = lines.map(({ name, value, others }) => {
    const usual = others !== null && others.days >= LEAST_DAYS ? others.median : null;
    return [name, of === 'value' ? value : usual];
  });
  return { ...NO_POINT, ...Object.fromEntries(figures) };
}
