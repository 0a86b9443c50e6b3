import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { isPanelTemplate, PANEL_NAMES, PANEL_PAGES, type PanelPage } from '../../domain/handover/panel.ts';
import { nearestNames } from '../../domain/query/nearest.ts';
import {
  CHORDS_TOLD,
  chordNamed,
  FIXED_CHORDS,
  OWN_KEY_PLACES,
  type OwnKeySettings,
  ownCommand,
} from '../../keys/own-keys.ts';
import { colourCode, THEME_ORDER, THEME_SLOTS } from '../../text/colours.ts';
import { sanitise } from '../../text/sanitise.ts';
import { type Configured, refused } from '../config-error.ts';
import {
  A_PATH,
  A_SWITCH,
  A_URL,
  A_VARIABLE,
  isProgram,
  isSettings,
  isText,
  type NestedSettings,
  type SettingRow,
  type SettingsOf,
  STORE_SETTINGS,
  type StoreProfile,
  type ValueForm,
  wholeFrom,
} from './store-settings.ts';

const A_PAGE: ValueForm = {
  form: `an https address, with ${PANEL_NAMES.map((name) => `{${name}}`).join(', ')} in it where it names one`,
  isRight: (value) => isText(value) && isPanelTemplate(value),
};

const A_COLOUR: ValueForm = {
  form: 'one of 16 names such as red or bright-red, a number from 0 to 255, or #rrggbb',
  isRight: (value) => colourCode(value) !== null,
};

const A_THEME: ValueForm = {
  form: `a theme: ${THEME_ORDER.join(', ')}`,
  isRight: (value) => THEME_ORDER.some((name) => name === value),
};

const A_FIXED_KEY: ValueForm = {
  form: `a key that always does the same, as do ${FIXED_CHORDS.join(', ')}`,
  isRight: () => false,
};

function keysIn(place: string): NestedSettings {
  const aCommand: ValueForm = {
    form: 'a word of the command line that acts there with nothing behind it, such as wrong',
    isRight: (value) => isText(value) && ownCommand(place, value) !== null,
  };
  return {
    whose: 'a place are keys',
    known: CHORDS_TOLD,
    rowOf(name) {
      const chord = chordNamed(name);
      if (chord === null) return null;
      return FIXED_CHORDS.includes(chord) ? A_FIXED_KEY : aCommand;
    },
  };
}

/** Settings of the screen that are objects. They stand apart because only a file that has them needs what knows their names. */
const SCREEN_SETTINGS: Readonly<Record<string, NestedSettings>> = {
  panel: named('the dashboard', Object.keys(PANEL_PAGES), () => A_PAGE),
  theme: named('a theme', ['from', ...THEME_SLOTS], (name) => (name === 'from' ? A_THEME : A_COLOUR)),
  keys: named('keys', OWN_KEY_PLACES, keysIn),
};

function named(
  whose: string,
  known: readonly string[],
  rowOf: (name: string) => ValueForm | NestedSettings,
): NestedSettings {
  return { whose, known, rowOf: (name) => (known.includes(name) ? rowOf(name) : null) };
}

/** The profile of a file that names none. */
const DEFAULT_PROFILE = 'default';
/** Before the name of a profile of the platform's own CLI, which needs no entry here. */
const OF_CLI = 'bunny:';

/** A profile and its name; null: the empty one, where none is named. */
export type ChosenProfile = { name: string | null; profile: Profile };

/** The named profile, or the file's own choice, or `default`; just the name where the file has none of it. */
export function chosenProfile(
  { profile: own, profiles }: ConfigFile,
  asked: string | null,
): ChosenProfile | string {
  const name = asked ?? own ?? DEFAULT_PROFILE;
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return { name, profile };
  if (name.startsWith(OF_CLI)) return { name, profile: { key_cli: name.slice(OF_CLI.length) } };
  return asked === null && own === undefined ? { name: null, profile: {} } : name;
}

/** Text of a configuration file → its content, or the first of its problems. Errors name the place, never a value. */
export function parseConfig(content: string, path: string): Configured<ConfigFile> {
  const { config, problems } = readConfigForm(content);
  const [first] = problems;
  if (config !== null && first === undefined) return { ok: true, value: config };
  const { line = 1, column = 1, reason = '', next = '' } = first ?? {};
  const more = problems.length > 1 ? ` ${problems.length - 1} more: edgescope config check.` : '';
  return refused(`${path}:${line}:${column}: ${sanitise(reason, 'text')}`, `${next}${more}`);
}

/** The theme that colours are from, and colours by the roles that have them. */
export type ThemeSettings = Readonly<Record<string, string | number>>;

/** A way to reach an account. It never holds a key, only where the key comes from. */
export type Profile = SettingsOf<typeof PROFILE_SETTINGS>;

/** `profile`: the one used when the command line names none. */
export type ConfigFile = { profile?: string; profiles: Record<string, Profile> };

/** What is wrong in the file, where, and what to do; the words never hold a value of the file. */
type FormProblem = TextPosition & { reason: string; next: string };

type ConfigForm = {
  /** Null when there is any problem. */
  config: ConfigFile | null;
  problems: readonly FormProblem[];
  /** The place of the value at a path of names; null where there is none. */
  placeOf: (...path: readonly string[]) => TextPosition | null;
};

/** The settings of a profile and the form of each: the checks of the file and the manual read this table. */
export const PROFILE_SETTINGS = {
  key_command: {
    does: 'prints the key in its first line; runs without a shell',
    form: 'a list of texts: the program and its arguments, as in ["pass", "show", "edge/key"]',
    isRight: isProgram,
  },
  key_file: { does: 'holds the key; yours, mode 0600', ...A_PATH },
  key_env: { does: 'holds the key', ...A_VARIABLE },
  key_cli: {
    does: "has the key: one of bunny's CLI, in ~/.config/bunnynet.json, mode 0600",
    form: 'the name of a profile',
    isRight: isText,
  },
  base_url: { does: 'the main API, https', ...A_URL },
  logging_url: { does: 'the logging API, https', ...A_URL },
  origin_errors_url: {
    does: 'the server of origin errors, https; needed where the others are set',
    ...A_URL,
  },
  storage_url: { does: 'the server of stored files, https; needed where the others are set', ...A_URL },
  views: { does: 'a file of saved views, listed beside your own', ...A_PATH },
  theme: {
    does: 'default, mono, safe or 16; or colours: the theme that they are from, and those of roles',
    form: 'the name of a theme, or an object: a role and its colour',
    isRight: (value): value is string | ThemeSettings => isText(value) || isSettings(value),
  },
  keys: {
    does: 'by place or everywhere, a key and a word of the command line',
    form: 'an object: a place and its keys',
    isRight: (value): value is OwnKeySettings => isSettings(value),
  },
  zone: {
    does: 'opened when none is named',
    form: "a zone's name, id or hostname",
    isRight: isText,
  },
  memory: { does: 'MB for the rows of a session, 512 without it', ...wholeFrom(32, 16_384) },
  mouse: { does: 'clicks and the wheel act from the start, as with `:mouse on`', ...A_SWITCH },
  panel: {
    does: 'addresses of the dashboard, such as those of Shield',
    form: 'an object: a page of the dashboard and its address',
    isRight: (value): value is Partial<Record<PanelPage, string>> => isSettings(value),
  },
  stores: {
    does: 'where logs are kept for longer',
    form: 'an object: a name and its settings',
    // The settings of each have a table of their own.
    isRight: (value): value is Record<string, StoreProfile> => isSettings(value),
  },
} as const satisfies Record<string, SettingRow>;

/** A name that needs no quotes in a command line or a message. */
const STORE_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;

/** Looks like a key in place of the way to one. */
const KEY_ITSELF = /^(?:access_?key|api_?key|key|token|secret|password)$/i;

/** Reads a configuration file; reports every problem, not only the first. */
export function readConfigForm(content: string): ConfigForm {
  const text = content.replace(/^\ufeff/, '');
  const tree = jsonTree(text);
  if (!tree.ok) {
    const problem = {
      ...positionOf(text, tree.at),
      reason: `not valid JSON: ${tree.reason}.`,
      next: 'Check commas and quotes, or move the file away.',
    };
    return { config: null, problems: [problem], placeOf: () => null };
  }
  const problems = formProblems(tree.root)
    .sort((a, b) => a.at - b.at)
    .map(({ at, ...said }) => ({ ...positionOf(text, at), ...said }));
  return {
    config: problems.length === 0 ? (tree.value as ConfigFile) : null,
    problems,
    placeOf(...path) {
      const node = path.reduce<JsonNode | null>(childOf, tree.root);
      return node === null ? null : positionOf(text, node.offset);
    },
  };
}

type Found = { at: number; reason: string; next: string };

function formProblems(root: JsonNode): Found[] {
  const members = membersOf(root);
  if (members === null) return [wrongForm(root.offset, 'the top level', 'an object with "profiles"')];
  const found = repeated(members, '');
  for (const { name, at, value } of members) {
    if (name === 'profile') {
      if (!isText(getNodeValue(value)))
        found.push(wrongForm(value.offset, 'profile', 'the name of a profile'));
    } else if (name === 'profiles') found.push(...profilesProblems(value));
    else found.push(unknown(at, '', name, ['profile', 'profiles'], 'At the top level'));
  }
  if (childOf(root, 'profiles') === null) {
    found.push({
      at: root.offset,
      reason: '"profiles" is missing at the top level.',
      next: 'Write { "profiles": { "default": { … } } }.',
    });
  }
  return found;
}

function profilesProblems(node: JsonNode): Found[] {
  const members = membersOf(node);
  if (members === null) return [wrongForm(node.offset, 'profiles', 'an object: a name and its settings')];
  return [
    ...repeated(members, 'profiles.'),
    ...members.flatMap(({ name, value }) => [
      ...settingProblems(`profiles.${name}`, value, tableOf('a profile', PROFILE_SETTINGS)),
      ...Object.entries(SCREEN_SETTINGS).flatMap(([setting, settings]) => {
        const own = childOf(value, setting);
        return own?.type === 'object' ? settingProblems(`profiles.${name}.${setting}`, own, settings) : [];
      }),
      ...storesProblems(`profiles.${name}.stores`, childOf(value, 'stores')),
    ]),
  ];
}

function storesProblems(path: string, node: JsonNode | null): Found[] {
  const members = (node && membersOf(node)) ?? [];
  return [
    ...repeated(members, `${path}.`),
    ...members.flatMap(({ name, at, value }) => [
      ...(STORE_NAME.test(name)
        ? []
        : [wrongForm(at, `${path}.${name}`, 'a name of letters, digits, _ and -')]),
      ...settingProblems(`${path}.${name}`, value, tableOf('a store', STORE_SETTINGS)),
    ]),
  ];
}

function settingProblems(path: string, node: JsonNode, { whose, known, rowOf }: NestedSettings): Found[] {
  const members = membersOf(node);
  if (members === null) return [wrongForm(node.offset, path, 'an object with settings')];
  const found = repeated(members, `${path}.`);
  for (const { name, at, value } of members) {
    const row = rowOf(name);
    const whole = `${path}.${name}`;
    if (row === null) found.push(unknown(at, `${path}.`, name, known, `Settings of ${whose}`));
    else if ('rowOf' in row) found.push(...settingProblems(whole, value, row));
    else if (!row.isRight(getNodeValue(value))) found.push(wrongForm(value.offset, whole, row.form));
  }
  return found;
}

/** The settings of a table, and of the objects in it. */
function tableOf(whose: string, table: Readonly<Record<string, SettingRow>>): NestedSettings {
  return {
    whose,
    known: Object.keys(table),
    rowOf: (name) => (Object.hasOwn(table, name) ? (table[name] ?? null) : null),
  };
}

/** JSON silently takes the later of two. */
function repeated(members: readonly JsonMember[], path: string): Found[] {
  return members
    .filter(({ name }, index) => members.findIndex((each) => each.name === name) < index)
    .map(({ name, at }) => ({
      at,
      reason: `"${path}${name}" is set twice.`,
      next: 'Keep one of the two.',
    }));
}

function wrongForm(at: number, name: string, form: string): Found {
  return { at, reason: `"${name}" has the wrong form.`, next: `It is ${form}.` };
}

function unknown(at: number, path: string, name: string, known: readonly string[], where: string): Found {
  if (KEY_ITSELF.test(name)) {
    return {
      at,
      reason: `"${path}${name}" looks like a key in the open.`,
      next: known.includes('password_env')
        ? 'Remove it, and set password_command, password_file or password_env instead.'
        : 'Remove it, and set key_command, key_file, key_env or key_cli instead.',
    };
  }
  const [nearest] = nearestNames(name, known);
  return {
    at,
    reason: `"${path}${name}" is not a setting${nearest === undefined ? '.' : `; did you mean "${nearest}"?`}`,
    next: `${where}: ${known.join(', ')}.`,
  };
}

function childOf(node: JsonNode | null, name: string): JsonNode | null {
  const members = (node && membersOf(node)) ?? [];
  return members.findLast((member) => member.name === name)?.value ?? null;
}

/** A JSON value with its place: `offset` into the text, in UTF-16 units. */
type JsonNode = Node;

type JsonMember = { name: string; at: number; value: JsonNode };

type JsonTree = { ok: true; root: JsonNode; value: unknown } | { ok: false; at: number; reason: string };

/** The place of a value by the way to it, as far as it goes, or where the text stops being JSON, and why. */
export function placeIn(content: string, way: readonly PropertyKey[]): TextPosition & { reason?: string } {
  const text = content.replace(/^\ufeff/, ' ');
  const tree = jsonTree(text);
  if (!tree.ok) return { ...positionOf(text, tree.at), reason: tree.reason };
  let node = tree.root;
  for (const step of way) {
    const next = typeof step === 'number' ? node.children?.[step] : childOf(node, String(step));
    if (!next) break;
    node = next;
  }
  return positionOf(text, node.offset);
}

/** 1-based, as editors count; a column is a UTF-16 unit. */
type TextPosition = { line: number; column: number };

const NO_JSON = 'this is neither a text in double quotes, a number, true, false nor null';
const NO_TEXT = 'this text in quotes does not end, or has a wrong escape in it';

/** By the names that the parser gives its errors. */
const REASONS: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a name in double quotes is expected here',
  ValueExpected: 'a value is expected here',
  ColonExpected: "':' is expected here",
  CommaExpected: "',' is expected here",
  CloseBraceExpected: "'}' is expected here",
  CloseBracketExpected: "']' is expected here",
  EndOfFileExpected: 'something follows the end of the JSON',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfComment: 'JSON has no comments',
  UnexpectedEndOfString: NO_TEXT,
  InvalidUnicode: NO_TEXT,
  InvalidEscapeCharacter: NO_TEXT,
  InvalidCharacter: NO_TEXT,
};

/**
 * Takes exactly what JSON.parse takes, up to some thousand brackets, and says where the text stops being JSON, never
 * what is there.
 */
function jsonTree(text: string): JsonTree {
  const errors: ParseError[] = [];
  let root: JsonNode | undefined;
  try {
    root = parseTree(text, errors, { disallowComments: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, at: 0, reason: 'brackets are nested too deeply' };
  }
  if (errors.length > 0) return faultOf(text, errors);
  try {
    if (root !== undefined) return { ok: true, root, value: JSON.parse(text) };
  } catch {}
  return { ok: false, at: 0, reason: NO_JSON };
}

/** The first mistake, in words for what is expected there. */
function faultOf(text: string, errors: readonly ParseError[]): JsonTree {
  const offset = Math.min(...errors.map((each) => each.offset));
  const before = text.slice(0, offset).trimEnd();
  const sign = text[offset] ?? '';
  if (before.endsWith(',') && (sign === '}' || sign === ']'))
    return { ok: false, at: before.length - 1, reason: `a comma stands before '${sign}'` };
  const here = errors.filter((each) => each.offset === offset);
  const reason =
    here.map(({ error }) => REASONS[printParseErrorCode(error)]).find((words) => words) ?? NO_JSON;
  const isOver = offset >= text.length;
  return {
    ok: false,
    at: offset,
    reason: isOver ? reason.replace('is expected here', 'is missing at the end') : reason,
  };
}

/** The members of an object, in their order; null of anything else. */
function membersOf({ type, children = [] }: JsonNode): JsonMember[] | null {
  if (type !== 'object') return null;
  return children.map(({ offset, children: [name, value] = [] }) => ({
    name: name?.value as string,
    at: offset,
    value: value as JsonNode,
  }));
}

function positionOf(text: string, at: number): TextPosition {
  const before = text.slice(0, at).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
