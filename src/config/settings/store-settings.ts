/** The form of a value in words, and its check. */
export type ValueForm = { form: string; isRight: (value: unknown) => boolean };

/** A setting: what it does, and its form. */
export type SettingRow = ValueForm & { does: string };

/** The settings in an object: `rowOf` gives the row of a name, or what is in the object of that name; null: there is none. */
export type NestedSettings = {
  /** A thing with settings, with its article. */
  whose: string;
  known: readonly string[];
  rowOf: (name: string) => ValueForm | NestedSettings | null;
};

/** The values of a table of settings, each of which may be missing and has passed its check. */
export type SettingsOf<Table extends Readonly<Record<string, SettingRow>>> = {
  [Name in keyof Table]?: Table[Name]['isRight'] extends (value: unknown) => value is infer Value
    ? Value
    : never;
};

/** A store of logs in the configuration. It never holds a password, only where that comes from. */
export type StoreProfile = SettingsOf<typeof STORE_SETTINGS>;

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/** Forms of values, with the check of each. */
export const A_URL = { form: 'a URL', isRight: isText };
export const A_PATH = { form: 'a path', isRight: isText };
export const A_VARIABLE = { form: 'the name of an environment variable', isRight: isVariable };
export const A_SWITCH = {
  form: 'true or false',
  isRight: (value: unknown): value is boolean => typeof value === 'boolean',
};
const A_NAME = { form: 'a name of letters, digits and _', isRight: isName };

/** The settings of a store and the form of each: the checks of the file and the manual read this table. */
export const STORE_SETTINGS = {
  engine: {
    does: 'what keeps the rows',
    form: 'clickhouse or duckdb',
    isRight: (value) => value === 'clickhouse' || value === 'duckdb',
  },
  url: { does: 'the HTTP interface of ClickHouse, https', ...A_URL },
  user: { does: 'the account there; default without it', form: 'a name', isRight: isText },
  password_command: {
    does: 'prints the password in its first line; runs without a shell',
    form: 'a list of texts: the program and its arguments',
    isRight: isProgram,
  },
  password_file: { does: 'holds the password; yours, mode 0600', ...A_PATH },
  password_env: { does: 'holds the password', ...A_VARIABLE },
  database: { does: 'the database of the tables; edgescope without it', ...A_NAME },
  cluster: { does: 'a cluster of ClickHouse: a table on every node of it', ...A_NAME },
  quorum: {
    does: 'of a cluster: a write counts once most replicas have it, and is seen by whoever asks later',
    ...A_SWITCH,
  },
  file: { does: 'the file of DuckDB', ...A_PATH },
  days: {
    does: 'how long a row is kept; until it is dropped without it',
    ...wholeFrom(1, 36_500),
  },
  seconds: { does: 'how long a question may take, 60 without it', ...wholeFrom(1, 3_600) },
  memory: { does: 'MB that a question may take there, 4096 without it', ...wholeFrom(256, 1_048_576) },
} as const satisfies Record<string, SettingRow>;

export function isSettings(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function isProgram(value: unknown): value is string[] {
  return Array.isArray(value) && isText(value[0]) && value.every((each) => typeof each === 'string');
}

function isVariable(value: unknown): value is string {
  return isText(value) && /^[A-Za-z_][A-Za-z0-9_]*$/.test(value);
}

function isName(value: unknown): value is string {
  return isText(value) && NAME.test(value);
}

export function wholeFrom(least: number, most: number) {
  return {
    form: `a whole number from ${least} to ${most}`,
    isRight: (value: unknown): value is number =>
      Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  };
}
