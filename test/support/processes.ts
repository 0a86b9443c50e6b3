import { readdirSync, readFileSync } from 'node:fs';

export type ProcessSample = { pid: number; parent: number; session: number; name: string; cpuMs: number };
export type Usage = { cpuMs: number; rssMb: number; anonMb: number; processes: number };

// The kernel reports CPU time to programs in hundredths of a second on every Linux architecture.
const MS_PER_TICK = 10;

/** The living processes whose session leader is `session`, oldest first; zombies are left out. */
export function sessionProcesses(session: number): ProcessSample[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => sample(Number(name)))
    .filter((p) => p !== null && p.session === session)
    .sort((a, b) => (a?.pid ?? 0) - (b?.pid ?? 0)) as ProcessSample[];
}

/** CPU used so far (own and reaped children's) and memory held now, summed over a session's processes. */
export function sessionUsage(session: number): Usage {
  const processes = sessionProcesses(session);
  const usage = { cpuMs: 0, rssMb: 0, anonMb: 0, processes: processes.length };
  for (const { pid, cpuMs } of processes) {
    const status = read(`/proc/${pid}/status`) ?? '';
    usage.cpuMs += cpuMs;
    usage.rssMb += kilobytes(status, 'VmRSS') / 1024;
    usage.anonMb += kilobytes(status, 'RssAnon') / 1024;
  }
  return usage;
}

/** The last descendant in the chain of youngest children: the program itself behind launchers. */
export function leafOf(session: number, from: number): number {
  const processes = sessionProcesses(session);
  let leaf = from;
  for (;;) {
    const child = processes.findLast((p) => p.parent === leaf);
    if (child === undefined) return leaf;
    leaf = child.pid;
  }
}

function sample(pid: number): ProcessSample | null {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const end = stat.lastIndexOf(')');
  const fields = stat.slice(end + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
  return {
    pid,
    parent: Number(fields[1]),
    session: Number(fields[3]),
    name: stat.slice(stat.indexOf('(') + 1, end),
    cpuMs: ticks * MS_PER_TICK,
  };
}

function kilobytes(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null; // The process ended between the listing and the reading.
  }
}

/** A process all of whose threads sleep. */
export type Rest = {
  /** How often its threads have slept so far: the same at two looks, it has not run in between. */
  sleeps: number;
  /** ms after which it wakes by itself, as told when it went to sleep; null = only for what comes from outside. */
  wakesIn: number | null;
};

// The number of epoll_pwait; its fourth argument is the time, ms, -1 for no end.
const EPOLL_PWAIT: Readonly<Record<string, string>> = { x64: '281', arm64: '22' };

/** What a process waits for, by its main thread; null while one of its threads runs or has just been woken. */
export function restOf(pid: number): Rest | null {
  if (statusesOf(pid).some((status) => !/^State:\s+[SDT]/m.test(status))) return null;
  const [number, ...args] = (read(`/proc/${pid}/syscall`) ?? '').split(' ');
  if (number === 'running') return null;
  const sleeps = sleepsOf(pid);
  if (number !== EPOLL_PWAIT[process.arch]) return { sleeps, wakesIn: null };
  const wakesIn = Number(BigInt.asIntN(32, BigInt(args[3] ?? '-1')));
  return { sleeps, wakesIn: wakesIn < 0 ? null : wakesIn };
}

/** How often the threads of a process have gone to sleep so far. */
export function sleepsOf(pid: number): number {
  return statusesOf(pid).reduce(
    (sum, status) => sum + Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0),
    0,
  );
}

function statusesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap(
      (thread) => read(`/proc/${pid}/task/${thread}/status`) ?? [],
    );
  } catch {
    return []; // It has ended.
  }
}
