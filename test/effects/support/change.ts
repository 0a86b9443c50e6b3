import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, open, readdir, readFile, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type ClientOptions, createClient } from '../../../src/api/client.ts';
import { createQuota } from '../../../src/api/quota/quota.ts';
import type { StorageZone, StorageZonePatch } from '../../../src/domain/storage/storage.ts';
import type { ChangeEnd } from '../../../src/domain/storage/storage-change.ts';
import { VERDICTS } from '../../../src/domain/storage/storage-verdict.ts';
import { openJournal } from '../../../src/effects/journal.ts';
import { type ChangeOptions, carryOut } from '../../../src/effects/storage-write.ts';
import { DISK, type Disk } from '../../../src/files/durable-files.ts';
import { Secret } from '../../../src/text/secret.ts';
import { openPlatform, type PlatformOptions } from '../../support/platform.ts';

/** The name under which the journals of the tests keep their entries. */
export const HOST = 'api.example.com';

/** The zone that the tests change: Standard, in DE, replicas NY and SG, no 404 path. */
export const MASTERS = 605220;

/** A platform, a client that may write, and a journal in a folder of its own; time passes only while a change is made. */
export async function changing(
  t: TestContext,
  o: Partial<ClientOptions> & { simulator?: PlatformOptions } = {},
) {
  const { simulator: options, ...more } = o;
  const simulator = openPlatform({ seed: 7, incidents: false, ...options });
  const { clock } = simulator;
  const directory = mkdtempSync(join(tmpdir(), 'edgescope-journal-'));
  const client = createClient({
    baseUrl: simulator.baseUrl,
    loggingUrl: simulator.loggingUrl,
    credentials: { accessKey: new Secret(simulator.accessKey), token: null },
    allowWrites: true,
    quota: createQuota({ clock }),
    clock,
    over: simulator.over,
    ...more,
  });
  t.after(async () => {
    await client.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const state = join(directory, 'edgescope');
  const zone = async (): Promise<StorageZone> => {
    const read = await simulator.ended(client.storageZone(String(MASTERS), { retries: 3 }));
    if (!read.ok) throw new Error(read.failure.kind);
    return read.value;
  };
  return {
    simulator,
    client,
    clock,
    directory: state,
    zone,
    journal: openJournal({ host: HOST, directory: state }),
    posts: () => Object.values(simulator.stats().posts).reduce((sum, n) => sum + n, 0),
    audit: async () =>
      (await readFile(join(state, 'audit.ndjson'), 'utf8').catch(() => '')).split('\n').filter(Boolean),
    undoFiles: () => readdir(join(state, 'undo')).catch(() => []),
    /** Confirms a change of the zone as `seen` (as it is now where left out) and waits for its end. */
    async change(
      patch: StorageZonePatch,
      more: Partial<Omit<ChangeOptions, 'client'>> & {
        client?: Partial<ChangeOptions['client']>;
        seen?: StorageZone;
      } = {},
    ): Promise<ChangeEnd> {
      const { seen, client: changed, ...rest } = more;
      const changing = carryOut({
        client: { ...client, ...changed },
        journal: openJournal({ host: HOST, directory: state }),
        clock,
        change: { zone: seen ?? (await zone()), patch },
        signal: new AbortController().signal,
        ...rest,
      });
      return simulator.ended(changing);
    },
  };
}

/** The word of a verdict, or the kind of any other end. */
export function wordOf(end: ChangeEnd): string {
  return end.kind === 'verdict' ? VERDICTS[end.verdict.kind] : end.kind;
}

/** A file system whose n-th call fails with this code, and counts the calls. Short writes are made every time. */
export function failingFs(nth: number, code: string): { fs: Disk; calls: () => number } {
  let calls = 0;
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls === nth) throw Object.assign(new Error(`${code}: planted`), { code });
    return work();
  };
  type Handle = Awaited<ReturnType<typeof open>>;
  const handle = (real: Handle): Handle =>
    new Proxy(real, {
      get(target, name) {
        const own: unknown = Reflect.get(target, name);
        if (typeof own !== 'function') return own;
        // Closing may report a failure, but the descriptor is gone all the same.
        if (name === 'close') {
          return async () => {
            await target.close();
            await counted(async () => undefined);
          };
        }
        if (name === 'write') {
          return (bytes: Buffer, from: number, length: number) =>
            counted(() => target.write(bytes, from, Math.min(length, 64)));
        }
        return (...args: unknown[]) => counted(() => Promise.resolve(own.apply(target, args)));
      },
    });
  const fs = {
    mkdir: (...args: Parameters<typeof mkdir>) => counted(() => mkdir(...args)),
    open: async (...args: Parameters<typeof open>) => handle(await counted(() => open(...args))),
    readdir: (...args: Parameters<typeof readdir>) => counted(() => readdir(...args)),
    // Tidying up is best effort and may itself fail.
    unlink: (...args: Parameters<typeof unlink>) => counted(() => unlink(...args)),
  } as unknown as Disk;
  return { fs: nth > 0 ? fs : { ...DISK, ...fs }, calls: () => calls };
}

/** A file system that notes, in order, what is written and what is brought to the disk: `write <path>`, `sync <path>`. */
export function notingFs(): { fs: Disk; notes: string[] } {
  const notes: string[] = [];
  type Handle = Awaited<ReturnType<typeof open>>;
  const noting = (real: Handle, path: string): Handle =>
    new Proxy(real, {
      get(target, name) {
        const own: unknown = Reflect.get(target, name);
        if (typeof own !== 'function') return own;
        return async (...args: unknown[]) => {
          const done: unknown = await own.apply(target, args);
          if (name === 'write' || name === 'sync') notes.push(`${name} ${path}`);
          return done;
        };
      },
    });
  const fs = {
    ...DISK,
    open: async (...args: Parameters<typeof open>) => noting(await open(...args), String(args[0])),
  } as unknown as Disk;
  return { fs, notes };
}
