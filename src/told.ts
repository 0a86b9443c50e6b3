import type { CommandLine } from './config/command/command-line.ts';
import { configPath, type Directories } from './config/directories.ts';
import type { Screen } from './doctor/terminal.ts';
import type { Clock } from './time/clock.ts';

type Start = {
  env: NodeJS.ProcessEnv;
  clock: Clock;
  directories: Directories;
  version: string;
  screen: Screen;
};

/** What the commands print that open no session, and their exit code; null for any other command. */
export async function toldBy(
  line: CommandLine,
  start: Start,
): Promise<{ text: string; exit: number } | null> {
  const { env, clock } = start;
  if (line.command === 'config') {
    if (line.word === 'path') return { text: `${configPath(env)}\n`, exit: 0 };
    const { configReport } = await import('./config/settings/check.ts');
    return configReport({ env, profile: line.profile, clock });
  }
  if (line.command === 'doctor') {
    const { doctorReport } = await import('./doctor/doctor.ts');
    return doctorReport({ ...start, ...line });
  }
  if (line.command === 'completion') {
    const { COMPLETION_SCRIPTS } = await import('./shell/completion.ts');
    return { text: COMPLETION_SCRIPTS[line.word ?? ''] ?? '', exit: 0 };
  }
  if (line.command === 'skill') {
    const { skillFile } = await import('./mcp/skill.ts');
    return { text: skillFile(), exit: 0 };
  }
  if (line.command === 'man') {
    const { manualPage } = await import('./shell/manual.ts');
    return { text: manualPage(start.version), exit: 0 };
  }
  return null;
}
