import { exitCodeOf, explain, type Failure } from '../../domain/failure.ts';
import { type HealthReport, healthReport, worstFirst } from '../../domain/handover/health-shapes.ts';
import { healthSheet } from '../../domain/handover/sheet.ts';
import {
  type HealthReading,
  isPastRead,
  nextReading,
  SETTLING,
  withAnswer,
} from '../../domain/health/health-plan.ts';
import { NO_HEALTH, RECENT, recentFigures, type ZoneHealth } from '../../domain/health/zone-health.ts';
import { tailFaultOf } from '../../domain/tail/tail-pace.ts';
import { judgedSample, printAccountWatch, type Watch } from '../../domain/watch/watch.ts';
import { canBeRead, type PullZone } from '../../domain/zone.ts';
import { readHealth } from '../../effects/read-health.ts';
import { serverClock } from '../../effects/server-clock.ts';
import { say } from '../../text/say.ts';
import { count, counted, duration } from '../../text/units.ts';
import type { Clock } from '../../time/clock.ts';
import { presentOfLogs } from '../present.ts';
import { createStop, endOf, FAILED, failed, type Printer, printSheet, remark } from '../printer.ts';
import { createProgressLine, whereSlow } from '../progress.ts';
import { metBy } from '../watch-command.ts';
import { withShieldZones, zonesNamed, zoneTitle, zoneTitles } from '../zones-command.ts';

/**
 * Prints each zone's figures beside its own past, the worst first; `words`: zones with commas between them, null =
 * all. A watch goes on until a zone meets it. Resolves to the exit code.
 */
export async function printHealth(
  o: Printer,
  words: string | null,
  watch: Watch | null,
  most: number | null = null,
): Promise<number> {
  const end = endOf(o);
  const named = await zonesNamed(o, words);
  if (typeof named === 'number') return named;
  // A Shield zone matters for what it blocks, which nobody asks for where the requests cover no more than the newest
  // rows.
  const isShort = most !== null && most <= named.filter(canBeRead).length;
  const joined = isShort ? null : await withShieldZones(o, named, 'what it blocks is left out');
  if (typeof joined === 'number') return joined;
  const zones = joined ?? named;
  const readable = zones.filter(canBeRead);
  // The main server's clock is not the logging API's: if it is behind, old rows would look like the newest.
  const [first, ...others] = readable;
  if (first !== undefined) await presentOfLogs(o, [first, ...others]);
  if (watch !== null) return watchAccount(o, zones, watch);
  const asked = most === null ? readable : nextOf(readable, o.readBefore ?? new Set()).slice(0, most);
  let read = 0;
  const readWords = (elapsed: string) =>
    `${count(read)} of ${counted(asked.length, 'zone')} read, ${elapsed}`;
  const line = createProgressLine(o, whereSlow(readWords));
  const seen = () => {
    read += 1;
    line.show();
  };
  // One request for the Shield mapping.
  const forLogs = most === null || isShort ? most : most - 1;
  const healths = await readAccount(o, asked, end.signal, { seen, most: forLogs }).finally(line.end);
  const ended = end.told(
    'interrupted; nothing is printed, because which zone is the worst is known when all are read',
  );
  if (ended !== null) return ended;
  // A zone for which no request was left was not asked, which means nothing.
  const healthOf = new Map(
    asked
      .map((zone, at) => [zone, healths[at] ?? NO_HEALTH] as const)
      .filter(([, health]) => wasAsked(health)),
  );
  for (const { id } of healthOf.keys()) o.readBefore?.add(id);
  sayUnread(o, healthOf, most === null);
  const now = serverClock(o, 'logging')();
  const past = healths.filter((health) => health.bins.length > 0 && isPastRead(health, now)).length;
  if (most !== null && past < readable.length) {
    const left = readable.filter((zone) => !healthOf.has(zone) && !o.readBefore?.has(zone.id)).length;
    sayUnasked(o, {
      read: healthOf.size,
      of: readable.length,
      past,
      left,
      canGoOn: o.readBefore !== undefined,
    });
  }
  const shown = most === null || healthOf.size === readable.length ? zones : [...healthOf.keys()];
  const reports = shown.map((zone) => healthReport(zone, healthOf.get(zone) ?? NO_HEALTH));
  await printSheet(o, healthSheet(worstFirst(reports)));
  o.covered?.({
    of: 'zones',
    range: null,
    read: reports.filter(({ figures }) => figures !== null).length,
    total: zones.length,
    given: reports.length,
    gaps: 0,
    isWhole:
      past === zones.length &&
      shown.length === zones.length &&
      healths.every(({ failure, hasStrays }) => failure === null && !hasStrays) &&
      joined !== null,
  });
  return exitOf(reports, [...healthOf.values()]);
}

function exitOf(reports: readonly HealthReport[], healths: readonly ZoneHealth[]): number {
  if (reports.length === 0 || reports.some(({ figures }) => figures !== null)) return 0;
  const failure = healths.find((health) => health.failure !== null)?.failure;
  return failure ? exitCodeOf(failure) : FAILED;
}

/** The zones by their traffic, those first that no earlier command read; all of them again where each was. */
function nextOf(zones: readonly PullZone[], before: Set<string>): PullZone[] {
  const unread = zones.filter(({ id }) => !before.has(id));
  if (unread.length === 0) before.clear();
  return (unread.length === 0 ? [...zones] : unread).toSorted(
    (a, b) => (b.bandwidth ?? 0) - (a.bandwidth ?? 0),
  );
}

function wasAsked({ bins, failure }: ZoneHealth): boolean {
  return bins.length > 0 || (failure !== null && failure.kind !== 'spent');
}

type Asked = { read: number; of: number; past: number; left: number; canGoOn: boolean };

/** `past`: zones whose hour before is known, too; `left`: those nobody asked about yet. */
function sayUnasked(o: Printer, { read, of, past, left, canGoOn }: Asked): void {
  const which =
    read < of
      ? `${count(read)} of ${counted(of, 'zone')}, those with most traffic first,`
      : `all ${counted(of, 'zone')}`;
  const next = canGoOn ? ': the next call goes on there' : '';
  const rest = left === 0 ? '' : `; ${count(left)} ${left === 1 ? 'was' : 'were'} not asked yet${next}`;
  remark(o, `the newest rows of ${which} were asked for, and of ${count(past)} the hour before${rest}`);
}

/** What could not be read, each reason once with its zones. `isAllAsked`: no limit left anything out. */
function sayUnread(o: Printer, healthOf: ReadonlyMap<PullZone, ZoneHealth>, isAllAsked: boolean): void {
  const failed = [...healthOf].filter(([, { failure }]) => failure !== null);
  for (const same of Map.groupBy(failed, ([, { failure }]) => failure?.kind).values()) {
    const [[, { failure }] = [null, NO_HEALTH]] = same;
    if (failure === null) continue;
    const { what, next } = explain(failure);
    say(o.stderr, `${zoneTitles(same.map(([zone]) => zone))} could not be read: ${what}`, next);
  }
  const unsearched = [...healthOf].filter(
    ([zone, { bins, blocked }]) =>
      zone.shieldZoneId && bins.length > 0 && (blocked?.blocked ?? null) === null && (isAllAsked || blocked),
  );
  if (unsearched.length > 0) {
    const names = zoneTitles(unsearched.map(([zone]) => zone));
    say(o.stderr, `what Shield blocks is not known of ${names}: all searches of an account share one quota`);
  }
}

type Asker = Pick<Printer, 'client' | 'clock'>;

/** Zones read at once; one slower than its patience, ms, no longer counts among them. */
const ZONES_AT_ONCE = 16;
const PATIENCE = 2_000;

/** The longest search, ms: all of them wait for one quota. After its time, ms, a zone's log is not asked again. */
const SEARCH_TIME = 15_000;
const LOG_TIME = 12_000;

/** The newest rows, and a sample of each part of the hour before. */
const MOST_READINGS = 6;

/**
 * The health of zones from one reading each, in their order; ends early with what was read when the signal fires.
 * With at `most` so many requests the newest rows of every zone come first, then the past of those with most errors.
 */
async function readAccount(
  o: Asker,
  zones: readonly PullZone[],
  signal: AbortSignal,
  { seen = () => {}, most = null }: { seen?: () => void; most?: number | null } = {},
): Promise<ZoneHealth[]> {
  const read = new Map<PullZone, ZoneHealth>();
  const readThese = (these: readonly PullZone[], readings: number) =>
    eachAtOnce(o.clock, these, signal, async (zone) => {
      const before = read.get(zone) ?? null;
      read.set(zone, await readZone(o, zone, signal, { before: before ?? NO_HEALTH, readings }));
      if (before === null) seen();
    });
  if (most === null) await readThese(zones, MOST_READINGS);
  else {
    await readThese(zones.slice(0, most), 1);
    const left = Math.max(0, most - zones.length);
    const worst = [...read.keys()].toSorted((a, b) => errorsOf(read.get(b)) - errorsOf(read.get(a)));
    await readThese(worst.slice(0, Math.floor(left / MOST_READINGS)), MOST_READINGS - 1);
  }
  return zones.map((zone) => read.get(zone) ?? NO_HEALTH);
}

/** One zone: its log first, then what Shield blocked, whose searches all share a quota. */
async function readZone(
  o: Asker,
  zone: PullZone,
  signal: AbortSignal,
  { before, readings }: { before: ZoneHealth; readings: number },
): Promise<ZoneHealth> {
  const now = serverClock(o, 'logging');
  const startedAt = o.clock.now();
  let health = before;
  const read = async (reading: HealthReading, longest?: number): Promise<void> => {
    const answer = await readHealth(o, zone, reading, signal, longest);
    if (!signal.aborted) health = withAnswer(health, reading, answer, now());
  };
  const due = (hasShield: boolean) =>
    signal.aborted ? null : nextReading(health, { now: now(), every: Number.POSITIVE_INFINITY, hasShield });
  for (let n = 0; n < readings && o.clock.now() - startedAt < LOG_TIME; n++) {
    const reading = due(false);
    if (reading === null) break;
    await read(reading);
  }
  const search = zone.shieldZoneId && readings > 1 ? due(true) : null;
  if (search?.kind === 'blocked') await read(search, SEARCH_TIME);
  return health;
}

function errorsOf(health: ZoneHealth | undefined): number {
  return (health && recentFigures(health)?.errorRatio) ?? 0;
}

/** Works on a few items at once; slow ones wait beside the others. */
async function eachAtOnce<T>(
  clock: Clock,
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const all: Promise<void>[] = [];
  let busy = 0;
  let isFree = Promise.withResolvers<void>();
  for (const item of items) {
    while (busy >= ZONES_AT_ONCE && !signal.aborted) await isFree.promise;
    if (signal.aborted) break;
    busy += 1;
    const ended = new AbortController();
    const working = work(item).finally(() => ended.abort());
    all.push(working);
    void clock.sleep(PATIENCE, ended.signal).then(() => {
      busy -= 1;
      isFree.resolve();
      isFree = Promise.withResolvers();
    });
  }
  await Promise.all(all);
}

/** A round over all zones takes at least this long, ms; with many zones this long for each. */
const SHORTEST_ROUND = 15_000;
const PER_LOG = 50;
/** All searches share the account's quota, of which this is less than half. */
const PER_SEARCH = 1_500;

type Watched = { zone: PullZone; health: ZoneHealth; isAsked: boolean };

/** Failing zones reported one by one for each failure: if the platform fails, all of them do. */
const MOST_TOLD = 5;

/**
 * Asks zone after zone for its newest rows or for what Shield blocked, round after round, until one meets the watch.
 * Prints what was read of all zones by then. Resolves to the exit code.
 */
async function watchAccount(o: Printer, zones: readonly PullZone[], watch: Watch): Promise<number> {
  const isSearch = watch.subject === 'shield';
  const all = zones.map((zone): Watched => ({ zone, health: NO_HEALTH, isAsked: false }));
  let turns = all.filter(({ zone }) => (isSearch ? Boolean(zone.shieldZoneId) : canBeRead(zone)));
  const without = all.filter((each) => !turns.includes(each)).map(({ zone }) => zone);
  if (without.length > 0) {
    say(o.stderr, `not watched, without ${isSearch ? 'Shield' : 'a log'}: ${zoneTitles(without)}`);
  }
  if (turns.length === 0) {
    say(o.stderr, 'no zone is left that could meet the condition');
    return 1;
  }
  const pace = isSearch ? PER_SEARCH : PER_LOG;
  const round = Math.max(SHORTEST_ROUND, turns.length * pace);
  sayPrice(o, watch, turns.length, round);

  const now = serverClock(o, 'logging');
  const tell = createTroubleTeller(o);
  const { end, signal, stop, ended } = createStop(o);

  async function take(watched: Watched): Promise<void> {
    const { zone } = watched;
    const due = { now: now(), every: Number.NEGATIVE_INFINITY, hasShield: false };
    const reading = isSearch ? newestSearch(now()) : nextReading(watched.health, due);
    if (reading === null) return;
    watched.isAsked = true;
    const answer = await readHealth(o, zone, reading, signal);
    watched.isAsked = false;
    if (signal.aborted) return;
    watched.health = withAnswer(watched.health, reading, answer, now());
    if (answer.kind === 'failed') {
      tell.failure(zone, answer.failure);
      if (tailFaultOf(answer.failure.kind).reason !== 'refused') return;
      turns = turns.filter((each) => each !== watched);
      if (turns.length === 0) stop(failed(o, answer.failure));
      return;
    }
    tell.answered(zone);
    const verdict = judgedSample(watch, watched.health);
    if (verdict.kind !== 'met') return;
    say(o.stderr, `${zoneTitle(zone)}: ${verdict.reason}`);
    const sheet = healthSheet(worstFirst(all.map((each) => healthReport(each.zone, each.health))));
    const found = { condition: printAccountWatch(watch), zones: [zone.name], query: null };
    stop(printSheet(o, sheet).then(() => metBy(o, end.signal, found, watch, verdict)));
  }

  void (async () => {
    const first = turns.length;
    for (let n = 0; !signal.aborted && turns.length > 0; n++) {
      const watched = turns[n % turns.length];
      if (watched?.isAsked === false) void take(watched);
      // What holds already shows soon; from then on the requests are spread over the round.
      await o.clock.sleep(n < first ? pace : round / turns.length, signal);
    }
  })();
  return ended;
}

function sayPrice(o: Printer, watch: Watch, zones: number, round: number): void {
  const what = watch.subject === 'shield' ? 'search' : 'request';
  const perMinute = count((zones * 60_000) / round);
  const all = `${counted(zones, what, what === 'search' ? 'searches' : 'requests')} a round of ${duration(round)}`;
  say(
    o.stderr,
    `watching ${printAccountWatch(watch)} in ${counted(zones, 'zone')}: ${all}, ${perMinute} a minute`,
  );
}

/**
 * Reports failing zones once, until they answer again or fail in another way, and no more of a kind than anybody
 * reads.
 */
function createTroubleTeller(o: Pick<Printer, 'stderr'>) {
  const kinds = new Map<PullZone, Failure['kind']>();
  return {
    failure(zone: PullZone, failure: Failure): void {
      const { kind } = failure;
      if (kinds.get(zone) === kind) return;
      kinds.set(zone, kind);
      const alike = [...kinds.values()].filter((each) => each === kind).length;
      if (alike > MOST_TOLD) {
        if (alike === MOST_TOLD + 1)
          say(o.stderr, 'more zones fail in this way; they are not told one by one');
        return;
      }
      const { what, next } = explain(failure);
      const goesOn = tailFaultOf(kind).reason === 'refused' ? 'No longer watched.' : 'Still watching.';
      say(o.stderr, `${zoneTitle(zone)}: ${what} ${goesOn} ${next}`);
    },
    answered(zone: PullZone): void {
      if (kinds.delete(zone)) say(o.stderr, `${zoneTitle(zone)} answers again`);
    },
  };
}

function newestSearch(now: number): HealthReading {
  return { kind: 'blocked', range: { from: now - SETTLING - RECENT, to: now - SETTLING }, isBefore: false };
}
