import type { CommandLine } from '../config/command/command-line.ts';
import type { Result } from '../domain/failure.ts';
import { shieldGroupSheet } from '../domain/handover/sheet.ts';
import { type Cut, keptWords, withinKept } from '../domain/log-retention.ts';
import { shieldMatcher } from '../domain/query/match.ts';
import type { Query } from '../domain/query/query.ts';
import { LARGEST_SHIELD_PAGE, type ShieldAnswer } from '../domain/shield/shield.ts';
import { createParts, tableOf } from '../domain/shield/shield-groups.ts';
import { planGroups, planRows, type ShieldPlan } from '../domain/shield/shield-question.ts';
import { cutOff, rangeOf, windowTrouble } from '../domain/shield/shield-window.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import type { Watch } from '../domain/watch/watch.ts';
import { minutePlan } from '../effects/watch-minutes.ts';
import { sanitise } from '../text/sanitise.ts';
import { say } from '../text/say.ts';
import { count, counted } from '../text/units.ts';
import { sayLimit } from './logs/log-question.ts';
import { presentOfShield } from './present.ts';
import { eventText } from './printed-lines.ts';
import { endOf, FAILED, failed, type Printer, remark, sheetText, wrongUsage } from './printer.ts';
import { createProgressLine, pageProgressText } from './progress.ts';
import { watchShield } from './watch-command.ts';
import { zoneNamed } from './zones-command.ts';

const UNDECIDED = 'exclusions and further free text cannot be applied to counts; leave out by:';

/**
 * Prints all pages of a window's Shield events: groups where the query groups, else rows. Resolves to the exit code.
 */
export async function printShield(
  o: Printer,
  line: CommandLine,
  query: Query,
  watch: Watch | null = null,
): Promise<number> {
  const id = await shieldIdOf(o, line.zone ?? '');
  if (typeof id === 'number') return id;
  const { earliest, latest } = presentOfShield(o);
  const trouble = windowTrouble(query.window, earliest);
  if (trouble && windowTrouble(query.window, latest))
    return wrongUsage(o, `${trouble.word}: ${trouble.message}`, trouble.hint);
  // Between the two the present is unknown: the window holds both.
  const first = rangeOf(query.window, earliest);
  const range = withinKept({ from: first.from, to: rangeOf(query.window, latest).to }, latest, 'shield');
  const isCut = cutOff(query.window, { from: range.from, to: first.to }) > 0;
  const sayCut = () => {
    if (isCut) remark(o, keptWords(range.from, 'shield'));
  };
  if (watch !== null) {
    if (query.window?.kind === 'absolute' && query.window.to !== null)
      return wrongUsage(o, '--until has no end; leave out to:');
    const { undecided } = minutePlan(query);
    if (undecided.length > 0) return wrongUsage(o, UNDECIDED);
    const since = query.window === null ? earliest : range.from;
    sayCut();
    return watchShield(o, { shieldZoneId: id, zone: line.zone ?? '', query, watch, since });
  }
  sayCut();
  const isGrouped = query.groupBy.length > 0;
  const plan = isGrouped ? planGroups(query, query.groupBy) : planRows(query);
  const ask = (page: number) =>
    o.client.shieldSearch(
      id,
      {
        ...range,
        query: plan.query,
        filters: plan.filters,
        groupBy: plan.groupBy,
        page,
        pageSize: LARGEST_SHIELD_PAGE,
      },
      { priority: 'user' },
    );
  const how = { plan, range, isCut, limit: line.limit, ask };
  return isGrouped ? printGroups(o, how) : printRows(o, how);
}

type Ask = (page: number) => Promise<Result<ShieldAnswer>>;

/** `isCut`: more was asked about than is kept. */
type Search = { plan: ShieldPlan; range: TimeRange; isCut: boolean; limit: number | null; ask: Ask };

async function printGroups(o: Printer, { plan, range, isCut, limit, ask }: Search): Promise<number> {
  if (plan.undecided.length > 0) return wrongUsage(o, UNDECIDED);
  const read = createParts(plan.groupBy);
  let total = 0;
  let isStrayed = false;
  const failure = await eachPage(o, 'groups', ask, {
    async take(answer) {
      read.add(answer.groups);
      total = answer.total;
      isStrayed ||= answer.strays !== undefined;
      return true;
    },
    left: () => 'groups are printed when all are read, so none is',
  });
  if (failure !== null) return failure;
  const parts = read.all();
  // Groups move between pages while events come.
  if (parts.length < total) {
    remark(o, `read ${count(parts.length)} of ${count(total)} groups: they moved while being read`);
  }
  const table = tableOf(parts, { dims: plan.dims, local: plan.local, sort: 'count', reversed: false });
  const groups =
    o.format === 'ndjson' ? table.groups : table.groups.slice(0, table.groups.length - table.bad);
  if (table.bad > 0) {
    const where =
      o.format === 'ndjson' ? 'printed as they came, as _raw' : 'left out; --format ndjson has them';
    remark(o, `${table.bad} groups were not understood: ${where}`);
  }
  const shown = groups.slice(0, limit ?? groups.length);
  if (shown.length < groups.length) sayLimit(o, limit, 'group');
  await o.write(sheetText(o.format, shieldGroupSheet(plan.dims, shown)));
  const isRead = parts.length >= total && shown.length === table.groups.length && table.bad === 0;
  const isWhole = isRead && !isCut && !isStrayed;
  o.covered?.({ of: 'groups', range, read: parts.length, total, given: shown.length, gaps: 0, isWhole });
  return isStrayed ? FAILED : 0;
}

async function printRows(o: Printer, { plan, range, isCut, limit, ask }: Search): Promise<number> {
  const matches = shieldMatcher(plan.local);
  const seen = new Set<string>();
  let left = limit ?? Number.POSITIVE_INFINITY;
  let isFirst = true;
  let read = 0;
  let hidden = 0;
  let printed = 0;
  let isStrayed = false;
  const failure = await eachPage(o, 'rows', ask, {
    async take({ events, total, strays }, isLast) {
      isStrayed ||= strays !== undefined;
      // Late events push rows onto the next page, which then repeats them.
      const fresh = events.filter((event) => event.logId === null || !seen.has(event.logId));
      for (const { logId } of fresh) if (logId !== null) seen.add(logId);
      const wanted = fresh.filter((event) => matches(event.fields));
      await o.write(eventText(o.format, wanted.slice(0, left), isFirst));
      isFirst = false;
      printed += Math.min(wanted.length, left);
      left -= wanted.length;
      read += fresh.length;
      hidden += fresh.length - wanted.length;
      const isStopped = left < 0 || (left === 0 && !isLast);
      if (!isStopped && !isLast) return true;
      const isWhole = !isStopped && !isCut && !isStrayed && read >= total;
      o.covered?.({ of: 'events', range, read, total, given: printed, gaps: 0, isWhole });
      if (isStopped) sayLimit(o, limit, 'row');
      else if (hidden > 0) remark(o, `hidden here ${count(hidden)} of ${counted(read, 'row')} read`);
      return false;
    },
    left: () => `${counted(printed, 'row is', 'rows are')} printed, the newest, and older ones are not`,
  });
  return failure ?? (isStrayed ? FAILED : 0);
}

/**
 * Page after page until no more are wanted, with progress where somebody watches. The exit code of a failure, or
 * null; `left` says what an interrupt leaves undone.
 */
async function eachPage(
  o: Printer,
  what: 'rows' | 'groups',
  ask: Ask,
  { take, left }: { take: (answer: ShieldAnswer, isLast: boolean) => Promise<boolean>; left: () => string },
): Promise<number | null> {
  const end = endOf(o);
  let [read, requests] = [0, 0];
  let total: number | null = null;
  let gone: Cut['gone'];
  const line = createProgressLine(o, (times) =>
    pageProgressText({ what, read, total, requests, quota: o.client.mainQuota(), ...times }),
  );
  try {
    for (let isWanted = true; isWanted; ) {
      requests += 1;
      const answer = await ask(requests - 1);
      if (!answer.ok) {
        line.erase();
        return end.told(`interrupted; ${left()}`) ?? failed(o, answer.failure);
      }
      const { events, groups, totalPages } = answer.value;
      const size = events.length + groups.length;
      read += size;
      total = answer.value.total;
      gone = answer.value.gone ?? gone;
      line.show();
      const isLast = requests >= totalPages || size === 0;
      isWanted = (await take(answer.value, isLast)) && !isLast;
    }
    return null;
  } finally {
    line.end();
    if (gone) remark(o, `in the end ${keptWords(gone.to, 'shield')}`);
  }
}

/** The Shield zone of a word, or the exit code after saying why there is none. */
async function shieldIdOf(o: Printer, word: string): Promise<string | number> {
  const named = /^shield:(\d+)$/i.exec(word)?.[1];
  if (named !== undefined) return named;
  const zone = await zoneNamed(o, word);
  if (typeof zone === 'number') return zone;
  const answer = await o.client.shieldZoneOfPullZone(zone.id, { priority: 'user' });
  if (!answer.ok) return failed(o, answer.failure);
  if (answer.value !== null) return answer.value;
  say(o.stderr, `${sanitise(zone.name, 'text', 100)} has no Shield zone: switch Shield on in the pull zone`);
  return 1;
}
