import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import type { TestContext } from 'node:test';
import { createClient } from '../../src/api/client.ts';
import { createQuota } from '../../src/api/quota.ts';
import { readCommandLine } from '../../src/config/command-line.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import type { RequestEvent } from '../../src/domain/request-event.ts';
import { parseShieldQuery } from '../../src/domain/shield/shield-window.ts';
import { printLogs } from '../../src/print/logs.ts';
import type { Printer } from '../../src/print/printer.ts';
import { printShield } from '../../src/print/shield.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../src/simulator/server.ts';
import { Secret } from '../../src/text/secret.ts';
import { systemClock } from '../../src/time/clock.ts';

export const ZONE = 'shop-frontend';
export const MINUTE = 60_000;

export type Printed = { code: number; out: string; err: string; requests: RequestEvent[] };

/** A simulator and the printed commands over it, in this process. */
export async function bench(t: TestContext, o: SimulatorOptions = {}) {
  const sim = await startSimulator({ seed: 7, rate: 20, limit: { requests: 10_000, window: 1_000 }, ...o });
  t.after(() => sim.close());
  const zone = sim.zones.find((each) => each.name === ZONE);
  assert.ok(zone);

  /** `more`: other parts of the printer, such as a reader that is slow. */
  async function printed(argv: string[], more: Partial<Printer> = {}): Promise<Printed> {
    const usage = readCommandLine(argv, import.meta, { name: 'edgescope', version: '0', description: '' });
    assert.ok(usage.ok, usage.ok ? '' : usage.message);
    const line = usage.value;
    const isShield = line.command === 'shield';
    const now = Date.now();
    const query = isShield ? parseShieldQuery(line.query, now) : parseQuery(line.query, 'logs', now);
    assert.ok(query.ok, line.query);
    const requests: RequestEvent[] = [];
    const client = createClient({
      baseUrl: sim.baseUrl,
      loggingUrl: sim.loggingUrl,
      credentials: { accessKey: new Secret(sim.accessKey), token: null },
      allowWrites: false,
      quota: createQuota({ factor: 0.0001 }),
      factor: 0.001,
      onRequest: (event) => {
        if (event.phase === 'done') requests.push(event);
      },
    });
    const texts = { out: '', err: '' };
    const stderr = new Writable({
      write(chunk, _encoding, done) {
        texts.err += String(chunk);
        done();
      },
    });
    const printer: Printer = {
      stderr,
      format: line.format ?? 'ndjson',
      client,
      clock: systemClock,
      write: async (text) => {
        texts.out += text;
      },
      onEnd() {},
      ...more,
    };
    const code = await (isShield ? printShield : printLogs)(printer, line, query.query, null).finally(() =>
      client.close(),
    );
    return { code, ...texts, requests };
  }

  /** What the server has of a window, by its own account. */
  const truth = (from: number, to: number) => sim.truth(zone.id, from, to).filter((row) => row.entry);
  return { sim, zone, printed, truth };
}

/** A window that ends before any row could still come late, as arguments and as times. */
export function settledWindow(minutes: number, before = 10): { from: number; to: number; args: string[] } {
  const to = Math.floor(Date.now() / MINUTE) * MINUTE - before * MINUTE;
  const from = to - minutes * MINUTE;
  return {
    from,
    to,
    args: ['--from', new Date(from).toISOString(), '--to', new Date(to).toISOString()],
  };
}

export function objectsOf(out: string): Record<string, unknown>[] {
  return linesOfText(out).map((line) => JSON.parse(line));
}

export function linesOfText(out: string): string[] {
  return out.split('\n').filter((line) => line !== '');
}

/** A CSV line of the program's own form: every field is quoted. */
export function cellsOf(line: string): string[] {
  return [...line.matchAll(/"((?:[^"]|"")*)"/g)].map((match) => (match[1] ?? '').replaceAll('""', '"'));
}

export function idsOf(sim: Simulator, zoneId: string | number, from: number, to: number): string[] {
  return sim.truth(zoneId, from, to).map((row) => row.entry.requestId);
}
