import { DAY } from '../../text/units.ts';
import type { SimZone } from '../account/zones.ts';
import { dayOfPath, type Exchange, loggingError, type ServedAnswer } from '../http/answers.ts';
import { requestId, rowUrl, type SimRow } from '../traffic/rows.ts';
import type { World } from '../world.ts';
import { searchable } from './log-filter.ts';
import { RETENTION } from './logs-v2.ts';
import { scan } from './scan.ts';

const MINUTES_A_DAY = 24 * 60;
/** Lines gathered before they are handed to the socket. */
const BATCH = 512;

/** GET /{MM}-{dd}-{yy}/{id}.log: one UTC day as pipe-delimited lines. */
export function readDayLog(call: Exchange, world: World, zone: SimZone): ServedAnswer {
  const [month, day, year] = call.params as [string, string, string];
  const from = dayOfPath(`${month}-${day}-20${year}`);
  if (from === null)
    return loggingError(400, 'invalid_request', 'The date is not valid.', ['date: no such day.']);
  if (from > call.now || from + DAY <= call.now - RETENTION)
    return loggingError(404, 'not_found', 'There is no log for this day.');
  const q = call.url.searchParams;
  const order = orderOf(q.get('sort')) ?? 'desc';
  const classes = new Set((q.get('status') || '2,3,4,5').split(',').map((digit) => Number(digit.trim()[0])));
  const tokens = (q.get('search') ?? '').toLowerCase().split(' ').filter(Boolean);
  const first = Number(q.get('start') ?? 0) || 0;
  const end = Number(q.get('end') ?? 0) || Number.POSITIVE_INFINITY;
  const isWanted = (row: SimRow) =>
    !row.isOriginShield &&
    classes.has(Math.floor(row.status / 100)) &&
    (tokens.length === 0 || tokens.some((token) => searchable(row, zone).toLowerCase().includes(token)));
  const headers: Record<string, string> =
    q.get('download')?.toLowerCase() === 'true'
      ? { 'content-disposition': `attachment; filename="${month}-${day}-${year}-${zone.id}.log"` }
      : {};
  return { status: 200, type: 'text/plain; charset=utf-8', headers, body: lines(from) };

  async function* lines(midnight: number): AsyncIterable<string> {
    let number = 0;
    for (let n = 0; n < MINUTES_A_DAY && number < end; n++) {
      const minute = midnight + (order === 'asc' ? n : MINUTES_A_DAY - 1 - n) * 60_000;
      if (minute > call.now || minute + 60_000 <= call.now - RETENTION) continue;
      let batch: string[] = [];
      const ready: string[] = [];
      await scan(
        world.traffic,
        zone,
        { from: Math.max(minute, call.now - RETENTION), to: minute + 60_000, order },
        call.now,
        (row) => {
          if (!isWanted(row)) return true;
          number += 1;
          if (number > first) batch.push(dayLine(row, zone));
          if (batch.length === BATCH) {
            ready.push(batch.join(''));
            batch = [];
          }
          return number < end;
        },
      );
      yield* ready;
      if (batch.length > 0) yield batch.join('');
    }
  }
}

function orderOf(text: string | null): 'asc' | 'desc' | null {
  const word = text?.toLowerCase();
  return word === 'asc' || word === 'desc' ? word : null;
}

/** There is no escaping: a bar within a field that a client sent is dropped, and so is a line break. */
export function dayLine(row: SimRow, zone: SimZone): string {
  const fields: (string | number | null)[] = [
    row.cache,
    row.status,
    row.t,
    row.bytes,
    zone.id,
    row.client.loggedIp,
    bare(row.referer),
    bare(rowUrl(row)),
    row.client.edge,
    bare(row.client.ua),
    requestId(row, zone),
    row.client.country || null,
  ];
  if (zone.extendedLines) fields.push(row.bodyBytes, row.range, row.authorization);
  return `${fields.map((field) => field ?? '-').join('|')}\n`;
}

function bare(text: string | null): string | null {
  return text?.replace(/[|\r\n]/g, '') ?? null;
}
