import { mix } from '../../../src/simulator/random.ts';
import { isoTime } from '../../../src/simulator/traffic/rows.ts';

/** An answer of logs v2 as parsed JSON; faults work on it without knowing more than they need. */
type Entry = Record<string, unknown>;
type LogAnswer = { data: Entry[]; pagination: { returned: number; hasMore: boolean } };

export type TimestampForm = 'seconds' | 'ms' | 'offset' | 'micros' | 'garbage';

/** Spoils a share of the entries, each in one of the ways rows have been seen to drift; the same rows in every read. */
export function driftRows(value: unknown, share: number): unknown {
  if (!isLogAnswer(value)) return driftEvents(value, share);
  return mapEntries(value, (entry) => {
    const h = hashText(String(entry['requestId']));
    if ((h % 1000) / 1000 >= share) return entry;
    const copy: Entry = { ...entry };
    switch (mix(h, 1) % 8) {
      case 0:
        delete copy['cacheStatus'];
        break;
      case 1:
        copy['statusCode'] = String(entry['statusCode']);
        break;
      case 2:
        copy['bytesSent'] = null;
        break;
      case 3:
        copy['timestamp'] = 'yesterday';
        break;
      case 4:
        copy['newField'] = { nested: [1, 'two', null] };
        break;
      case 5:
        copy['cacheStatus'] = 'TELEPORTED';
        break;
      case 6:
        copy['url'] = ['https://', 7];
        break;
      default:
        return null;
    }
    return copy;
  });
}

/** The same for the events of Shield: those of a search and of a day have the parts that are spoilt in common. */
function driftEvents(value: unknown, share: number): unknown {
  if (!isObject(value)) return value;
  const spoilt = (event: Entry): unknown => {
    const h = hashText(String(event['logId']));
    if ((h % 1000) / 1000 >= share) return event;
    const forms: unknown[] = [
      null,
      'event',
      { ...event, timestamp: 'yesterday' },
      { ...event, timestamp: undefined },
      { ...event, fields: ['blocked'], labels: 7 },
    ];
    return forms[mix(h, 1) % forms.length];
  };
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      (name === 'rows' || name === 'logs') && Array.isArray(part) ? part.map(spoilt) : part,
    ]),
  );
}

/** Leaves out a field of every row. */
export function dropField(value: unknown, field: string): unknown {
  return mapEntries(value, (entry) => {
    const { [field]: _dropped, ...rest } = entry;
    return rest;
  });
}

/** Leaves every row its field, without a value. */
export function nullField(value: unknown, field: string): unknown {
  return mapEntries(value, (entry) => ({ ...entry, [field]: null }));
}

/** Writes timestamps in another of the forms that are about. */
export function writeTimestamps(value: unknown, form: TimestampForm): unknown {
  return mapEntries(value, (entry) => {
    const t = Date.parse(String(entry['timestamp']));
    const iso = isoTime(t).slice(0, -1);
    const forms = {
      seconds: t / 1000,
      ms: t,
      offset: `${iso}+00:00`,
      micros: `${iso}456Z`,
      garbage: '0000-99-99T99:99:99Z',
    };
    return { ...entry, timestamp: forms[form] };
  });
}

/** Takes the ids away and gives a share of the rows a twin that is the same in every byte. */
export function twins(value: unknown, share: number): unknown {
  if (!isLogAnswer(value)) return value;
  const data = value.data.flatMap((entry) => {
    const { requestId, ...rest } = entry;
    return (hashText(String(requestId)) % 1000) / 1000 < share ? [rest, rest] : [rest];
  });
  return { ...value, data };
}

/** Rows that nobody asked for among those that were: of an hour before, and of another zone. */
export function addStrays(value: unknown): unknown {
  if (isLogAnswer(value)) {
    const older = (time: unknown) => new Date(Date.parse(String(time)) - 3_600_000).toISOString();
    const data = value.data.flatMap((entry, at): Entry[] => {
      if (at % 10 === 0) return [entry, { ...entry, timestamp: older(entry['timestamp']) }];
      return at % 10 === 5 ? [entry, { ...entry, pullZoneId: Number(entry['pullZoneId']) + 1 }] : [entry];
    });
    return { ...value, data };
  }
  if (!isObject(value)) return value;
  const name = ['rows', 'groups', 'logs', 'Logs'].find((each) => Array.isArray(value[each]));
  if (name === undefined) return value;
  const rows = value[name] as Entry[];
  const daysAgo = (entry: Entry) => {
    const times = ['timestamp', 'Timestamp', 'firstSeen', 'lastSeen'].filter((time) => time in entry);
    const ago = (time: unknown) =>
      typeof time === 'number'
        ? time - 4 * 86_400_000
        : new Date(Date.parse(String(time)) - 4 * 86_400_000).toISOString();
    return { ...entry, ...Object.fromEntries(times.map((time) => [time, ago(entry[time])])) };
  };
  return { ...value, [name]: [...rows, ...rows.slice(0, 3).map(daysAgo)] };
}

/** The same for lines of logs v1; anything else stays as it is. */
export function addStrayLines(body: Buffer): Buffer {
  const [line = ''] = String(body).split('\n');
  const columns = line.split('|');
  if (columns.length < 12) return body;
  const older = columns.with(2, String(Number(columns[2]) - 2 * 86_400_000));
  const ofOther = columns.with(4, String(Number(columns[4]) + 1));
  return Buffer.concat([body, Buffer.from(`${older.join('|')}\n${ofOther.join('|')}\n`)]);
}

/** Rows of one instant in another order each time. */
export function shuffleTies(value: unknown, number: number): unknown {
  if (!isLogAnswer(value)) return value;
  const keyed = value.data.map((entry, at) => ({ entry, at, h: hashText(`${entry['requestId']}${number}`) }));
  keyed.sort((a, b) => (a.entry['timestamp'] === b.entry['timestamp'] ? a.h - b.h : a.at - b.at));
  return { ...value, data: keyed.map(({ entry }) => entry) };
}

/** No rows and a promise of more: logs v2, Shield search and day reads each in its own words. */
export function emptyWithMore(value: unknown): unknown {
  if (isLogAnswer(value))
    return { ...value, data: [], pagination: { ...value.pagination, returned: 0, hasMore: true } };
  if (!isObject(value)) return value;
  if ('logs' in value) return { ...value, logs: [], hasMoreData: true };
  if ('Items' in value) return { ...value, Items: [], HasMoreItems: true };
  return { ...value, rows: [], total: 1000, totalPages: 20 };
}

/** A day read that hands back the token it was given. */
export function repeatToken(value: unknown, path: string): unknown {
  if (!isObject(value) || !('continuationToken' in value)) return value;
  const asked = /\/\d\d-\d\d-\d{4}\/([^/?]+)/.exec(path)?.[1];
  const token = asked === undefined ? value['startToken'] : decodeURIComponent(asked);
  return { ...value, continuationToken: token, hasMoreData: true };
}

function mapEntries(value: unknown, change: (entry: Entry) => unknown): unknown {
  return isLogAnswer(value) ? { ...value, data: value.data.map(change) } : value;
}

function isLogAnswer(value: unknown): value is LogAnswer {
  return isObject(value) && Array.isArray(value['data']) && isObject(value['pagination']);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A 32-bit hash of a text, to tell rows apart. */
function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return mix(h, text.length);
}
