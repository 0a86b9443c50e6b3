import type { OriginErrorDay } from '../../domain/evidence/origin-error.ts';
import { causesBy, type ToldDay } from '../../domain/evidence/told-causes.ts';
import type { DayNeed, EvidenceMet, EvidenceNeed, Met, Need } from '../../domain/inquiry/inquiry.ts';
import type { CauseOf } from '../../domain/origin-cause.ts';
import { DAY } from '../../text/units.ts';
import type { Subscription } from '../messages.ts';
import type { State, ToldState } from '../model.ts';

/** A day of origin errors of a zone. */
export type OriginNeed = Extract<DayNeed, { kind: 'originErrors' }>;

/** A cause marks a beginning from so many reports of it on. */
export const TELLING = 5;

/** Answers kept, each perhaps of thousands of lines: more than one question has days and zones. */
const MOST_KEPT = 32;
/** How long an answer about a time that goes on stays fresh, ms. */
const FRESH = 60_000;
/** How long after its row an error may be reported, ms. */
const LATE = 60_000;
/** How long after its end a day is complete, ms. */
const SETTLED = 3_600_000;

/** Keeps an answer about evidence; the oldest goes. */
export function withTold(state: State, need: Need, met: Met): State {
  if (need.kind === 'logs' || need.kind === 'shield') return state;
  const { told, refused } = state.evidence;
  if (met.kind === 'failed') {
    return { ...state, evidence: { told, refused: new Map([...refused, [need.kind, met.failure]]) } };
  }
  if (met.kind !== need.kind) return state;
  const key = keyOf(need);
  const others = [...told].filter(([each]) => each !== key).slice(1 - MOST_KEPT);
  const kept = new Map([...refused].filter(([kind]) => kind !== need.kind));
  const now = new Map([...others, [key, { met, at: state.now }] as const]);
  return { ...state, evidence: { told: now, refused: kept } };
}

/** The answer kept, where nothing new can have come since. */
export function toldBefore(state: State, need: EvidenceNeed): EvidenceMet | null {
  const known = state.evidence.told.get(keyOf(need));
  if (known === undefined) return null;
  const isWhole = 'day' in need && known.at >= Date.parse(`${need.day}T00:00:00Z`) + DAY + SETTLED;
  return isWhole || state.now - known.at < FRESH ? known.met : null;
}

/** The origin errors of a day as last reported, and when, Unix ms; null = not yet. */
export function originDayTold(
  { evidence }: State,
  need: EvidenceNeed,
): { day: OriginErrorDay; at: number } | null {
  const known = evidence.told.get(keyOf(need));
  return known?.met.kind === 'originErrors' ? { day: known.met.value, at: known.at } : null;
}

/** The days of origin errors known of these zones. */
export function originDaysTold({ told }: ToldState, zones: readonly { id: string }[]): OriginErrorDay[] {
  return [...told].flatMap(([key, { met }]) =>
    met.kind === 'originErrors' && zones.some(({ id }) => key.includes(` ${id} `)) ? met.value : [],
  );
}

/**
 * Whether an error of this time may have been reported since its day was read; the day is read again at most once in
 * `LATE`.
 */
export function mayBeToldLate(state: State, time: number, toldAt: number): boolean {
  return time > toldAt - LATE && state.now - toldAt > LATE;
}

/** The known origin errors by day, for whoever looks up those of rows. */
export function toldDays({ told }: ToldState): ToldDay {
  return (zoneId, day) => {
    const met = told.get(keyOf({ kind: 'originErrors', zoneId, day }))?.met;
    return met?.kind === 'originErrors' ? met.value : null;
  };
}

/** Why the origin failed rows of these zones, by what is known now. */
export function causesTold(evidence: ToldState, zones: readonly { id: string }[]): CauseOf {
  return causesBy(zones, toldDays(evidence));
}

/** No view has this number: the answer is for rows on screen. */
const OF_NO_VIEW = 0;

/** Asks for the origin errors of a day, once for all that wait for them. */
export function dayAsked(need: OriginNeed): Subscription {
  const key = `cause ${need.zoneId} ${need.day}`;
  return { kind: 'inquiry', key, inquiry: OF_NO_VIEW, needs: [need] };
}

/** The state without that answer, so that it is asked for again. */
export function forgotten(state: State, need: EvidenceNeed): State {
  const { told, refused } = state.evidence;
  return {
    ...state,
    evidence: {
      told: new Map([...told].filter(([key]) => key !== keyOf(need))),
      refused: new Map([...refused].filter(([kind]) => kind !== need.kind)),
    },
  };
}

/** The range of statistics moves with time, hour by hour. */
function keyOf(need: EvidenceNeed): string {
  switch (need.kind) {
    case 'originErrors':
      return `${need.kind} ${need.zoneId} ${need.day}`;
    case 'changes':
      return `${need.kind} ${need.day}`;
    case 'statistics':
      return `${need.kind} ${need.zoneId} ${need.range.from}`;
  }
}
