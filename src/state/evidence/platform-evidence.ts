import type { OriginErrorDay } from '../../domain/evidence/origin-error.ts';
import { causesBy, type ToldDay } from '../../domain/evidence/told-causes.ts';
import type { CauseOf } from '../../domain/origin-cause.ts';
import type {
  DayNeed,
  EvidenceMet,
  EvidenceNeed,
  Met,
  Need,
} from '../../domain/questions/inquiry/inquiry.ts';
import { DAY } from '../../text/units.ts';
import type { Subscription } from '../messages.ts';
import type { State, ToldState } from '../model.ts';

/** A day of origin errors of a zone. */
export type OriginNeed = Extract<DayNeed, { kind: 'originErrors' }>;

/** A cause is a beginning when it is told at least so often. */
export const TELLING = 5;

/** Answers that are kept, each of thousands of lines perhaps: more than the days of the zones of one question. */
const MOST_KEPT = 32;
/** So long an answer about a time that goes on is as good as a new one, ms. */
const FRESH = 60_000;
/** An error may be told so long after its row, ms. */
const LATE = 60_000;
/** What is told so long after a day has ended is all of it, ms. */
const SETTLED = 3_600_000;

/** Keeps an answer about other evidence; the oldest goes. */
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

/** The answer that was told before, where nothing new can have come. */
export function toldBefore(state: State, need: EvidenceNeed): EvidenceMet | null {
  const known = state.evidence.told.get(keyOf(need));
  if (known === undefined) return null;
  const isWhole = 'day' in need && known.at >= Date.parse(`${need.day}T00:00:00Z`) + DAY + SETTLED;
  return isWhole || state.now - known.at < FRESH ? known.met : null;
}

/** The origin errors of a day as they were told last, and when, Unix ms; null = not yet. */
export function originDayTold(
  { evidence }: State,
  need: EvidenceNeed,
): { day: OriginErrorDay; at: number } | null {
  const known = evidence.told.get(keyOf(need));
  return known?.met.kind === 'originErrors' ? { day: known.met.value, at: known.at } : null;
}

/** The days of origin errors that were told of these zones. */
export function originDaysTold({ told }: ToldState, zones: readonly { id: string }[]): OriginErrorDay[] {
  return [...told].flatMap(([key, { met }]) =>
    met.kind === 'originErrors' && zones.some(({ id }) => key.includes(` ${id} `)) ? met.value : [],
  );
}

/** Whether an error of this time may be told only since its day was; it is asked for again, once in as long. */
export function mayBeToldLate(state: State, time: number, toldAt: number): boolean {
  return time > toldAt - LATE && state.now - toldAt > LATE;
}

/** The origin errors of days as they stand told, for whoever looks for those of rows. */
export function toldDays({ told }: ToldState): ToldDay {
  return (zoneId, day) => {
    const met = told.get(keyOf({ kind: 'originErrors', zoneId, day }))?.met;
    return met?.kind === 'originErrors' ? met.value : null;
  };
}

/** Why the origin failed rows of these zones, by what stands told now. */
export function causesTold(evidence: ToldState, zones: readonly { id: string }[]): CauseOf {
  return causesBy(zones, toldDays(evidence));
}

/** No view has this number: the answer is for rows on screen. */
const OF_NO_VIEW = 0;

/** Asks for the origin errors of a day, once whoever waits for them. */
export function dayAsked(need: OriginNeed): Subscription {
  const key = `cause ${need.zoneId} ${need.day}`;
  return { kind: 'inquiry', key, inquiry: OF_NO_VIEW, needs: [need] };
}

/** As if it had never been asked. */
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

/** The range of statistics goes with time, by the hour. */
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
