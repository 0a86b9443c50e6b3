import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { headsOf } from '../support/heads.ts';
import { openPlatform, type Platform } from '../support/platform.ts';
import type { VirtualSession } from '../support/virtual-session.ts';
import {
  cursorLine,
  type Incident,
  isRead,
  placeOf,
  plantedEvents,
  searchesOf,
  title,
} from './shield-support.ts';
import { openSession } from './support.ts';

/** Every row of the simulator shows after four minutes at the latest. */
const LATEST = 250_000;

const SMALL = { columns: 80, rows: 24 };
const LARGE = { columns: 200, rows: 60 };

const isAnswered = (screen: readonly string[]): boolean => /(READ|PARTIAL, Ctrl-r.*)$/.test(title(screen));
const hasRows = (screen: readonly string[]): boolean => screen.some((line) => /^.\d\d:\d\d:\d\d /.test(line));

function started(): Platform {
  return openPlatform({ seed: 7, rate: 6 });
}

/** The newest incident of a kind that is over, in a zone with Shield that keeps whole addresses. */
function pastIncident(simulator: Platform, kind: string): Incident {
  const [found] = simulator
    .incidents()
    .filter(
      (each) => each.kind === kind && each.to < simulator.clock.now() - LATEST && each.shieldZoneId !== null,
    )
    .filter((each) => simulator.zones[placeOf(simulator, each)]?.anonymity === 'none')
    .sort((a, b) => b.to - a.to);
  assert.ok(found, kind);
  return found;
}

async function open(
  t: TestContext,
  simulator: Platform,
  { from, to, ...incident }: Incident,
  view: { command: string; query?: string[]; columns: number; rows: number },
): Promise<VirtualSession> {
  const zone = simulator.zones[placeOf(simulator, incident)]?.name ?? '';
  const { command, query = [], ...size } = view;
  const args = [command, zone, ...query, `from:${from}`, `to:${to}`];
  return (await openSession({ t, platform: simulator, args, ...size })).terminal;
}

function requestsOf(simulator: Platform): number {
  return (simulator.stats().byEndpoint['logs'] ?? 0) + searchesOf(simulator);
}

/** The planted rows of an incident's time, as the simulator tells them: who sent what, and what Shield made of it. */
function planted(simulator: Platform, { pullZoneId, from, to }: Incident) {
  return simulator.truth(pullZoneId, from, to).map(({ entry, shield }) => ({
    ip: String(entry['remoteIp']),
    status: Number(entry['statusCode']),
    path: String(entry['path']),
    ja4: String(entry['ja4Fingerprint'] ?? ''),
    isActedOn: shield !== null,
  }));
}

const numbersIn = (text: string): number[] =>
  [...text.matchAll(/\b\d[\d,]*\b/g)].map(([digits]) => Number(digits.replaceAll(',', '')));

describe('questions about rules and shapes', () => {
  for (const size of [SMALL, LARGE]) {
    test(`F names the rule that misfires with its planted counts for the price said, and Enter opens its events, ${size.columns} columns`, async (t) => {
      const simulator = started();
      const misfire = pastIncident(simulator, 'wafMisfire');
      const terminal = await open(t, simulator, misfire, { command: 'shield', ...size });
      await terminal.waitFor(isRead);
      const before = requestsOf(simulator);
      await terminal.type('F');
      await terminal.waitFor(isAnswered);
      const [ruleId = ''] = misfire.cause['ruleId'] ?? [];
      const rows = planted(simulator, misfire);
      const own = plantedEvents(simulator, misfire).filter(({ shield }) => shield.ruleId === ruleId);
      const clients = new Set(own.map(({ entry }) => String(entry['remoteIp'])));
      const clean = new Set(
        rows
          .filter(({ isActedOn, status }) => !isActedOn && status >= 200 && status < 300)
          .map(({ ip }) => ip),
      );
      const good = [...clients].filter((ip) => clean.has(ip)).length;
      const screen = terminal.screen();
      assert.match(screen[1] ?? '', new RegExp(`^ rule ${ruleId}: ${good} of ${clients.size} clients`));
      const first = screen[screen.findIndex((line) => /^ RULE +EVENTS/.test(line)) + 1] ?? '';
      // The cursor stands on it, because it leads to the events of its rule.
      assert.deepEqual(first.replace('▌', '').trim().split(/ +/).slice(0, 4), [
        ruleId,
        String(own.length),
        String(clients.size),
        String(good),
      ]);
      assert.match(first, / misfire /);
      const foot = screen.at(-2) ?? '';
      assert.match(foot, /^ all [\d,]+ events, [\d,]+ 2xx rows: all of the window read/);
      assert.equal(numbersIn(foot).at(-1), requestsOf(simulator) - before);
      await terminal.type('<Enter>');
      await terminal.waitFor((now) => isRead(now) && /TIME/.test(headsOf(now)));
      assert.match(headsOf(terminal.screen()), new RegExp(` 1/${own.length}$`));
      await terminal.type('<Esc>');
      await terminal.waitFor((now) => isAnswered(now) && cursorLine(now).includes(ruleId));
    });
  }

  test('B tells what the cause of an attack would hit as a rule as a recount does, for the price said, in 80 columns', async (t) => {
    const simulator = started();
    const attack = pastIncident(simulator, 'layer7Attack');
    const [ja4 = ''] = attack.cause['ja4'] ?? [];
    const query = [`ja4:${ja4}`, `rule:${attack.cause['ruleId']?.[0]}`];
    const terminal = await open(t, simulator, attack, { command: 'shield', query, ...SMALL });
    await terminal.waitFor(isRead);
    const before = requestsOf(simulator);
    await terminal.type('B');
    await terminal.waitFor(/PRICE 5 requests$/m);
    assert.equal(requestsOf(simulator), before);
    await terminal.type('<Enter>');
    await terminal.waitFor(isAnswered);
    while (/PARTIAL/.test(title(terminal.screen()))) {
      await terminal.type('<C-r><Enter>');
      await terminal.waitFor((screen) => /READ$/.test(title(screen)));
    }
    const rows = planted(simulator, attack);
    const acted = new Set(rows.filter(({ isActedOn }) => isActedOn).map(({ ip }) => ip));
    const good = rows.filter(({ ip, status }) => !acted.has(ip) && status >= 200 && status < 400);
    const hit = good.filter((row) => row.ja4 === ja4);
    assert.deepEqual(numbersIn(terminal.screen()[1] ?? ''), [
      hit.length,
      good.length,
      new Set(hit.map(({ ip }) => ip)).size,
      new Set(good.map(({ ip }) => ip)).size,
    ]);
    await terminal.type('g');
    assert.match(terminal.text(), /rule:\S+ +rule is what Shield made of a request/);
    assert.equal(numbersIn(terminal.screen().at(-2) ?? '').at(-1), requestsOf(simulator) - before);
    await terminal.type('G');
    await terminal.waitFor(/edgescope never applies a rule/);
  });

  test('a group that scans is tagged so in the list, and a shows the numbers, in 80 and in 200 columns', async (t) => {
    const simulator = started();
    const scan = pastIncident(simulator, 'scanner');
    for (const size of [SMALL, LARGE]) {
      const terminal = await open(t, simulator, scan, { command: 'logs', ...size });
      await terminal.waitFor((screen) => /COMPLETE|READING/.test(title(screen)) && hasRows(screen));
      await terminal.type('bjjj<Enter>');
      await terminal.waitFor(/ scanner\b/);
      const ip = cursorLine(terminal.screen()).slice(1).trim().split(/ +/)[0] ?? '';
      assert.ok(scan.cause['ip']?.includes(ip), ip);
      await terminal.type('a');
      await terminal.waitFor((screen) => isAnswered(screen) && /; scanner/.test(screen[1] ?? ''));
      await terminal.waitFor(/this client looks like scanner/);
      const requests = planted(simulator, scan).filter((row) => row.ip === ip).length;
      assert.match(terminal.text(), new RegExp(`CDN requests +${requests} at least 50`));
      await terminal.close();
    }
  });

  test('a stuffing client is told by both logs, for one search more', async (t) => {
    const simulator = started();
    const stuffing = pastIncident(simulator, 'credentialStuffing');
    const terminal = await open(t, simulator, stuffing, { command: 'shield', query: ['by:ja4'], ...LARGE });
    await terminal.waitFor(isRead);
    const [ja4 = ''] = stuffing.cause['ja4'] ?? [];
    await terminal.waitFor((screen) => cursorLine(screen).includes(ja4));
    const before = { all: requestsOf(simulator), searches: searchesOf(simulator) };
    await terminal.type('a');
    await terminal.waitFor((screen) => isAnswered(screen) && /; stuffing/.test(screen[1] ?? ''));
    assert.equal(searchesOf(simulator) - before.searches, 1);
    assert.equal(numbersIn(terminal.screen().at(-2) ?? '').at(-1), requestsOf(simulator) - before.all);
    const events = plantedEvents(simulator, stuffing).filter(({ entry }) => entry['ja4Fingerprint'] === ja4);
    assert.match(terminal.text(), new RegExp(`Shield events +${events.length}\\b`));
  });
});
