import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import { type HealthAnswer, nextReading, SETTLING, withAnswer } from '../../src/domain/health/health-plan.ts';
import { scoreOf } from '../../src/domain/health/health-score.ts';
import {
  NO_HEALTH,
  pastFigures,
  recentFigures,
  requestCurve,
  type ZoneHealth,
} from '../../src/domain/health/zone-health.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import { recordOf } from '../support/state.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 22, 3, 0, 7);
const EVERY = 12_000;

type Traffic = (at: number) => Partial<LogRecord>;

/** A server with this many evenly spaced rows a second, told as the API tells them. */
function server(rate: number, traffic: Traffic = () => ({})) {
  const step = 1000 / rate;
  return ({ from, to }: { from: number; to: number }, limit: number, now: number): HealthAnswer => {
    const records: LogRecord[] = [];
    const newest = Math.floor((Math.min(to, now) - 1) / step);
    let n = newest;
    for (; n * step >= from && records.length < limit; n--)
      records.push(
        recordOf(1, { cacheStatus: 'HIT', timestamp: Math.floor(n * step), ...traffic(n * step) }),
      );
    return { kind: 'rows', records, hasMore: n * step >= from, serverNow: now };
  };
}

/** Reads what is due until nothing is; gives the readings of rows. */
function read(health: ZoneHealth, ask: ReturnType<typeof server>, now: number) {
  const readings = [];
  for (let next = nextReading(health, { now, every: EVERY, hasShield: false }); next !== null; ) {
    if (next.kind === 'rows') {
      readings.push(next);
      health = withAnswer(health, next, ask(next.range, next.limit, now), now);
    }
    next = nextReading(health, { now, every: EVERY, hasShield: false });
  }
  return { health, readings };
}

const failing =
  (share: number, since: number): Traffic =>
  (at) =>
    at >= since && (Math.floor(at / 7) * 2654435761) % 1000 < share * 1000 ? { statusCode: 502 } : {};

test('a quiet zone tells its hour in one request, a busy one in the newest rows and five samples of its past', () => {
  const quiet = read(NO_HEALTH, server(0.1), NOW);
  assert.equal(quiet.readings.length, 1);
  const busy = read(NO_HEALTH, server(200), NOW);
  assert.equal(busy.readings.length, 6);
  assert.equal(new Set(busy.readings.map(({ range }) => range.to)).size, 6);
  assert.equal(busy.readings[0]?.range.to, NOW - SETTLING);
});

test('figures are of the newest rows, with the time and the rows that they are of', () => {
  const { health } = read(
    NO_HEALTH,
    server(200, (at) => (at % 20 < 10 ? { cacheStatus: 'MISS' } : {})),
    NOW,
  );
  const now = recentFigures(health);
  assert.equal(now?.rows, 499);
  assert.equal(now?.to, NOW - SETTLING);
  assert.ok(Math.abs((now?.requestsPerSecond ?? 0) - 200) < 3, String(now?.requestsPerSecond));
  assert.ok(Math.abs((now?.hitRatio ?? 0) - 0.5) < 0.01);
  assert.equal(now?.errorRatio, 0);
  const quiet = recentFigures(read(NO_HEALTH, server(0.1), NOW).health);
  assert.equal(quiet?.covered, (quiet?.to ?? 0) - (quiet?.from ?? 0));
  assert.ok((quiet?.covered ?? 0) > 4 * MINUTE && (quiet?.covered ?? 0) <= 5 * MINUTE);
  assert.ok(Math.abs((quiet?.requestsPerSecond ?? 0) - 0.1) < 0.01);
});

test('nothing is read again before it is due, and then the last minutes are counted anew', () => {
  const first = read(NO_HEALTH, server(1), NOW).health;
  assert.equal(nextReading(first, { now: NOW + EVERY - 1, every: EVERY, hasShield: false }), null);
  const later = read(first, server(1), NOW + EVERY);
  assert.equal(later.readings.length, 1);
  const rows = (health: ZoneHealth) => health.bins.reduce((sum, bin) => sum + bin.rows, 0);
  const covered = (health: ZoneHealth) => health.bins.reduce((sum, bin) => sum + bin.to - bin.from, 0);
  assert.ok(Math.abs(rows(later.health) - covered(later.health) / 1000) <= 1, 'each row once');
  assert.equal(recentFigures(later.health)?.to, NOW + EVERY - SETTLING);
});

test('what is older is kept by five minutes, and lacks nothing', () => {
  const { health } = read(NO_HEALTH, server(0.1), NOW);
  assert.ok(health.bins.length <= 21, `${health.bins.length} bins`);
  const rows = health.bins.reduce((sum, bin) => sum + bin.rows, 0);
  const covered = health.bins.reduce((sum, bin) => sum + bin.to - bin.from, 0);
  assert.ok(Math.abs(rows - covered / 10_000) <= 1);
  assert.ok(covered > 60 * MINUTE);
  const later = read(health, server(0.1), NOW + 20 * MINUTE).health;
  assert.ok(later.bins.every((bin, at) => bin.from >= (later.bins[at - 1]?.to ?? 0)));
});

test('a zone of one request a second with one 502 is nothing beside one whose origin fails', () => {
  const one = read(
    NO_HEALTH,
    server(1, (at) => (Math.floor(at / 1000) === Math.floor(NOW / 1000) - 9 ? { statusCode: 502 } : {})),
    NOW,
  );
  const fails = read(NO_HEALTH, server(5, failing(0.3, NOW - 4 * MINUTE)), NOW);
  const [small, large] = [scoreOf(one.health), scoreOf(fails.health)];
  assert.equal(recentFigures(one.health)?.sums.serverErrors, 1);
  assert.deepEqual(small?.parts, []);
  assert.ok((large?.score ?? 0) > 20, String(large?.score));
  assert.equal(large?.parts[0]?.query, 'status:5xx');
  assert.match(large?.why ?? '', /^5xx \d+\.\d% of \d+ rows, 0% before/);
});

test('errors that were there all the hour stand out, too, but less than new ones of the same share', () => {
  const scoreFrom = (since: number) => scoreOf(read(NO_HEALTH, server(5, failing(0.3, since)), NOW).health);
  const [fresh, lasting] = [scoreFrom(NOW - 4 * MINUTE), scoreFrom(0)];
  assert.ok((lasting?.score ?? 0) > 5 && (lasting?.score ?? 0) < (fresh?.score ?? 0) / 2);
});

test('each measure stands out by itself, against the past of its own zone', () => {
  const since = NOW - 4 * MINUTE;
  const found = (rate: number, traffic: Traffic) =>
    scoreOf(read(NO_HEALTH, server(rate, traffic), NOW).health)?.parts.map(({ measure }) => measure);
  assert.deepEqual(
    found(3, () => ({})),
    [],
  );
  assert.deepEqual(
    found(3, (at) => (at >= since && at % 3000 < 1000 ? { statusCode: 404 } : {})),
    ['clientErrors'],
  );
  assert.deepEqual(
    found(3, (at) => (at >= since && at % 3000 < 2000 ? { cacheStatus: 'MISS' } : {})),
    ['misses'],
  );
  assert.deepEqual(
    found(3, (at) => (at % 3000 < 2000 ? { cacheStatus: 'MISS' } : {})),
    [],
  );
});

test('traffic that multiplies or stops stands out', () => {
  const until = (health: ZoneHealth, rate: number) => read(health, server(rate), NOW + 6 * MINUTE).health;
  const usual = read(NO_HEALTH, server(2), NOW).health;
  assert.deepEqual(scoreOf(until(usual, 2.2))?.parts, []);
  assert.equal(scoreOf(until(usual, 30))?.parts[0]?.measure, 'requests');
  assert.equal(scoreOf(until(usual, 0.001))?.parts[0]?.measure, 'requests');
});

test('what Shield blocks counts against the hour before it', () => {
  const { health } = read(NO_HEALTH, server(1), NOW);
  const blocked = (now: number, before: number): ZoneHealth => ({
    ...health,
    blocked: { from: NOW - 5 * MINUTE, to: NOW, blocked: now },
    blockedBefore: { from: NOW - 65 * MINUTE, to: NOW - 5 * MINUTE, blocked: before },
  });
  assert.equal(scoreOf(blocked(900, 12))?.parts[0]?.measure, 'blocked');
  assert.deepEqual(scoreOf(blocked(3, 12))?.parts, []);
  assert.deepEqual(scoreOf(blocked(0, 900))?.parts, []);
});

test('the curve has a level for what was read of each part of the hour, and none for what was not', () => {
  const { health } = read(NO_HEALTH, server(200), NOW);
  const curve = requestCurve(health, 6);
  assert.equal(curve.length, 6);
  assert.ok(curve.filter((level) => level !== null).length >= 5);
  const newest = withAnswer(
    NO_HEALTH,
    { kind: 'rows', range: { from: NOW - 65 * MINUTE, to: NOW }, limit: 500 },
    server(200)({ from: NOW - 65 * MINUTE, to: NOW }, 500, NOW),
    NOW,
  );
  assert.deepEqual(requestCurve(newest, 6).slice(0, 5), [null, null, null, null, null]);
  assert.equal(pastFigures(newest), null);
});

test('a refusal is kept as such with the figures from before, and is asked about again when it is due', () => {
  const { health } = read(NO_HEALTH, server(1), NOW);
  const reading = nextReading(health, { now: NOW + EVERY, every: EVERY, hasShield: false });
  assert.equal(reading?.kind, 'rows');
  const refused = withAnswer(
    health,
    reading,
    { kind: 'failed', failure: failureOf('rateLimited') },
    NOW + EVERY,
  );
  assert.equal(refused.failure?.kind, 'rateLimited');
  assert.deepEqual(refused.bins, health.bins);
  assert.equal(nextReading(refused, { now: NOW + EVERY + 1, every: EVERY, hasShield: false }), null);
  assert.notEqual(nextReading(refused, { now: NOW + 2 * EVERY, every: EVERY, hasShield: false }), null);
});

test('Shield that refuses to tell what it blocked is not asked again at once', () => {
  const asked = { now: NOW, every: EVERY, hasShield: true };
  let { health } = read(NO_HEALTH, server(0.1), NOW);
  let searches = 0;
  for (
    let next = nextReading(health, asked);
    next !== null && searches < 9;
    next = nextReading(health, asked)
  ) {
    searches++;
    health = withAnswer(health, next, { kind: 'failed', failure: failureOf('rateLimited') }, NOW);
  }
  assert.equal(searches, 1);
});

test('what Shield blocked before is asked for where it blocks now', () => {
  const { health } = read(NO_HEALTH, server(0.1), NOW);
  const asked = { now: NOW, every: EVERY, hasShield: true };
  const next = nextReading(health, asked) ?? assert.fail();
  const after = (blocked: number) =>
    nextReading(withAnswer(health, next, { kind: 'blocked', blocked }, NOW), asked);
  assert.equal(after(0), null);
  const before = after(3);
  assert.ok(before?.kind === 'blocked' && before.isBefore);
});

test('what our clock is ahead of the server by is not claimed as read', () => {
  const range = { from: NOW - 65 * MINUTE, to: NOW };
  const behind = NOW - 30 * MINUTE;
  const health = withAnswer(
    NO_HEALTH,
    { kind: 'rows', range, limit: 500 },
    server(0.01)(range, 500, behind),
    NOW,
  );
  assert.equal(recentFigures(health)?.to, behind);
});

test('minutes right before the recent ones are no past: what goes wrong may have begun in them', () => {
  // The newest 500 rows reach six minutes back, and it has failed for seven.
  const range = { from: NOW - 65 * MINUTE, to: NOW };
  const answer = server(1.4, failing(0.075, NOW - 7 * MINUTE))(range, 500, NOW);
  const first = withAnswer(NO_HEALTH, { kind: 'rows', range, limit: 500 }, answer, NOW);
  assert.equal(pastFigures(first), null);
  const score = scoreOf(first);
  assert.match(score?.why ?? '', /^5xx .* before unknown$/);
  const { health } = read(first, server(1.4, failing(0.075, NOW - 7 * MINUTE)), NOW + 1000);
  assert.match(scoreOf(health)?.why ?? '', /^5xx .*% before$/);
});
