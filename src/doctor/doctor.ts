import { type ClientOptions, createClient } from '../api/client.ts';
import type { HostName } from '../api/http/origin.ts';
import { serverNowOf } from '../api/http/response.ts';
import type { Transport } from '../api/http/transport.ts';
import type { LedgerPlace } from '../api/quota/ledger-file.ts';
import { createQuota } from '../api/quota/quota.ts';
import { SharedSlots } from '../api/quota/shared-slots.ts';
import type { Format } from '../config/command/command-line.ts';
import { versionLine } from '../config/command/version.ts';
import type { Environment } from '../config/config-error.ts';
import type { Directories } from '../config/directories.ts';
import { checkConfig } from '../config/settings/check.ts';
import { cliFile, LEAST_FIRST } from '../config/settings/least-key.ts';
import type { Settings } from '../config/settings/settings.ts';
import { exitCodeOf, explain, FAILURES, type Failure, failureOf, type Result } from '../domain/failure.ts';
import { sheetOf } from '../domain/handover/sheet.ts';
import { sheetText } from '../print/printer.ts';
import { inScreenText } from '../text/sanitise.ts';
import { counted, duration } from '../text/units.ts';
import type { Clock } from '../time/clock.ts';
import { type DoctorFinding, fine, noted, troubled } from './finding.ts';
import { type OutputFacts, quotaFinding, stateFinding, storeFindings, terminalFindings } from './terminal.ts';

type DoctorOptions = {
  env: Environment;
  clock: Clock;
  directories: Directories;
  version: string;
  screen: OutputFacts;
  profile: string | null;
  offline: boolean;
  /** null: lines for people. */
  format: Format | null;
  /** Stand in for the network and the place of the ledger. */
  over?: ClientOptions['over'];
  ledger?: LedgerPlace;
};

const WRONG_USAGE = 2;
const NO_KEY = 3;
const COLUMNS = ['check', 'state', 'found', 'todo'] as const;

/** `edgescope doctor`: its text, and the exit code of the first trouble. Sends two requests at most. */
export async function doctorReport(o: DoctorOptions): Promise<{ text: string; exit: number }> {
  const findings = await findingsOf(o);
  const exit = findings.find(({ state }) => state === 'trouble')?.exit ?? 0;
  return { text: o.format === null ? linesOf(findings) : tableOf(findings, o.format), exit };
}

async function findingsOf(o: DoctorOptions): Promise<DoctorFinding[]> {
  const { env, profile, clock, directories } = o;
  const ledger = o.ledger ?? {};
  const { problems, settings, summary } = await checkConfig({ env, profile, clock });
  const hasKey = settings !== null && settings.credentials.accessKey !== null;
  const servers = o.offline
    ? unasked('--offline')
    : hasKey
      ? await serverFindings({ settings, clock, ledger, over: o.over })
      : unasked(settings === null ? 'the configuration is in trouble' : 'there is no access key');
  return [
    fine('program', versionLine(o.version)),
    ...terminalFindings(env, o.screen),
    ...problems.map(({ place, reason, next }) =>
      troubled('config', `${place}: ${reason}`, next, WRONG_USAGE),
    ),
    ...(settings === null ? [] : summary.flatMap((line) => configured(line, settings, cliFile(env)))),
    ...servers,
    quotaFinding(ledger, clock, settings?.baseUrl ?? null),
    stateFinding(directories),
    ...(await storeFindings(directories, clock)),
  ];
}

/** A line of the summary of the configuration as a line of ours. `cli`: a file of the platform's own CLI, which has a key. */
function configured(
  [name, value]: readonly [string, string],
  { credentials }: Settings,
  cli: string | null,
): DoctorFinding[] {
  if (name === 'file') return [fine('config', value)];
  if (name === 'unused') return [noted('key', value, 'unset it, or remove the source from the profile')];
  const { accessKey, token } = credentials;
  if (name === 'token') return [fine(name, value)];
  if (name === 'key' && accessKey !== null) return [fine(name, value)];
  if (name !== 'opens') return [];
  if (accessKey !== null) return [fine(name, value)];
  const offer = cli === null ? '' : `; or --profile bunny:default, with the key in ${cli}`;
  return token === null
    ? [troubled('key', 'none', `${LEAST_FIRST}${offer}`, NO_KEY)]
    : [noted(name, value, `for those set EDGESCOPE_ACCESS_KEY, or a profile${offer}`)];
}

function linesOf(findings: readonly DoctorFinding[]): string {
  const widest = Math.max(...findings.map(({ check }) => check.length));
  return findings
    .flatMap(({ check, state, found, todo }) => [
      `${state.padEnd(8)} ${check.padEnd(widest)}  ${found}`,
      ...(todo === '' ? [] : [`${' '.repeat(widest + 11)}${todo}`]),
    ])
    .map((line) => `${inScreenText(line)}\n`)
    .join('');
}

function tableOf(findings: readonly DoctorFinding[], format: Format): string {
  const row = ({ check, state, found, todo }: DoctorFinding) => ({ check, state, found, todo });
  return sheetText(format, sheetOf(findings, { what: 'rows', columns: COLUMNS, shape: row, row }));
}

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
async function serverFindings(o: ServerOptions): Promise<DoctorFinding[]> {
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
    const zones = await client.list('zones', { page: 1, perPage: LEAST_PAGE }, once);
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
function unasked(why: string): DoctorFinding[] {
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
