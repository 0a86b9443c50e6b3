import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RULES } from '../../src/simulator/shield/rules.ts';
import { headsOf } from '../support/heads.ts';
import { openPlatform, type Platform, type PlatformOptions } from '../support/platform.ts';
import type { TruthRow } from '../support/simulator/truth.ts';
import type { VirtualSession } from '../support/virtual-session.ts';
import { logRows } from './log-screen.ts';
import {
  countedKeys,
  eventValue,
  groupLines,
  type Incident,
  isPicker,
  isRead,
  leftStill,
  type PlantedEvent,
  placeOf,
  plantedEvents,
  queryLine,
  title,
} from './shield-support.ts';
import { openSession } from './support.ts';

const HOUR = 3_600_000;
const MOST_KEYS = 6;
/** Every row of the simulator shows after four minutes at the latest. */
const LATEST = 250_000;

/** How long ago an incident may have ended to stand in a window of the explorer, and the keys that take that window. */
const WINDOWS = [
  { hours: 1, keys: '', text: 'last:1h' },
  { hours: 6, keys: 'Z', text: 'last:6h' },
  { hours: 24, keys: 'ZZ', text: 'last:1d' },
  { hours: 72, keys: 'ZZZ', text: 'last:3d' },
] as const;

const ofRule = (rule: string) => (event: PlantedEvent) => event.shield.ruleId === rule;

describe('with the demo as it is', () => {
  test('of every planted incident that Shield sees, six keys or fewer show the rule, and the network where one attacks', async (t) => {
    const simulator = started();
    const seen = simulator.incidents().filter((each) => each.cause['ruleId'] && each.shieldZoneId !== null);
    const kinds = new Set(seen.map((each) => each.kind));
    assert.deepEqual([...kinds].sort(), ['credentialStuffing', 'layer7Attack', 'scanner', 'wafMisfire']);
    const { terminal } = await openSession({ t, platform: simulator });
    await leftStill(terminal);
    for (const incident of seen) {
      await terminal.waitFor(isPicker);
      await found(terminal, simulator, incident);
      await terminal.type('1g');
    }
  });

  test('the counts, the network, the rule text and the events of every past incident are those that were planted', async (t) => {
    const simulator = started({ rate: 8 });
    const texts = new Map(Object.values(RULES).map((rule) => [rule.ruleId as string, rule]));
    const past = simulator
      .incidents()
      .filter(
        (each) =>
          each.cause['ruleId'] && each.shieldZoneId !== null && each.to < simulator.clock.now() - LATEST,
      );
    assert.ok(past.length >= 12, `${past.length} incidents`);
    for (const incident of past) {
      const zone = simulator.zones[placeOf(simulator, incident)];
      const args = ['shield', zone?.name ?? '', `from:${incident.from}`, `to:${incident.to}`];
      const { terminal } = await openSession({ t, platform: simulator, args, columns: 200, rows: 48 });
      await recounted(terminal, simulator, incident, texts);
      await terminal.close();
    }
  });

  test('of an incident in a zone without Shield the explorer says so, and the log it names shows the attackers', async (t) => {
    const simulator = started();
    const attack = simulator
      .incidents()
      .find((each) => each.cause['asn'] !== undefined && each.shieldZoneId === null);
    assert.ok(attack);
    const at = placeOf(simulator, attack);
    const { terminal } = await openSession({ t, platform: simulator });
    await terminal.waitFor(isPicker);
    const keys = countedKeys(terminal);
    await keys.press(`${'j'.repeat(at)}3`);
    await terminal.waitFor(/downloads has no Shield zone: nothing is inspected\. .*Switch Shield on/);
    assert.ok(keys.count() <= MOST_KEYS);
    const { terminal: log } = await openSession({
      t,
      platform: simulator,
      args: ['logs', simulator.zones[at]?.name ?? '', `from:${attack.from}`, `to:${attack.to}`],
    });
    await log.waitFor((screen) => / COMPLETE$/.test(title(screen)));
    await log.type('b');
    await log.waitFor('[ ] AS number');
    await log.type(`${'j'.repeat(pickLine(log, 'AS number'))}<Enter>`);
    await log.waitFor((screen) => /> by asn +COMPLETE/.test(title(screen)));
    const [asn] = attack.cause['asn'] ?? [];
    const rows = simulator
      .truth(attack.pullZoneId, attack.from, attack.to)
      .filter((row) => String(row.entry['asn']) === asn);
    assert.deepEqual(groupLines(log.screen())[0], { key: asn, events: rows.length, isCursor: true });
  });

  test('of every incident that only the log sees, a grouping of its time shows the cause with its count', async (t) => {
    const simulator = started({ rate: 10, limit: { requests: 1000, window: 10_000 } });
    const only = simulator
      .incidents()
      .filter((each) => each.cause['cache'] !== undefined && each.from < simulator.clock.now() - 60_000);
    assert.deepEqual([...new Set(only.map((each) => each.kind))].sort(), ['missStorm', 'originFailure']);
    for (const incident of only) {
      const zone = simulator.zones[placeOf(simulator, incident)];
      const args = ['logs', zone?.name ?? '', `from:${incident.from}`, `to:${incident.to}`];
      const { terminal } = await openSession({ t, platform: simulator, args, rows: 40 });
      await grouped(terminal, simulator, incident);
      await terminal.close();
    }
  });
});

/** From the command line: the choices of grouping that are offered first, a storm by page, a failure by status. */
async function grouped(terminal: VirtualSession, simulator: Platform, incident: Incident): Promise<void> {
  await terminal.waitFor((screen) => logRows(screen).length > 0);
  await terminal.type('b');
  await terminal.waitFor('[ ] page');
  await terminal.type(incident.cause['path'] ? '<Enter>' : 'j<Enter>');
  await shownInLog(terminal, simulator, incident);
}

/** The cause stands among the groups with at least the rows that were planted, and they miss or fail. */
async function shownInLog(terminal: VirtualSession, simulator: Platform, incident: Incident): Promise<void> {
  const by = simulator.clock.now() - 1000;
  const rows = simulator
    .truth(incident.pullZoneId, incident.from, Math.min(incident.to, by))
    .filter(({ visibleAt }) => visibleAt <= by);
  const pathOf = (row: TruthRow) => String(row.entry['path']).split('?')[0] ?? '';
  const [column, values, keyOf] = incident.cause['path']
    ? (['MISS', incident.cause['path'], pathOf] as const)
    : (['5XX', incident.cause['status'] ?? [], (row: TruthRow) => String(row.entry['statusCode'])] as const);
  const least = new Map(values.map((each) => [each, rows.filter((row) => keyOf(row) === each).length]));
  const lines = () => groupLines(terminal.screen());
  await terminal.waitFor(
    () =>
      values.every((each) =>
        lines().some(({ key, events }) => key === each && events >= (least.get(each) ?? 1)),
      ),
    { what: `${incident.id}: ${JSON.stringify([...least])}` },
  );
  const screen = terminal.screen();
  const end = headsOf(screen).indexOf(column) + column.length;
  for (const each of values) {
    assert.ok((least.get(each) ?? 0) > 0, `${incident.id}: ${each}`);
    const line = screen.find((text) => text.slice(1).startsWith(`${each} `)) ?? '';
    const percent = Number(/([\d.]+)%$/.exec(line.slice(0, end))?.[1]);
    assert.ok(percent > 40, `${incident.id}: ${column} of ${each}: ${line}`);
  }
  if (incident.cause['path'])
    assert.ok(lines().findIndex(({ key }) => key === values[0]) < 3, terminal.text());
}

/** From the picker to the cause; the keys are counted. */
async function found(terminal: VirtualSession, simulator: Platform, incident: Incident): Promise<void> {
  const keys = countedKeys(terminal);
  const events = plantedEvents(simulator, incident, simulator.clock.now() - 1000);
  const hours = (simulator.clock.now() - incident.from) / HOUR;
  const window = WINDOWS.find((each) => hours < each.hours - 0.05);
  assert.ok(window, incident.id);
  const [rule = ''] = incident.cause['ruleId'] ?? [];
  await keys.press(`${'j'.repeat(placeOf(simulator, incident))}3${window.keys}`);
  await terminal.waitFor((screen) => isRead(screen) && queryLine(screen).startsWith(window.text), {
    what: incident.id,
  });
  const lines = groupLines(terminal.screen());
  for (const id of incident.cause['ruleId'] ?? []) {
    const line = lines.find(({ key }) => key === id);
    const least = events.filter(ofRule(id)).length;
    assert.ok(
      (line?.events ?? 0) >= Math.max(1, least),
      `${incident.id}: ${least} of ${id}\n${terminal.text()}`,
    );
  }
  const [asn] = incident.cause['asn'] ?? [];
  const down = lines.findIndex(({ key }) => key === rule);
  if (asn !== undefined && keys.count() + down + 1 <= MOST_KEYS) {
    await keys.press(`${'j'.repeat(down)}<Enter>`);
    await terminal.waitFor((screen) => isRead(screen) && title(screen).includes(`> rule:${rule}`), {
      what: `the networks of ${incident.id}`,
    });
    const line = groupLines(terminal.screen()).find(({ key }) => key === asn);
    const least = events.filter((event) => ofRule(rule)(event) && event.shield.asn === asn).length;
    assert.ok(
      (line?.events ?? 0) >= Math.max(1, least),
      `${incident.id}: ${least} of AS${asn}\n${terminal.text()}`,
    );
  }
  assert.ok(keys.count() <= MOST_KEYS, `${incident.id} took ${keys.count()} keys`);
}

/** From the rules of the incident's own time down to one event, everything against what was planted. */
async function recounted(
  terminal: VirtualSession,
  simulator: Platform,
  incident: Incident,
  texts: ReadonlyMap<string, { name: string; operator: string }>,
): Promise<void> {
  const seen = async (until: (screen: string[]) => boolean, what: string) => {
    await terminal.waitFor(until, { what: `${what} of ${incident.id}` });
  };
  await seen(isRead, 'the rules');
  const events = plantedEvents(simulator, incident);
  const tally = (rows: readonly PlantedEvent[], key: (row: PlantedEvent) => string) =>
    Object.fromEntries(
      Map.groupBy(rows, key)
        .entries()
        .map(([each, { length }]) => [each, length]),
    );
  const shown = () => Object.fromEntries(groupLines(terminal.screen()).map(({ key, events: n }) => [key, n]));
  assert.deepEqual(
    shown(),
    tally(events, (row) => row.shield.ruleId),
    `${incident.id}\n${terminal.text()}`,
  );

  const [rule = ''] = incident.cause['ruleId'] ?? [];
  const ofThis = events.filter(ofRule(rule));
  await terminal.type(
    `${'j'.repeat(groupLines(terminal.screen()).findIndex(({ key }) => key === rule))}<Enter>`,
  );
  await seen((screen) => isRead(screen) && title(screen).includes(`> rule:${rule}`), 'the networks');
  const networks = tally(ofThis, (row) => row.shield.asn);
  for (const { key, events: n } of groupLines(terminal.screen())) assert.equal(n, networks[key], `AS${key}`);
  const [first] = groupLines(terminal.screen());
  assert.equal(first?.events, Math.max(...Object.values(networks)), terminal.text());
  if (incident.cause['asn']) assert.equal(first?.key, incident.cause['asn'][0], incident.id);

  await terminal.type('<Enter>');
  await seen((screen) => isRead(screen) && title(screen).includes(`> asn:${first?.key}`), 'the addresses');
  const ofNetworkOnly = ofThis.filter((row) => row.shield.asn === first?.key);
  const addresses = tally(ofNetworkOnly, (row) => String(row.entry['remoteIp']));
  const [busiest] = groupLines(terminal.screen());
  assert.ok(busiest, terminal.text());
  const logged = busiest.key.replace(/\.\*$/, '.0');
  assert.equal(busiest.events, addresses[logged], `${incident.id}: ${busiest.key}`);

  await terminal.type('<Enter>');
  await seen((screen) => isRead(screen) && / +URL( on \S+)? +1\//.test(headsOf(screen)), 'the rows');
  assert.match(headsOf(terminal.screen()), new RegExp(` 1/${addresses[logged]}$`));
  await terminal.type('<Enter>');
  await seen(
    (screen) => eventValue(screen, 'request id') !== '' && eventValue(screen, 'rule group') !== '',
    'the event',
  );
  const screen = terminal.screen();
  const row = ofNetworkOnly.find(({ entry }) => entry.requestId === eventValue(screen, 'request id'));
  assert.ok(row, `no planted event\n${terminal.text()}`);
  assert.equal(eventValue(screen, 'time'), new Date(row.at).toISOString());
  assert.equal(eventValue(screen, 'rule text'), texts.get(rule)?.name);
  assert.equal(eventValue(screen, 'matched by'), texts.get(rule)?.operator);
  assert.equal(eventValue(screen, 'action'), row.shield.action);
  assert.equal(eventValue(screen, 'ip').replace(/\.\*$/, '.0'), row.entry['remoteIp']);
  assert.equal(eventValue(screen, 'country'), row.entry['countryCode'] ?? '');
  assert.equal(eventValue(screen, 'ja4'), row.entry['ja4Fingerprint'] ?? '');
  for (const [name, values] of Object.entries(incident.cause)) {
    const value = { asn: eventValue(screen, 'asn'), ja4: eventValue(screen, 'ja4') }[name];
    if (value !== undefined) assert.ok(values.includes(value), `${incident.id}: ${name} ${value}`);
  }
  const [path] = incident.cause['path'] ?? [];
  if (path === undefined) return;
  const pathOf = (url: unknown) => new URL(String(url).replace('…', '')).pathname;
  assert.equal(pathOf(eventValue(screen, 'url')), pathOf(row.entry['url']));
  // Now and then an address of the attack's network is stopped by the same rule elsewhere too.
  const there = ofNetworkOnly.filter(({ entry }) => pathOf(entry['url']) === path);
  assert.ok(there.length > ofNetworkOnly.length / 2, `${incident.id}: ${path}`);
}

/** At which line of the choice on screen a title stands. */
function pickLine(terminal: VirtualSession, name: string): number {
  const lines = terminal.screen().filter((line) => /^[▌ ]\[.\] /.test(line));
  const at = lines.findIndex((line) => line.endsWith(`] ${name}`));
  assert.ok(at >= 0, name);
  return at;
}

function started(options: PlatformOptions = {}): Platform {
  return openPlatform({ seed: 7, rate: 40, ...options });
}
