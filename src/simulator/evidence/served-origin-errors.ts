import { DAY, HOUR } from '../../text/units.ts';
import type { SimZone } from '../account/account-zones.ts';
import { dayOfPath, denied, type Exchange, json, type ServedAnswer } from '../http/answers.ts';
import { RETENTION } from '../logs/logs-v2.ts';
import { hex, mix, uuid } from '../random.ts';
import type { Incident, Schedule } from '../traffic/incidents.ts';
import type { SimRow } from '../traffic/rows.ts';
import type { World } from '../world.ts';
import { followsChange, newOriginOf } from './changes.ts';
import { zoneHour } from './statistics.ts';

/** How much later than its request an error is reported, ms. */
const LAG = 2_000;

type Cause = { code: string; message: (host: string) => string };

const CAUSES = {
  dns: {
    code: 'dns_lookup',
    message: (host) => `Origin DNS lookup failed: no such host is known (${host}:443)`,
  },
  socket: {
    code: 'network_socket_exception',
    message: (host) => `Connection refused (${host}:443)`,
  },
  request: {
    code: 'http_request_exception',
    message: () => 'The response ended prematurely. (ResponseEnded)',
  },
  timeout: {
    code: 'http_timeout',
    message: () =>
      'The request was canceled due to the configured HttpClient.Timeout of 60 seconds elapsing.',
  },
} as const satisfies Record<string, Cause>;

/** GET /{pullZoneId}/{MM-dd-yyyy}: why the origin failed, newest first; one UTC day as far as rows are kept. */
export async function readOriginErrors(call: Exchange, world: World): Promise<ServedAnswer> {
  // The key as for the main API, or the token as the whole of the other header.
  const { accesskey, authorization } = call.headers;
  const { account } = world;
  if (!account.isKey(accesskey) && !account.isToken(authorization)) return denied();
  const [id, date = ''] = call.params as [string, string];
  const zone = account.zoneById.get(id);
  if (zone === undefined) return json({ Message: 'The pull zone was not found.' }, 404);
  const from = dayOfPath(date);
  if (from === null) return json({ Message: 'The date is not valid.' }, 400);
  const first = Math.max(from, Math.floor((call.now - RETENTION) / HOUR) * HOUR);
  const logs: object[] = [];
  for (let hour = Math.floor(first / HOUR); hour * HOUR < Math.min(from + DAY, call.now); hour++) {
    const { failed } = await zoneHour(world.traffic, zone, hour);
    for (const row of failed)
      if (row.t + row.late + LAG <= call.now) logs.push(errorOf(row, zone, world.schedule));
  }
  return json({ logs: logs.reverse() });
}

function errorOf(row: SimRow, zone: SimZone, schedule: Schedule): object {
  const incident = schedule.active(zone, row.second * 1000).find(({ kind }) => kind === 'originFailure');
  const { code, message } = causeOf(row, incident);
  const host = new URL(originOf(zone, incident)).host;
  const status = row.status;
  return {
    logId: uuidOf(row, zone),
    timestamp: row.t + 3 + (mix(row.h, 0x0e) % 900),
    log: JSON.stringify({
      RequestUrl: row.path,
      PullZoneId: zone.id,
      Message: message(host),
      ErrorCode: code,
      StatusCode: status,
    }),
    labels: { ErrorCode: code, StatusCode: String(status), ServerZone: row.client.edge },
  };
}

/** A changed origin is a name that does not resolve; one that fails in part is slow, any other refuses connections. */
function causeOf(row: SimRow, incident: Incident | undefined): Cause {
  if (row.status === 504) return CAUSES.timeout;
  const isOdd = (mix(row.h, 0x0d) & 31) === 0;
  if (incident === undefined || isOdd) return CAUSES.request;
  if (followsChange(incident)) return CAUSES.dns;
  return incident.extent < 1 ? CAUSES.timeout : CAUSES.socket;
}

function originOf(zone: SimZone, incident: Incident | undefined): string {
  if (incident !== undefined && followsChange(incident)) return newOriginOf(zone);
  return zone.originUrl ?? `https://storage.${zone.name}.example`;
}

function uuidOf(row: SimRow, zone: SimZone): string {
  const h = hex(mix(mix(row.h, zone.salt), row.second), 32);
  return uuid(`${h.slice(0, 12)}4${h.slice(13, 16)}a${h.slice(17)}`);
}
