import { isUnread } from '../../../domain/logs/paged-log.ts';
import { zoneNameOf } from '../../../domain/query/zone-terms.ts';
import type { Gap, GapReason } from '../../../domain/tail/coverage.ts';
import { cursorSign, type Strip, timeText } from '../../../paint/row.ts';
import { zonesOfLog } from '../../../state/log-zones.ts';
import type { LogSession } from '../../../state/model.ts';
import { isBeingRead, isKeptNoMore, loadingCommand } from '../../../state/sessions/backfill.ts';
import { isOfPages } from '../../../state/sessions/paging.ts';
import { fit } from '../../../text/fit.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { count, duration } from '../../../text/units.ts';

/** Cells of a zone's name in the line of a gap. */
const LONGEST_ZONE = 20;

/** What can be done about a gap, or is being done. */
function gapHint(gap: Gap, session: LogSession): string {
  if (session.source.kind !== 'zones') return '';
  if (isKeptNoMore(session, gap)) return '';
  if (isOfPages(session, gap))
    return gap.from === session.from && isUnread({ ...gap, reason: 'notRead' }, true)
      ? '; Enter reads on'
      : '';
  return isBeingRead(session, gap) ? '; being read, Esc stops it' : '; Enter reads it';
}

/** Whose rows a gap lacks, where the log has several zones. */
function gapZone({ zone }: Gap, session: LogSession): string {
  return zone === undefined
    ? ''
    : ` of ${sanitise(zoneNameOf(zonesOfLog(session), zone), 'strict', LONGEST_ZONE)}`;
}

/** A gap as a line of the list: whose, from when to when, why, and what can be done about it. */
export function paintedGapLine(
  gap: Gap,
  isCursor: boolean,
  { session, columns, today, look }: Strip & { session: LogSession; today: string },
): string {
  const [from, to] = [gap.from, gap.to].map((at) => timeText(at, today, look)) as [string, string];
  const rows = gap.rows === null ? '' : `, ${count(gap.rows)} rows`;
  const text = ` gap${gapZone(gap, session)} ${from}${look.glyph.dash}${to} (${duration(gap.to - gap.from)}${rows}): ${gapWords(gap, session)}${gapHint(gap, session)} `;
  const mark = isCursor ? cursorSign(true, look) : look.paint('gap', look.glyph.dash);
  const dashes = Math.max(0, columns - 1 - text.length);
  return (
    mark + look.paint(isCursor ? 'cursor' : 'gap', fit(text + look.glyph.dash.repeat(dashes), columns - 1))
  );
}

function gapWords(gap: Gap, session: LogSession): string {
  if (loadingCommand(session, gap) !== null) return 'kept no more; keep --stored loads it';
  const words = !isOfPages(session, gap) || isUnread(gap, true) ? null : STORE_WORDS[gap.reason];
  return words ?? GAP_WORDS[gap.reason];
}

/** What means something else where a store answers. */
const STORE_WORDS: Partial<Record<GapReason, string>> = {
  notRead: 'the store is not known to have it',
  failed: 'the question failed',
  offline: 'no answer came, or none did when it was kept',
  retention: 'dropped from the store, or older than the three days that the platform keeps',
  refused: 'the question was refused',
};

/** Why a gap is there, in the words of the screen. */
const GAP_WORDS: Record<GapReason, string> = {
  notRead: 'not read yet',
  failed: 'the request failed',
  offline: 'the network was gone',
  rateLimited: 'the API refused: rate limit',
  overload: 'more rows than the quota can fetch',
  overflow: 'more rows in one millisecond than a page holds',
  strays: 'the API sent other rows than those asked for',
  slept: 'this machine slept',
  retention: 'older than the three days that are kept',
  expired: 'older than the store keeps rows, or taken from it since',
  refused: 'the API refused to answer',
  imported: 'rows of files, which may not have all',
};
