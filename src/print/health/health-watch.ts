import { explain, type Failure } from '../../domain/failure.ts';
import { healthReport, worstFirst } from '../../domain/handover/health-shapes.ts';
import { healthSheet } from '../../domain/handover/sheet.ts';
import { type HealthReading, nextReading, SETTLING, withAnswer } from '../../domain/health/health-plan.ts';
import { NO_HEALTH, RECENT, type ZoneHealth } from '../../domain/health/zone-health.ts';
import { tailFaultOf } from '../../domain/tail/tail-pace.ts';
import { judgedSample, printAccountWatch, type Watch } from '../../domain/watch/watch.ts';
import { canBeRead, type PullZone } from '../../domain/zone.ts';
import { readHealth } from '../../effects/health.ts';
import { serverClock } from '../../effects/server-clock.ts';
import { say } from '../../text/say.ts';
import { count, counted, duration } from '../../text/units.ts';
import { createStop, failed, type Printer, printSheet } from '../printer.ts';
import { MET } from '../watch.ts';
import { zoneTitle, zoneTitles } from '../zones.ts';

/** A round over all zones takes at least so long, and longer where they are many: so long for each, ms. */
const SHORTEST_ROUND = 15_000;
const PER_LOG = 50;
/** All searches share the quota of the account, of which this is less than half. */
const PER_SEARCH = 1_500;

type Watched = { zone: PullZone; health: ZoneHealth; isAsked: boolean };

/** Zones that fail in one way and are told one by one: where the platform itself fails, they all do. */
const MOST_TOLD = 5;

/**
 * Asks zone after zone for its newest rows, or for what Shield blocked, round after round, until one meets the watch. What was
 * read of all zones by then is printed. Resolves to the exit code.
 */
export async function watchAccount(o: Printer, zones: readonly PullZone[], watch: Watch): Promise<number> {
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
  const { signal, stop, ended } = createStop(o);

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
    stop(printSheet(o, sheet).then(() => MET));
  }

  void (async () => {
    const first = turns.length;
    for (let n = 0; !signal.aborted && turns.length > 0; n++) {
      const watched = turns[n % turns.length];
      if (watched?.isAsked === false) void take(watched);
      // What holds already is told soon; from then on the requests are spread over the round.
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

/** Says which zones fail, once until they answer again or fail in another way, and no more of a kind than one can read. */
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
