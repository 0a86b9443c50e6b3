import type { CommandLine } from '../config/command/command-line.ts';
import { keySheet } from '../domain/handover/sheet.ts';
import type { Query } from '../domain/query/query.ts';
import type { Watch } from '../domain/watch/watch.ts';
import { failed, type Printer, printSheet } from './printer.ts';
import type { Writing } from './storage-command.ts';
import { everyPage, printZones } from './zones-command.ts';

/** A command line, read and understood. */
export type PrintedCommand = {
  line: CommandLine;
  query: Query;
  /** What `--until` waits for. */
  watch: Watch | null;
  /** What a change needs, loaded where one may be made; null for whoever may only look. */
  writing: (() => Promise<Writing>) | null;
  /** What a copied command needs to see the same account. */
  flags: readonly string[];
};

/**
 * Prints the data of a command that asks the API; resolves to the exit code. Each command loads what it prints with:
 * the lists of zones and keys need little.
 */
export async function printCommand(
  printer: Printer,
  { line, query, watch, writing, flags }: PrintedCommand,
): Promise<number> {
  switch (line.command) {
    case 'storage':
      return (await import('./storage-command.ts')).printStorage(
        { ...printer, writing: (await writing?.()) ?? null },
        line,
      );
    case 'logs':
      return (await import('./logs-command.ts')).printLogs(printer, line, query, watch);
    case 'keep':
      return line.stored
        ? (await import('./keep/keep-stored.ts')).keepStored(printer, line, query)
        : (await import('./keep/keep-follow.ts')).keepFollowed(printer, line);
    case 'shield':
      return (await import('./shield-command.ts')).printShield(printer, line, query, watch);
    case 'ask':
      return (await import('./ask/ask.ts')).printAsk({ ...printer, flags }, line, query);
    case 'health':
      return (await import('./health/health-command.ts')).printHealth(
        printer,
        line.zone,
        watch,
        line['most-requests'],
      );
    case 'keys':
      return printKeys(printer);
    default:
      return printZones(printer);
  }
}

async function printKeys(o: Printer): Promise<number> {
  const keys = await everyPage(o, 'keys');
  if (!keys.ok) return failed(o, keys.failure);
  return printSheet(o, keySheet(keys.value));
}
