import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RULES } from '../../src/simulator/shield/rules.ts';
import { headsOf } from '../support/heads.ts';
import { openPlatform, type Platform } from '../support/platform.ts';
import type { VirtualSession } from '../support/virtual-session.ts';
import {
  eventValue,
  groupLines,
  type Incident,
  isRead,
  type PlantedEvent,
  placeOf,
  plantedEvents,
  title,
} from './shield-support.ts';
import { openSession } from './support.ts';

/** Every row of the simulator shows after four minutes at the latest. */
const LATEST = 250_000;
const KINDS = ['credentialStuffing', 'layer7Attack', 'scanner', 'wafMisfire'];

const ofRule = (rule: string) => (event: PlantedEvent) => event.shield.ruleId === rule;

for (const kind of KINDS) {
  test(`the counts, the network, the rule text and the events of a ${kind} are those that were planted`, async (t) => {
    const simulator = openPlatform({ seed: 7, rate: 8 });
    const texts = new Map(Object.values(RULES).map((rule) => [rule.ruleId as string, rule]));
    const incident = simulator
      .incidents()
      .findLast(
        (each) =>
          each.kind === kind && each.shieldZoneId !== null && each.to < simulator.clock.now() - LATEST,
      );
    assert.ok(incident);
    const zone = simulator.zones[placeOf(simulator, incident)];
    const args = ['shield', zone?.name ?? '', `from:${incident.from}`, `to:${incident.to}`];
    const { terminal } = await openSession({ t, platform: simulator, args, columns: 200, rows: 48 });
    await recounted(terminal, simulator, incident, texts);
  });
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
