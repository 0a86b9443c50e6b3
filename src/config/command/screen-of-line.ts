import type { Query } from '../../domain/query/query.ts';
import type { Settings } from '../settings/settings.ts';
import type { CommandLine } from './command-line.ts';

/** Whether a command prints its data on a terminal, too: no screen shows what it was asked for. */
export function isAlwaysPrinted({ command, format, edit, v1, resume, zone, until }: CommandLine): boolean {
  if (command === 'ask' || command === 'mcp' || command === 'keep') return true;
  if (command === 'health' && (zone ?? until) !== null) return true;
  return format !== null || edit !== null || v1 || resume !== null;
}

/** The zone that a command line, or else the profile, opens the screen at; null: it opens at none. */
export function wantedZone(line: CommandLine, { zone }: Pick<Settings, 'zone'>, query: Query) {
  if (line.command === 'storage') return null;
  const word = line.zone ?? (line.implicit ? zone : null);
  const screen = line.command === 'shield' ? ('shield' as const) : ('logs' as const);
  return word === null ? null : { word, query, screen, rows: line.rows };
}
