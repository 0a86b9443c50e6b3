import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '../../src/api/client.ts';
import { failureOf } from '../../src/domain/failure.ts';
import { EMPTY_QUERY } from '../../src/domain/query/query.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import type { ShieldSearchRequest } from '../../src/domain/shield/shield.ts';
import { UNKNOWN_SERVER_TIME } from '../../src/domain/tail/server-time.ts';
import {
  createWatcher,
  parseWatch,
  SETTLED,
  type Watch,
  type WatchVerdict,
} from '../../src/domain/watch/watch.ts';
import { startWatch } from '../../src/effects/run.ts';
import {
  countingPlan,
  logMinutes,
  type MinuteReader,
  minutePlan,
  shieldMinutes,
  watchMinutes,
} from '../../src/effects/watch-minutes.ts';
import { eventWith } from '../support/rows.ts';
import { groupOf } from '../support/shield.ts';
import { NOON, recordOf, zoneOf } from '../support/state.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const MINUTE = 60_000;

function watchOf(text: string, subject: 'logs' | 'shield'): Watch {
  const reading = parseWatch(text, subject);
  assert.ok(reading.ok, text);
  return reading.watch;
}

function watching(watch: Watch, read: MinuteReader, since = NOON, behind = 0) {
  const clock = new VirtualClock({ real: NOON });
  const stopper = new AbortController();
  const verdicts: WatchVerdict[] = [];
  const failures: string[] = [];
  void watchMinutes({
    watch,
    since,
    clock,
    now: () => clock.now() - behind,
    signal: stopper.signal,
    read,
    judged: (verdict) => verdicts.push(verdict),
    failed: ({ kind }) => failures.push(kind),
  });
  return { clock, stopper, verdicts, failures };
}

const event = (at: number, action: string) =>
  eventWith({ logId: `${at}`, timestamp: at, fields: { action } });

test('each minute is read once, after its late rows had time, and judged', async () => {
  const asked: [number, number][] = [];
  let clock: VirtualClock | null = null;
  const started = watching(watchOf('events>=2/min', 'shield'), async ({ from }, into) => {
    asked.push([from - NOON, (clock?.real ?? 0) - NOON]);
    into.addEvents(from, null, from === NOON + MINUTE ? 2 : 1);
    return null;
  });
  clock = started.clock;
  await clock.run(NOON + 3 * MINUTE + SETTLED);
  assert.deepEqual(asked, [
    [0, MINUTE + SETTLED],
    [MINUTE, 2 * MINUTE + SETTLED],
    [2 * MINUTE, 3 * MINUTE + SETTLED],
  ]);
  assert.deepEqual(
    started.verdicts.map(({ kind }) => kind),
    ['waiting', 'no', 'met', 'no'],
  );
  started.stopper.abort();
  await clock.run(NOON + 10 * MINUTE);
  assert.equal(asked.length, 3);
});

test('a minute that could not be read is told and judged neither way', async () => {
  const { clock, verdicts, failures } = watching(watchOf('events<1/min', 'shield'), async ({ from }) =>
    from === NOON ? failureOf('connectionLost', { host: 'api.example.com' }) : null,
  );
  await clock.run(NOON + 2 * MINUTE + SETTLED);
  assert.deepEqual(failures, ['connectionLost']);
  assert.deepEqual(
    verdicts.slice(1).map((verdict) => (verdict.kind === 'waiting' ? verdict.why : verdict.kind)),
    ['12:00–12:01Z was not read whole', 'met'],
  );
});

test('minutes gone by are read at once; after hours asleep the old ones are passed over', async () => {
  const asked: number[] = [];
  const { clock, verdicts } = watching(
    watchOf('events>=1/min', 'shield'),
    async ({ from }) => {
      asked.push((from - NOON) / MINUTE);
      return null;
    },
    NOON - 3 * MINUTE,
  );
  await clock.run(NOON);
  assert.deepEqual(asked, [-3, -2]);
  clock.suspend(5 * 60 * MINUTE, true);
  await clock.run(clock.real + 1);
  assert.ok(asked.length < 8, `${asked}`);
  assert.equal(asked.at(-1), 298);
  assert.notEqual(verdicts.at(-1)?.kind, 'met');
});

test('minutes that were asked for are read however far they lie back', async () => {
  const asked: number[] = [];
  const read: MinuteReader = async ({ from }) => {
    asked.push((from - NOON) / MINUTE);
    return null;
  };
  const { clock } = watching(watchOf('events>=1/min', 'shield'), read, NOON - 180 * MINUTE);
  await clock.run(NOON);
  assert.deepEqual([asked[0], asked.length], [-180, 179]);
});

test('a minute is read when it is over with the server, whatever our clock shows', async () => {
  const asked: number[] = [];
  const read: MinuteReader = async ({ from }) => {
    asked.push(from);
    return null;
  };
  const { clock, stopper } = watching(watchOf('events>=2/min', 'shield'), read, NOON, 10 * MINUTE);
  await clock.advance(11 * MINUTE + 10_000);
  assert.deepEqual(asked, []);
  await clock.advance(MINUTE);
  assert.deepEqual(asked, [NOON]);
  stopper.abort();
});

test('Shield is asked for whole minutes, all pages, and each event counts once', async () => {
  const requests: ShieldSearchRequest[] = [];
  const pages = [
    [event(NOON, 'blocked'), event(NOON + 1, 'logged')],
    [event(NOON + 1, 'logged'), event(NOON + 2, 'blocked')],
  ];
  const client = {
    async shieldSearch(_id: string, request: ShieldSearchRequest) {
      requests.push(request);
      const events = pages[request.page] ?? [];
      const value = { kind: 'rows', events, groups: [], total: 4, totalPages: 2, page: request.page, bad: 0 };
      return { ok: true, value };
    },
  } as unknown as Client;
  const printed: number[] = [];
  const read = shieldMinutes(client, '9', minutePlan(EMPTY_QUERY), async ({ events }) => {
    printed.push(events.length);
  });
  const { clock, verdicts } = watching(watchOf('blocked>=2/min', 'shield'), read);
  await clock.run(NOON + MINUTE + SETTLED);
  const last = verdicts.at(-1);
  assert.deepEqual([last?.kind, last?.kind === 'met' && last.measured], ['met', 2]);
  assert.deepEqual(
    requests.map(({ from, to, page }) => [from - NOON, to - NOON, page]),
    [
      [0, MINUTE, 0],
      [0, MINUTE, 1],
    ],
  );
  assert.deepEqual(printed, [3]);
});

test('groups count by their action, or by what their context says of actions', async () => {
  const context = { country: null, asn: null, features: [], ruleIds: [], challenged: 1, logged: null };
  const group = (key: Record<string, string>, count: number, blocked: number | null) =>
    groupOf(key, count, { context: { ...context, blocked } });
  const measured = async (by: 'action' | 'ip', text: string) => {
    const groups =
      by === 'action'
        ? [group({ action: 'blocked' }, 5, 5), group({ action: 'logged' }, 3, 0)]
        : [group({ ip: '192.0.2.1' }, 6, 5), group({ ip: '192.0.2.2' }, 2, null)];
    const client = {
      shieldSearch: async () => ({
        ok: true,
        value: { kind: 'groups', events: [], groups, total: 2, totalPages: 1, page: 0, bad: 0 },
      }),
    } as unknown as Client;
    const read = shieldMinutes(client, '9', minutePlan({ ...EMPTY_QUERY, groupBy: [by] }));
    const { clock, verdicts } = watching(watchOf(text, 'shield'), read);
    await clock.run(NOON + MINUTE + SETTLED);
    const last = verdicts.at(-1);
    return last?.kind === 'waiting' ? null : last?.measured;
  };
  assert.equal(await measured('action', 'blocked>1/min'), 5);
  assert.equal(await measured('action', 'events>1/min'), 8);
  assert.equal(await measured('ip', 'blocked>1/min'), 5);
  assert.equal(await measured('ip', 'challenged>1/min'), 2);
  assert.equal(await measured('ip', 'events>1/min'), 8);
});

test('the screen counts actions by groups, and reads events where text has to be excluded here', () => {
  const of = (text: string) => {
    const parsed = parseQuery(text, 'shield', NOON);
    assert.ok(parsed.ok);
    return countingPlan(parsed.query).groupBy;
  };
  assert.deepEqual(of('country:CN'), ['action']);
  assert.deepEqual(of('-country:CN'), ['action', 'country']);
  assert.deepEqual(of('-"union select"'), []);
});

test('a log is watched over the rows that its query wants', async () => {
  const records = Array.from({ length: 40 }, (_, n) => recordOf(n, { statusCode: n < 10 ? 503 : 200 }));
  const client = {
    logs: async () => ({
      ok: true,
      value: {
        rows: records,
        hasMore: false,
        serverNow: NOON + MINUTE,
        sentAt: 0,
        receivedAt: 0,
      },
    }),
  } as unknown as Client;
  const parsed = parseQuery('-url:/p/39', 'logs', NOON);
  assert.ok(parsed.ok);
  const read = logMinutes(client, zoneOf('1', 'shop'), parsed.query);
  const { clock, verdicts } = watching(watchOf('5xx>25%', 'logs'), read);
  await clock.run(NOON + MINUTE + SETTLED);
  const last = verdicts.at(-1);
  assert.deepEqual(last?.kind === 'met' && [last.of, Math.round(last.measured * 100)], [39, 2564]);
});

test('a minute of which a part is too old is read by nobody, and judged neither way', async () => {
  const kept = 72 * 60 * MINUTE;
  const asked: number[] = [];
  const read: MinuteReader = async ({ from }) => {
    asked.push((from - NOON) / MINUTE);
    return null;
  };
  const { clock, verdicts } = watching(watchOf('events<1/min', 'shield'), read, NOON - kept - 5 * MINUTE);
  await clock.run(NOON);
  assert.equal(asked[0], -kept / MINUTE + 1);
  assert.notEqual(verdicts[1]?.kind, 'no');
  const gone = { from: NOON, to: NOON + 1 };
  const value = { kind: 'rows', events: [], groups: [], total: 0, totalPages: 1, page: 0, bad: 0, gone };
  const client = { shieldSearch: async () => ({ ok: true, value }) } as never;
  const reader = shieldMinutes(client, '9', minutePlan(EMPTY_QUERY));
  const minute = { from: NOON, to: NOON + MINUTE };
  const watcher = createWatcher(watchOf('events<1/min', 'shield'), NOON);
  assert.equal(await reader(minute, watcher, new AbortController().signal), 'gone');
});

test('a watch of Shield on a zone without it says so, and asks for no events', async () => {
  const clock = new VirtualClock({ real: NOON });
  const said: string[] = [];
  // Any other call would be none of its functions.
  const client = {
    shieldZoneOfPullZone: async () => ({ ok: true, value: null }),
    serverTime: () => UNKNOWN_SERVER_TIME,
  } as unknown as Client;
  const watch = watchOf('events>=2/min', 'shield');
  const job = startWatch(
    { client, clock },
    { kind: 'watch', key: 'watch', watch, query: EMPTY_QUERY, zones: [zoneOf('1', 'shop')], since: NOON },
    (action) => said.push(action.type === 'watchFailed' ? action.failure.kind : action.type),
  );
  await clock.run(NOON + 2 * MINUTE + SETTLED);
  job.stop();
  assert.deepEqual([...new Set(said)], ['watchJudged', 'noShield']);
});

test('a zone that the query names is the one whose rows are watched', async () => {
  const clock = new VirtualClock({ real: NOON });
  const verdicts: WatchVerdict[] = [];
  const client = {
    logs: async ({ pullZoneId }: { pullZoneId: string }) => {
      const row = { pullZoneId, statusCode: pullZoneId === '2' ? 503 : 200 };
      const records = Array.from({ length: 40 }, (_, n) => recordOf(n, row));
      return {
        ok: true,
        value: { rows: records, hasMore: false, serverNow: NOON, sentAt: 0, receivedAt: 0 },
      };
    },
    serverTime: () => UNKNOWN_SERVER_TIME,
  } as unknown as Client;
  const parsed = parseQuery('zone:shop', 'logs', NOON);
  assert.ok(parsed.ok);
  const job = startWatch(
    { client, clock },
    {
      kind: 'watch',
      key: 'watch',
      watch: watchOf('5xx>25%', 'logs'),
      query: parsed.query,
      zones: [zoneOf('1', 'shop'), zoneOf('2', 'api')],
      since: NOON,
    },
    (action) => action.type === 'watchJudged' && verdicts.push(action.verdict),
  );
  await clock.run(NOON + 2 * MINUTE + SETTLED);
  job.stop();
  assert.ok(verdicts.some(({ kind }) => kind === 'no'));
  assert.ok(verdicts.every(({ kind }) => kind !== 'met'));
});
