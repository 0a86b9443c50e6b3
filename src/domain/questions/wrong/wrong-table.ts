import { joined } from '../../../text/joined.ts';
import { clockMinute, count, counted, duration, percent } from '../../../text/units.ts';
import type { Query } from '../../query/query.ts';
import type { WafRule } from '../../shield/shield.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { TELLING_ROWS } from '../anomalies/anomaly-windows.ts';
import { causeOf, kindOf, ledInto } from '../anomalies/anomaly-words.ts';
import { TROUBLE } from '../anomalies/samples.ts';
import type { Between } from '../anomalies/zone-anomalies.ts';
import { figures, ledBy, rest, sectionOf, textSection, within, words } from '../inquiry/answer-section.ts';
import type { AnswerRow, AnswerSection, AnswerTable } from '../inquiry/answer-table.ts';
import type { Need } from '../inquiry/inquiry.ts';
import { type Cause, type Heard, isOriginCause } from './causes.ts';
import { RAISED, type RaisedRule } from './raised-rules.ts';
import type { Told } from './wrong-plan.ts';

type About = {
  zone: PullZone;
  query: Query;
  range: TimeRange;
  rules: ReadonlyMap<string, WafRule> | null;
  asked: readonly Need[];
  read: readonly Need[];
  /** Everything that was planned was read. */
  isWhole: boolean;
  /** What sources besides the logs do not tell. */
  missing: readonly string[];
  /** A list of rules is its largest groups alone. */
  cut: boolean;
};

/** Causes of which the evidence is told; the others are their line. */
const TOLD = 3;

/** The causes, the likeliest first; a "nothing" is said of all that was planned alone. */
export function wrongTable(causes: readonly Cause[], heard: Heard, o: About): AnswerTable {
  const isThin = heard.hasLog && heard.traffic.rows < TELLING_ROWS;
  return {
    headline: headlineOf(causes, heard, o, isThin),
    tone: causes.length > 0 ? 'bad' : o.isWhole && !isThin ? 'good' : 'plain',
    sections: [
      sectionOf(
        `what is wrong in ${duration(o.range.to - o.range.from)}, the likeliest first (UTC)`,
        causes,
        {
          columns: [
            words('SINCE', 12, ({ since }) => (since === null ? 'not known' : sinceCell(since))),
            words('STATE', 5, ({ isOver }) => (isOver ? 'over' : 'on')),
            words('SURE', 8, ({ sureness }) => sureness),
            figures('SHARE', 6, ({ share }) => (share > 0 ? percent(share) : '')),
            words('WHAT', 13, kindWords),
            rest('WITH', (cause) => withWords(cause, o)),
          ],
          row: (cause, at) => ({
            tone: cause.isOver ? 'notable' : 'bad',
            isSubject: at === 0,
            ...ledFrom(cause, o),
          }),
          note:
            causes.length > 0
              ? 'first what goes on, then what is surer, then what is more of the requests; SINCE lies between two samples'
              : `looked for: values of 6% of the requests or more that are three times the usual, rules with ${RAISED.events} events or more and ${RAISED.factor} times the usual`,
        },
      ),
      ...causes.slice(0, TOLD).map((cause) => evidenceSection(cause, heard, o)),
    ],
    coverage: coverageOf(heard, o),
  };
}

function headlineOf(causes: readonly Cause[], { range, traffic }: Heard, o: About, isThin: boolean): string {
  const [first, ...others] = causes;
  if (first) {
    const more = others.length > 0 ? `; ${counted(others.length, 'more cause')}` : '';
    const state = first.isOver ? 'over by now' : 'still on';
    return `${kindWords(first)} ${withWords(first, o)}, ${sinceWords(first.since)}, ${state}: ${first.sureness}${more}`;
  }
  if (o.read.length === 0) return `what is wrong in ${duration(range.to - range.from)}?`;
  if (isThin) return 'too few requests to tell what stands out';
  const { span, parts } = traffic;
  const step = duration(Math.ceil((range.to - range.from) / Math.max(1, parts) / 1000) * 1000);
  // What is shorter than the time between two samples can lie between them.
  const part = span < range.to - range.from ? ` in ${counted(parts, 'sample')}, one every ${step}` : '';
  return o.isWhole
    ? `nothing stands out from the usual${part}`
    : `nothing stands out so far: ${count(o.read.length)} of ${counted(o.asked.length, 'request')} read`;
}

function coverageOf({ traffic, isShieldRead, hasLog }: Heard, o: About): string {
  const ofLogs = (needs: readonly Need[]) => needs.filter(({ kind }) => kind === 'logs').length;
  const shield =
    isShieldRead === null
      ? 'Shield not asked'
      : isShieldRead
        ? `Shield read${o.cut ? ', its largest groups alone' : ''}`
        : 'Shield not read';
  const log = hasLog
    ? `${count(ofLogs(o.read))} of ${counted(ofLogs(o.asked), 'sample')}, ${counted(traffic.rows, 'row')} of the window`
    : 'no CDN log is kept';
  return joined([log, shield, ...o.missing]);
}

/** The requests of the cause, or the events of its rule. */
function ledFrom(
  { anomaly, rules }: Cause,
  { query, range, zone }: About,
): Pick<AnswerRow, 'leads' | 'value'> {
  const zones = [zone.id];
  if (anomaly) return ledInto(anomaly, anomaly.leader, { query, ...(zone.id === '' ? {} : { zones }) });
  const [rule] = rules;
  if (!rule) return { leads: { subject: 'logs', query: within(query, range) } };
  return ledBy('shield', within({ ...query, terms: [] }, range), 'rule', rule.ruleId);
}

function evidenceSection(cause: Cause, { traffic }: Heard, o: About): AnswerSection {
  const { anomaly, rules, told, changes, since, whyNotSurer, sureness } = cause;
  const samples = anomaly
    ? [
        `CDN log: ${counted(anomaly.rows, 'row')} in ${counted(anomaly.samples, 'sample')} of ${count(traffic.now.length)}, beside ${count(traffic.usual.length)} of other times`,
        ...anomaly.values
          .slice(0, 4)
          .map(
            ({ field, value, share, usual }) =>
              `${field === TROUBLE ? 'answered 5xx, STALE or UPDATING' : `${field}:${value}`} is ${percent(share)} of them, usually ${percent(usual)}`,
          ),
        ...(anomaly.rateFactor !== null && anomaly.rateFactor >= 2
          ? [`${anomaly.rateFactor.toFixed(1)} times as many requests as usual`]
          : []),
      ]
    : [];
  return textSection(
    `${kindWords(cause)} ${withWords(cause, o)}`,
    'EVIDENCE',
    [
      ...samples,
      ...rules.map(ruleWords),
      ...told.map(
        (one) =>
          `${one.source}: ${one.cause} ${count(one.count)} of ${count(one.of)} since ${clockMinute(one.since)}`,
      ),
      ...changes.map((change) => changeWords(change, since)),
    ],
    {
      row: ledFrom(cause, o),
      note:
        whyNotSurer.length === 0
          ? `${sureness}: in several samples or in both logs, beside enough of other times`
          : `${sureness}, not surer because ${whyNotSurer.join(', and ')}`,
    },
  );
}

function ruleWords({ ruleId, count: events, usual, ja4, firstSeen, lastSeen }: RaisedRule): string {
  const seen =
    firstSeen === null || lastSeen === null
      ? ''
      : `, from ${clockMinute(firstSeen)} to ${clockMinute(lastSeen)}`;
  const of = ja4 === null ? 'of many kinds of clients' : `most of ja4:${ja4}`;
  return `Shield: rule ${ruleId} has ${counted(events, 'event')}, usually ${count(usual)}${seen}, ${of}`;
}

function changeWords({ cause, since: at }: Told, since: Between | null): string {
  const before = since === null ? '' : ` at most ${duration(Math.max(0, since.before - at))} before it began`;
  return `changed${before}: ${cause}, at ${clockMinute(at)}`;
}

function kindWords(cause: Cause): string {
  const { anomaly, rules } = cause;
  if (isOriginCause(cause)) return 'origin fails';
  if (anomaly) return kindOf(anomaly);
  const [rule] = rules;
  return rule?.ja4 === null ? 'rule, many' : 'rule, one kind';
}

/** The values that it has in common, raw: they are made safe where they are shown. */
function withWords({ anomaly, rules, told }: Cause, { rules: texts }: About): string {
  return joined(
    [
      anomaly ? causeOf(anomaly) : '',
      ...rules.map(({ ruleId, ja4 }) => {
        const text = texts?.get(ruleId)?.description;
        return `rule:${ruleId}${text ? ` (${text})` : ''}${anomaly === null && ja4 !== null ? ` ja4:${ja4}` : ''}`;
      }),
      ...(anomaly === null ? told.slice(0, 1).map(({ cause }) => cause) : []),
    ],
    ' ',
  );
}

function sinceCell({ after, before }: Between): string {
  return after === null ? `by ${clockMinute(before)}` : `${clockMinute(after)}-${clockMinute(before)}`;
}

function sinceWords(since: Between | null): string {
  if (since === null) return 'since when is not known';
  const { after, before } = since;
  return after === null
    ? `since ${clockMinute(before)} at the latest`
    : `since between ${clockMinute(after)} and ${clockMinute(before)}`;
}
