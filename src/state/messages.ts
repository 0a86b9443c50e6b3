import type { TimeRange } from '../domain/coverage.ts';
import type { Failure } from '../domain/failure.ts';
import type { Met, Need } from '../domain/inquiry.ts';
import type { ServerLogFilter } from '../domain/match.ts';
import type { QuotaSnapshot, RequestEvent } from '../domain/request-event.ts';
import type { SavedEvent } from '../domain/saved-report.ts';
import type { ShieldAnswer, ShieldDayPage, ShieldSearchRequest, WafRule } from '../domain/shield.ts';
import type { TailEvent } from '../domain/tail-report.ts';
import type { FieldEdit } from '../domain/text-field.ts';
import type { Page, PullZone } from '../domain/zone.ts';
import type { CommandId } from './commands.ts';
import type { Notice } from './model.ts';

/** Facts, in the past tense, and the commands of the user. */
export type Action =
  | { type: 'commanded'; command: CommandId }
  /** A command was picked from the palette. */
  | { type: 'chosen'; command: CommandId }
  | { type: 'refused'; why: string }
  | { type: 'typed'; text: string }
  | { type: 'edited'; edit: FieldEdit }
  | { type: 'submitted' }
  | { type: 'cancelled' }
  | { type: 'completed' }
  | { type: 'promptMoved'; by: 1 | -1 }
  | { type: 'resized'; columns: number; rows: number }
  | { type: 'ticked'; now: number }
  | { type: 'zonesArrived'; request: number; page: Page<PullZone> }
  | { type: 'zonesFailed'; request: number; failure: Failure }
  | { type: 'shieldMapped'; pairs: readonly { shieldZoneId: string; pullZoneId: string }[] }
  | { type: 'tailRead'; generation: number; event: TailEvent }
  | { type: 'savedRead'; generation: number; event: SavedEvent }
  | { type: 'shieldZoneFound'; pullZoneId: string; shieldZoneId: string | null }
  | { type: 'shieldAnswered'; request: number; answer: ShieldAnswer }
  | { type: 'shieldDayRead'; request: number; page: ShieldDayPage }
  | { type: 'shieldFailed'; request: number; failure: Failure }
  | { type: 'shieldRulesArrived'; shieldZoneId: string; rules: readonly WafRule[] }
  | { type: 'shieldDue' }
  | { type: 'needMet'; inquiry: number; need: Need; met: Met }
  | { type: 'requestSeen'; event: RequestEvent }
  | { type: 'budgetSeen'; budget: QuotaSnapshot }
  | { type: 'noticed'; notice: Notice }
  /** A signal, or a terminal that went away, ends the program. */
  | { type: 'ended' };

/** Orders to the outside, as data. */
export type Effect =
  | { type: 'loadZones'; request: number; page: number }
  | { type: 'loadShieldMapping' }
  | { type: 'backfill'; generation: number; range: TimeRange }
  | { type: 'refreshTail'; generation: number }
  | { type: 'redraw' }
  | { type: 'suspend' }
  | { type: 'quit' };

/** What must be running while the state says so; `key` tells two of them apart. */
export type Subscription =
  | {
      kind: 'tail';
      key: string;
      generation: number;
      zone: PullZone;
      filter: ServerLogFilter;
      from: number | null;
      to: number | null;
    }
  | { kind: 'saved'; key: string; generation: number; follow: boolean }
  | { kind: 'clock'; key: string; every: number }
  | { kind: 'shieldZone'; key: string; pullZoneId: string; request: number }
  | { kind: 'shieldSearch'; key: string; request: number; shieldZoneId: string; ask: ShieldSearchRequest }
  | {
      kind: 'shieldDay';
      key: string;
      request: number;
      shieldZoneId: string;
      /** `YYYY-MM-DD`, UTC. */
      day: string;
      token: string | null;
    }
  | { kind: 'shieldRules'; key: string; shieldZoneId: string }
  | { kind: 'shieldDue'; key: string; after: number }
  | { kind: 'inquiry'; key: string; inquiry: number; needs: readonly Need[] };
