import type { OriginMatch } from '../../domain/evidence/told-causes.ts';
import { matchBy, utcDayOf, zoneOfRow } from '../../domain/evidence/told-causes.ts';
import { explain } from '../../domain/failure.ts';
import type { LogRecord } from '../../domain/log.ts';
import type { RecordField } from '../../domain/logs/record-fields.ts';
import { isServerError } from '../../domain/logs/sums/traffic.ts';
import { causeRow } from '../../domain/origin-cause.ts';
import { duration } from '../../text/units.ts';
import { zonesOfLog } from '../log-zones.ts';
import type { Subscription } from '../messages.ts';
import { noticed, type State } from '../model.ts';
import { topOf } from '../view-stack.ts';
import {
  dayAsked,
  forgotten,
  mayBeToldLate,
  type OriginNeed,
  originDayTold,
  toldDays,
} from './platform-evidence.ts';

/** The row on screen whose origin may say why it failed; null: none. */
function failedRow(state: State): LogRecord | null {
  const view = topOf(state, 'record');
  const { session } = state;
  if (!view || session === null || session.source.kind === 'files') return null;
  if (!session.book.has(view.id)) return null;
  const record = session.book.record(view.id);
  return isServerError(record.statusCode) ? record : null;
}

/** The origin errors that can explain a row: those of its zone and day. */
function needOf(state: State, row: LogRecord): OriginNeed | null {
  const [zoneId, day] = [zoneOfRow(zonesOfLog(state.session), row), utcDayOf(row.timestamp)];
  return zoneId === null || day === null ? null : { kind: 'originErrors', zoneId, day };
}

/** Asks for the origin errors of the row on screen, once for its day, and not where they were refused. */
export function causeSubscriptions(state: State): Subscription[] {
  const need = missingFor(state);
  return need === null ? [] : [dayAsked(need)];
}

function missingFor(state: State): OriginNeed | null {
  const row = failedRow(state);
  const need = row && needOf(state, row);
  if (!row || !need || state.evidence.refused.has('originErrors')) return null;
  const known = originDayTold(state, need);
  return known === null || mayBeToldLate(state, row.timestamp, known.at) ? need : null;
}

/** The fields of a row on screen; behind the status of a 5xx stands why its origin failed. */
export function withRowCause(state: State, fields: RecordField[]): RecordField[] {
  const row = failedRow(state);
  const need = row && needOf(state, row);
  if (!row || !need) return fields;
  const at = fields.findIndex(({ name }) => name === 'statusCode') + 1;
  return fields.toSpliced(at, 0, { name: 'origin error', value: causeOf(state, row, need), field: null });
}

/** The known origin error nearest to a row in a list; null: none. Nothing is asked for it. */
export function toldCause(state: State, row: LogRecord): OriginMatch | null {
  return isServerError(row.statusCode)
    ? matchBy(zonesOfLog(state.session), toldDays(state.evidence), row)
    : null;
}

/** What an origin error says, and how near to the row it is. */
export function rowCauseWords({ error, apart, isSameEdge }: OriginMatch): string {
  const words = causeRow(error.code)?.words ?? error.message ?? 'not a published code';
  const when = `${duration(Math.abs(apart))} ${apart < 0 ? 'earlier' : 'later'}`;
  const edge = isSameEdge ? 'same edge' : 'another edge';
  return `${error.code}: ${words} (match by time and path: ${when}, ${edge})`;
}

function causeOf(state: State, row: LogRecord, need: OriginNeed): string {
  const known = originDayTold(state, need);
  const refused = state.evidence.refused.get('originErrors');
  if (known !== null) return matchWords(toldCause(state, row), missingFor(state) !== null);
  if (refused === undefined) return `asking for those of ${need.day}, 1 request`;
  const { what, next } = explain(refused);
  return `not read: ${what} ${next} Ctrl-r asks again`;
}

/** What the nearest error says, and that it is no more than the nearest. */
function matchWords(match: OriginMatch | null, isAsking: boolean): string {
  if (match === null) {
    const again = isAsking ? 'asking again' : 'Ctrl-r asks again';
    return `none reported of this path near this time: the origin itself may have answered so, or it comes late; ${again}`;
  }
  return rowCauseWords(match);
}

/** Ctrl-r on a row asks for its origin errors once more. */
export function causeAskedAgain(state: State): State {
  const row = failedRow(state);
  const need = row && needOf(state, row);
  if (!need) return noticed(state, 'info', 'a row stays as it is; only the cause of a 5xx is asked for');
  return forgotten(state, need);
}
