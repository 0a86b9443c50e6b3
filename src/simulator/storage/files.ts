import type { StoredZone } from '../account/storage-zones.ts';
import type { SimZone } from '../account/zones.ts';
import { type Exchange, json, type ServedAnswer } from '../http/answers.ts';
import { hex, mix } from '../random.ts';
import type { World } from '../world.ts';
import { contentOf, DAY, partsOfDay, type StoredPart, sizeOf } from './log-parts.ts';

const ROOT = 'pullzone-logs';

/** GET /{zone}/{path}/: what is in a folder. One that is not there is an empty list. */
export function listFiles(call: Exchange, world: World): ServedAnswer {
  const store = storeOf(call, world);
  if (store === null) return refused();
  const [, path = ''] = call.params as [string, string?];
  const names = path.split('/').filter((name) => name !== '');
  const folder = `/${store.read.Name}/${names.map((name) => `${name}/`).join('')}`;
  const folderOf = (name: string) =>
    fileModel(store, folder, { name, length: 0, at: world.epoch, isFolder: true });
  const [root, zoneName, year, month, ...more] = names;
  const zone = zonesOf(store, world).find(({ name }) => name === zoneName);
  if (root === undefined) return json([folderOf(ROOT)]);
  if (root !== ROOT || more.length > 0) return json([]);
  if (zoneName === undefined) return json(zonesOf(store, world).map(({ name }) => folderOf(name)));
  if (zone === undefined) return json([]);
  const days = daysOf(world, call.now).filter((day) => partsOfDay(zone, day, world, call.now).length > 0);
  const dates = days.map((day) => new Date(day).toISOString());
  if (year === undefined) return json([...new Set(dates.map((date) => date.slice(0, 4)))].map(folderOf));
  const months = dates.filter((date) => date.startsWith(`${year}-`)).map((date) => date.slice(5, 7));
  if (month === undefined) return json([...new Set(months)].map(folderOf));
  return json(
    days
      .filter((day) => new Date(day).toISOString().startsWith(`${year}-${month}-`))
      .flatMap((day) => partsOfDay(zone, day, world, call.now))
      .map((part) =>
        fileModel(store, folder, {
          name: part.name,
          length: sizeOf(part, zone, world),
          at: part.uploadedAt,
          isFolder: false,
        }),
      ),
  );
}

/** GET /{zone}/{path}: a file. */
export async function readFile(call: Exchange, world: World): Promise<ServedAnswer> {
  const store = storeOf(call, world);
  if (store === null) return refused();
  const [, path = ''] = call.params as [string, string?];
  const [, zoneName, year, month, name = ''] = path.split('/');
  const zone = zonesOf(store, world).find((each) => each.name === zoneName);
  const day = Date.parse(`${year}-${month}-${name.slice(0, 2)}T00:00:00Z`);
  const part: StoredPart | undefined =
    zone === undefined || Number.isNaN(day)
      ? undefined
      : partsOfDay(zone, day, world, call.now).find((each) => each.name === name);
  if (zone === undefined || part === undefined)
    return json({ HttpCode: 404, Message: 'Object Not Found' }, 404);
  return { status: 200, type: 'application/octet-stream', body: await contentOf(part, zone, world) };
}

/** The storage zone of a path, where its own password opens it. */
function storeOf({ params, headers }: Exchange, { account }: World): StoredZone | null {
  const store = account.storage.find(({ read }) => read.Name === params[0]);
  const given = headers['accesskey'];
  const isOpen = given === store?.read.ReadOnlyPassword || given === store?.read.Password;
  return store !== undefined && isOpen ? store : null;
}

function refused(): ServedAnswer {
  return json({ HttpCode: 401, Message: 'Unauthorized' }, 401);
}

function zonesOf({ read }: StoredZone, { account }: World): SimZone[] {
  return account.zones.filter(({ logStorageId }) => logStorageId === read.Id);
}

/** UTC days that can have parts. */
function daysOf({ epoch }: World, now: number): number[] {
  const first = Math.floor(epoch / DAY) - 9;
  return Array.from({ length: Math.floor(now / DAY) - first + 1 }, (_, n) => (first + n) * DAY);
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
