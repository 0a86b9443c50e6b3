import type { TimeRange } from '../../tail/coverage.ts';
import { type AnomalyWindow, isOfOrigin, TELLING_ROWS } from '../anomalies/anomaly-windows.ts';
import type { Between } from '../anomalies/zone-anomalies.ts';
import type { RaisedRule } from './raised-rules.ts';
import type { Told } from './wrong-plan.ts';
import type { SampledTraffic } from './wrong-samples.ts';

/** How sure a cause is; the words say why it is not surer. */
type Sureness = 'sure' | 'likely' | 'possible';

/** What another source tells, under its name. */
type ToldBy = Told & { source: string };

/** A cause of what is wrong, with the evidence for it from each log. */
export type Cause = {
  anomaly: AnomalyWindow | null;
  rules: readonly RaisedRule[];
  told: readonly ToldBy[];
  /** Changes before it began, the nearest first. */
  changes: readonly Told[];
  since: Between | null;
  /** It is not seen any more at the end of the window. */
  isOver: boolean;
  /** Of the requests of its time, 0…1. */
  share: number;
  sureness: Sureness;
  whyNotSurer: readonly string[];
};

/** What was read, and what the question knows of it. */
export type Heard = {
  range: TimeRange;
  traffic: SampledTraffic;
  rules: readonly RaisedRule[];
  /** Whether Shield was asked and has answered; null: it cannot be asked. */
  isShieldRead: boolean | null;
  hasLog: boolean;
  /** Samples of the window and of other times that are still unread. */
  unread: number;
  trouble: readonly ToldBy[];
  changes: readonly Told[];
};

/** Causes that are told; more would be a list of symptoms. */
const MOST_CAUSES = 5;

/** Two logs date one thing differently, and samples stand for the time until the next, ms. */
const MARGIN = 60_000;

/** A share of a rule's time that makes it that of an anomaly. */
const AT_ONCE = 0.5;

/** A change so long before is no cause of what begins, ms. */
const CHANGED_BEFORE = 30 * 60_000;

/** A rule that was silent for this part of the window at its end is at work no more. */
const SILENT = 1 / 6;

const USUAL_ENOUGH = 3;

const ORDER: readonly Sureness[] = ['sure', 'likely', 'possible'];

/** The likeliest first: what goes on, then what is surer, then what is larger. */
export function causesOf(heard: Heard): Cause[] {
  const { anomalies } = heard.traffic;
  const seenIn = new Map(heard.rules.map((rule) => [rule, anomalyOf(rule, anomalies)]));
  const seen = anomalies.map((anomaly) =>
    ofTraffic(
      anomaly,
      heard.rules.filter((rule) => seenIn.get(rule) === anomaly),
      heard,
    ),
  );
  const alone = heard.rules.filter((rule) => seenIn.get(rule) === null);
  const all = [...seen, ...alone.map((rule) => ofRule(rule, heard))];
  const unexplained = all.some(isOriginCause) ? [] : ofSources(heard);
  return [...all, ...unexplained]
    .toSorted(
      (a, b) =>
        Number(a.isOver) - Number(b.isOver) ||
        ORDER.indexOf(a.sureness) - ORDER.indexOf(b.sureness) ||
        b.share - a.share,
    )
    .slice(0, MOST_CAUSES);
}

/** What a rule acted on, as the CDN log shows it; null: it shows nothing of the kind. */
function anomalyOf(rule: RaisedRule, anomalies: readonly AnomalyWindow[]): AnomalyWindow | null {
  const timely = anomalies.filter((anomaly) => isAtOnce(anomaly, rule) && !isOfOrigin(anomaly));
  const { ja4 } = rule;
  if (ja4 !== null) {
    const same = timely.find((anomaly) => valuesOf(anomaly, 'ja4').includes(ja4));
    if (same) return same;
  }
  // Where no fingerprint tells, the answers do that a rule gives.
  const refused = timely.filter(
    (anomaly) =>
      valuesOf(anomaly, 'ja4').length === 0 &&
      valuesOf(anomaly, 'status').some((status) => /^(?:401|403|404|429)$/.test(status)),
  );
  return refused[0] ?? null;
}

function valuesOf({ values }: AnomalyWindow, field: string): string[] {
  return values.filter((each) => each.field === field).map(({ value }) => value);
}

/** At least half of the time that the rule was at work is that of the anomaly. */
function isAtOnce({ from, to }: AnomalyWindow, { firstSeen, lastSeen }: RaisedRule): boolean {
  if (firstSeen === null || lastSeen === null) return true;
  const both = Math.min(to + MARGIN, lastSeen) - Math.max(from - MARGIN, firstSeen);
  return both >= AT_ONCE * (lastSeen - firstSeen);
}

function ofTraffic(anomaly: AnomalyWindow, rules: readonly RaisedRule[], heard: Heard): Cause {
  const { traffic, trouble, unread, isShieldRead } = heard;
  const telling = traffic.now.filter(({ rows }) => rows >= TELLING_ROWS);
  const before = telling.findLast(({ from }) => from < anomaly.from);
  const next = telling.find(({ from }) => from >= anomaly.to);
  const first = telling.find(({ from }) => from >= anomaly.from);
  const whyNotSurer = [
    anomaly.samples < 2 && rules.length === 0 ? 'it is in one sample alone' : '',
    traffic.usual.length < USUAL_ENOUGH ? fewUsual(traffic.usual.length) : '',
    unread > 0 ? `${unread} samples are unread` : '',
    isShieldRead === false ? 'Shield was not read' : '',
  ].filter((why) => why !== '');
  const since = { after: before?.from ?? null, before: first ? first.from + first.span : anomaly.from };
  return {
    anomaly,
    rules,
    told: isOfOrigin(anomaly) ? trouble : [],
    changes: changesBefore(since, heard),
    since,
    isOver: next !== undefined,
    share: shareOf(anomaly),
    sureness: whyNotSurer.length === 0 ? 'sure' : whyNotSurer.length === 1 ? 'likely' : 'possible',
    whyNotSurer,
  };
}

function fewUsual(samples: number): string {
  return samples === 0
    ? 'no other time was read to compare with'
    : `only ${samples} samples of other times tell what is usual`;
}

/** What no sample shows. */
const UNSEEN = { anomaly: null, rules: [], told: [], isOver: false, share: 0 } as const;

function ofRule(rule: RaisedRule, heard: Heard): Cause {
  const { range, traffic, hasLog } = heard;
  const { firstSeen, lastSeen, count } = rule;
  const length = range.to - range.from;
  const requests = traffic.rate === null ? null : (traffic.rate * length) / 1000;
  const since = firstSeen === null ? null : { after: null, before: firstSeen };
  return {
    ...UNSEEN,
    rules: [rule],
    changes: changesBefore(since, heard),
    since,
    isOver: lastSeen !== null && lastSeen < range.to - length * SILENT,
    share: requests === null ? 0 : Math.min(1, count / Math.max(1, requests)),
    sureness: 'likely',
    whyNotSurer: [
      hasLog ? 'it does not stand out in the samples of the CDN log' : 'the zone keeps no CDN log',
    ],
  };
}

/** What other sources tell of an origin whose failures no sample shows. */
function ofSources(heard: Heard): Cause[] {
  return [...Map.groupBy(heard.trouble, ({ source }) => source).values()].map((told): Cause => {
    const since = { after: null, before: told[0]?.since ?? 0 };
    return {
      ...UNSEEN,
      told,
      changes: changesBefore(since, heard),
      since,
      sureness: 'possible',
      whyNotSurer: ['no sample of the CDN log shows it'],
    };
  });
}

export function isOriginCause({ anomaly, told }: Pick<Cause, 'anomaly' | 'told'>): boolean {
  return told.length > 0 || (anomaly !== null && isOfOrigin(anomaly));
}

function changesBefore(since: Between | null, { changes }: Heard): readonly Told[] {
  if (since === null) return [];
  return changes
    .filter(({ since: at }) => at <= since.before && at >= (since.after ?? since.before) - CHANGED_BEFORE)
    .toSorted((a, b) => b.since - a.since);
}

/** How much of the requests it is: by what leads it, or by how far their number rose. */
function shareOf({ leader, values, rateFactor }: AnomalyWindow): number {
  const most = leader?.share ?? Math.max(0, ...values.map(({ share }) => share));
  return Math.max(most, rateFactor !== null && rateFactor > 1 && leader === null ? 1 - 1 / rateFactor : 0);
}
