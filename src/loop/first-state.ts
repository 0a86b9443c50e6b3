import { NO_ZONES } from '../screens/zones/zones.ts';
import { NO_KEYS, NO_STORAGE } from '../state/account-model.ts';
import { NOTHING_BESIDE } from '../state/beside-model.ts';
import { NO_HANDOVER } from '../state/handover-model.ts';
import { NO_HEALTH_STATE } from '../state/health-model.ts';
import type { State } from '../state/model.ts';
import { FIRST_TIMELINE, NOTHING_TOLD } from '../state/model.ts';
import { NO_PACE } from '../state/prompt-kind.ts';
import { NO_REQUESTS } from '../state/request-log.ts';

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
