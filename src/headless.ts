import type { Writable } from 'node:stream';
import type { Client } from './api/client.ts';
import type { Clock } from './api/clock.ts';
import type { CommandLine, Format } from './config/command-line.ts';
import type { Journal } from './domain/journal.ts';
import type { Query } from './domain/query.ts';
import { keyRow, zoneRow } from './domain/shapes.ts';
import type { SavedInput } from './effects/saved-open.ts';
import { printLogs } from './print/logs.ts';
import { printOpen } from './print/open.ts';
import { everyPage, failed, type Printer, ZONES_PER_PAGE } from './print/printer.ts';
import { printRows } from './print/rows.ts';
import { printShield } from './print/shield.ts';

export type PrintOptions = {
  stdout: Writable;
  stderr: Writable;
  format: Format;
  client: Client & { close(): Promise<void> };
  clock: Clock;
  journal: () => Promise<Journal>;
  line: CommandLine;
  query: Query;
};

const INTERRUPTED = 130;
const TERMINATED = 143;

/** The composition root of the piped twin: prints a command's data and resolves to the exit code. */
export async function print(o: PrintOptions): Promise<number> {
  const { printer, ended, output } = printerOf(o);
  const code = await Promise.race([command({ ...printer, client: o.client }, o), ended]);
  await o.client.close();
  await output.flushed();
  return code;
}

/** The same for saved logs, which need no account. */
export async function printOpened(
  o: Omit<PrintOptions, 'client' | 'journal'> & { inputs: readonly SavedInput[] },
): Promise<number> {
  const { printer, ended, output } = printerOf(o);
  const code = await Promise.race([printOpen(printer, o.line, o.query, o.inputs), ended]);
  await output.flushed();
  return code;
}

/** Where a command prints, and the exit code with which a signal or the reader ends it. */
function printerOf(o: Pick<PrintOptions, 'stdout' | 'stderr' | 'format' | 'clock'>) {
  const ended = Promise.withResolvers<number>();
  const output = createOutput(o.stdout, () => ended.resolve(0));
  process.once('SIGINT', () => ended.resolve(INTERRUPTED));
  process.once('SIGTERM', () => ended.resolve(TERMINATED));
  const printer: Omit<Printer, 'client'> = {
    stderr: o.stderr,
    format: o.format,
    clock: o.clock,
    write: output.write,
    onEnd: (callback) => void ended.promise.then(callback),
  };
  return { printer, ended: ended.promise, output };
}

async function command(printer: Printer, { line, query, journal }: PrintOptions): Promise<number> {
  if (line.command === 'storage') {
    const { printStorage } = await import('./print/storage.ts');
    return printStorage({ ...printer, journal: await journal() }, line);
  }
  if (line.command === 'logs') return printLogs(printer, line, query);
  if (line.command === 'shield') return printShield(printer, line, query);
  return line.command === 'keys' ? printKeys(printer) : printZones(printer);
}

async function printZones(o: Printer): Promise<number> {
  const zones = await everyPage((page) => o.client.pullZones({ page, perPage: ZONES_PER_PAGE }));
  if (!zones.ok) return failed(o, zones.failure);
  const mapping = await o.client.shieldMapping();
  if (!mapping.ok) return failed(o, mapping.failure);
  const shieldOf = new Map(mapping.value.map((pair) => [pair.pullZoneId, pair.shieldZoneId]));
  const rows = zones.value.map((zone) => zoneRow({ ...zone, shieldZoneId: shieldOf.get(zone.id) ?? null }));
  return printRows(o, rows);
}

async function printKeys(o: Printer): Promise<number> {
  const keys = await everyPage((page) => o.client.apiKeys({ page, perPage: 1000 }));
  return keys.ok ? printRows(o, keys.value.map(keyRow)) : failed(o, keys.failure);
}

/** Whole lines to a stream that may be slow or go away; going away is no error of ours. */
function createOutput(stdout: Writable, gone: () => void) {
  let isGone = false;
  stdout.on('error', () => {
    isGone = true;
    gone();
  });
  const send = (text: string): Promise<void> =>
    isGone ? Promise.resolve() : new Promise((resolve) => stdout.write(text, () => resolve()));
  return { write: (text: string) => (text === '' ? Promise.resolve() : send(text)), flushed: () => send('') };
}
