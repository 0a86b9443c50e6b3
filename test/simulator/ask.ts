import { request } from 'node:http';
import type { TestContext } from 'node:test';
import type { SimZone } from '../../src/simulator/account/account-zones.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../support/simulator/server.ts';
import { clockShowing } from '../support/virtual-clock.ts';

export type Reply = { status: number; headers: Record<string, string>; bytes: Buffer; text: string };

/** A Thursday noon; tests run on a clock that stands there until they move it. */
export const NOON = Date.UTC(2026, 7, 20, 12);

export type Bench = Simulator & {
  /** Moves the server's clock on, ms. */
  advance(ms: number): void;
  now(): number;
  zone(name: string): SimZone;
};

export async function bench(t: TestContext, o: SimulatorOptions = {}): Promise<Bench> {
  let now = NOON;
  const simulator = await startSimulator({ clock: clockShowing(() => now), ...o });
  t.after(() => simulator.close());
  return {
    ...simulator,
    advance: (ms) => {
      now += ms;
    },
    now: () => now,
    zone: (name) => {
      const found = simulator.zones.find((zone) => zone.name === name);
      if (found === undefined) throw new Error(`no zone ${name}`);
      return found;
    },
  };
}

/** One request on a connection of its own; rejects when the connection breaks. */
export function ask(
  url: string,
  o: { method?: string; headers?: Record<string, string>; body?: unknown; deadline?: number } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const body = o.body === undefined || typeof o.body === 'string' ? o.body : JSON.stringify(o.body);
    const headers = { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...o.headers };
    const req = request(
      url,
      {
        method: o.method ?? (body === undefined ? 'GET' : 'POST'),
        headers,
        agent: false,
        ...(o.deadline === undefined ? {} : { signal: AbortSignal.timeout(o.deadline) }),
      },
      (res) => {
        const parts: Buffer[] = [];
        res.on('data', (part: Buffer) => parts.push(part));
        res.on('error', reject);
        res.on('end', () => {
          const bytes = Buffer.concat(parts);
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers as Record<string, string>,
            bytes,
            text: bytes.toString('utf8'),
          });
        });
      },
    );
    req.on('error', reject);
    req.end(body);
  });
}

export function main(
  sim: Bench,
  path: string,
  o: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  return ask(sim.baseUrl + path, { ...o, headers: { AccessKey: sim.accessKey, ...o.headers } });
}

export function logging(sim: Bench, path: string, headers: Record<string, string> = {}): Promise<Reply> {
  return ask(sim.loggingUrl + path, { headers: { AccessKey: sim.accessKey, ...headers } });
}

export type Entry = Record<string, unknown> & {
  timestamp: string;
  requestId: string;
  path: string;
  url: string;
  statusCode: number;
};
export type LogPage = {
  data: Entry[];
  pagination: { offset: number; limit: number; returned: number; hasMore: boolean };
  query: object;
};

/** Logs v2; times in `q` are Unix ms and go out as ISO. */
export async function logs(
  sim: Bench,
  zone: SimZone,
  q: Record<string, string | number> = {},
): Promise<LogPage> {
  const reply = await logging(sim, logsPath(zone, q));
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  return JSON.parse(reply.text);
}

export function logsPath(zone: SimZone, q: Record<string, string | number> = {}): string {
  const entries = Object.entries(q).map(([name, value]): [string, string] => [
    name,
    (name === 'from' || name === 'to') && typeof value === 'number'
      ? new Date(value).toISOString()
      : String(value),
  ]);
  return `/v2/pullzones/${zone.id}/logs?${new URLSearchParams(entries)}`;
}

export type SearchAnswer = {
  rows:
    | { logId: string; timestamp: number; log: Record<string, unknown>; fields: Record<string, string> }[]
    | null;
  groups:
    | {
        key: Record<string, string>;
        count: number;
        firstSeen: number;
        lastSeen: number;
        context: Record<string, string | number>;
        sparkline?: number[];
      }[]
    | null;
  total: number;
  totalPages: number;
  page: number;
};

/** Shield search over the last `minutes`, 180 unless told. */
export async function search(
  sim: Bench,
  zone: SimZone,
  body: object = {},
  minutes = 180,
): Promise<SearchAnswer> {
  const window = { from: sim.now() - minutes * 60_000, to: sim.now() };
  const reply = await main(sim, `/shield/event-logs/${zone.shieldZoneId}/search`, {
    body: { ...window, ...body },
  });
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  return JSON.parse(reply.text);
}
