import { crc32, gzipSync } from 'node:zlib';
import { DAY, HOUR } from '../../text/units.ts';
import type { SimZone } from '../account/zones.ts';
import { dayLine } from '../logs/logs-v1.ts';
import { scan } from '../logs/scan.ts';
import { hex, mix } from '../random.ts';
import type { SimRow } from '../traffic/rows.ts';
import type { World } from '../world.ts';

/** A file of v1 lines that a worker wrote from `from` to `to` and uploaded then; Unix ms. */
export type UploadedPart = {
  zone: SimZone;
  name: string;
  from: number;
  to: number;
  uploadedAt: number;
  /** Of the zone's rows every other one goes to each of two workers. */
  half: number;
};

/** What a part is open for at most; no zone of the account writes 5,000,000 lines or 2 GB meanwhile. */
const LONGEST = 2 * HOUR;
/** A part without writes is closed after it. */
const IDLE = HOUR;
/** Days before the start of the simulator since which lines are kept. */
const KEPT_DAYS = 8;
/** When another worker takes over, in each UTC day; the part of the first is then idle. */
const HANDED_OVER = 13 * HOUR + 20 * 60_000;
/** No row is later. */
const LATEST = 10 * 60_000;
/** Bytes of a compressed line at most, nearly always. */
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
export function partsOfDay(zone: SimZone, day: number, { epoch }: World, now: number): UploadedPart[] {
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

/** Its size in bytes, which is told without making it: what it holds is filled up to it. */
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

/** The file: a line for each row that reached the worker while the part was open, in the order in which they came. */
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

/** Now and then a line is written by both. */
function isOfHalf({ h }: SimRow, half: number): boolean {
  return (h & 1) === half || h % 997 === 0;
}

/** An empty member behind it, whose comment fills the file. */
function filledUp(packed: Buffer, size: number): Buffer {
  const head = Buffer.from([0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 3]);
  const tail = Buffer.from([0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  tail.writeUInt32LE(crc32(''), 3);
  const room = size - packed.length - head.length - tail.length;
  return room < 0 ? packed : Buffer.concat([packed, head, Buffer.alloc(room, '-'), tail]);
}
