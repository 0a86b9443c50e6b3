import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createClient } from '../../src/api/client.ts';
import type { Transport } from '../../src/api/http/transport.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import { readCommandLine } from '../../src/config/command/command-line.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import type { RequestEvent } from '../../src/domain/request-event.ts';
import { parseShieldQuery } from '../../src/domain/shield/shield-window.ts';
import { parseAccountWatch } from '../../src/domain/watch/watch.ts';
import { printAsk } from '../../src/print/ask/ask.ts';
import { printHealth } from '../../src/print/health/health-command.ts';
import { keepFollowed } from '../../src/print/keep/keep-follow.ts';
import { keepStored } from '../../src/print/keep/keep-stored.ts';
import { printLogs } from '../../src/print/logs-command.ts';
import type { Printer } from '../../src/print/printer.ts';
import { printShield } from '../../src/print/shield-command.ts';
import { Secret } from '../../src/text/secret.ts';
import { callingProgram } from '../support/called-program.ts';
import { ownFolder } from '../support/own-folder.ts';
import { OPENED, openPlatform, type PlatformOptions } from '../support/platform.ts';
import type { Simulated } from '../support/simulator/simulated.ts';
import { textTaker } from '../support/text-taker.ts';

export const ZONE = 'shop-frontend';
export const MINUTE = 60_000;

export type Printed = { code: number; out: string; err: string; requests: RequestEvent[] };

type BenchOptions = PlatformOptions & {
  /** Lies between the program and the platform. */
  between?: (transport: Transport) => Transport;
};

/** A platform and the printed commands over it, in this process; time passes only while one of them runs. */
export function bench({ between = (transport) => transport, ...o }: BenchOptions = {}) {
  const sim = openPlatform({ seed: 7, rate: 8, ...o });
  const { clock } = sim;
  const zone = sim.zones.find((each) => each.name === ZONE);
  assert.ok(zone);

  /** What commands print with, what they printed, and what they asked of the platform. */
  function printing(more: Partial<Printer> = {}, spool: string | null = null) {
    const requests: RequestEvent[] = [];
    const client = createClient({
      baseUrl: sim.baseUrl,
      loggingUrl: sim.loggingUrl,
      originErrorsUrl: sim.originErrorsUrl,
      storageUrl: sim.storageUrl,
      credentials: { accessKey: new Secret(sim.accessKey), token: null },
      allowWrites: false,
      quota: createQuota({ clock }),
      clock,
      over: (transport) => between(sim.over(transport)),
      onRequest: (event) => {
        if (event.phase === 'done') requests.push(event);
      },
    });
    const texts = { out: '', err: '' };
    const stderr = textTaker((text) => {
      texts.err += text;
    });
    const printer: Printer = {
      stderr,
      format: 'ndjson',
      client,
      clock,
      write: async (text) => {
        texts.out += text;
      },
      onEnd() {},
      stored: spool === null ? null : { client, folder: spool },
      ...more,
    };
    return { printer, client, texts, requests };
  }

  /** `more`: other parts of the printer, such as a reader that is slow; `spool`: where stored files are put down. */
  async function printed(
    argv: string[],
    more: Partial<Printer> = {},
    spool: string | null = null,
  ): Promise<Printed> {
    const usage = readCommandLine(argv, import.meta, { name: 'edgescope', version: '0', description: '' });
    assert.ok(usage.ok, usage.ok ? '' : usage.message);
    const line = usage.value;
    const isShield = line.subject === 'shield';
    const now = Math.floor(clock.now());
    const query = isShield ? parseShieldQuery(line.query, now) : parseQuery(line.query, 'logs', now);
    assert.ok(query.ok, line.query);
    const { printer, client, texts, requests } = printing(
      { format: line.format ?? 'ndjson', ...more },
      spool,
    );
    const isHealth = line.command === 'health';
    const watch = isHealth && line.until !== null ? parseAccountWatch(line.until) : null;
    assert.ok(watch?.ok !== false);
    const printed = isHealth
      ? printHealth(printer, line.zone, watch?.watch ?? null)
      : line.command === 'ask'
        ? printAsk({ ...printer, flags: [] }, line, query.query)
        : line.command === 'keep'
          ? line.stored
            ? keepStored(printer, line, query.query)
            : keepFollowed(printer, line)
          : (isShield ? printShield : printLogs)(printer, line, query.query, null);
    const code = await sim.ended(printed).finally(() => client.close());
    return { code, ...texts, requests };
  }

  /** What the server has of a window, by its own account. */
  const truth = (from: number, to: number) => sim.truth(zone.id, from, to).filter((row) => row.entry);
  return { sim, zone, printing, printed, truth };
}

/** The program over a platform, with a home that is gone after the test. */
export function programOf(t: TestContext, o: PlatformOptions = {}, env: Record<string, string> = {}) {
  const simulator = openPlatform({ seed: 7, rate: 8, incidents: false, ...o });
  const home = ownFolder(t);
  const { call } = callingProgram(simulator, home, env);
  return { simulator, home, call, run: (...words: string[]) => call(words) };
}

/** A window that ends before any row could still come late, as arguments and as times. */
export function settledWindow(
  minutes: number,
  before = 10,
  now = OPENED,
): { from: number; to: number; args: string[] } {
  const to = Math.floor(now / MINUTE) * MINUTE - before * MINUTE;
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

export function idsOf(
  sim: Pick<Simulated, 'truth'>,
  zoneId: string | number,
  from: number,
  to: number,
): string[] {
  return sim.truth(zoneId, from, to).map((row) => row.entry.requestId);
}
