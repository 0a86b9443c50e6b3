import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callingShell } from './called-program.ts';
import { OPENED, openPlatform, type PlatformOptions } from './platform.ts';

/** Incidents go by the start of the simulator: the origin of the busiest zone has been failing for two minutes. */
export const ACCOUNT: PlatformOptions = { seed: 3, rate: 3, epoch: OPENED + 8 * 60_000 };

const SHOWN = /^```console\n\$ (.*)\n[\s\S]*?^```$/gm;

/** A document with what its commands print, each with an account of its own, below the line of the command. */
export async function withOutputs(text: string): Promise<string> {
  const outputs = new Map<string, string>();
  for (const [, command = ''] of text.matchAll(SHOWN)) outputs.set(command, await outputOf(command));
  return text.replace(SHOWN, (_, command) => `\`\`\`console\n$ ${command}\n${outputs.get(command)}\`\`\``);
}

async function outputOf(command: string): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'edgescope-shown-'));
  try {
    const { stdout, stderr } = await callingShell(openPlatform(ACCOUNT), home).run(command);
    return stdout + stderr;
  } finally {
    rmSync(home, { recursive: true });
  }
}
