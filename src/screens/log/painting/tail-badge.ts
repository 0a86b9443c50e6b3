import { FAILURES, type Failure } from '../../../domain/failure.ts';
import type { TailReport } from '../../../domain/tail/tail-report.ts';
import { wholeSeconds } from '../../../paint/row.ts';
import type { Words } from '../../../paint/theme.ts';
import { duration, percent } from '../../../text/units.ts';

/** All of a window was read once before its late rows are looked for. */
export function readingWords({ readShare }: TailReport): string {
  return readShare === 1 ? 'READING late rows' : `READING ${percent(readShare ?? 0)}`;
}

export function tailBadge(report: TailReport | null, now: number): Words {
  if (!report) return { text: 'CONNECTING', slot: 'quiet' };
  const ago = wholeSeconds(now - report.since);
  switch (report.status) {
    case 'connecting':
      return { text: `CONNECTING ${ago}`, slot: 'quiet' };
    case 'live':
      return { text: 'LIVE', slot: 'live' };
    case 'quiet':
      return {
        text: `QUIET ${wholeSeconds(now - (report.lastRowAt ?? report.since))}`,
        slot: 'quiet',
      };
    case 'rateLimited':
      // A countdown that is over is a request under way.
      return (report.retryAt ?? now) > now
        ? {
            text: `RATE LIMITED ${duration(Math.ceil(((report.retryAt ?? now) - now) / 1000) * 1000)}`,
            slot: 'down',
          }
        : { text: 'RATE LIMITED, retrying', slot: 'down' };
    case 'offline':
      return { text: `OFFLINE ${ago}`, slot: 'down' };
    case 'failed':
      return { text: isDenied(report.failure) ? 'REFUSED' : `FAILING ${ago}`, slot: 'down' };
    case 'stopped':
      return report.gaps.length === 0
        ? { text: 'COMPLETE', slot: 'success' }
        : { text: `INCOMPLETE ${percent(report.readShare ?? 0)}`, slot: 'warning' };
  }
}

/** True when only the user can change the answer; a server in trouble is no refusal. */
function isDenied(failure: Failure | null): boolean {
  return failure !== null && FAILURES[failure.kind].traits.tail === 'denied';
}
