import { readFileSync, statSync } from 'node:fs';
import { type Clock, systemClock } from '../time/clock.ts';
import { LARGEST_RECORDING } from './record.ts';
import { readRecording } from './recording.ts';
import { replayClock, replayed } from './replay.ts';
import type { Transport } from './transport.ts';

/** What a session is replayed with: the clock of the recording, and the transport that gives its answers. */
export type Replay = { clock: Clock; over: () => Transport };

/** Opens a recording, or says why it is none. */
export function openReplay(path: string): { ok: true; replay: Replay } | { ok: false; reason: string } {
  let text: string;
  try {
    const { size } = statSync(path);
    if (size > LARGEST_RECORDING) return { ok: false, reason: 'it is larger than any recording' };
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string };
    return { ok: false, reason: code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})` };
  }
  const read = readRecording(text);
  if (!read.ok) return { ok: false, reason: `line ${read.line}: ${read.reason}` };
  const clock = replayClock(read.recording, systemClock);
  return { ok: true, replay: { clock, over: () => replayed(read.recording, clock) } };
}
