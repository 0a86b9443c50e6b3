import { duration } from '../../text/units.ts';
import { KEPT, type KeptLog } from '../kept.ts';

export type RetentionSeverity = 'calm' | 'soon' | 'urgent' | 'gone';

export type RetentionClock = {
  /** Unix ms at which the platform no longer answers for the oldest line, and ms until then; 0 once it is gone. */
  expiresAt: number;
  expiresIn: number;
  severity: RetentionSeverity;
  /** To the minute, rounded down, so that what shows it stands still for a minute; `short` where room is short. */
  text: string;
  short: string;
};

const HOUR = 3_600_000;
const MINUTE = 60_000;
const URGENT = HOUR;
/** Less time than this left is worth saying, ms. */
export const SOON = 6 * HOUR;

/** When the oldest evidence in view can no longer be read again: its event time + what its log is kept − now. */
export function retentionClock(oldest: number, now: number, log: KeptLog): RetentionClock {
  const expiresAt = oldest + KEPT[log];
  const expiresIn = Math.max(0, expiresAt - now);
  const severity =
    expiresIn === 0 ? 'gone' : expiresIn < URGENT ? 'urgent' : expiresIn < SOON ? 'soon' : 'calm';
  if (severity === 'gone') {
    const text = 'oldest evidence has expired: what is here is the only copy';
    return { expiresAt, expiresIn, severity, text, short: 'oldest evidence expired' };
  }
  const left =
    expiresIn < MINUTE ? 'within a minute' : `in ${spaced(Math.floor(expiresIn / MINUTE) * MINUTE)}`;
  return {
    expiresAt,
    expiresIn,
    severity,
    text: `oldest evidence expires ${left}`,
    short: `expires ${left}`,
  };
}

function spaced(ms: number): string {
  return duration(ms)
    .replace(/(?<!\d)\d+(?=[a-z])/g, '$& ')
    .replace(/[a-z](?=\d)/g, '$& ');
}
