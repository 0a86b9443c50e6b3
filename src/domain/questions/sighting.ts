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

export function sightingOfEvent(event: Pick<ShieldEvent, 'timestamp' | 'fields' | 'log'>): Sighting {
  const detail = shieldDetail(event.log);
  return {
    at: event.timestamp,
    requestId: canonicalId(detail.requestId),
    ip: present(event.fields['ip']) ?? present(detail.remoteIp),
    url: present(event.fields['url']) ?? present(detail.url),
  };
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
