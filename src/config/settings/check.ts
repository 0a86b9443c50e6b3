import { lstat, readFile } from 'node:fs/promises';
import { inScreenText } from '../../text/sanitise.ts';
import type { Secret } from '../../text/secret.ts';
import type { Clock } from '../../time/clock.ts';
import type { Configured, Environment } from '../config-error.ts';
import { configPath } from '../directories.ts';
import { readPrivateFile } from '../private-file.ts';
import { type ChosenProfile, chosenProfile, type Profile, readConfigForm } from './config-file.ts';
import { storeAccess } from './configured-stores.ts';
import { KEY_VARIABLES, loadCredentials, readSecretFile } from './credentials.ts';
import { cliFile, opens } from './least-key.ts';
import { LARGEST_CONFIG } from './profile.ts';
import { SERVERS, type ServerName, type Settings, settingsOf, THEME_NAMES, urlOf } from './settings.ts';

/** `place` is `path:line:column`, a path, or where else to look. */
type ConfigProblem = { place: string; reason: string; next: string };

type ConfigCheck = {
  problems: readonly ConfigProblem[];
  /** What a session would start with; null where something is wrong. */
  settings: Settings | null;
  /** The values that a start would use, by name; only where nothing is wrong. */
  summary: readonly (readonly [name: string, value: string])[];
};

const SOURCES = ['key_command', 'key_file', 'key_env', 'key_cli'] as const;
const ENVIRONMENT = 'environment';
/** No zone has a longer name or hostname. */
const ZONE_NAME = /^[^\s\p{C}]{1,255}$/u;

/**
 * Everything wrong with the configuration, and the values that a start would use. Runs the `key_command` of the
 * profile in use, once. Its words never hold a key.
 */
export async function checkConfig(o: {
  env: Environment;
  profile: string | null;
  clock: Clock;
}): Promise<ConfigCheck> {
  const path = configPath(o.env);
  const problems: ConfigProblem[] = [];
  const read = await readPrivateFile(path, 'configuration', LARGEST_CONFIG);
  if (!read.ok) {
    const { message, hint } = read.error;
    problems.push({ place: path, reason: message.replace(` ${path}`, ''), next: hint });
  }
  const content = read.ok ? read.value : await readAnyway(path);
  const form = content === null ? null : readConfigForm(content);
  for (const { line, column, reason, next } of form?.problems ?? [])
    problems.push({ place: `${path}:${line}:${column}`, reason, next });
  const at = (...names: string[]) => {
    const found = form?.placeOf(...names);
    return found ? `${path}:${found.line}:${found.column}` : path;
  };
  const config = form === null ? { profiles: {} } : form.config;
  // Nobody can tell which profile of a faulty file is meant.
  const chosen = config && chosenProfile(config, o.profile);
  if (typeof chosen === 'string') {
    problems.push({
      place: o.profile === null ? at('profile') : path,
      reason: `There is no profile "${chosen}".`,
      next: `Known profiles: ${Object.keys(form?.config?.profiles ?? {}).join(', ') || 'none'}.`,
    });
  }
  for (const [name, profile] of Object.entries(form?.config?.profiles ?? {})) {
    const isChosen = typeof chosen === 'object' && chosen?.name === name;
    problems.push(
      ...(await profileProblems(profile, o.env, isChosen, (setting) => at('profiles', name, setting))),
    );
  }
  for (const [profile, { stores = {} }] of Object.entries(form?.config?.profiles ?? {})) {
    for (const [store, { password_command: _, ...settings }] of Object.entries(stores)) {
      // A program that prints a password runs when the store is asked.
      const access = await storeAccess({ stores: { [store]: settings } }, store, o.env, o.clock);
      if (!access.ok) problems.push(problemOf(access, at('profiles', profile, 'stores', store)));
    }
  }
  const clean = settingsOf(o.env);
  if (!clean.ok) problems.push(problemOf(clean, ENVIRONMENT));
  if (chosen === null || typeof chosen === 'string') return { problems, settings: null, summary: [] };
  const { name, profile } = chosen;
  const source = SOURCES.find((each) => profile[each] !== undefined);
  const isInFile = source !== undefined && name !== null && form?.placeOf('profiles', name) != null;
  const sourceAt = isInFile ? at('profiles', name, source) : ENVIRONMENT;
  if (problems.some(({ place }) => place === sourceAt)) return { problems, settings: null, summary: [] };
  const loaded = await loadCredentials(profile, o.env, o.clock);
  if (!loaded.ok) problems.push(problemOf(loaded, sourceAt));
  const settings = settingsOf(o.env, profile);
  if (problems.length > 0 || !loaded.ok || !settings.ok) return { problems, settings: null, summary: [] };
  const file = form === null ? `none; it would be ${path}` : path;
  const used = { ...settings.value, credentials: loaded.value };
  return { problems, settings: used, summary: [['file', file], ...summaryOf(chosen, used, o.env)] };
}

/** `config check`: the text for standard output and the exit code, 0 or 2. */
export async function configReport(o: { env: Environment; profile: string | null; clock: Clock }): Promise<{
  text: string;
  exit: 0 | 2;
}> {
  const { problems, summary } = await checkConfig(o);
  const lines =
    problems.length > 0
      ? problems.flatMap(({ place, reason, next }) => [`${place}: ${reason}`, `  ${next}`])
      : summary.map(([name, value]) => `${name.padEnd(8)} ${value}`);
  return {
    // A line may hold a command, which must not be altered.
    text: lines.map((line) => `${inScreenText(line)}\n`).join(''),
    exit: problems.length > 0 ? 2 : 0,
  };
}

/** The problems of one profile, as far as they show without running anything. */
async function profileProblems(
  profile: Profile,
  env: Environment,
  isChosen: boolean,
  at: (setting: keyof Profile) => string,
): Promise<ConfigProblem[]> {
  const problems: ConfigProblem[] = [];
  const add = (setting: keyof Profile, reason: string, next: string) =>
    void problems.push({ place: at(setting), reason, next });
  const sources = SOURCES.filter((source) => profile[source] !== undefined);
  for (const source of sources.slice(1))
    add(source, `"${source}" is never used: "${sources[0]}" comes first.`, 'Keep one source of the key.');
  if (profile.key_file !== undefined && !(isChosen && sources[0] === 'key_file')) {
    const read = await readSecretFile(profile.key_file, 'key', env);
    if (!read.ok) add('key_file', read.error.message, read.error.hint);
  }
  for (const { setting, what } of Object.values(SERVERS)) {
    const url = profile[setting] === undefined ? null : urlOf(profile[setting], what);
    if (url?.ok === false) add(setting, url.error.message, url.error.hint);
  }
  if (typeof profile.theme === 'string' && !THEME_NAMES.some((theme) => theme === profile.theme))
    add('theme', 'There is no such theme.', `Themes: ${THEME_NAMES.join(', ')}.`);
  if (profile.zone !== undefined && !ZONE_NAME.test(profile.zone))
    add('zone', 'This is not a zone.', 'Give its name, its id or one of its hostnames, without spaces.');
  return problems;
}

/** The values of a start; URLs are whole, keys are fingerprints. */
function summaryOf(
  { name, profile }: ChosenProfile,
  settings: Settings,
  env: Environment,
): [string, string][] {
  const { theme, keys, zone, proxy, credentials } = settings;
  const { accessKey, token } = credentials;
  const source = SOURCES.find((each) => profile[each] !== undefined);
  const urlWords = (name: ServerName) => {
    const { variable, setting } = SERVERS[name];
    return settings[name] === null
      ? `none; set ${variable}, or ${setting} in a profile`
      : `${settings[name]}${originWords(env[variable], profile[setting])}`;
  };
  const idle = source === undefined ? [] : KEY_VARIABLES.filter((variable) => env[variable]);
  return [
    ['profile', name ?? 'none'],
    ...(token === null ? [] : [row('token', `from EDGESCOPE_TOKEN, ${fingerprint(token)}`)]),
    ['key', accessKey === null ? 'none' : `${sourceWords(profile, env)}, ${fingerprint(accessKey)}`],
    ['opens', opens(credentials)],
    ...idle.map((variable) => row('unused', `${variable} is set, but ${source} comes first`)),
    row('main', urlWords('baseUrl')),
    row('logging', urlWords('loggingUrl')),
    row('origin', urlWords('originErrorsUrl')),
    row('storage', urlWords('storageUrl')),
    ...(proxy === null ? [] : [row('proxy', 'from the environment')]),
    ['theme', theme],
    ...Object.entries(keys).flatMap(([place, own]) =>
      Object.entries(own).map(([key, word]) => row('key', `${place} ${key} ${word}`)),
    ),
    ...(zone === null ? [] : [row('zone', zone)]),
    ...Object.entries(profile.stores ?? {}).map(([store, { engine = '', url, file = '' }]) =>
      row('store', `${store}: ${engine}, ${url ?? file}`),
    ),
  ];
}

function row(name: string, value: string): [string, string] {
  return [name, value];
}

function problemOf(refusal: Extract<Configured<unknown>, { ok: false }>, place: string): ConfigProblem {
  return { place, reason: refusal.error.message, next: refusal.error.hint };
}

function sourceWords(profile: Profile, env: Environment): string {
  if (profile.key_command !== undefined) return `from key_command (${profile.key_command[0]})`;
  if (profile.key_file !== undefined) return `from key_file ${profile.key_file}`;
  if (profile.key_cli !== undefined) return `from profile ${profile.key_cli} of ${cliFile(env)}`;
  const variable =
    profile.key_env ?? (env['EDGESCOPE_ACCESS_KEY'] ? 'EDGESCOPE_ACCESS_KEY' : 'BUNNYNET_API_KEY');
  return `from ${variable}`;
}

function originWords(variable: string | undefined, setting: string | undefined): string {
  if (variable) return ', from the environment';
  return setting === undefined ? '' : ', from the profile';
}

function fingerprint(secret: Secret): string {
  return `fingerprint ${secret.fingerprint}`;
}

/** A file refused for its mode or owner is still examined; a link or anything larger is not. */
async function readAnyway(path: string): Promise<string | null> {
  try {
    const found = await lstat(path);
    return found.isFile() && found.size <= LARGEST_CONFIG ? await readFile(path, 'utf8') : null;
  } catch {
    return null;
  }
}
