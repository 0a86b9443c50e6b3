import { exitCodeOf, explain, FAILURES } from '../domain/failure.ts';
import { keptSince } from '../domain/kept.ts';
import type { Gap, TimeRange } from '../domain/tail/coverage.ts';
import type { PullZone } from '../domain/zone.ts';
import { archiveOf, type Spool, SpoolTrouble } from '../effects/saved/stored-parts.ts';
import { reasonOf } from '../effects/tail/tail-health.ts';
import { sanitise } from '../text/sanitise.ts';
import { say } from '../text/say.ts';
import { bytes, count, counted, duration } from '../text/units.ts';
import type { ArchivedPart } from './archived-source.ts';
import { nameAmong, type PartSource, type PrintedQuestion } from './log-question.ts';
import { ofZone } from './merged-parts.ts';
import { endOf, type Printer } from './printer.ts';
import { createProgressLine } from './progress.ts';
import { type LostPart, newTally, type StoredTally, storedRows, type ZonePart } from './stored-rows.ts';

/** What to do where a zone keeps none. */
export const NO_ARCHIVE =
  'switch on Permanent Log Storage for it in the platform panel, or keep its log with edgescope keep';

/**
 * The part of a window that is too old for the logging API, from the files that the platform stores of the zones; null: it is not
 * older than what is kept, or there are none.
 */
export async function archivedPart(
  o: Printer,
  reading: PrintedQuestion,
  range: TimeRange,
): Promise<ArchivedPart | null> {
  // A window of all that is kept begins a minute too early: that minute is worth no file.
  if (o.stored == null || range.from >= keptSince(range.to)) return null;
  const spool = o.stored;
  const { signal } = endOf(o);
  const zones = reading.zones.map(({ zone }) => zone);
  const found = await partsOf(o, spool, zones, { range, signal });
  if (found === null) return null;
  const tally = newTally();
  const lost: LostPart[] = [];
  let trouble: string | null = null;

  const source = (within: TimeRange): PartSource =>
    async function* parts() {
      const asked = found.parts.filter(
        ({ part: { span } }) => span.from < within.to && span.to > within.from,
      );
      const progress = createProgressLine(o, (times) => storedText(tally, asked, times));
      const { isWanted } = reading;
      const onLost = (part: LostPart) => lost.push(part);
      let readTo = within.from;
      try {
        for await (const part of storedRows({
          spool,
          parts: asked,
          range: within,
          isWanted,
          signal,
          tally,
          onLost,
        })) {
          progress.show();
          readTo = part.range.to;
          yield part;
        }
      } catch (error) {
        if (!(error instanceof SpoolTrouble)) throw error;
        trouble = error.message;
        const rest = { id: 'stored', from: readTo, to: within.to, reason: 'failed', rows: null } as const;
        const gaps = reading.zones.map(({ zone }) => ofZone(rest, nameAmong(reading, zone)));
        yield { range: { from: readTo, to: within.to }, records: [], gaps, failures: [] };
      } finally {
        progress.end();
      }
    };

  return {
    gaps: found.gaps,
    source,
    async conclude() {
      if (trouble !== null) say(o.stderr, trouble);
      return sayStored(o, tally, lost) || (trouble === null ? found.code : FAILED);
    },
  };
}

/** `12,000 rows, 3 of 12 stored files, 8.1M of 30M, 4s` */
export function storedText(
  tally: StoredTally,
  asked: readonly ZonePart[],
  { startedAt, now }: { startedAt: number; now: number },
): string {
  const total = asked.reduce((sum, { part }) => sum + part.length, 0);
  return [
    counted(tally.rows, 'row'),
    `${count(tally.parts)} of ${counted(asked.length, 'stored file')}`,
    `${bytes(tally.bytes)} of ${bytes(total)}`,
    duration(Math.max(1, now - startedAt)),
  ].join(', ');
}

/** What the rows do not show of the files that they were read from; the exit code. */
export function sayStored(o: Pick<Printer, 'stderr'>, tally: StoredTally, lost: readonly LostPart[]): number {
  if (tally.doubles > 0)
    say(
      o.stderr,
      `${counted(tally.doubles, 'row')} of stored files came twice and ${tally.doubles === 1 ? 'is' : 'are'} there once`,
    );
  if (tally.late > 0)
    say(o.stderr, `${counted(tally.late, 'row')} of stored files came too late for the order of time`);
  return sayLost(o, lost);
}

const FAILED = 1;

/** The parts of the zones, said on standard error; null = no zone has any, or they cannot be asked for, which is said too. */
export async function partsOf(
  o: Pick<Printer, 'stderr'>,
  { client }: Spool,
  zones: readonly PullZone[],
  { range, signal }: { range: TimeRange; signal: AbortSignal },
): Promise<{ parts: ZonePart[]; gaps: Gap[]; code: number } | null> {
  const parts: ZonePart[] = [];
  const gaps: Gap[] = [];
  let hasAny = false;
  let code = 0;
  for (const zone of zones) {
    const name = sanitise(zone.name, 'text', 100);
    const named = zones.length > 1 ? { id: zone.id, name } : null;
    const gap = (of: TimeRange, reason: Gap['reason']) =>
      gaps.push(ofZone({ ...of, id: `stored ${of.from}`, reason, rows: null }, named));
    const archive = await archiveOf(client, zone.id, range, signal);
    if (signal.aborted) return null;
    if (!archive.ok) {
      const { what, next } = explain(archive.failure);
      say(o.stderr, `STORED FILES of ${name} were not read: ${what}`, next);
      gap(range, reasonOf(archive.failure));
      // Where nothing could be asked for, as without a key, all is as it is without stored files.
      if (FAILURES[archive.failure.kind].call.arrived === 'no') continue;
      hasAny = true;
      code = exitCodeOf(archive.failure);
    } else if (archive.value === null) {
      say(o.stderr, `${name} keeps no log in storage: ${NO_ARCHIVE}`);
      gap(range, 'retention');
    } else {
      hasAny = true;
      const { store, parts: own, without } = archive.value;
      for (const part of own) parts.push({ store, part, zone: named });
      for (const days of without) gap(days, 'notRead');
      const size = own.reduce((sum, { length }) => sum + length, 0);
      say(
        o.stderr,
        `STORED FILES: ${counted(own.length, 'part')} of ${name}, ${bytes(size)}; completeness is not promised by the platform`,
      );
    }
  }
  parts.sort((a, b) => a.part.span.from - b.part.span.from);
  return hasAny ? { parts, gaps, code } : null;
}

/** Names the parts that were not read to their end, a cause once; the exit code. */
function sayLost(o: Pick<Printer, 'stderr'>, lost: readonly LostPart[]): number {
  const causes = Map.groupBy(lost, ({ what }) => (typeof what === 'string' ? what : explain(what).what));
  for (const [cause, of] of causes) {
    const [{ part }] = of as [LostPart];
    const others = of.length === 1 ? '' : ` and ${counted(of.length - 1, 'other')}`;
    say(o.stderr, `GAP stored file ${sanitise(part.name, 'text', 100)}${others}: ${cause}`);
  }
  const [first] = lost;
  if (first === undefined) return 0;
  return typeof first.what === 'string' ? FAILED : exitCodeOf(first.what);
}
