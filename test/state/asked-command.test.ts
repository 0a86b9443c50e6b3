import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import type { Client } from '../../src/api/client.ts';
import { readCommandLine } from '../../src/config/command/command-line.ts';
import { commandOf } from '../../src/domain/handover/place.ts';
import type { Need } from '../../src/domain/inquiry/inquiry.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { printAsk } from '../../src/print/ask/ask.ts';
import { againOnTop } from '../../src/screens/screens.ts';
import type { AnswerView } from '../../src/state/answer-model.ts';
import type { State } from '../../src/state/model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { shellWords } from '../support/shells.ts';
import { PAIRS } from '../support/shield.ts';
import { listedState, NOON, played, recordOf, reportOf, zoneOf } from '../support/state.ts';
import { liveLog } from '../support/timeline.ts';
import { clockShowing } from '../support/virtual-clock.ts';

const SHOP = zoneOf('1', 'shop', { shieldZoneId: '9' });

/** A followed zone, paused on the address of its row; its filter is one that a rule can be made of. */
function onAddress(filter: string): State {
  const { state } = played(
    listedState([SHOP]),
    { type: 'shieldMapped', pairs: PAIRS },
    'open',
    {
      type: 'tailRead',
      zone: '1',
      generation: 1,
      event: {
        rows: [{ record: recordOf(0, { remoteIp: '192.0.2.7', timestamp: NOON - 90_000 }), late: false }],
        report: reportOf(),
      },
    },
    'pause',
    ...Array.from({ length: 5 }, () => 'right' as const),
  );
  const parsed = parseQuery(filter, 'logs', NOON);
  assert.ok(parsed.ok);
  const { query } = parsed;
  return { ...state, views: state.views.map((view) => (view.kind === 'log' ? { ...view, query } : view)) };
}

function answer(state: State): AnswerView {
  const view = topView(state);
  assert.equal(view.kind, 'answer', state.notice?.text);
  return view as AnswerView;
}

/** What a server sees of a request: how it is put together is the inquiry's own. */
function seen(need: Pick<Need, 'kind'> & Partial<Need>): string {
  if (need.kind === 'shield') return JSON.stringify([need.shieldZoneId, need.ask]);
  if (need.kind === 'originErrors') return JSON.stringify([need.kind, need.zoneId, need.day]);
  if (need.kind === 'changes') return JSON.stringify([need.kind, need.day]);
  const { zoneId, range, filter, rows = 10_000 } = need as Extract<Need, { kind: 'logs' }>;
  return JSON.stringify([zoneId, range.from, range.to, filter, rows]);
}

/** The requests that a command line sends, answered with nothing. */
async function sentBy(line: string, now = NOON): Promise<string[]> {
  const [, ...argv] = shellWords(line) ?? [];
  const usage = readCommandLine(argv, import.meta, { name: 'edgescope', version: '0', description: '' });
  assert.ok(usage.ok, `${line}: ${usage.ok ? '' : usage.message}`);
  const query = parseQuery(usage.value.query, usage.value.subject, now);
  assert.ok(query.ok, line);
  const sent: string[] = [];
  const client = {
    list: async () => ({ ok: true, value: { items: [SHOP], page: 1, total: 1, hasMore: false } }),
    shieldZoneOfPullZone: async () => ({ ok: true, value: '9' }),
    serverTime: () => ({ dates: [], rows: null, wall: null }),
    async logs({ pullZoneId, from, to, order, limit, filter }: Parameters<Client['logs']>[0]) {
      // The newest row is asked for to tell the time by.
      if (order === 'asc') sent.push(JSON.stringify([pullZoneId, from, to, filter, limit]));
      return { ok: true, value: { rows: [], hasMore: false } };
    },
    async originErrors(zoneId: string, day: string) {
      sent.push(JSON.stringify(['originErrors', zoneId, day]));
      return { ok: true, value: { errors: [], unread: 0 } };
    },
    async changes(day: string) {
      sent.push(JSON.stringify(['changes', day]));
      return { ok: true, value: { changes: [], next: null, unread: 0 } };
    },
    async shieldSearch(shieldZoneId: string, ask: Parameters<Client['shieldSearch']>[1]) {
      sent.push(JSON.stringify([shieldZoneId, ask]));
      const nothing = {
        kind: 'rows',
        events: [],
        groups: [],
        total: 0,
        totalPages: 0,
        page: ask.page,
        bad: 0,
      };
      return { ok: true, value: nothing };
    },
  } as unknown as Client;
  const stderr = new Writable({ write: (_chunk, _encoding, done) => done() });
  const clock = clockShowing(() => now);
  const printer = {
    stderr,
    format: 'ndjson',
    client,
    clock,
    write: async () => {},
    onEnd() {},
    flags: [],
  } as const;
  assert.equal(await printAsk(printer, usage.value, query.query), 0, line);
  return sent;
}

/** From where to where requests of a log reach, and how much time they are, ms. */
function timeOf(requests: readonly string[]): number[] {
  const ranges = requests.map((request) => JSON.parse(request) as [string, number, number]);
  return [
    Math.min(...ranges.map(([, from]) => from)),
    Math.max(...ranges.map(([, , to]) => to)),
    ranges.reduce((sum, [, from, to]) => sum + to - from, 0),
  ];
}

const KEYS = {
  wrong: 'wrong',
  compare: 'compare',
  missLens: 'misses',
  bypassCheck: 'through',
  pivot: 'timeline',
  incidents: 'incidents',
  blastRadius: 'rule',
} as const;

test('the copied command of a selection that is compared with all the rest asks for the times before and after it', async () => {
  const brushed = played(liveLog(60), 'timeline', 'pageUp', 'selectLeft', 'compare').state;
  const [first] = answer(brushed).choices;
  assert.ok(first?.asked && first.inquiry);
  const source = againOnTop(brushed);
  assert.ok(typeof source !== 'string' && source.screen === 'ask');
  const sent = await sentBy(commandOf(source, []) ?? '', brushed.now);
  assert.deepEqual(new Set(sent), new Set(first.inquiry.needs.map(seen)));
});

for (const [key, question] of Object.entries(KEYS) as [keyof typeof KEYS, string][]) {
  test(`the copied command of ${question} sends the requests of the screen, whichever way was chosen`, async () => {
    const { state } = played(onAddress('asn:64500 last:30m'), key);
    const view = answer(state);
    const ways = view.choices.filter((choice) => choice.inquiry !== null);
    assert.ok(ways.length > 0);
    for (const { inquiry, asked } of ways) {
      const source = againOnTop({ ...state, views: [...state.views.slice(0, -1), { ...view, asked }] });
      assert.ok(typeof source !== 'string' && source.screen === 'ask');
      const line = commandOf(source, []) ?? '';
      assert.ok(line.startsWith(`edgescope ask ${question} shop 'from:`), line);
      const sent = await sentBy(line);
      const wanted = inquiry.needs.map(seen);
      // How many rows there are the screen knows from its log, and reads them in fewer requests.
      if (question === 'misses') {
        assert.deepEqual(timeOf(sent), timeOf(wanted));
        continue;
      }
      for (const each of wanted) assert.ok(sent.includes(each), `${line}\n${each}\n${sent.join('\n')}`);
      // Beside them the request of the line is looked up by its id, and the client's events are asked for.
      const more = inquiry.follow ? inquiry.follow.most - wanted.length : 0;
      assert.ok(sent.length <= wanted.length + more + 1, `${line} ${sent.length} ${wanted.length}`);
    }
  });
}
