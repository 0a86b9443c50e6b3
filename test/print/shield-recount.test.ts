import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createClient } from '../../src/api/client.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import type { CommandLine } from '../../src/config/command/command-line.ts';
import { SHIELD_FIELDS, type ShieldField } from '../../src/domain/query/fields.ts';
import { shapeOf } from '../../src/domain/query/path-shape.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { printShield } from '../../src/print/shield-command.ts';
import { maskUrlSecrets } from '../../src/text/mask.ts';
import { Secret } from '../../src/text/secret.ts';
import { OPENED } from '../support/platform.ts';
import { runs } from '../support/properties.ts';
import { startSimulator } from '../support/simulator/server.ts';
import { textTaker } from '../support/text-taker.ts';
import { clockShowing } from '../support/virtual-clock.ts';

const MINUTE = 60_000;
const QUERIES = runs(40);

type Event = Record<string, string>;

/** The names that the API has for what is asked by a field. */
const DIMENSIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries<ShieldField>(SHIELD_FIELDS).flatMap(([id, { derive, dimension }]) =>
    derive ? [] : [[id, dimension]],
  ),
);
const FIELDS = Object.keys(DIMENSIONS);

/** A simulator, its events of some minutes that all reads show by now, and the printed command over them. */
async function bench(t: TestContext) {
  // The same minutes whenever it runs: some of a day have no event of a kind that is asked for.
  const ahead = OPENED - Date.now();
  const clock = clockShowing(() => Date.now() + ahead);
  const sim = await startSimulator({ seed: 7, rate: 20, clock });
  t.after(() => sim.close());
  const zone = sim.zones.find((each) => each.name === 'shop-frontend');
  assert.ok(zone);
  const to = Math.floor(clock.now() / MINUTE) * MINUTE - 6 * MINUTE;
  const from = to - 25 * MINUTE;
  const events: Event[] = [];
  for (let page = 0, pages = 1; page < pages; page++) {
    const answer = await fetch(`${sim.baseUrl}/shield/event-logs/${zone.shieldZoneId}/search`, {
      method: 'POST',
      headers: { AccessKey: sim.accessKey, 'content-type': 'application/json' },
      body: JSON.stringify({ from, to, page, pageSize: 500 }),
    });
    const body = (await answer.json()) as {
      rows: { timestamp: number; fields: Event }[];
      totalPages: number;
    };
    pages = body.totalPages;
    for (const { timestamp, fields } of body.rows) {
      const named = Object.entries(DIMENSIONS).map(([id, name]) => [id, fields[name] ?? '']);
      // Signed-URL tokens are masked wherever they are shown.
      const url = maskUrlSecrets(fields['url'] ?? '');
      events.push({ ...Object.fromEntries(named), url, at: String(timestamp) });
    }
  }
  // What the simulator planted, second by second, is what its unfiltered answer holds.
  const planted = sim.truth(zone.id, from, to).filter((row) => row.shield !== null);
  assert.equal(events.length, planted.length);
  const shieldZone = `shield:${zone.shieldZoneId}`;
  const client = createClient({
    baseUrl: sim.baseUrl,
    loggingUrl: sim.loggingUrl,
    credentials: { accessKey: new Secret(sim.accessKey), token: null },
    allowWrites: false,
    quota: createQuota({ factor: 0.0001, clock }),
    clock,
  });
  t.after(() => client.close());
  async function printed(text: string): Promise<Record<string, unknown>[]> {
    const query = parseQuery(`${text} from:${from} to:${to}`, 'shield', clock.now());
    assert.ok(query.ok, text);
    let out = '';
    let complaints = '';
    const code = await printShield(
      {
        stderr: textTaker((text) => {
          complaints += text;
        }),
        format: 'ndjson',
        client,
        clock,
        write: async (chunk) => {
          out += chunk;
        },
        onEnd() {},
      },
      { zone: shieldZone, limit: null } as CommandLine,
      query.query,
    );
    assert.equal(code, 0, `${text}\n${complaints}`);
    return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  }
  return { events, printed };
}

/** The recount's own reading of a term; nothing of the program is used. */
type Test = { text: string; holds: (event: Event) => boolean };

const escaped = (value: string) =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('*', '\\*');
const quoted = (value: string) => `"${escaped(value)}"`;

/** Every operator of the contract on a value that some event has; `other` is one more value, for lists. */
function testsOf(field: string, value: string, other: string): Test[] {
  const lower = value.toLowerCase();
  const part = value.slice(1, Math.max(3, Math.floor(value.length / 2))) || value;
  const head = value.slice(0, Math.max(1, Math.floor(value.length / 2)));
  const tail = value.slice(Math.max(1, Math.floor(value.length / 2)));
  const read = (event: Event) => event[field]?.toLowerCase() ?? '';
  const tests: Test[] = [
    { text: `${field}:${quoted(value)}`, holds: (event) => read(event) === lower },
    {
      text: `${field}:${quoted(value)},${quoted(other)}`,
      holds: (event) => [lower, other.toLowerCase()].includes(read(event)),
    },
    // An AS number is known by its digits; a part of them is no question about networks.
    ...(field === 'asn'
      ? []
      : [
          {
            text: `${field}~${quoted(part)}`,
            holds: (event: Event) => read(event).includes(part.toLowerCase()),
          },
        ]),
    {
      text: `${field}:"${escaped(head)}*"`,
      holds: (event) => read(event) !== '' && read(event).startsWith(head.toLowerCase()),
    },
    {
      text: `${field}:"*${escaped(tail)}"`,
      holds: (event) => read(event) !== '' && read(event).endsWith(tail.toLowerCase()),
    },
  ];
  if (field !== 'ip') return tests;
  for (const bits of value.includes(':') ? [32, 47, 64, 128] : [8, 15, 16, 27, 32]) {
    tests.push({ text: `ip:${value}/${bits}`, holds: (event) => isWithin(event['ip'] ?? '', value, bits) });
  }
  return tests;
}

/** An address as its bits, by hand: the recount must not read addresses as the program does. */
function bitsOf(address: string): string {
  if (!address.includes(':')) {
    return address
      .split('.')
      .map((byte) => Number(byte).toString(2).padStart(8, '0'))
      .join('');
  }
  const [left = '', right = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const missing = 8 - groups(left).length - groups(right).length;
  return [...groups(left), ...Array<string>(missing).fill('0'), ...groups(right)]
    .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
    .join('');
}

function isWithin(address: string, network: string, bits: number): boolean {
  if (address === '' || address.includes(':') !== network.includes(':')) return false;
  return bitsOf(address).slice(0, bits) === bitsOf(network).slice(0, bits);
}

const not = (each: Test): Test => ({ text: `-${each.text}`, holds: (event) => !each.holds(event) });

function counted(events: readonly Event[], by: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const event of events) {
    const key = by.map((field) => event[field] ?? '').join(' | ');
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

function printedCounts(groups: Record<string, unknown>[], by: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    groups.map((group) => {
      const key = group['key'] as Record<string, string | null>;
      return [by.map((field) => key[DIMENSIONS[field] ?? field] ?? '').join(' | '), Number(group['count'])];
    }),
  );
}

/** The page and the network of an event, by hand; its shape, whose rules have a test of their own. */
function withDerived(event: Event): Event {
  const { url = '', ip = '' } = event;
  const net = ip.includes(':')
    ? `${ip.split(':').slice(0, 3).join(':')}::/48`
    : ip.replace(/\.[^.]*$/, '.0/24');
  return { ...event, page: url.split('?')[0] ?? '', net, shape: shapeOf(url) };
}

/** Pages, shapes and networks, which Shield knows nothing of, count and find what a recount of the events does. */
async function recountedDerived({ events: read, printed }: Awaited<ReturnType<typeof bench>>): Promise<void> {
  const events = read.map(withDerived);
  const [{ page = '', net = '' } = {}] = events.filter((event) => event['url']?.includes('?'));
  const [{ shape = '' } = {}] = events.filter((event) => event['shape']?.includes('<n>'));
  const path = page.replace(/^https?:\/\/[^/]*/, '');
  const questions: { text: string; holds: (event: Event) => boolean }[] = [
    { text: '', holds: () => true },
    { text: `page:${quoted(page)}`, holds: (event) => event['page']?.toLowerCase() === page.toLowerCase() },
    {
      text: `page:${quoted(path)}`,
      holds: (event) => event['page']?.replace(/^https?:\/\/[^/]*/, '') === path,
    },
    { text: `-page:${quoted(page)}`, holds: (event) => event['page']?.toLowerCase() !== page.toLowerCase() },
    {
      text: `shape:${quoted(shape)}`,
      holds: (event) => event['shape']?.toLowerCase() === shape.toLowerCase(),
    },
    { text: 'shape~n>', holds: (event) => event['shape']?.includes('n>') ?? false },
    {
      text: `-shape:${quoted(shape)}`,
      holds: (event) => event['shape']?.toLowerCase() !== shape.toLowerCase(),
    },
    { text: `net:${net}`, holds: (event) => event['net'] === net },
    { text: `-net:${net}`, holds: (event) => event['net'] !== net },
  ];
  for (const { text, holds } of questions) {
    const held = events.filter(holds);
    assert.ok(held.length > 0, text);
    for (const by of [['page'], ['shape'], ['net'], ['net', 'page'], ['country'], ['page', 'url']]) {
      const groups = await printed(`${text} by:${by.join()}`);
      assert.deepEqual(printedCounts(groups, by), counted(held, by), `${text} by:${by.join()}`);
      const [first] = groups as { key: Record<string, string>; firstSeen: number; lastSeen: number }[];
      const times = held
        .filter((event) => by.every((field) => event[field] === first?.key[field]))
        .map((event) => Number(event['at']));
      assert.deepEqual([first?.firstSeen, first?.lastSeen], [Math.min(...times), Math.max(...times)], text);
    }
    assert.equal((await printed(text)).length, held.length, `rows of ${text}`);
  }
}

test('every operator of every dimension counts what a recount of the events counts, and so do exclusions, pages and networks', async (t) => {
  const asked = await bench(t);
  const { events, printed } = asked;
  await recountedDerived(asked);
  assert.ok(events.length > 300, `${events.length} events`);
  for (const field of FIELDS) {
    const values = new Set(events.map((event) => event[field] ?? '').filter((value) => value !== ''));
    // Of addresses one of each kind, where these minutes have both.
    const kinds = field === 'ip' ? [/\./, /:/] : [/^[ -~]+$/];
    const chosen = kinds.flatMap((kind) => [...values].find((each) => kind.test(each)) ?? []);
    assert.ok(chosen.length > 0, field);
    const other = [...values].at(-1) ?? '';
    const by = field === 'country' ? 'action' : 'country';
    const tests = chosen.flatMap((value) => testsOf(field, value, other));
    for (const [n, each] of tests.flatMap((one) => [one, not(one)]).entries()) {
      const groups = await printed(`${each.text} by:${by}`);
      assert.deepEqual(printedCounts(groups, [by]), counted(events.filter(each.holds), [by]), each.text);
      // Rows are read in full, thousands of them where little is excluded: for some of the terms.
      if (n % 6 > 1) continue;
      const rows = await printed(each.text);
      assert.equal(rows.length, events.filter(each.holds).length, `rows of ${each.text}`);
    }
  }
});

test('random queries count what a recount of the events counts', async (t) => {
  const { events, printed } = await bench(t);
  let seed = 20_261_121;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (let n = 0; n < QUERIES; n++) {
    const terms = Array.from({ length: random(3) }, () => {
      const field = FIELDS[random(FIELDS.length)] ?? 'ip';
      const value = events[random(events.length)]?.[field] ?? '';
      const other = events[random(events.length)]?.[field] || value;
      const tests = value === '' ? [] : testsOf(field, value, other);
      const chosen = tests[random(tests.length)];
      return chosen && (random(3) === 0 ? not(chosen) : chosen);
    }).filter((each) => each !== undefined);
    const by = [FIELDS[random(FIELDS.length)] ?? 'ip', FIELDS[random(FIELDS.length)] ?? 'ip'].slice(
      0,
      1 + random(2),
    );
    const dims = [...new Set(by)];
    const wanted = events.filter((event) => terms.every((each) => each.holds(event)));
    const text = `${terms.map((each) => each.text).join(' ')} by:${dims.join(',')}`;
    const groups = await printed(text);
    assert.deepEqual(printedCounts(groups, dims), counted(wanted, dims), text);
    const seen = groups.map((group) => Number(group['lastSeen']));
    const newest = Math.max(...wanted.map((event) => Number(event['at'])));
    if (wanted.length > 0) assert.equal(Math.max(...seen), newest, `newest of ${text}`);
  }
});
