import { exitCodeOf, explain } from '../../domain/failure.ts';
import { type HealthReport, healthReport, worstFirst } from '../../domain/handover/health-shapes.ts';
import { healthSheet } from '../../domain/handover/sheet.ts';
import { isPastRead } from '../../domain/health/health-plan.ts';
import { NO_HEALTH, type ZoneHealth } from '../../domain/health/zone-health.ts';
import type { Watch } from '../../domain/questions/watch/watch.ts';
import { canBeRead, type PullZone } from '../../domain/zone.ts';
import { serverClock } from '../../effects/server-clock.ts';
import { say } from '../../text/say.ts';
import { count, counted } from '../../text/units.ts';
import { endOf, type Printer, printSheet } from '../printer.ts';
import { createProgressLine, whereSlow } from '../progress.ts';
import { withShieldZones, zonesNamed, zoneTitles } from '../zones.ts';
import { readAccount } from './health-reading.ts';
import { watchAccount } from './health-watch.ts';

/** Exit code where no zone of those asked for could be read. */
const NOTHING_READ = 1;

/**
 * Prints how each zone does beside its own past, the worst first; `words`: zones with commas between them, null = all. With a
 * watch it goes on until a zone meets it. Resolves to the exit code.
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
  const joined = await withShieldZones(o, named, 'what it blocks is left out');
  if (typeof joined === 'number') return joined;
  const zones = joined ?? named;
  if (watch !== null) return watchAccount(o, zones, watch);
  const asked = zones.filter(canBeRead);
  let read = 0;
  const readWords = (elapsed: string) =>
    `${count(read)} of ${counted(asked.length, 'zone')} read, ${elapsed}`;
  const line = createProgressLine(o, whereSlow(readWords));
  const seen = () => {
    read += 1;
    line.show();
  };
  const healths = await readAccount(o, asked, end.signal, { seen, most }).finally(line.end);
  const ended = end.told(
    'interrupted; nothing is printed, because which zone is the worst is known when all are read',
  );
  if (ended !== null) return ended;
  const healthOf = new Map(asked.map((zone, at) => [zone, healths[at] ?? NO_HEALTH]));
  sayUnread(o, healthOf, most === null);
  const now = serverClock(o, 'logging')();
  const past = healths.filter((health) => health.bins.length > 0 && isPastRead(health, now)).length;
  if (most !== null && past < asked.length) sayUnasked(o, { most, asked: asked.length, read, past });
  const reports = zones.map((zone) => healthReport(zone, healthOf.get(zone) ?? NO_HEALTH));
  await printSheet(o, healthSheet(worstFirst(reports)));
  o.covered?.({
    of: 'zones',
    range: null,
    read: reports.filter(({ figures }) => figures !== null).length,
    total: zones.length,
    given: reports.length,
    gaps: 0,
    isWhole: past === zones.length && healths.every(({ failure }) => failure === null) && joined !== null,
  });
  return exitOf(reports, [...healthOf.values()]);
}

function exitOf(reports: readonly HealthReport[], healths: readonly ZoneHealth[]): number {
  if (reports.length === 0 || reports.some(({ figures }) => figures !== null)) return 0;
  const failure = healths.find((health) => health.failure !== null)?.failure;
  return failure ? exitCodeOf(failure) : NOTHING_READ;
}

/** `read`: zones of which anything was asked; `past`: those of which the hour before is known too. */
function sayUnasked(o: Printer, n: { most: number; asked: number; read: number; past: number }): void {
  const of = n.read < n.asked ? ` of ${count(n.read)} of` : ' of all';
  say(
    o.stderr,
    `for at most ${counted(n.most, 'request')} the newest rows${of} ${counted(n.asked, 'zone')} were asked for, and of ${count(n.past)} the hour before`,
  );
}

/** What could not be read, each reason once with the zones that it is of. `isAllAsked`: nothing was left out by a limit. */
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
