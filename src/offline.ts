import type { CommandLine } from './config/command/command-line.ts';
import { configPath, type Directories } from './config/directories.ts';
import type { OutputFacts } from './doctor/terminal.ts';
import type { Clock } from './time/clock.ts';

type Start = {
  env: NodeJS.ProcessEnv;
  clock: Clock;
  directories: Directories;
  version: string;
  screen: OutputFacts;
};

/** The output of commands that open no session, and their exit code; null for any other command. */
export async function toldBy(
  line: CommandLine,
  start: Start,
): Promise<{ text: string; exit: number } | null> {
  const { env, clock } = start;
  switch (line.command) {
    case 'config':
      if (line.word === 'path') return { text: `${configPath(env)}\n`, exit: 0 };
      return (await import('./config/settings/check.ts')).configReport({ env, profile: line.profile, clock });
    case 'doctor':
      return (await import('./doctor/doctor.ts')).doctorReport({ ...start, ...line });
    case 'completion': {
      const { COMPLETION_SCRIPTS } = await import('./shell/completion.ts');
      return { text: COMPLETION_SCRIPTS[line.word ?? ''] ?? '', exit: 0 };
    }
    case 'skill':
      return { text: (await import('./mcp/skill.ts')).skillFile(), exit: 0 };
    case 'man':
      return { text: (await import('./shell/manual.ts')).manualPage(start.version), exit: 0 };
    default:
      return null;
  }
}
