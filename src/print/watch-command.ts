import { explain, type Failure } from '../domain/failure.ts';
import { shieldGroupSheet } from '../domain/handover/sheet.ts';
import { watchLine } from '../domain/handover/watch-line.ts';
import type { Query } from '../domain/query/query.ts';
import { LARGEST_SHIELD_PAGE } from '../domain/shield/shield.ts';
import { tailFaultOf } from '../domain/tail/tail-pace.ts';
import { type MetVerdict, printWatch, type Watch, type WatchVerdict } from '../domain/watch/watch.ts';
import { handFinding } from '../effects/hand-finding.ts';
import { serverClock } from '../effects/server-clock.ts';
import { minutePlan, shieldMinutes, watchMinutes } from '../effects/watch-minutes.ts';
import { sayOnDesktop } from '../text/notification.ts';
import { say } from '../text/say.ts';
import { counted } from '../text/units.ts';
import { eventText } from './printed-lines.ts';
import { createStop, failed, type Printer, sheetText } from './printer.ts';

/** Exit code of a watch that was met. */
export const MET = 10;

/** What standard error says of a watch: always why it was met; why nothing is judged yet, where somebody reads it. */
export function createWatchTeller(o: Pick<Printer, 'stderr' | 'isStderrTerminal'>) {
  let isJudged = false;
  let said = '';
  let troubled = false;
  return {
    verdict(verdict: WatchVerdict): void {
      if (verdict.kind === 'met') {
        say(o.stderr, verdict.reason);
        return;
      }
      if (verdict.kind === 'no') {
        isJudged = true;
        troubled = false;
        return;
      }
      // Between two judgements there is always an unfinished minute; that is said only before the first one.
      const isIdle = verdict.why.startsWith('not enough data yet') && (isJudged || said !== '');
      if (!o.isStderrTerminal || isIdle || verdict.why === said) return;
      said = verdict.why;
      say(o.stderr, said);
    },
    failure(failure: Failure): void {
      if (troubled) return;
      troubled = true;
      const { what, next } = explain(failure);
      say(o.stderr, `${what} Still watching. ${next}`);
    },
  };
}

/**
 * Tells what met a watch on the desktop of whoever reads standard error, and hands it to the command of `--exec`; resolves to
 * the exit code.
 */
export async function metBy(
  o: Printer,
  signal: AbortSignal,
  asked: Parameters<typeof watchLine>[0],
  watch: Watch,
  verdict: MetVerdict,
): Promise<number> {
  if (o.isStderrTerminal && o.notifier)
    sayOnDesktop(o.stderr, `${asked.zones.join(', ')}: ${verdict.reason.replaceAll('–', '-')}`, o.notifier);
  if (!o.exec) return MET;
  const line = watchLine(asked, watch, verdict);
  const said = (words: string) => say(o.stderr, words);
  const trouble = await handFinding(o.exec, line, { clock: o.clock, signal, said });
  if (trouble !== null) say(o.stderr, `--exec ${trouble}`);
  return MET;
}

/**
 * Prints the Shield events or groups of each minute once it is over, until the watch is met; resolves to the exit
 * code. `since`: Unix ms.
 */
export async function watchShield(
  o: Printer,
  asked: { shieldZoneId: string; zone: string; query: Query; watch: Watch; since: number },
): Promise<number> {
  const { shieldZoneId, zone, query, watch, since } = asked;
  const plan = minutePlan(query);
  const { end, signal, stop, ended } = createStop(o);
  const tell = createWatchTeller(o);
  const isGrouped = plan.groupBy.length > 0;
  const past = Math.floor((serverClock(o, 'main')() - since) / 60_000);
  const more = isGrouped ? 'groups' : 'events';
  const first = past > 0 ? `, and first the ${counted(past, 'minute')} gone by` : '';
  const price = `a search a minute, one more for every ${LARGEST_SHIELD_PAGE} ${more}${first}`;
  say(o.stderr, `watching ${printWatch(watch)}: ${price}`);
  let isFirst = true;
  void watchMinutes({
    watch,
    since,
    clock: o.clock,
    now: serverClock(o, 'main'),
    signal,
    read: shieldMinutes(o.client, shieldZoneId, plan, async ({ events, groups }) => {
      const text = isGrouped
        ? sheetText(o.format, shieldGroupSheet(plan.dims, groups), isFirst)
        : eventText(o.format, events, isFirst);
      isFirst = false;
      await o.write(text);
    }),
    judged(verdict) {
      tell.verdict(verdict);
      if (verdict.kind !== 'met') return;
      const found = { condition: printWatch(watch), zones: [zone], query };
      stop(metBy(o, end.signal, found, watch, verdict));
    },
    failed(failure) {
      if (tailFaultOf(failure.kind).reason === 'refused') stop(failed(o, failure));
      else tell.failure(failure);
    },
  });
  return ended;
}
