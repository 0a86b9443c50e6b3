import type { Side } from '../differing.ts';
import { cacheStatusRow, type LogRecord, pageOf } from '../log.ts';
import { shapeOf } from '../query/path-shape.ts';
import type { TimeRange } from '../tail/coverage.ts';
import { MARKS, marksOf } from './harms.ts';

/**
 * By what rows of a cause are told from others, those first that say most of who or what it is. `folder` and `below` are paths, and `app`
 * is a user agent, too: see `PATTERNS`.
 */
export const NAME_FIELDS = [
  'ip',
  'ja4',
  'page',
  'shape',
  'folder',
  'below',
  'path',
  'asn',
  'host',
  'edge',
  'country',
  'scheme',
  'referer',
  'app',
  'ua',
  'status',
  'cache',
] as const;

export type NameField = (typeof NAME_FIELDS)[number];

/** Fields whose values are patterns, and the field of a query that they are of. */
const PATTERNS = { folder: 'path', below: 'path', path: 'path', referer: 'referer', app: 'ua' } as const;

/** `field`: as a query has it. `isPattern`: `*` in its value is any run. */
export type Name = {
  field: Exclude<NameField, 'folder' | 'below' | 'app'>;
  value: string;
  isPattern: boolean;
};

function nameOfValue(field: NameField, value: string): Name {
  return field in PATTERNS && value !== NONE
    ? { field: PATTERNS[field as keyof typeof PATTERNS], value, isPattern: true }
    : { field: field as Name['field'], value, isPattern: false };
}

/** The place of a field among those of a row. */
export function fieldPlace(field: NameField): number {
  return NAME_FIELDS.indexOf(field);
}

/**
 * A time of which rows were asked for; of `from` to `readTo` every row came. Of its rows, the oldest first: when, Unix ms; `MARKS` of
 * how they were answered; the numbers of their values, so many as there are `NAME_FIELDS`, -1 = it has none; and that of their URL.
 */
type Sample = TimeRange & {
  side: Side;
  /** Its time was chosen by what other samples have. */
  isChosen: boolean;
  readTo: number;
  times: Float64Array;
  marks: Uint16Array;
  names: Int32Array;
  urls: Int32Array;
};

export const FIELDS = NAME_FIELDS.length;
const PAGE_FIELDS = (['page', 'shape', 'folder', 'below', 'path'] as const).map(
  (field) => [field, fieldPlace(field)] as const,
);

/** All pages below a directory, so many names deep, as a term of a query has it; null: it lies in no such one. */
function directoryOf(page: string, depth: 1 | 2): string | null {
  const first = page.indexOf('/', 1);
  const end = depth === 1 || first < 0 ? first : page.indexOf('/', first + 1);
  return end > 0 ? `${page.slice(0, end)}/*` : null;
}

/** All pages of the directory that a page lies in; null: it lies no deeper than two. */
function folderOf(page: string): string | null {
  const folder = `${page.slice(0, page.lastIndexOf('/'))}/*`;
  return folder.split('/').length > 4 ? folder : null;
}

/** All pages of the site that refers, or that nothing does; null: the referring page names no site. */
function siteOf(referer: string | null): string | null {
  if (!referer) return NONE;
  const [site] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+/i.exec(referer ?? '') ?? [];
  return site === undefined ? null : `${site.toLowerCase()}/*`;
}

/** The program with its version that a user agent begins with, on whatever system; null: it is a browser, or says nothing else. */
function appOf(userAgent: string | null): string | null {
  const [, app] = /^(?!Mozilla\/)([^\s/()*]+\/[^\s;()*]+) /.exec(userAgent ?? '') ?? [];
  return app === undefined ? null : `${app} *`;
}

const OF_PAGE = {
  page: (page: string) => page,
  shape: shapeOf,
  folder: folderOf,
  below: (page: string) => directoryOf(page, 2),
  path: (page: string) => directoryOf(page, 1),
} as const;

const OF_RECORD = (
  [
    ['ip', ({ remoteIp }) => remoteIp],
    ['ja4', ({ ja4Fingerprint }) => ja4Fingerprint],
    ['asn', ({ asn }) => asn],
    ['host', ({ host }) => host],
    ['edge', ({ edgeLocation }) => edgeLocation],
    ['country', ({ countryCode }) => countryCode],
    ['scheme', ({ scheme }) => scheme],
    ['referer', ({ referer }) => siteOf(referer)],
    ['app', ({ userAgent }) => appOf(userAgent)],
    ['ua', ({ userAgent }) => userAgent],
    ['status', ({ statusCode }) => String(statusCode)],
    ['cache', ({ cacheStatus }) => cacheStatus],
  ] as const satisfies readonly (readonly [NameField, (record: LogRecord) => string | null])[]
).map(([field, read]) => [field, fieldPlace(field), read] as const);

/** What a field is whose absence is a name. */
const NONE = '';

/** What was dropped of an address names nobody. */
const NOBODY = /^(?:0\.0\.0\.0|::)$/;

/** The rows of a question as they come in: samples of its window, and of other times. */
export class SampledRows {
  readonly #samples: Sample[] = [];
  readonly #codes = NAME_FIELDS.map(() => new Map<string, number>());
  readonly #names: Name[] = [];
  readonly #pages = new Map<string, Int32Array>();
  readonly #urls = new Map<string, number>();
  readonly #marks = new Map<string, number>();

  /** Rows of a time, in any order: all that are of its part up to `readTo`. */
  add(of: Omit<Part, 'first' | 'end'>, records: readonly LogRecord[]): void {
    const own = records.toSorted((a, b) => a.timestamp - b.timestamp);
    this.#samples.push({
      ...of,
      times: Float64Array.from(own, ({ timestamp }) => timestamp),
      marks: Uint16Array.from(own, (record) => this.#marksOf(record)),
      names: this.#namesOf(own),
      urls: Int32Array.from(own, ({ path }) => numberOf(this.#urls, path)),
    });
  }

  /** The oldest first. A time that two samples have counts once. */
  get samples(): readonly Sample[] {
    let read = Number.NEGATIVE_INFINITY;
    return this.#samples
      .toSorted((a, b) => a.from - b.from)
      .map((sample) => {
        const from = Math.max(sample.from, read);
        read = Math.max(read, sample.readTo);
        return from === sample.from ? sample : since(sample, from);
      });
  }

  /** How many values its rows have. */
  get values(): number {
    return this.#names.length;
  }

  nameOf(code: number): Name {
    return this.#names[code] as Name;
  }

  #marksOf({ statusCode: status, cacheStatus: cache }: LogRecord): number {
    const key = `${status} ${cache}`;
    const known = this.#marks.get(key);
    if (known !== undefined) return known;
    const marks = marksOf({ status, cache, served: cacheStatusRow(cache).served });
    this.#marks.set(key, marks);
    return marks;
  }

  #namesOf(records: readonly LogRecord[]): Int32Array {
    const names = new Int32Array(records.length * FIELDS);
    records.forEach((record, at) => {
      const first = at * FIELDS;
      const ofPage = this.#pageNames(pageOf(record.path));
      for (const [n, [, place]] of PAGE_FIELDS.entries()) names[first + place] = ofPage[n] as number;
      for (const [field, place, read] of OF_RECORD)
        names[first + place] = this.#coded(field, place, read(record));
    });
    return names;
  }

  /** What goes by the page alone is found once. */
  #pageNames(page: string): Int32Array {
    const known = this.#pages.get(page);
    if (known !== undefined) return known;
    const names = Int32Array.from(PAGE_FIELDS, ([field, place]) =>
      this.#coded(field, place, OF_PAGE[field](page)),
    );
    this.#pages.set(page, names);
    return names;
  }

  #coded(field: NameField, place: number, value: string | null): number {
    if (value === null || (value === NONE && field !== 'referer')) return -1;
    const codes = this.#codes[place] as Map<string, number>;
    const known = codes.get(value);
    if (known !== undefined) return known;
    const isNobody = field === 'ip' && NOBODY.test(value);
    const code = isNobody ? -1 : this.#names.push(nameOfValue(field, value)) - 1;
    codes.set(value, code);
    return code;
  }
}

function numberOf(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  numbers.set(text, numbers.size);
  return numbers.size - 1;
}

/** The rest of a sample from a moment on. */
function since(sample: Sample, from: number): Sample {
  const { times, marks, names, urls } = sample;
  const found = times.findIndex((at) => at >= from);
  const first = found < 0 ? times.length : found;
  return {
    ...sample,
    from,
    times: times.subarray(first),
    marks: marks.subarray(first),
    names: names.subarray(first * FIELDS),
    urls: urls.subarray(first),
  };
}

/** The samples of other times, but for those that were chosen by what was found. */
export function otherTimes({ parts }: Pick<Population, 'parts'>): readonly Part[] {
  return parts.filter(({ side, isChosen }) => side === 'before' && !isChosen);
}

/** The rows that tell what is usual beside some: of other times, or where none was read those before and behind them. */
export function usualRows(
  known: Pick<Population, 'parts' | 'length'>,
  { first, end }: Pick<Part, 'first' | 'end'>,
): readonly Pick<Part, 'first' | 'end'>[] {
  const others = otherTimes(known);
  return others.length > 0
    ? others
    : [
        { first: 0, end: first },
        { first: end, end: known.length },
      ];
}

/** Rows by their places among all, in their order. */
export type Places = Int32Array;

/** A sample, and from where up to where its rows are among all. */
export type Part = Pick<Sample, 'side' | 'isChosen' | 'from' | 'to' | 'readTo'> & {
  first: number;
  end: number;
};

/** All rows that were sampled, in the order of time, in columns; see `Sample`. */
export type Population = {
  parts: readonly Part[];
  length: number;
  times: Float64Array;
  marks: Uint16Array;
  names: Int32Array;
  urls: Int32Array;
  /** The first rows of samples before which time was not read. */
  starts: ReadonlySet<number>;
  /** The first row that is of the window. */
  windowAt: number;
  /** How many values the rows have: their numbers are below it. */
  values: number;
};

/** How many rows there are, and how many of them were answered how. */
export type Level = { rows: number; errors: number; clientErrors: number; edge: number; origin: number };

export function populationOf(sampled: SampledRows, window: TimeRange): Population {
  return gathered(sampled.samples, window, sampled.values);
}

/** The same without some of the parts. */
export function withoutParts(known: Population, parts: ReadonlySet<Part>, window: TimeRange): Population {
  if (parts.size === 0) return known;
  const { times, marks, names, urls } = known;
  const left = known.parts.filter((part) => !parts.has(part));
  const samples = left.map(({ first, end, ...part }) => ({
    ...part,
    times: times.subarray(first, end),
    marks: marks.subarray(first, end),
    names: names.subarray(first * FIELDS, end * FIELDS),
    urls: urls.subarray(first, end),
  }));
  return gathered(samples, window, known.values);
}

function gathered(samples: readonly Sample[], window: TimeRange, values: number): Population {
  const length = samples.reduce((sum, { times }) => sum + times.length, 0);
  const times = new Float64Array(length);
  const marks = new Uint16Array(length);
  const names = new Int32Array(length * FIELDS);
  const urls = new Int32Array(length);
  const starts = new Set<number>();
  let first = 0;
  const parts = samples.map((sample, at): Part => {
    const { side, isChosen, from, to, readTo } = sample;
    times.set(sample.times, first);
    marks.set(sample.marks, first);
    names.set(sample.names, first * FIELDS);
    urls.set(sample.urls, first);
    const end = first + sample.times.length;
    const isAfterGap = from > (samples[at - 1]?.readTo ?? from);
    if (isAfterGap && end > first) starts.add(first);
    const part = { side, isChosen, from, to, readTo, first, end };
    first = end;
    return part;
  });
  return {
    parts,
    length,
    times,
    marks,
    names,
    urls,
    starts,
    windowAt: firstFrom(times, window.from),
    values,
  };
}

/** The places of rows from one up to another. */
export function placesWithin(places: Places, from: number, end: number): Places {
  return places.subarray(firstFrom(places, from), firstFrom(places, end));
}

/** The first place in a sorted list whose item is no less. */
function firstFrom(sorted: Float64Array | Int32Array, least: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of the first row of a time, and of the first behind it. */
export function placesBetween(
  { times }: Pick<Population, 'times'>,
  { from, to }: TimeRange,
): [number, number] {
  return [firstFrom(times, from), firstFrom(times, to)];
}

/** Where a place is in a sorted list of places, or would be. */
export function placeAmong(places: Places, place: number): number {
  return firstFrom(places, place);
}

/** Whether a row has a value. */
export function hasName({ names }: Pick<Population, 'names'>, place: number, code: number): boolean {
  return names.subarray(place * FIELDS, (place + 1) * FIELDS).includes(code);
}

/** Some of the rows as rows of their own, in their order. */
export function rowsAlone(
  { times, parts, starts }: Population,
  places: Places,
): Pick<Population, 'times' | 'starts' | 'length'> {
  const firsts = parts.filter(({ first }) => starts.has(first)).map(({ first }) => placeAmong(places, first));
  return {
    times: Float64Array.from(places, (place) => times[place] as number),
    starts: new Set(firsts.filter((first) => first < places.length)),
    length: places.length,
  };
}

/** How many of some rows have each value of some fields. */
export function valueCounts(
  { names }: Pick<Population, 'names'>,
  places: Places,
  fields: readonly number[],
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const place of places) {
    for (const field of fields) {
      const code = names[place * FIELDS + field] as number;
      if (code >= 0) counts.set(code, (counts.get(code) ?? 0) + 1);
    }
  }
  return counts;
}

export function placesWhere({ length }: Population, test: (place: number) => boolean): Places {
  const found: number[] = [];
  for (let place = 0; place < length; place++) if (test(place)) found.push(place);
  return Int32Array.from(found);
}

/** How the rows of a time were answered. */
export function answeredLevel(known: Pick<Population, 'times' | 'marks'>, range: TimeRange): Level {
  return levelOfMarks(known.marks.subarray(...placesBetween(known, range)));
}

export function levelOfMarks(marks: Uint16Array): Level {
  const level = { rows: marks.length, errors: 0, clientErrors: 0, edge: 0, origin: 0 };
  for (const own of marks) {
    if (own & MARKS.error) level.errors++;
    if (own & MARKS.clientError) level.clientErrors++;
    if (own & MARKS.edge) level.edge++;
    if (own & MARKS.origin) level.origin++;
  }
  return level;
}

/** What is told of rows besides their names. */
export type AnsweredRows = {
  rows: number;
  /** What they were answered with, what most were first. */
  statuses: readonly { status: number; rows: number }[];
  /** Whether most of them were asked of the origin, and whether most came from the cache. */
  isOfOrigin: boolean;
  isOfCache: boolean;
  /** How the cache answered most of them; null: there are none. */
  cache: string | null;
  /** The page that they have most different URLs of; null: it has but one. */
  queries: { page: string; distinct: number; rows: number } | null;
};

/** What is told of some rows. */
export function answeredRows(sampled: SampledRows, population: Population, places: Places): AnsweredRows {
  const countsOf = (field: NameField) =>
    [...valueCounts(population, places, [fieldPlace(field)])]
      .toSorted(([, a], [, b]) => b - a)
      .map(([code, rows]) => ({ value: sampled.nameOf(code).value, rows }));
  const marked = (mark: number) =>
    places.filter((place) => (population.marks[place] as number) & mark).length * 2 > places.length;
  return {
    rows: places.length,
    isOfOrigin: marked(MARKS.origin),
    isOfCache: marked(MARKS.hit),
    cache: countsOf('cache')[0]?.value ?? null,
    statuses: countsOf('status').map(({ value, rows }) => ({ status: Number(value), rows })),
    queries: queriesOf(sampled, population, places),
  };
}

function queriesOf(
  sampled: SampledRows,
  { names, urls }: Population,
  places: Places,
): AnsweredRows['queries'] {
  const [found] = [...Map.groupBy(places, (place) => names[place * FIELDS + fieldPlace('page')] as number)]
    .filter(([code]) => code >= 0)
    .map(([code, own]) => ({
      code,
      rows: own.length,
      distinct: new Set(own.map((place) => urls[place])).size,
    }))
    .toSorted((a, b) => b.distinct - a.distinct);
  if (found === undefined || found.distinct < 2) return null;
  return { page: sampled.nameOf(found.code).value, distinct: found.distinct, rows: found.rows };
}
