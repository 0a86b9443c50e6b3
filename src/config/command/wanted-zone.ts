import type { Query } from '../../domain/query/query.ts';
import type { Settings } from '../settings/settings.ts';
import type { CommandLine } from './command-line.ts';

/** The zone that a command line, or else the profile, opens the screen at; null: it opens at none. */
export function wantedZone(line: CommandLine, { zone }: Pick<Settings, 'zone'>, query: Query) {
  if (line.command === 'storage') return null;
  const word = line.zone ?? (line.implicit ? zone : null);
  const screen = line.command === 'shield' ? ('shield' as const) : ('logs' as const);
  return word === null ? null : { word, query, screen, rows: line.rows };
}
