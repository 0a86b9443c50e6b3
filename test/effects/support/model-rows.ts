import type { LogRecord } from '../../../src/domain/log.ts';
import { recordWith } from '../../support/rows.ts';
import type { ModelRow } from './model-server.ts';

/** Times in ms, rates in rows per second, the rest as shares of 1. */
export type Traffic = {
  rate: number;
  /** Rows of one event time come in bunches: times are rounded down to this. */
  grain: number;
  /** Rows that come late, and by how much at most. */
  lateShare: number;
  lateMost: number;
  /** Rows without a request id, of which half are the same in all fields as another one of their time. */
  bareShare: number;
  /** Rows of edges whose clock is ahead, and by how much at most. */
  fastShare: number;
  fastMost: number;
  /** A stretch of time, as shares of the whole, in which nothing happens. */
  silence: readonly [number, number];
};

/** A small generator with a known sequence (mulberry32, public domain). */
export function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function rowsOf(traffic: Traffic, from: number, to: number, random: () => number): ModelRow[] {
  const rows: ModelRow[] = [];
  const silentFrom = from + (to - from) * Math.min(...traffic.silence);
  const silentTo = from + (to - from) * Math.max(...traffic.silence);
  for (let at = from; at < to; at += (-Math.log(1 - random()) * 1000) / traffic.rate) {
    if (at >= silentFrom && at < silentTo) continue;
    const time = Math.floor(at / traffic.grain) * traffic.grain;
    const lateness = random() < traffic.lateShare ? random() * traffic.lateMost : random() * 300;
    const early = random() < traffic.fastShare ? random() * traffic.fastMost : 0;
    const isBare = random() < traffic.bareShare;
    const id = isBare ? null : `${rows.length.toString(16).padStart(8, '0')}${'0'.repeat(24)}`;
    const path = isBare && random() < 0.5 ? '/same' : `/${rows.length}`;
    rows.push({ time, visibleAt: at + lateness - early, record: recordOf(time, id, path) });
  }
  return rows;
}

export function recordOf(timestamp: number, requestId: string | null, path = '/'): LogRecord {
  return recordWith({ timestamp, requestId, path, pullZoneId: '1' });
}

/** What makes rows indistinguishable from each other. */
export function contentOf(record: LogRecord): string {
  return `${record.timestamp} ${record.requestId} ${record.path}`;
}
