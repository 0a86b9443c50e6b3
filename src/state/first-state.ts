import { NO_KEYS, NO_STORAGE } from './account/account-model.ts';
import { NOTHING_BESIDE } from './beside/beside-model.ts';
import { NOTHING_TOLD } from './evidence/told-model.ts';
import { NO_HANDOVER } from './handover/handover-model.ts';
import { NO_HEALTH_STATE } from './health/health-model.ts';
import { NO_PACE } from './input/pace.ts';
import type { State } from './model.ts';
import { NO_REQUESTS } from './request-log.ts';
import { FIRST_TIMELINE } from './timeline/timeline-model.ts';
import { NO_ZONES } from './zones.ts';

/** The picker before anything was asked; what a start says of size, time, place and account goes over it. */
export const FIRST_STATE: Omit<State, 'size' | 'now' | 'endpoint'> = {
  views: [{ kind: 'zones', cursor: 0, top: 0 }],
  parked: [],
  zones: NO_ZONES,
  health: NO_HEALTH_STATE,
  session: null,
  shield: null,
  knowsBuckets: null,
  storage: NO_STORAGE,
  keys: NO_KEYS,
  mayWrite: false,
  rowBytes: 512 * 1024 * 1024,
  inquiries: 0,
  evidence: NOTHING_TOLD,
  keptAnswer: null,
  overlay: null,
  prompt: null,
  pace: NO_PACE,
  notice: null,
  remarks: [],
  requests: [],
  requestTotals: NO_REQUESTS,
  budget: null,
  columns: null,
  timeline: FIRST_TIMELINE,
  beside: NOTHING_BESIDE,
  highlights: [],
  termsOff: null,
  on: new Set(),
  demo: false,
  handover: NO_HANDOVER,
  watching: null,
  resuming: null,
  history: null,
  leaving: false,
};
