import { DAY, HOUR } from '../../text/units.ts';
import type { SimZone } from '../account/account-zones.ts';
import {
  absent,
  dayOfPath,
  type Exchange,
  json,
  NO_ERROR,
  problem,
  type ServedAnswer,
  type ShieldError,
} from '../http/answers.ts';
import type { SimRow } from '../traffic/rows.ts';
import type { World } from '../world.ts';
import { eventId, eventLabels, eventLog } from './events.ts';
import { SHIELD_WINDOW } from './search-query.ts';

/** A page that a busy zone's day takes a few requests of. */
const PAGE = 1_000;

/** Where a page begins: its newest minute, and how many of that minute's events came before. */
type Place = { minute: number; skip: number };

/** GET /shield/event-logs/{shieldZoneId}/{MM-dd-yyyy}[/{continuationToken}], newest first. */
export function readDay(call: Exchange, world: World): ServedAnswer {
  const [shieldZoneId, date = '', token] = call.params as [string, string, string | undefined];
  const zone = world.account.zoneByShield.get(shieldZoneId);
  if (zone === undefined) return absent(nothing);
  const from = dayOfPath(date);
  if (from === null || from > call.now || from + DAY <= call.now - SHIELD_WINDOW) return outside();
  const place = token === undefined ? newest(from, call.now) : readToken(token, from);
  if (place === null) return problem(400, 'Bad Request', 'The continuation token is not valid.');
  const oldest = Math.max(from, call.now - SHIELD_WINDOW);
  const { rows, next } = readPage(call, world, zone, place, oldest);
  return json({
    // Null where there is nothing to list.
    logs:
      rows.length === 0
        ? null
        : rows.map((row) => ({
            logId: eventId(row, zone),
            timestamp: row.t,
            log: JSON.stringify(eventLog(row, zone)),
            labels: eventLabels(row),
          })),
    hasMoreData: next !== null,
    continuationToken: next === null ? null : writeToken(next),
    startToken: writeToken(place),
    errorResponse: NO_ERROR,
  });
}

/** Late rows of minutes that do not wholly show yet may shift a later page, as in the field. */
function readPage(
  call: Exchange,
  world: World,
  zone: SimZone,
  place: Place,
  oldest: number,
): { rows: SimRow[]; next: Place | null } {
  const rows: SimRow[] = [];
  const { events } = world.traffic;
  let [minute, shown] = [place.minute, 0];
  for (let hour = Math.floor(place.minute / 60); hour >= Math.floor(oldest / HOUR); hour--) {
    const found = events(zone, hour);
    for (let i = found.length - 1; i >= 0; i--) {
      const row = found[i] as SimRow;
      const at = Math.floor(row.t / 60_000);
      if (at > place.minute || row.t < oldest || row.t + row.late > call.now) continue;
      if (at !== minute) [minute, shown] = [at, 0];
      if (at < place.minute || shown >= place.skip) {
        if (rows.length === PAGE) return { rows, next: { minute, skip: shown } };
        rows.push(row);
      }
      shown += 1;
    }
  }
  return { rows, next: null };
}

function newest(from: number, now: number): Place {
  return { minute: Math.floor((Math.min(from + DAY, now + 1) - 1) / 60_000), skip: 0 };
}

/** Base64 with its own alphabet: `+`, `/` and `=` must survive the way through a path. */
function writeToken({ minute, skip }: Place): string {
  return Buffer.from(`\u00fb\u00ff${minute}>${skip}`, 'latin1').toString('base64');
}

function readToken(token: string, from: number): Place | null {
  const match = /^\u00fb\u00ff(\d+)>(\d+)$/.exec(Buffer.from(token, 'base64').toString('latin1'));
  if (match === null) return null;
  const place = { minute: Number(match[1]), skip: Number(match[2]) };
  return place.minute * 60_000 >= from && place.minute * 60_000 < from + DAY ? place : null;
}

/** A day outside the last 72 h: a 401 that says nothing about the key. */
function outside(): ServedAnswer {
  const errorResponse = {
    statusCode: 401,
    success: false,
    message: 'The requested date is outside of the retention window.',
    errorKey: 'invalid_datetime_window.event_logs',
  };
  return json(nothing(errorResponse), 401);
}

function nothing(errorResponse: ShieldError): object {
  return { logs: null, hasMoreData: false, continuationToken: null, startToken: null, errorResponse };
}
