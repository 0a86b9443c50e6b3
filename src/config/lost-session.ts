import { sanitise } from '../text/sanitise.ts';
import type { CommandLine, Usage } from './command-line.ts';
import { findPlace, type LostPlace } from './session-places.ts';

export type Resumed =
  | { ok: true; line: CommandLine; lost: LostPlace }
  | { ok: false; message: string; hint: string };

/**
 * The command line of the last session that was cut off, for `edgescope --resume`. What this start says of its looks and
 * rights (`--ascii`, `--theme`, `--local`, `--write`, `--debug`, `--record`) holds; the account is the lost session's.
 */
export async function resumedLine(
  line: CommandLine,
  o: { directory: string; now: number; read: (words: readonly string[]) => Usage },
): Promise<Resumed> {
  const { newest, unusable } = await findPlace(o.directory, o.now);
  if (newest === null) {
    return {
      ok: false,
      message: 'there is nothing to resume: no session was cut off here in the last three days',
      hint: unusable[0] ?? 'a session that is left with q, or runs still, is none; a demo needs --demo too',
    };
  }
  const { place } = newest;
  const usage = o.read(place.words);
  if (!usage.ok) {
    const words = place.words.map((word) => sanitise(word, 'text', 200)).join(' ');
    return { ok: false, message: `the lost session cannot be opened: ${usage.message}`, hint: words };
  }
  const before = usage.value;
  if (line.profile !== null && line.profile !== before.profile) {
    const its = before.profile === null ? 'without a profile' : `with --profile ${before.profile}`;
    return {
      ok: false,
      message: `the lost session was started ${its}, not with --profile ${line.profile}`,
      hint: 'leave out --profile to go on with it',
    };
  }
  const { ascii, theme, debug, record, write } = line;
  return {
    ok: true,
    lost: newest,
    line: { ...before, ascii, theme, debug, record, write, utc: line.utc && place.utc, resume: null },
  };
}
