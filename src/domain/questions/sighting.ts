import type { LogRecord } from '../log.ts';
import { type ShieldEvent, shieldDetail } from '../shield/shield.ts';

/** What a line of either log tells of who sent it. */
export type Sighting = {
  /** Event time, Unix ms UTC. */
  at: number;
  /** 32 hex digits, lower case, no hyphens. */
  requestId: string | null;
  ip: string | null;
  url: string | null;
};

/** An event is looked at by every count of an answer, and its context is untrusted JSON. */
const known = new WeakMap<object, Sighting>();

export function sightingOfEvent(event: Pick<ShieldEvent, 'timestamp' | 'fields' | 'log'>): Sighting {
  const before = known.get(event);
  if (before) return before;
  const detail = shieldDetail(event.log);
  const sighting = {
    at: event.timestamp,
    requestId: canonicalId(detail.requestId),
    ip: present(event.fields['ip']) ?? present(detail.remoteIp),
    url: present(event.fields['url']) ?? present(detail.url),
  };
  known.set(event, sighting);
  return sighting;
}

export function sightingOfRecord(record: LogRecord): Sighting {
  return {
    at: record.timestamp,
    requestId: canonicalId(record.requestId),
    ip: present(record.remoteIp),
    url: present(record.url),
  };
}

function canonicalId(id: string | null): string | null {
  const plain = id?.replaceAll('-', '').toLowerCase() ?? '';
  return /^[0-9a-f]{32}$/.test(plain) ? plain : null;
}

function present(text: string | null | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}
