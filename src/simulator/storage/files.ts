import { crc32, gzipSync } from 'node:zlib';
import { DAY, HOUR } from '../../text/units.ts';
import type { SimZone } from '../account/account-zones.ts';
import type { StoredZone } from '../account/storage-zones.ts';
import { type Exchange, json, type ServedAnswer } from '../http/answers.ts';
import { dayLine } from '../logs/logs-v2.ts';
import { scan } from '../logs/scan.ts';
import { hex, mix } from '../random.ts';
import type { SimRow } from '../traffic/rows.ts';
import type { World } from '../world.ts';

const ROOT = 'pullzone-logs';

/** GET /{zone}/{path}/: the entries of a folder. A missing one is an empty list. */
export function listFiles(call: Exchange, world: World): ServedAnswer {
  const store = storeOf(call, world);
  if (store === null) return refused();
  const [, path = ''] = call.params as [string, string?];
  const names = path.split('/').filter((name) => name !== '');
  const folder = names.map((name) => `${name}/`).join('');
  const model = (name: string, length: number, at: number, isFolder: boolean) =>
    fileModel(store, `/${store.read.Name}/${folder}`, { name, length, at, isFolder });
  if (folder === '') return json([model(ROOT, 0, world.epoch, true)]);
  const found = new Map<string, object>();
  for (const [file, part] of filesOf(store, call.now, world)) {
    if (!file.startsWith(folder)) continue;
    const [name = '', ...below] = file.slice(folder.length).split('/');
    if (below.length > 0) found.set(name, model(name, 0, world.epoch, true));
    else found.set(name, model(name, sizeOf(part, world), part.uploadedAt, false));
  }
  return json([...found.values()]);
}

/** GET /{zone}/{path}: a file. */
export async function readFile(call: Exchange, world: World): Promise<ServedAnswer> {
  const store = storeOf(call, world);
  if (store === null) return refused();
  const [, path = ''] = call.params as [string, string?];
  const part = filesOf(store, call.now, world).get(path);
  if (part === undefined) return json({ HttpCode: 404, Message: 'Object Not Found' }, 404);
  return { status: 200, type: 'application/octet-stream', body: await contentOf(part, world) };
}

/** Every file uploaded by `now`, by its path in the storage zone, the oldest first within a folder. */
function filesOf({ read }: StoredZone, now: number, world: World): Map<string, UploadedPart> {
  const first = Math.floor(world.epoch / DAY) - 9;
  const days = Array.from({ length: Math.floor(now / DAY) - first + 1 }, (_, n) => (first + n) * DAY);
  const files = world.account.zones
    .filter(({ logStorageId }) => logStorageId === read.Id)
    .flatMap((zone) =>
      days.flatMap((day) => {
        const month = new Date(day).toISOString().slice(0, 7).replace('-', '/');
        const folder = `${ROOT}/${zone.name}/${month}`;
        return partsOfDay(zone, day, world, now).map((part) => [`${folder}/${part.name}`, part] as const);
      }),
    );
  return new Map(files);
}

/** The storage zone of a path, if its own password opens it. */
function storeOf({ params, headers }: Exchange, { account }: World): StoredZone | null {
  const store = account.storage.find(({ read }) => read.Name === params[0]);
  const given = headers['accesskey'];
  const isOpen = given === store?.read.ReadOnlyPassword || given === store?.read.Password;
  return store !== undefined && isOpen ? store : null;
}

function refused(): ServedAnswer {
  return json({ HttpCode: 401, Message: 'Unauthorized' }, 401);
}

function fileModel(
  { read }: StoredZone,
  path: string,
  file: { name: string; length: number; at: number; isFolder: boolean },
): object {
  const time = new Date(file.at).toISOString().slice(0, 23);
  const h = mix(read.Id, Math.floor(file.at / 1000));
  return {
    Guid: hex(h, 32),
    StorageZoneName: read.Name,
    Path: path,
    ObjectName: file.name,
    Length: file.length,
    LastChanged: time,
    ServerId: 300 + (h % 90),
    ArrayNumber: 0,
    IsDirectory: file.isFolder,
    UserId: read.UserId,
    ContentType: '',
    DateCreated: time,
    StorageZoneId: read.Id,
    Checksum: null,
    ReplicatedZones: null,
  };
}

/** A file of v1 lines that a worker wrote from `from` to `to` and then uploaded; Unix ms. */
type UploadedPart = {
  zone: SimZone;
  name: string;
  from: number;
  to: number;
  uploadedAt: number;
  /** Every other row of the zone goes to each of two workers. */
  half: number;
};

/** How long a part is open at most; no zone of the account writes 5,000,000 lines or 2 GB meanwhile. */
const LONGEST = 2 * HOUR;
/** A part closes after this time without writes. */
const IDLE = HOUR;
/** Days of stored lines before the simulator's start. */
const KEPT_DAYS = 8;
/** When another worker takes over, in each UTC day; the first one's part is then idle. */
const HANDED_OVER = 13 * HOUR + 20 * 60_000;
/** No row is later. */
const LATEST = 10 * 60_000;
/** The most bytes of a compressed line, nearly always. */
const LINE = 75;

/** The workers of a half of the rows, and when in the day each writes. */
const WORKERS: readonly (readonly { id: number; from: number; to: number }[])[] = [
  [{ id: 104, from: 0, to: DAY }],
  [
    { id: 117, from: 0, to: HANDED_OVER },
    { id: 131, from: HANDED_OVER, to: DAY },
  ],
];

/** The parts of a UTC day, which begins at `day`, that are uploaded by `now`. */
function partsOfDay(zone: SimZone, day: number, { epoch }: World, now: number): UploadedPart[] {
  if (zone.logStorageId === null || day < Math.floor(epoch / DAY - KEPT_DAYS) * DAY) return [];
  const date = new Date(day).toISOString().slice(8, 10);
  return WORKERS.flatMap((workers, half) =>
    workers.flatMap(({ id, from, to }) =>
      Array.from({ length: Math.ceil((to - from) / LONGEST) }, (_, index): UploadedPart => {
        const opened = day + from + index * LONGEST;
        const closed = Math.min(opened + LONGEST, day + to);
        const noticed = closed === day + to && to < DAY ? closed + IDLE : closed;
        const h = mix(mix(zone.salt, Math.floor(opened / 1000)), id);
        return {
          zone,
          name: `${date}_${id}-${index}-${hex(h, 8)}.gzip`,
          from: opened,
          to: closed,
          uploadedAt: noticed + 5_000 + (h % 40_000),
          half,
        };
      }),
    ),
  ).filter(({ uploadedAt }) => uploadedAt <= now);
}

/** Its size in bytes, known without making it: the content is padded to that. */
export function sizeOf({ zone, ...part }: UploadedPart, { schedule }: World): number {
  const seconds = (part.to - part.from) / 1000;
  const added = schedule
    .between(part.from, part.to)
    .filter((incident) => incident.zone === zone)
    .reduce((sum, { rate, from, to }) => {
      const within = Math.min(to, part.to) - Math.max(from, part.from);
      return sum + (rate * Math.max(0, within)) / 1000;
    }, 0);
  const lines = 0.65 * (zone.rate * seconds + added);
  return Math.ceil((lines + 8 * Math.sqrt(lines) + 20) * LINE);
}

/** The file: a line for each row that reached the worker while the part was open, in order of arrival. */
export async function contentOf(part: UploadedPart, world: World): Promise<Buffer> {
  const { zone } = part;
  const rows: SimRow[] = [];
  const window = { from: part.from - LATEST, to: part.to, order: 'asc' } as const;
  await scan(world.traffic, zone, window, part.to - 1, (row) => {
    if (!row.isOriginShield && row.t + row.late >= part.from && isOfHalf(row, part.half)) rows.push(row);
    return true;
  });
  rows.sort((a, b) => a.t + a.late - (b.t + b.late));
  const packed = gzipSync(rows.map((row) => dayLine(row, zone)).join(''), { level: 1 });
  return filledUp(packed, sizeOf(part, world));
}

/** Now and then both write a line. */
function isOfHalf({ h }: SimRow, half: number): boolean {
  return (h & 1) === half || h % 997 === 0;
}

/** An empty member behind it, whose comment pads the file. */
function filledUp(packed: Buffer, size: number): Buffer {
  const head = Buffer.from([0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 3]);
  const tail = Buffer.from([0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  tail.writeUInt32LE(crc32(''), 3);
  const room = size - packed.length - head.length - tail.length;
  return room < 0 ? packed : Buffer.concat([packed, head, Buffer.alloc(room, '-'), tail]);
}
