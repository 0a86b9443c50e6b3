/** S: the specification, D: a published description, F: a report from the field, ?: nobody says. */
export type Source = 'S' | 'D' | 'F' | '?';

/** `id` may exceed 2^53 and keeps its digits; `code` is an HTTP status; `json` is any object, `jsonText` one as text. */
export type Scalar = 'id' | 'amount' | 'code' | 'enum' | 'flag' | 'text' | 'iso' | 'ms' | 'json' | 'jsonText';

export type Shape =
  | { of: Scalar; example: unknown }
  | { of: 'object'; fields: Fields }
  | { of: 'list' | 'map'; item: Shape }
  /** Lines of columns between bars. */
  | { of: 'lines'; columns: Fields };

/**
 * `always`: what lacks it is no row or no answer, and has to be told. `orNull`: the same, but it may be null. `optional`: may be
 * left out, but is not null. `nullable`: may be null, and may be left out.
 */
export type Presence = 'always' | 'orNull' | 'optional' | 'nullable';
export type Field = { shape: Shape; presence: Presence; source: Source };
export type Fields = Readonly<Record<string, Field>>;

const EXAMPLES = {
  id: 7_000_000_001,
  amount: 12,
  code: 200,
  enum: 1,
  flag: true,
  text: 'text',
  iso: '2026-08-20T11:30:00.000Z',
  ms: Date.UTC(2026, 7, 20, 11, 30),
  json: { Url: '/a' },
  jsonText: '{"Url":"/a"}',
} as const satisfies Record<Scalar, unknown>;

/** Rows of a sample list: one that is changed, between two that must not be. */
export const SAMPLE_ROWS = 3;

export const scalar = (of: Scalar, example: unknown = EXAMPLES[of]): Shape => ({ of, example });
export const object = (fields: Fields): Shape => ({ of: 'object', fields });
export const list = (item: Shape): Shape => ({ of: 'list', item });
export const map = (item: Shape): Shape => ({ of: 'map', item });
export const lines = (columns: Fields): Shape => ({ of: 'lines', columns });

export const always = (shape: Shape, source: Source = 'D'): Field => ({ shape, presence: 'always', source });
export const orNull = (shape: Shape, source: Source = 'D'): Field => ({ shape, presence: 'orNull', source });
export const optional = (shape: Shape, source: Source = 'D'): Field => ({
  shape,
  presence: 'optional',
  source,
});
export const nullable = (shape: Shape, source: Source = 'D'): Field => ({
  shape,
  presence: 'nullable',
  source,
});

export const isNeeded = (presence: Presence) => presence === 'always' || presence === 'orNull';
export const mayBeNull = (presence: Presence) => presence === 'nullable' || presence === 'orNull';

/** A value of a shape with every field in it. Ids and texts of rows of one list differ. */
export function sampleOf(shape: Shape, row = 0): unknown {
  switch (shape.of) {
    case 'object':
      return Object.fromEntries(
        Object.entries(shape.fields).map(([name, field]) => [name, sampleOf(field.shape, row)]),
      );
    case 'list':
      return Array.from({ length: SAMPLE_ROWS }, (_, i) => sampleOf(shape.item, row * SAMPLE_ROWS + i));
    case 'map':
      return { ip: sampleOf(shape.item, row), country: sampleOf(shape.item, row) };
    case 'lines':
      return Array.from({ length: SAMPLE_ROWS }, (_, i) =>
        Object.values(shape.columns).map((column) => sampleOf(column.shape, i)),
      );
    case 'id':
      return typeof shape.example === 'number' ? shape.example + row : shape.example;
    case 'text':
      return shape.example === EXAMPLES.text ? `${shape.example} ${row}` : shape.example;
    default:
      return shape.example;
  }
}

/** Where something stands in an answer. */
export type Path = readonly (string | number)[];
export type Place = { path: Path; field: Field };

/** Every field of a shape, at the middle row of each list. */
export function placesOf(shape: Shape, path: Path = []): Place[] {
  const at = (field: Field, name: string | number): Place[] => [
    { path: [...path, name], field },
    ...placesOf(field.shape, [...path, name]),
  ];
  switch (shape.of) {
    case 'object':
      return Object.entries(shape.fields).flatMap(([name, field]) => at(field, name));
    case 'list':
      return placesOf(shape.item, [...path, 1]);
    case 'map':
      return at({ shape: shape.item, presence: 'nullable', source: 'D' }, 'ip');
    case 'lines':
      return Object.values(shape.columns).flatMap((field, column) => [
        { path: [...path, 1, String(column)], field },
      ]);
    default:
      return [];
  }
}

/** What a value has that its shape does not allow; fields beyond the shape are allowed everywhere. */
export function problemsOf(shape: Shape, value: unknown, path = ''): string[] {
  const wrong = (what: string) => [
    `${path || 'the answer'}: ${what}, not ${JSON.stringify(value)?.slice(0, 80)}`,
  ];
  switch (shape.of) {
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong('an object');
      return Object.entries(shape.fields).flatMap(([name, { presence, shape: inner }]) => {
        const part = (value as Record<string, unknown>)[name];
        if (part === undefined) return isNeeded(presence) ? [`${path}.${name} is missing`] : [];
        if (part === null) return mayBeNull(presence) ? [] : [`${path}.${name} is null`];
        return problemsOf(inner, part, `${path}.${name}`);
      });
    }
    case 'list':
      return Array.isArray(value)
        ? value.flatMap((item, i) => problemsOf(shape.item, item, `${path}[${i}]`))
        : wrong('a list');
    case 'map':
      return typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([name, item]) =>
            item === null ? [] : problemsOf(shape.item, item, `${path}.${name}`),
          )
        : wrong('an object');
    case 'lines':
      return String(value)
        .split('\n')
        .slice(0, -1)
        .flatMap((line, i) => lineProblems(shape.columns, line, `line ${i}`));
    case 'jsonText':
      return typeof value === 'string' && isObjectText(value) ? [] : wrong('the text of an object');
    default:
      return IS[shape.of](value) ? [] : wrong(shape.of);
  }
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Ids are numbers on the wire, -1 stands for none; enums are integers. */
const IS = {
  id: (value) => isWhole(value) || value === -1,
  amount: (value) => typeof value === 'number' && value >= 0,
  code: (value) => isWhole(value) && value < 1000,
  enum: isWhole,
  flag: (value) => typeof value === 'boolean',
  text: (value) => typeof value === 'string',
  iso: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value),
  ms: (value) => isWhole(value) && value > 1e12,
  json: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
} as const satisfies Record<Exclude<Scalar, 'jsonText'>, (value: unknown) => boolean>;

function lineProblems(columns: Fields, line: string, path: string): string[] {
  const parts = line.split('|');
  return Object.entries(columns).flatMap(([name, { presence, shape }], i) => {
    const part = parts[i];
    if (part === undefined) return isNeeded(presence) ? [`${path}: ${name} is missing`] : [];
    if (part === '-' && mayBeNull(presence)) return [];
    const isText = shape.of === 'text';
    return problemsOf(shape, isText ? part : Number(part), `${path}: ${name}`);
  });
}

function isObjectText(text: string): boolean {
  try {
    return IS.json(JSON.parse(text));
  } catch {
    return false;
  }
}
