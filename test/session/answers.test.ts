import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { SHIELD_DIMENSIONS } from '../../src/domain/shield/shield.ts';
import { headsOf } from '../support/heads.ts';
import { openPlatform, type Platform } from '../support/platform.ts';
import type { VirtualSession } from '../support/virtual-session.ts';
import { type Incident, isRead, placeOf, plantedEvents, searchesOf, title } from './shield-support.ts';
import { openSession } from './support.ts';

/** Every row of the simulator shows after four minutes at the latest. */
const LATEST = 250_000;

const isAnswered = (screen: readonly string[]): boolean => /(READ|PARTIAL, Ctrl-r.*)$/.test(title(screen));

/** The cells of the first row under a section's title, and all that follow it. */
function rowsUnder(screen: readonly string[], section: RegExp): string[][] {
  const at = screen.findIndex((line) => section.test(line));
  assert.ok(at >= 0, `${section} is not on the screen:\n${screen.join('\n')}`);
  const rows = screen.slice(at + 2);
  const end = rows.findIndex((line) => line.trim() === '' || /^ {2}\S/.test(line));
  return rows.slice(0, end < 0 ? rows.length : end).map((line) =>
    line
      .slice(1)
      .trim()
      .split(/ {2,}|(?<=\S) (?=\d)/),
  );
}

function numberOf(text: string | undefined): number {
  return Number((text ?? '').replaceAll(',', ''));
}

function requestsOf(simulator: Platform): number {
  return simulator.stats().byEndpoint['logs'] ?? 0;
}

function started(): Platform {
  return openPlatform({ seed: 7, rate: 6 });
}

function hasWholeAddresses(simulator: Platform, { pullZoneId, from, to }: Incident): boolean {
  return simulator
    .truth(pullZoneId, from, to)
    .every(({ entry }) => /^[^*]+$/.test(String(entry['remoteIp'] ?? '*')));
}

/** The newest incident of a kind that is over, in a zone with a log and, where Shield is wanted, with addresses that are not masked. */
function pastIncident(
  simulator: Platform,
  kind: string,
  isShielded: boolean,
  suits: (incident: Incident) => boolean = () => true,
): Incident {
  const found = simulator
    .incidents()
    .filter((each) => each.kind === kind && each.to < simulator.clock.now() - LATEST && suits(each))
    .filter((each) => !isShielded || (each.shieldZoneId !== null && hasWholeAddresses(simulator, each)))
    .sort((a, b) => b.to - a.to)[0];
  assert.ok(found, kind);
  return found;
}

async function open(t: TestContext, simulator: Platform, command: string, incident: Incident) {
  const zone = simulator.zones[placeOf(simulator, incident)]?.name ?? '';
  const args = [command, zone, `from:${incident.from}`, `to:${incident.to}`];
  return (await openSession({ t, platform: simulator, args, columns: 200, rows: 60 })).terminal;
}

/** From the rules into the first one, its first network, and there to the address with the most events. */
async function intoAddresses(terminal: VirtualSession): Promise<void> {
  for (const heading of [/^ AS NUMBER/, /^ CLIENT ADDRESS/]) {
    await terminal.type('<Enter>');
    await terminal.waitFor((screen) => isRead(screen) && heading.test(headsOf(screen)));
  }
}

describe('questions about an incident', () => {
  test('compared with the window before, the attacking network stands out with its planted count, for the price said', async (t) => {
    const simulator = started();
    // Against one event of the window before nothing can stand out, and a small zone has hardly more.
    const isComparable = (each: Incident) =>
      plantedEvents(simulator, { ...each, from: 2 * each.from - each.to, to: each.from }).length > 3;
    const attack = pastIncident(simulator, 'layer7Attack', true, isComparable);
    const terminal = await open(t, simulator, 'shield', attack);
    await terminal.waitFor(isRead);
    const before = searchesOf(simulator);
    await terminal.type('<:compare>');
    const price = 2 * SHIELD_DIMENSIONS.length;
    await terminal.waitFor(new RegExp(`COST ${price} requests$`, 'm'));
    assert.equal(searchesOf(simulator), before);
    await terminal.type('<Enter>');
    await terminal.waitFor(isAnswered);
    assert.equal(searchesOf(simulator) - before, price);
    const standing = rowsUnder(terminal.screen(), /more frequent against the window before/);
    const [cause = ''] = attack.cause['asn'] ?? [];
    const row = standing.find(([field, value]) => field === 'asn' && value === cause) ?? [];
    const planted = plantedEvents(simulator, attack).filter((event) => event.shield.asn === cause);
    assert.equal(numberOf(row[3]), planted.length, terminal.text());
  });

  test('whether an attacker got through is told by class and cache status as it was planted, in one request', async (t) => {
    const simulator = started();
    const attack = pastIncident(simulator, 'layer7Attack', true);
    const terminal = await open(t, simulator, 'shield', attack);
    await terminal.waitFor(isRead);
    await intoAddresses(terminal);
    const before = requestsOf(simulator);
    await terminal.type('<:through>');
    await terminal.waitFor(isAnswered);
    const ip = /ip:(\S+)/.exec(terminal.screen()[1] ?? '')?.[1] ?? '';
    const truth = simulator
      .truth(attack.pullZoneId, attack.from, attack.to)
      .filter(({ entry }) => entry['remoteIp'] === ip);
    assert.ok(truth.length > 0, ip);
    const shown = rowsUnder(terminal.screen(), /requests of this client/);
    for (const [statusClass = '', cache, requests] of shown) {
      const count = truth.filter(
        ({ entry }) =>
          entry['cacheStatus'] === cache && String(entry['statusCode']).startsWith(statusClass[0] ?? ''),
      ).length;
      assert.equal(numberOf(requests), count, `${statusClass} ${cache}`);
    }
    assert.match(
      terminal.text(),
      new RegExp(`\\b${truth.length.toLocaleString('en')} requests of this client`),
    );
    assert.equal(requestsOf(simulator) - before, 1);
  });

  test('F names the rule that misfires with its planted counts for the price said, and Enter opens its events', async (t) => {
    const simulator = started();
    const misfire = pastIncident(simulator, 'wafMisfire', true);
    const terminal = await open(t, simulator, 'shield', misfire);
    await terminal.waitFor(isRead);
    const asked = () => requestsOf(simulator) + searchesOf(simulator);
    const before = asked();
    await terminal.type('<:false-positives>');
    await terminal.waitFor(isAnswered);
    const [ruleId = ''] = misfire.cause['ruleId'] ?? [];
    const own = plantedEvents(simulator, misfire).filter(({ shield }) => shield.ruleId === ruleId);
    const clients = new Set(own.map(({ entry }) => String(entry['remoteIp'])));
    const clean = new Set(
      simulator
        .truth(misfire.pullZoneId, misfire.from, misfire.to)
        .filter(({ entry, shield }) => shield === null && String(entry['statusCode']).startsWith('2'))
        .map(({ entry }) => String(entry['remoteIp'])),
    );
    const good = clients.intersection(clean).size;
    const screen = terminal.screen();
    assert.match(screen[2] ?? '', new RegExp(`^ rule ${ruleId}: ${good} of ${clients.size} clients`));
    const first = screen[screen.findIndex((line) => /^ RULE +EVENTS/.test(line)) + 1] ?? '';
    // The cursor stands on it, because it leads to the events of its rule.
    assert.deepEqual(
      first.replace('▌', '').trim().split(/ +/).slice(0, 4),
      [ruleId, own.length, clients.size, good].map(String),
    );
    assert.match(first, / misfire /);
    const foot = screen.at(-2) ?? '';
    assert.match(foot, /^ all [\d,]+ events, [\d,]+ 2xx rows: all of the window read/);
    assert.equal(numberOf(/(\d+) requests/.exec(foot)?.[1]), asked() - before);
    await terminal.type('<Enter>');
    await terminal.waitFor((now) => isRead(now) && /TIME/.test(headsOf(now)));
    assert.match(headsOf(terminal.screen()), new RegExp(` 1/${own.length}$`));
    await terminal.type('<Esc>');
    await terminal.waitFor(isAnswered);
  });

  test('an event and its request are found in one timeline by their id, and Enter opens the request', async (t) => {
    const simulator = started();
    const attack = pastIncident(simulator, 'credentialStuffing', true);
    const terminal = await open(t, simulator, 'shield', attack);
    await terminal.waitFor(isRead);
    await intoAddresses(terminal);
    await terminal.type('<Enter>');
    await terminal.waitFor((screen) => isRead(screen) && /ACTION/.test(headsOf(screen)));
    await terminal.type('p');
    await terminal.waitFor(/the same request in both logs, by its id/);
    await terminal.waitFor((screen) => screen.some((line) => /^▌.*shield.*request id/.test(line)));
    const at = terminal.screen().findIndex((line) => line.startsWith('▌'));
    assert.match(terminal.screen()[at + 1] ?? '', / cdn .*request id/);
    await terminal.type('j<Enter>');
    await terminal.waitFor(
      (screen) =>
        /id:[0-9a-f]{32}/.test(screen[1] ?? '') && screen.some((line) => /^.\d\d:\d\d:\d\d .*/.test(line)),
    );
    await terminal.type('<Esc>');
    await terminal.waitFor(/the same request in both logs/);
  });

  test('the miss lens names the page whose query strings exploded, and the origin in trouble', async (t) => {
    const simulator = started();
    const storm = pastIncident(simulator, 'missStorm', false);
    const lens = await open(t, simulator, 'logs', storm);
    await lens.waitFor((screen) => screen.some((line) => /^.\d\d:\d\d:\d\d /.test(line)));
    await lens.type('<:misses>');
    await lens.waitFor((screen) => isAnswered(screen) && /query strings explode/.test(screen.join('\n')));
    const [page] = rowsUnder(lens.screen(), /query strings that explode/);
    assert.equal(page?.[0], storm.cause['path']?.[0]?.split('?')[0]);
    await lens.close();
    const failing = pastIncident(simulator, 'originFailure', false);
    const origin = await open(t, simulator, 'logs', failing);
    await origin.waitFor((screen) => screen.some((line) => /^.\d\d:\d\d:\d\d /.test(line)));
    await origin.type('<:misses>');
    await origin.waitFor(
      (screen) => isAnswered(screen) && /origin (?:fails|failed): \w+ \d+ of \d+ /.test(screen.join('\n')),
    );
    assert.match(origin.text(), /STALE and UPDATING .*risen/);
    assert.match(origin.text(), /why the origin failed/);
  });
});
