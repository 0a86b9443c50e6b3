import { DAY } from '../../text/units.ts';
import type { StoredZone } from '../account/storage-zones.ts';
import { type Exchange, json, type ServedAnswer } from '../http/answers.ts';
import { hex, mix } from '../random.ts';
import type { World } from '../world.ts';
import { contentOf, partsOfDay, sizeOf, type UploadedPart } from './log-parts.ts';

const ROOT = 'pullzone-logs';

/** GET /{zone}/{path}/: what is in a folder. One that is not there is an empty list. */
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

/** Every file that was uploaded by `now`, by its path in the storage zone, the oldest first within a folder. */
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
