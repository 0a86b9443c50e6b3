import { type Answered, json, problem, text } from './http.ts';
import { hash, poisson, uuidOf } from './random.ts';
import { hostOf, pathOf, type Row } from './rows.ts';
import { DAY } from './setting.ts';
import { arrived, failuresOfSecond, rowsOfSecond, strengthAt, type Traffic } from './traffic.ts';

/** Beyond this many a second the log keeps a part only, or a day of a broken origin would be gigabytes. */
const KEPT_A_SECOND = 0.25;

const RETENTION = 7 * DAY;

function toldIn(traffic: Traffic, second: number): Row[] {
  const rows: Row[] = [];
  const [main, strays] = traffic.streams;
  if (main === undefined || strays === undefined) return rows;
  if (strays.count(second) > 0) {
    const alone: Traffic = { ...traffic, streams: [strays], effects: [] };
    rows.push(...rowsOfSecond(alone, second).filter((row) => row.failure?.code != null));
  }
  for (const effect of traffic.effects) {
    const strength = strengthAt(effect, second * 1000);
    if (strength <= 0 || effect.failing === null || effect.failing.failure.code === null) continue;
    const rate = main.mean(second) * effect.failing.share * strength;
    const kept = rate / (1 + rate / KEPT_A_SECOND);
    const count = poisson(kept, hash(main.seed ^ 0x909, second));
    if (count > 0) rows.push(...failuresOfSecond(traffic, second, count, effect.failing.failure));
  }
  return rows;
}

function entryOf(traffic: Traffic, row: Row): Record<string, unknown> {
  const { failure } = row;
  const { place } = traffic.depth;
  const status = failure?.status ?? 502;
  const log = {
    RequestUrl: `https://${hostOf(traffic.zone, traffic.depth, row)}${pathOf(traffic.depth, row)}`,
    PullZoneId: traffic.zone.id,
    Message: failure?.message,
    ErrorCode: failure?.code,
    StatusCode: status,
  };
  return {
    logId: uuidOf(hash(row.key, row.second)),
    timestamp: row.t + (row.key % 700),
    log: JSON.stringify(log),
    labels: { ErrorCode: failure?.code, StatusCode: String(status), ServerZone: place.edges[row.edge] },
  };
}

export function answerOriginErrors(traffic: Traffic, day: string, now: number): Answered {
  const [, month, date, year] = /^(\d\d)-(\d\d)-(\d{4})$/.exec(day) ?? [];
  const start = Date.parse(`${year}-${month}-${date}T00:00:00Z`);
  if (Number.isNaN(start)) return problem(400, 'Bad Request', 'The day must be MM-dd-yyyy.');
  if (start < now - RETENTION) return text(200, '{"logs":[]}');
  const logs: Record<string, unknown>[] = [];
  const last = Math.floor(Math.min(start + DAY - 1, now) / 1000);
  for (let second = start / 1000; second <= last; second += 1) {
    for (const row of toldIn(traffic, second)) if (arrived(row, now)) logs.push(entryOf(traffic, row));
  }
  if (traffic.zone.seed % 2 === 0) logs.reverse();
  return json(200, { logs });
}
