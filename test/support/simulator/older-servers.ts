import { problem, type ServedAnswer } from '../../../src/simulator/http/answers.ts';
import type { FaultRow } from './fault-row.ts';
import { isObject } from './fault-values.ts';

/** What stands in an answer of a server that sets none of it. */
const UNSET_ERROR = { statusCode: 0, success: false, message: null, errorKey: null };

/** What servers did before the published descriptions, or do beside them, a row each of the table of faults. */
export const OLDER_SERVERS = {
  enumWords: {
    covers: 'F53 enums of pull zones as words',
    value: (v) => writeEnums(v),
  },
  pagedWithoutPage: {
    covers: 'F53 a list that is asked for without a page comes as a page',
    ask: ({ searchParams }) => {
      if (Number(searchParams.get('page') ?? 0) === 0) searchParams.set('page', '1');
    },
  },
  ascendingDay: {
    covers: 'F53 a v1 day comes oldest first when no order is asked for',
    ask: ({ pathname, searchParams }) => {
      if (pathname.endsWith('.log') && !searchParams.has('sort')) searchParams.set('sort', 'asc');
    },
  },
  shieldNotFound: {
    covers: 'F53 a Shield zone that is not there is a 404',
    status: (status) => (status === 202 ? 404 : status),
    value: (v) => writeNotFound(v),
  },
  emptyLists: {
    covers: 'F53 lists that hold nothing are empty, where the description has null',
    value: (v) => writeEmptyLists(v),
  },
  withoutBuckets: {
    covers: 'F53 a Shield search with `buckets` has a property that is not known',
    refuses: (body) => withUnknown(body, 'buckets'),
  },
  errorResponse: {
    covers: 'F53, F55 errorResponse is `text` (JSON; what a server has there that sets nothing)',
    value: (v, p) => writeErrorResponse(v, JSON.parse(p.text ?? JSON.stringify(UNSET_ERROR))),
  },
} as const satisfies Record<string, FaultRow>;

/** The specification: unknown properties are rejected. */
function withUnknown(body: Buffer, name: string): ServedAnswer | null {
  if (!body.includes(`"${name}":`)) return null;
  const detail = `The property '${name}' is not known.`;
  return problem(400, 'One or more validation errors occurred.', detail, { errors: { [name]: [detail] } });
}

/** The words that enums of pull zones have been seen as, in the order of their numbers. */
const ENUM_WORDS: Readonly<Record<string, readonly string[]>> = {
  Type: ['Premium', 'Volume'],
  OriginType: ['OriginUrl', 'DnsAccelerate', 'StorageZone'],
  LogAnonymizationType: ['OneDigit', 'Drop'],
  LogFormat: ['Plain', 'JSON'],
};

function writeEnums(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(writeEnums);
  if (!isObject(value)) return value;
  if (Array.isArray(value['Items'])) return { ...value, Items: value['Items'].map(writeEnums) };
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, ENUM_WORDS[name]?.[Number(part)] ?? part]),
  );
}

function writeEmptyLists(value: unknown): unknown {
  // Beside an error it is a zone that is missing, and no list.
  if (!isObject(value) || 'error' in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      (name === 'logs' || name === 'data') && part === null ? [] : part,
    ]),
  );
}

function writeNotFound(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      isObject(part) && part['statusCode'] === 202 ? { ...part, statusCode: 404 } : part,
    ]),
  );
}

function writeErrorResponse(value: unknown, error: unknown): unknown {
  return isObject(value) && 'errorResponse' in value ? { ...value, errorResponse: error } : value;
}
