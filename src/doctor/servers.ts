import { type ClientOptions, createClient } from '../api/client.ts';
import type { HostName } from '../api/http/origin.ts';
import { serverNowOf } from '../api/http/response.ts';
import type { Transport } from '../api/http/transport.ts';
import type { LedgerPlace } from '../api/quota/ledger-file.ts';
import { createQuota } from '../api/quota/quota.ts';
import { SharedSlots } from '../api/quota/shared-slots.ts';
import type { Settings } from '../config/settings/settings.ts';
import { exitCodeOf, explain, FAILURES, type Failure, failureOf, type Result } from '../domain/failure.ts';
import { counted, duration } from '../text/units.ts';
import type { Clock } from '../time/clock.ts';
import { type DoctorFinding, fine, noted, troubled } from './finding.ts';

type ServerOptions = {
  settings: Settings;
  clock: Clock;
  ledger: LedgerPlace;
  over: ClientOptions['over'];
};

/** How far our clock is ahead of a server's at least and at most, ms, and how long its answer took. */
type Heard = { low: number; high: number; took: number };

/** A server sends whole seconds, and an answer takes its time. */
const SAME_TIME = 2_000;
const LEAST_PAGE = 5;
const SAMPLE = 60_000;
/**
 * Asks the main API for a page of zones, and the logging API for a row of the first, with the key: two requests at most,
 * each sent once. What they answer, and how far the clocks are apart.
 */
export async function serverFindings(o: ServerOptions): Promise<DoctorFinding[]> {
  const heard: Partial<Record<HostName, Heard>> = {};
  let sent = 0;
  const listening = (transport: Transport): Transport => ({
    ...transport,
    async send(request, signal) {
      sent += 1;
      const answer = await transport.send(request, signal);
      if (answer.ok) heard[request.host] = leadOf(answer.value, serverNowOf(answer.value));
      return answer;
    },
  });
  const client = createClient({
    ...o.settings,
    allowWrites: false,
    quota: createQuota({ store: new SharedSlots(o.ledger), clock: o.clock }),
    clock: o.clock,
    over: (transport) => listening(o.over?.(transport) ?? transport),
  });
  try {
    const once = { retries: 0 };
    const zones = await client.pullZones({ page: 1, perPage: LEAST_PAGE }, once);
    const zone = zones.ok ? zones.value.items[0]?.id : undefined;
    const to = Math.floor(o.clock.now());
    const logs =
      zone === undefined
        ? null
        : await client.logs(
            { pullZoneId: zone, from: to - SAMPLE, to, order: 'desc', limit: 1, filter: {} },
            once,
          );
    return [
      answered('main', new URL(o.settings.baseUrl).host, zones, heard.main),
      logs === null
        ? noted('logging', 'not asked: no zone is known to ask for', 'see the line above')
        : answered('logging', new URL(o.settings.loggingUrl).host, logs, heard.logging),
      originErrorsFinding(o.settings.originErrorsUrl),
      clockFinding(Object.values(heard)),
      fine('requests', `${counted(sent, 'request')} sent; --offline sends none`),
    ];
  } finally {
    await client.close();
  }
}

/** It is asked with the cause of an error: a third request would show nothing that these two do not. */
function originErrorsFinding(url: string | null): DoctorFinding {
  if (url !== null)
    return fine('origin', `${new URL(url).host} is asked for causes of errors; not asked now`);
  const { what, next } = explain(failureOf('noOriginErrors'));
  return noted('origin', what, next);
}

/** The lines in place of those of the servers, where they are not asked. */
export function unasked(why: string): DoctorFinding[] {
  return [fine('requests', `none sent: ${why}; the servers and their clocks were left out`)];
}

function answered(
  check: string,
  host: string,
  result: Result<unknown>,
  heard: Heard | undefined,
): DoctorFinding {
  const { failure } = { failure: null, ...(result.ok ? {} : result) };
  if (failure === null || isOfTheRequest(failure)) {
    const took = heard === undefined ? '' : ` in ${duration(heard.took)}`;
    return fine(check, `${host} answered${took} and took the key`);
  }
  const { what, meaning, next } = explain(failure);
  return troubled(check, `${what} ${meaning}`.trim(), next, exitCodeOf(failure));
}

/** Refused for what was asked and not for the key, as for a zone without logs: the server is there. */
function isOfTheRequest({ kind }: Failure): boolean {
  const { arrived, blames, exit } = FAILURES[kind].traits;
  return arrived === 'refused' && blames === 'request' && exit === 1;
}

/** `date` is cut to the second, and was stamped between sending and receiving. */
function leadOf(answer: { sentAt: number; receivedAt: number }, date: number | null): Heard | undefined {
  const { sentAt, receivedAt } = answer;
  if (date === null) return undefined;
  return { low: sentAt - date - 1_000, high: receivedAt - date, took: receivedAt - sentAt };
}

function clockFinding(heard: readonly (Heard | undefined)[]): DoctorFinding {
  const told = heard.filter((each) => each !== undefined);
  const furthest = told.map(nearestToZero).sort((a, b) => Math.abs(b) - Math.abs(a))[0];
  if (furthest === undefined)
    return noted('clock', 'no server told its time', 'compare the clock of this machine with another one');
  if (Math.abs(furthest) <= SAME_TIME) return fine('clock', 'agrees with the servers to two seconds');
  const way = furthest > 0 ? 'ahead of' : 'behind';
  return noted(
    'clock',
    `${duration(Math.abs(furthest))} ${way} the servers`,
    'set it: timedatectl set-ntp true; windows that end now are off by as much',
  );
}

/** The smallest lead that the answer allows. */
function nearestToZero({ low, high }: Heard): number {
  if (low <= 0 && high >= 0) return 0;
  return low > 0 ? low : high;
}
