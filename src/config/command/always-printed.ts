import type { CommandLine } from './command-line.ts';

/** Whether a command prints its data on a terminal, too: no screen shows what it was asked for. */
export function isAlwaysPrinted({ command, format, edit, v1, resume, zone, until }: CommandLine): boolean {
  if (command === 'ask' || command === 'mcp' || command === 'keep') return true;
  if (command === 'health' && (zone ?? until) !== null) return true;
  return format !== null || edit !== null || v1 || resume !== null;
}
