import type { PanelTemplates } from '../../domain/handover/panel.ts';
import type { OwnKeySettings } from '../../keys/own-keys.ts';
import type { Clock } from '../../time/clock.ts';
import { type Configured, type Environment, refused } from '../config-error.ts';
import type { Profile, ThemeSettings } from './config-file.ts';
import { atHome, type Credentials, loadCredentials, NO_CREDENTIALS } from './credentials.ts';
import { loadProfile } from './profile.ts';

/** What a session starts with. */
export type Settings = {
  credentials: Credentials;
  baseUrl: string;
  loggingUrl: string;
  /** null where only the main API is named: the key goes to no server that is not. */
  originErrorsUrl: string | null;
  /** The server of stored files; null for the same reason. The usual one stands for those of all regions. */
  storageUrl: string | null;
  theme: string;
  /** Of one's own, by role. */
  colours: ThemeSettings;
  keys: OwnKeySettings;
  panel: Partial<PanelTemplates>;
  /** Clicks and the wheel act from the start. */
  mouse: boolean;
  zone: string | null;
  /** A file of views that are shared. */
  views: string | null;
  /** Bytes that the rows of a session take together at most. */
  rowBytes: number;
  /** False when the environment asks for no colour. */
  colour: boolean;
  /** null when no proxy variable is set. */
  proxy: { httpProxy: string; httpsProxy: string; noProxy: string } | null;
};

/** The servers of the platform: the setting of each, its name, and the usual URL. */
export const SERVERS = {
  baseUrl: server('EDGESCOPE_BASE_URL', 'base_url', 'base URL', 'https://api.bunny.net'),
  loggingUrl: server('EDGESCOPE_LOGGING_URL', 'logging_url', 'logging URL', 'https://logging.bunnycdn.com'),
  originErrorsUrl: server(
    'EDGESCOPE_ORIGIN_ERRORS_URL',
    'origin_errors_url',
    'origin errors URL',
    'https://cdn-origin-logging.bunny.net',
  ),
  storageUrl: server('EDGESCOPE_STORAGE_URL', 'storage_url', 'storage URL', 'https://storage.bunnycdn.com'),
} as const;

export type ServerName = keyof typeof SERVERS;

type UrlSetting = 'base_url' | 'logging_url' | 'origin_errors_url' | 'storage_url';

function server(variable: string, setting: UrlSetting, what: string, usual: string) {
  return { variable, setting, what, usual };
}

export const THEME_NAMES = ['default', 'mono', 'safe', '16'] as const;

const DEFAULT_THEME = 'default';
/** MB: what a small machine has to spare. */
const DEFAULT_MEMORY = 512;
/** Host names that never leave this machine: not `localhost`, which a resolver may lead anywhere. */
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/;
const PROXY_PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:', 'socks:']);

/** The environment goes before the profile, and that before defaults. */
export function settingsOf(
  env: Environment,
  profile: Profile = {},
  credentials = NO_CREDENTIALS,
): Configured<Settings> {
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    return refused(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: no certificate would be verified.',
      'Unset it. For a private certificate authority use NODE_EXTRA_CA_CERTS.',
    );
  }
  const set = (name: ServerName) => env[SERVERS[name].variable] || profile[SERVERS[name].setting];
  const always = (name: ServerName) => urlOf(set(name) || SERVERS[name].usual, SERVERS[name].what);
  const baseUrl = always('baseUrl');
  if (!baseUrl.ok) return baseUrl;
  const loggingUrl = always('loggingUrl');
  if (!loggingUrl.ok) return loggingUrl;
  /** The platform's own servers belong together: what opens another platform is not sent to them. */
  const isUsual = baseUrl.value === SERVERS.baseUrl.usual && loggingUrl.value === SERVERS.loggingUrl.usual;
  const NONE: Configured<null> = { ok: true, value: null };
  const originErrorsUrl = isUsual || set('originErrorsUrl') ? always('originErrorsUrl') : NONE;
  if (!originErrorsUrl.ok) return originErrorsUrl;
  const storageUrl = isUsual || set('storageUrl') ? always('storageUrl') : NONE;
  if (!storageUrl.ok) return storageUrl;
  const proxy = proxyOf(env);
  if (!proxy.ok) return proxy;
  const { theme: own } = profile;
  const isOwn = typeof own === 'object';
  return {
    ok: true,
    value: {
      credentials,
      baseUrl: baseUrl.value,
      loggingUrl: loggingUrl.value,
      originErrorsUrl: originErrorsUrl.value,
      storageUrl: storageUrl.value,
      theme: String((isOwn ? own['from'] : own) ?? DEFAULT_THEME),
      colours: isOwn ? own : {},
      keys: profile.keys ?? {},
      panel: profile.panel ?? {},
      mouse: profile.mouse ?? false,
      zone: profile.zone || null,
      views: profile.views === undefined ? null : atHome(profile.views, env),
      rowBytes: (profile.memory ?? DEFAULT_MEMORY) * 1024 * 1024,
      colour: (env['NO_COLOR'] ?? '') === '',
      proxy: proxy.value,
    },
  };
}

/** The main API's host, which tells sessions and records of different platforms apart. */
export function hostOf({ baseUrl }: Settings): string {
  return new URL(baseUrl).host;
}

/**
 * A base URL without a trailing slash: https, or http to a literal loopback address. `http://localhost` is read as
 * 127.0.0.1, because nobody knows where a resolver leads that name.
 */
export function urlOf(text: string, what: string): Configured<string> {
  const url = URL.parse(text);
  if (url === null) return refused(`The ${what} is not a URL.`, `Write it as in ${SERVERS.baseUrl.usual}.`);
  if (url.username !== '' || url.password !== '') {
    return refused(`The ${what} holds a user name or a password.`, 'Remove it: the key is sent as a header.');
  }
  if (url.search !== '' || url.hash !== '') {
    return refused(`The ${what} has a query or a fragment.`, 'Give the origin, and a path if there is one.');
  }
  if (url.protocol === 'http:' && url.hostname === 'localhost') url.hostname = '127.0.0.1';
  if (!isSafe(url)) {
    return refused(
      `The ${what} (${url.protocol}//${url.host}) is not https.`,
      'The key would travel in the open. Plain http is for 127.0.0.1 and [::1] alone.',
    );
  }
  return { ok: true, value: `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}` };
}

export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

/** https, or http to a literal loopback address. */
export function isSafe(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

/** Lower-case names come first, as in curl; HTTP_PROXY serves https as well where nothing else is set. */
function proxyOf(env: Environment): Configured<Settings['proxy']> {
  const pick = (name: string) => env[name.toLowerCase()] || env[name] || '';
  const everything = pick('ALL_PROXY');
  const httpProxy = pick('HTTP_PROXY') || everything;
  const httpsProxy = pick('HTTPS_PROXY') || everything || httpProxy;
  if (httpProxy === '' && httpsProxy === '') return { ok: true, value: null };
  for (const proxy of [httpProxy, httpsProxy]) {
    if (proxy !== '' && !PROXY_PROTOCOLS.has(URL.parse(proxy)?.protocol ?? '')) {
      // A proxy URL may hold a password, so it is not quoted.
      return refused('A proxy variable is not a URL.', 'Write HTTPS_PROXY=http://host:port, or unset it.');
    }
  }
  return { ok: true, value: { httpProxy, httpsProxy, noProxy: pick('NO_PROXY') } };
}

/** Profile, credentials and settings in one go; runs the profile's `key_command` where a key is needed. */
export async function loadSettings(o: {
  env: Environment;
  profile: string | null;
  clock: Clock;
  /** False where the platform is not asked: no key is looked for then. */
  needsKey?: boolean;
}): Promise<Configured<Settings>> {
  const profile = await loadProfile(o.env, o.profile);
  if (!profile.ok) return profile;
  // What the environment forbids is said before a password manager asks for anything.
  const dry = settingsOf(o.env, profile.value);
  if (!dry.ok || o.needsKey === false) return dry;
  const credentials = await loadCredentials(profile.value, o.env, o.clock);
  return credentials.ok ? { ok: true, value: { ...dry.value, credentials: credentials.value } } : credentials;
}

/** Why no screen can be drawn here; null = it can. */
export function terminalProblem(env: Environment): readonly string[] | null {
  return env['TERM'] === 'dumb'
    ? [
        'this terminal cannot place text (TERM=dumb).',
        'Use another terminal, or print the data: edgescope zones --format table',
      ]
    : null;
}

/** The theme to draw with; null where the settings name an unknown one. `asked`: by a flag of this start. */
export function themeOf(asked: string | null, settings: Settings): (typeof THEME_NAMES)[number] | null {
  const wanted = asked ?? (settings.colour ? settings.theme : 'mono');
  return THEME_NAMES.find((name) => name === wanted) ?? null;
}

/** True where the locale says that the terminal does not read UTF-8; an unset locale counts as UTF-8. */
export function isAsciiLocale(env: Environment): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return locale !== '' && !/utf-?8/i.test(locale);
}
