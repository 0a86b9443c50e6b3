import type { ClientOptions } from '../api/client.ts';
import type { LedgerPlace } from '../api/quota/ledger-file.ts';
import type { Format } from '../config/command/command-line.ts';
import { versionLine } from '../config/command/version.ts';
import type { Environment } from '../config/config-error.ts';
import type { Directories } from '../config/directories.ts';
import { checkConfig } from '../config/settings/check.ts';
import { cliFile, LEAST_FIRST } from '../config/settings/least-key.ts';
import type { Settings } from '../config/settings/settings.ts';
import { sheetOf } from '../domain/handover/sheet.ts';
import { sheetText } from '../print/printer.ts';
import { inScreenText } from '../text/sanitise.ts';
import type { Clock } from '../time/clock.ts';
import { type DoctorFinding, fine, noted, troubled } from './finding.ts';
import { serverFindings, unasked } from './servers.ts';
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
