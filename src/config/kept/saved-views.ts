import { join } from 'node:path';
import * as z from 'zod/mini';
import type { SavedView, ViewStore, ViewsChange, ViewsFile } from '../../domain/handover/place.ts';
import { DISK, type Disk, replaceFile } from '../../files/durable-files.ts';
import { underLock } from '../../files/file-lock.ts';
import { fileTrouble } from '../../files/file-trouble.ts';
import type { Clock } from '../../time/clock.ts';
import { parsedJson, readPrivateFile } from '../private-file.ts';

const VERSION = 1;
const LARGEST = 1024 * 1024;
const MOST_VIEWS = 500;

const text = z.lazy(() => z.string().check(z.minLength(1), z.maxLength(8192)));
const view = z.lazy(() =>
  z.strictObject({
    name: z.string().check(z.minLength(1), z.maxLength(200)),
    screen: z.enum(['logs', 'shield']),
    zone: text,
    zoneName: z.optional(z.string().check(z.maxLength(1000))),
    query: z.string().check(z.maxLength(8192)),
    rows: z._default(z.boolean(), false),
    savedAt: z._default(z.number(), 0),
  }),
);
const file = z.lazy(() =>
  z.strictObject({ version: z.literal(VERSION), views: z.array(view).check(z.maxLength(MOST_VIEWS)) }),
);

/**
 * `views.json` in the configuration directory, 0600. A file that is unreadable, broken or from a newer version is
 * never written to. One session changes it at a time, by a temporary file that replaces it whole.
 */
export function viewStore(
  directory: string,
  { clock, fs = DISK, shared = null }: { clock: Clock; fs?: Disk; shared?: string | null },
): ViewStore {
  const path = join(directory, 'views.json');
  const change = async (
    alter: (views: readonly SavedView[]) => readonly SavedView[] | string,
  ): Promise<ViewsChange> => {
    let before: ViewsFile = { views: [], trouble: null };
    try {
      await fs.mkdir(directory, { recursive: true, mode: 0o700 });
      return await underLock(join(directory, 'views.lock'), clock, async () => {
        before = await readViews(path);
        if (before.trouble !== null) return { ...before, failed: before.trouble };
        const views = alter(before.views);
        if (typeof views === 'string') return { ...before, failed: views };
        await replaceFile(fs, path, `${JSON.stringify({ version: VERSION, views }, null, 2)}\n`);
        return { views, trouble: null, failed: null };
      });
    } catch (error) {
      return { ...before, failed: `${path} was left as it was: ${fileTrouble(error)}` };
    }
  };
  return {
    read: async () =>
      shared === null ? readViews(path) : { ...(await readViews(path)), shared: await readShared(shared) },
    save: (added) =>
      change((views) => {
        if (views.some((each) => each.name === added.name))
          return 'another process saved a view of this name';
        if (views.length >= MOST_VIEWS) return `there are ${MOST_VIEWS} views already; delete some`;
        return [...views, added];
      }),
    remove: (name) => change((views) => views.filter((each) => each.name !== name)),
  };
}

async function readViews(path: string): Promise<ViewsFile> {
  const read = await readPrivateFile(path, 'file of saved views', LARGEST);
  if (!read.ok) return leftAlone(`${read.error.message} ${read.error.hint}`);
  if (read.value === null) return { views: [], trouble: null };
  return parseViews(read.value, path);
}

/** A file of a team, such as one in a repository: it is only read, and a mistake in it is told by line and column. */
async function readShared(path: string): Promise<ViewsFile> {
  const read = await readPrivateFile(path, 'file of shared views', LARGEST, 2, true);
  if (!read.ok) return leftAlone(`${read.error.message} ${read.error.hint}`);
  if (read.value === null) return leftAlone(`There is no file of shared views ${path}.`);
  const { fault, trouble, views } = parseViews(read.value, path);
  if (trouble === null) return { views, trouble };
  const { placeIn } = await import('../settings/config-file.ts');
  const { line, column, reason } = placeIn(read.value, fault ?? []);
  return leftAlone(`${path}:${line}:${column}: ${reason ?? 'this has the wrong form'}`);
}

/** Text of the file → its views, or why it is left alone. Never quotes a value. */
export function parseViews(content: string, path: string): ViewsFile & { fault?: readonly PropertyKey[] } {
  const json = parsedJson(content.replace(/^\ufeff/, ''));
  if (json === undefined)
    return leftAlone(`${path} is not valid JSON and is left unchanged. Repair it, or move it away.`);
  const parsed = file.safeParse(json);
  if (parsed.success) {
    const views = parsed.data.views.map((each) => ({ ...each, zoneName: each.zoneName ?? each.zone }));
    return { views, trouble: null };
  }
  const fault = parsed.error.issues[0]?.path ?? [];
  const place = fault.map(String).join('.') || 'the top level';
  const { trouble } = leftAlone(
    `${path}: "${place}" has the wrong form, and the file is left unchanged. Repair it, or move it away.`,
  );
  return { views: [], trouble, fault };
}

function leftAlone(trouble: string): ViewsFile {
  return { views: [], trouble };
}
