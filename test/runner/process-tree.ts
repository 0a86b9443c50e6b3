import { readdirSync, readFileSync } from 'node:fs';

type Known = { pid: number; startedAt: string; name: string };

/** What a run has taken and left behind, as the system tells it. */
export type ProcessTree = {
  /** Looks again, and gives the memory held now: call it now and then while the run goes on, and before a process is waited for. */
  look(): number;
  /** The most memory that all processes held at one look, bytes of resident set. */
  most(): number;
  /** Ends what was seen and still lives, and names it. */
  end(): Known[];
};

const PAGE = 4096;

/** Follows a process and all below it, of this one only those; null where the system does not tell them. */
export function watchTree(root = process.pid): ProcessTree | null {
  if (process.platform !== 'linux') return null;
  const seen = new Map<string, Known>();
  let most = 0;
  return {
    look() {
      const all = samples();
      const parents = new Set([root, ...living(seen, all).map(({ pid }) => pid)]);
      let memory = 0;
      // A child may come before its parent in the list: go on until nothing is added.
      for (let size = 0; size !== parents.size; ) {
        size = parents.size;
        for (const each of all) if (parents.has(each.parent)) parents.add(each.pid);
      }
      for (const { pid, startedAt, name, resident } of all) {
        if (pid === process.pid || !parents.has(pid)) continue;
        memory += resident;
        seen.set(`${pid} ${startedAt}`, { pid, startedAt, name });
      }
      most = Math.max(most, memory);
      return memory;
    },
    most: () => most,
    end() {
      const survivors = living(seen, samples());
      for (const { pid } of survivors) end(pid);
      return survivors;
    },
  };
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

type Sample = Known & { parent: number; resident: number };

function living(seen: ReadonlyMap<string, Known>, all: readonly Sample[]): Known[] {
  return all.flatMap(({ pid, startedAt }) => seen.get(`${pid} ${startedAt}`) ?? []);
}

function samples(): Sample[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const end = stat.lastIndexOf(')');
        const fields = stat.slice(end + 2).split(' ');
        if (fields[0] === 'Z' || fields[0] === 'X') return [];
        return [
          {
            pid: Number(pid),
            parent: Number(fields[1]),
            startedAt: fields[19] ?? '',
            resident: Number(fields[21]) * PAGE,
            name: stat.slice(stat.indexOf('(') + 1, end),
          },
        ];
      } catch {
        return []; // It ended between the listing and the reading.
      }
    });
}
