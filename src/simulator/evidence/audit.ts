import { DAY } from '../../text/units.ts';
import { type Exchange, fieldError, integer, json, type ServedAnswer } from '../http/answers.ts';
import { hex } from '../random.ts';
import type { World } from '../world.ts';
import { auditEntries, auditEntryBody } from './changes.ts';

/** How long changes are told. */
const KEPT = 90 * DAY;
const USUAL_LIMIT = 100;
const LARGEST_LIMIT = 10_000;

const FILTERS = ['Product', 'ResourceType', 'ResourceId', 'ActorId'] as const;

/** GET /user/audit/{date}: the changes of a UTC day, newest first unless asked otherwise. */
export function readAudit(call: Exchange, { account, schedule }: World): ServedAnswer {
  const q = call.url.searchParams;
  const invalid = (field: string, message: string) => fieldError('validation_error', field, message);
  const from = dayOf(call.params[0] as string);
  if (from === null) return invalid('date', 'The date is not valid.');
  const limit = integer(q.get('Limit'), USUAL_LIMIT, 1, LARGEST_LIMIT);
  if (limit === null) return invalid('Limit', `The limit must be between 1 and ${LARGEST_LIMIT}.`);
  const order = q.get('Order') ?? 'Descending';
  if (order !== 'Ascending' && order !== 'Descending')
    return invalid('Order', 'The order must be Ascending or Descending.');
  const start = startOf(q.get('ContinuationToken'));
  if (start === null) return invalid('ContinuationToken', 'The continuation token is not valid.');
  const to = Math.min(from + DAY, call.now);
  const all = from < call.now - KEPT ? [] : auditEntries(account, schedule, from, Math.max(from, to));
  const wanted = all.filter((change) =>
    FILTERS.every((name) => {
      const values = q.getAll(name);
      return values.length === 0 || values.includes(change[name] ?? '');
    }),
  );
  if (order === 'Descending') wanted.reverse();
  const end = start + limit;
  return json({
    Logs: wanted.slice(start, end).map((change) => auditEntryBody(change, hex(account.seed, 32))),
    HasMoreData: end < wanted.length,
    ContinuationToken: end < wanted.length ? tokenOf(end) : null,
    StartToken: tokenOf(start),
  });
}

/** A time of that day, as the published description has it: a bare date is none. */
function dayOf(text: string): number | null {
  const [, day] = /^(\d{4}-\d\d-\d\d)T[\d:.]+Z?$/.exec(text) ?? [];
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? null : at;
}

function tokenOf(place: number): string {
  return Buffer.from(`at ${place}`).toString('base64');
}

function startOf(token: string | null): number | null {
  if (token === null || token === '') return 0;
  const [, place] = /^at (\d{1,9})$/.exec(Buffer.from(token, 'base64').toString('latin1')) ?? [];
  return place === undefined ? null : Number(place);
}
