import { cacheStatusRow, type LogRecord, pageOf } from '../../log.ts';
import { shapeOf } from '../../query/path-shape.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import { type Met, type Need, partOf, type Side } from '../inquiry/inquiry.ts';

/** By what rows of a cause are told from others, those first that say most of who or what it is; `below` is a path, too. */
export const NAME_FIELDS = [
  'ip',
  'ja4',
  'page',
  'shape',
  'below',
  'path',
  'asn',
  'host',
  'edge',
  'country',
  'ua',
  'status',
  'cache',
] as const;

export type NameField = (typeof NAME_FIELDS)[number];

export type Name = { field: Exclude<NameField, 'below'>; value: string };

/** A row as causes are looked for in it. `names`: a code for each of `NAME_FIELDS`, -1 = it has none. */
export type SampledRow = {
  /** Unix ms. */
  at: number;
  status: number;
  cache: string;
  served: 'edge' | 'origin' | null;
  path: string;
  names: Int32Array;
};

/** A time of which rows were asked for; of `from` to `readTo` every row came. */
export type SampledPart = TimeRange & { side: Side; readTo: number; rows: readonly SampledRow[] };

/** All pages below a directory, so many names deep, as a term of a query has it; null: it lies in no such one. */
function directoryOf(page: string, depth: 1 | 2): string | null {
  const first = page.indexOf('/', 1);
  const end = depth === 1 || first < 0 ? first : page.indexOf('/', first + 1);
  return end > 0 ? `${page.slice(0, end)}/*` : null;
}

const VALUES: Readonly<Record<NameField, (record: LogRecord, page: string) => string | null>> = {
  ip: ({ remoteIp }) => remoteIp,
  ja4: ({ ja4Fingerprint }) => ja4Fingerprint,
  page: (_, page) => page,
  shape: (_, page) => shapeOf(page),
  below: (_, page) => directoryOf(page, 2),
  path: (_, page) => directoryOf(page, 1),
  asn: ({ asn }) => asn,
  host: ({ host }) => host,
  edge: ({ edgeLocation }) => edgeLocation,
  country: ({ countryCode }) => countryCode,
  ua: ({ userAgent }) => userAgent,
  status: ({ statusCode }) => String(statusCode),
  cache: ({ cacheStatus }) => cacheStatus,
};

/** What was dropped of an address names nobody. */
const NOBODY = /^(?:0\.0\.0\.0|::)$/;

/** The rows of the question as they come in: samples of its window, and of other times. */
export class SampledRows {
  readonly #parts = new Map<Need, SampledPart>();
  readonly #codes = new Map<string, number>();
  readonly #names: Name[] = [];
  readonly #matches: (record: LogRecord) => boolean;

  constructor(matches: (record: LogRecord) => boolean) {
    this.#matches = matches;
  }

  add(need: Need, met: Met): void {
    if (need.kind !== 'logs' || met.kind !== 'logs' || this.#parts.has(need)) return;
    const { records, covered } = partOf(need.range, met);
    // Of rows in no order nobody knows which are missing: they are no sample.
    const [first, last] = [covered[0], covered.at(-1)];
    const from = first?.from ?? need.range.from;
    const rows = records
      .filter((record) => record.raw === null && this.#matches(record))
      .map((record) => this.#rowOf(record))
      .toSorted((a, b) => a.at - b.at);
    this.#parts.set(need, { side: need.side, from, to: need.range.to, readTo: last?.to ?? from, rows });
  }

  has(need: Need): boolean {
    return this.#parts.has(need);
  }

  /** The oldest first. A time that two samples have counts once. */
  get parts(): readonly SampledPart[] {
    let read = Number.NEGATIVE_INFINITY;
    return [...this.#parts.values()]
      .toSorted((a, b) => a.from - b.from)
      .map((part) => {
        const from = Math.max(part.from, read);
        read = Math.max(read, part.readTo);
        return { ...part, from, rows: part.rows.filter(({ at }) => at >= from) };
      });
  }

  nameOf(code: number): Name {
    return this.#names[code] as Name;
  }

  #rowOf(record: LogRecord): SampledRow {
    const { timestamp: at, statusCode: status, cacheStatus: cache, path } = record;
    const page = pageOf(path);
    const names = Int32Array.from(NAME_FIELDS, (field) => {
      const value = VALUES[field](record, page);
      return value === null || value === '' || NOBODY.test(value) ? -1 : this.#coded(field, value);
    });
    return { at, status, cache, served: cacheStatusRow(cache).served, path, names };
  }

  #coded(field: NameField, value: string): number {
    const key = `${field} ${value}`;
    const known = this.#codes.get(key);
    if (known !== undefined) return known;
    this.#codes.set(key, this.#names.length);
    return this.#names.push({ field: field === 'below' ? 'path' : field, value }) - 1;
  }
}
