import { join } from 'node:path';
import type { Closing, Journal, OpenIntent, Recorded, UndoEntry } from '../domain/storage/storage-change.ts';
import { inverseOf, shownPatch } from '../domain/storage/storage-edit.ts';
import { VERDICTS } from '../domain/storage/storage-verdict.ts';
import { appendLine, createFile, DISK, type Disk, makeDirectory, readEnd } from '../files/durable-files.ts';
import { fileTrouble, ifThere } from '../files/file-trouble.ts';
import { bornAt, isRunning } from '../files/processes.ts';
import { asciiJson } from '../text/sanitise.ts';

type JournalOptions = {
  /** The program's own directory under the XDG state directory; made with the first entry. */
  directory: string;
  /** The API's host: changes of another platform or of the demo belong to other sessions. */
  host: string;
  fs?: Disk;
  pid?: number;
  isAlive?: (pid: number, born: number) => boolean;
};

/** The longest time from a change's intent to its verdict, ms: an older intent without a verdict is dead. */
const LONGEST_CHANGE = 300_000;
/** Bytes at the end of the audit file searched for open intents. */
const AUDIT_TAIL = 1024 * 1024;
const LARGEST_UNDO = 1024 * 1024;

/** Keeps `audit.ndjson` and `undo/*.json`: 0600, ASCII, without a secret; an entry counts once it is on the disk. */
export function openJournal(o: JournalOptions): Journal {
  const { directory, host, fs = DISK, pid = process.pid, isAlive = isRunning } = o;
  const undoDirectory = join(directory, 'undo');
  const auditFile = join(directory, 'audit.ndjson');

  async function recorded<T>(path: string, work: () => Promise<T>): Promise<Recorded<T>> {
    try {
      return { ok: true, value: await work() };
    } catch (error) {
      return { ok: false, problem: `${path} cannot be written: ${fileTrouble(error)}` };
    }
  }

  function audited(line: object): Promise<Recorded<null>> {
    return recorded(auditFile, async () => {
      await makeDirectory(fs, directory);
      await appendLine(fs, auditFile, asciiJson(line));
      return null;
    });
  }

  async function undoNames(): Promise<string[]> {
    const names = await ifThere(fs.readdir(undoDirectory), []);
    return names.filter((name) => name.endsWith('.json')).sort();
  }

  async function readUndo(name: string): Promise<UndoEntry | null> {
    return entryOf(await readEnd(fs, join(undoDirectory, name), LARGEST_UNDO), host);
  }

  return {
    async intend(given) {
      const entry = { ...given, patch: shownPatch(given.patch) };
      const undoFile = join(undoDirectory, undoName(entry));
      const undo = await recorded(undoFile, async () => {
        await makeDirectory(fs, undoDirectory);
        await createFile(fs, undoFile, `${asciiJson({ version: 1, host, ...entry })}\n`);
      });
      if (!undo.ok) return undo;
      const { id, at, zone, patch } = entry;
      const audit = await audited({
        kind: 'intent',
        id,
        at: new Date(at).toISOString(),
        pid,
        born: bornAt(pid),
        host,
        zone,
        patch,
        undo: undoName(entry),
      });
      if (!audit.ok) {
        await fs.unlink(undoFile).catch(() => undefined);
        return audit;
      }
      return { ok: true, value: { undoFile } };
    },

    close: (id, at, closing: Closing) =>
      audited({
        kind: 'verdict',
        id,
        at: new Date(at).toISOString(),
        ...closing,
        verdict: VERDICTS[closing.verdict],
      }),

    revealed: (at, key) => audited({ kind: 'reveal', at: new Date(at).toISOString(), host, key }),

    async openIntents(now) {
      const text = await readEnd(fs, auditFile, AUDIT_TAIL).catch(() => '');
      const open = new Map<string, OpenIntent>();
      for (const line of text.split('\n')) {
        const read = lineOf(line);
        if (read?.kind === 'verdict') open.delete(read.id);
        if (read?.kind !== 'intent' || read.host !== host) continue;
        const isAtWork = now - read.intent.at < LONGEST_CHANGE && isAlive(read.pid, read.born);
        if (!isAtWork) open.set(read.intent.id, read.intent);
      }
      return [...open.values()];
    },

    async newestUndo(zoneId) {
      try {
        const names = (await undoNames()).filter((each) => each.split('_')[1] === zoneId);
        for (const name of names.reverse()) {
          const entry = await readUndo(name);
          if (entry !== null) return { ok: true, value: entry };
        }
        return { ok: true, value: null };
      } catch (error) {
        return { ok: false, problem: `${undoDirectory} cannot be read: ${fileTrouble(error)}` };
      }
    },

    async undoOf(id) {
      const names = await undoNames().catch(() => []);
      const name = names.find((each) => each.endsWith(`_${id}.json`));
      return name === undefined ? null : readUndo(name).catch(() => null);
    },
  };
}

/** Names sort by time. */
function undoName(entry: UndoEntry): string {
  const at = new Date(entry.at).toISOString().replaceAll(/[-:.]/g, '');
  return `${at}_${entry.zone.id}_${entry.id}.json`;
}

/** An undo file written here for this host; null for anything else, since its values would be sent. */
function entryOf(text: string, host: string): UndoEntry | null {
  try {
    const entry = JSON.parse(text) as UndoEntry & { version: number; host: string };
    const { before } = entry;
    const isWhole =
      entry.version === 1 &&
      entry.host === host &&
      entry.zone.id === before.id &&
      /^\d+$/.test(before.id) &&
      Number.isFinite(entry.at) &&
      Array.isArray(before.replicationRegions) &&
      (before.rewrite404To200 === null || typeof before.rewrite404To200 === 'boolean') &&
      (before.custom404FilePath === null || typeof before.custom404FilePath === 'string');
    // The revert is computed from the state before: one rule decides it, not the file.
    return isWhole ? { ...entry, inverse: inverseOf(before, entry.patch) } : null;
  } catch {
    return null;
  }
}

type AuditLine =
  | { kind: 'intent'; intent: OpenIntent; pid: number; born: number; host: string }
  | { kind: 'verdict'; id: string }
  | { kind: 'other' };

/** A line torn by a full disk or a power cut is none. */
function lineOf(text: string): AuditLine | null {
  if (text === '') return null;
  try {
    const line = JSON.parse(text) as Record<string, unknown>;
    if (line['kind'] === 'verdict') return { kind: 'verdict', id: String(line['id']) };
    if (line['kind'] !== 'intent') return { kind: 'other' };
    const zone = line['zone'] as { id: unknown; name: unknown };
    const intent = {
      id: String(line['id']),
      at: Date.parse(String(line['at'])),
      zone: { id: String(zone.id), name: String(zone.name) },
    };
    const [pid, born] = [Number(line['pid']), Number(line['born'] ?? 0)];
    return { kind: 'intent', pid, born, host: String(line['host']), intent };
  } catch {
    return null;
  }
}
