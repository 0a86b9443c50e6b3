import fs from 'node:fs';
import { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** How the n-th write to a file goes wrong: less of it is taken than was given, or none, or a part and then no more. */
export const DISK_FAULTS = ['short', 'ENOSPC', 'EIO', 'torn'] as const;
export type DiskFault = (typeof DISK_FAULTS)[number];

type Writes = {
  write: (data: Uint8Array | string, ...rest: unknown[]) => Promise<{ bytesWritten: number }>;
  writeFile: (data: string) => Promise<void>;
  sync: () => Promise<void>;
  truncate: (size: number) => Promise<void>;
};

/** Does the work while the n-th write to a file of this process fails; false when there were fewer. */
export async function withNthWrite(
  n: number,
  fault: DiskFault,
  work: () => Promise<void> | void,
): Promise<boolean> {
  let left = n;
  const isDue = () => {
    left -= 1;
    return left === 0;
  };
  const refused = () => {
    const code = fault === 'EIO' ? 'EIO' : 'ENOSPC';
    return Object.assign(new Error(`${code}: planted`), { code });
  };
  const handle = await open('/dev/null', 'w');
  const prototype = Object.getPrototypeOf(handle) as Writes;
  await handle.close();
  const { write, writeFile, sync, truncate } = prototype;
  const { writeSync } = fs;
  const half = (data: Uint8Array | string, from = 0): Buffer => {
    const bytes = Buffer.from(data as string).subarray(from);
    return bytes.subarray(0, bytes.length >> 1);
  };
  Object.assign(fs, {
    writeSync(fd: number, data: Uint8Array | string, ...rest: unknown[]) {
      const all = [fd, data, ...rest] as unknown as Parameters<typeof writeSync>;
      if (fd <= 2 || !isDue()) return writeSync(...all);
      const part = half(data, typeof rest[0] === 'number' ? rest[0] : 0);
      if (fault === 'short' || fault === 'torn') writeSync(fd, part);
      if (fault === 'short') return part.length;
      throw refused();
    },
  });
  syncBuiltinESMExports();
  Object.assign(prototype, {
    async write(this: Writes, data: Uint8Array, at: number, length: number, position?: number) {
      if (!isDue()) return write.call(this, data, at, length, position);
      if (fault === 'short' || fault === 'torn') {
        const taken = await write.call(this, data, at, length >> 1, position);
        if (fault === 'short') return taken;
      }
      throw refused();
    },
    async writeFile(this: Writes, data: string) {
      if (!isDue()) return writeFile.call(this, data);
      // Node itself writes on after a short write.
      if (fault === 'short') return writeFile.call(this, data);
      if (fault === 'torn') await writeFile.call(this, half(data).toString());
      throw refused();
    },
    async sync(this: Writes) {
      if (fault === 'short' || !isDue()) return sync.call(this);
      throw refused();
    },
    async truncate(this: Writes, size: number) {
      if (fault === 'short' || !isDue()) return truncate.call(this, size);
      throw refused();
    },
  });
  try {
    await work();
  } finally {
    Object.assign(fs, { writeSync });
    Object.assign(prototype, { write, writeFile, sync, truncate });
    syncBuiltinESMExports();
  }
  return left <= 0;
}
