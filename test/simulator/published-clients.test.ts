import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bench, main } from './ask.ts';

/** What a client in a typed language decodes a field into; a field of another type fails its whole answer. */
type Decoder = (value: unknown) => boolean;

const isText: Decoder = (value) => typeof value === 'string' || value === null;
const isSwitch: Decoder = (value) => typeof value === 'boolean';
const isWhole: Decoder = (value) => Number.isSafeInteger(value);
const isByte: Decoder = (value) => isWhole(value) && Number(value) >= 0 && Number(value) < 256;
const isTexts: Decoder = (value) => Array.isArray(value) && value.every((item) => typeof item === 'string');

const PULL_ZONE = {
  Id: isWhole,
  Name: isText,
  OriginUrl: isText,
  OriginType: isByte,
  Type: isByte,
  StorageZoneId: isWhole,
  Enabled: isSwitch,
  EnableLogging: isSwitch,
  LogAnonymizationType: isByte,
  LogFormat: isByte,
  LogForwardingFormat: isByte,
  LogForwardingProtocol: isByte,
  LogForwardingPort: isWhole,
  LoggingSaveToStorage: isSwitch,
  LoggingStorageZoneId: isWhole,
  MonthlyBandwidthLimit: isWhole,
  BlockedIps: isTexts,
  AllowedReferrers: isTexts,
  RoutingFilters: isTexts,
  ShieldDDosProtectionType: isByte,
  OptimizerWatermarkPosition: isByte,
  CacheControlMaxAgeOverride: isWhole,
  ZoneSecurityKey: isText,
} as const satisfies Record<string, Decoder>;

const STORAGE_ZONE = {
  Id: isWhole,
  Name: isText,
  Password: isText,
  Region: isText,
  ReplicationRegions: isTexts,
  StorageUsed: isWhole,
  FilesStored: isWhole,
  ZoneTier: isByte,
  StorageZoneType: isByte,
  Rewrite404To200: isSwitch,
  S3Hostname: isText,
} as const satisfies Record<string, Decoder>;

function decoded(value: unknown, fields: Readonly<Record<string, Decoder>>): Record<string, unknown> {
  const entry = value as Record<string, unknown>;
  for (const [name, fits] of Object.entries(fields)) assert.ok(fits(entry[name]), `${name}: ${entry[name]}`);
  return entry;
}

test('a client that lists without a page decodes arrays of zones, enums as small integers', async (t) => {
  const sim = await bench(t);
  const listed = async (path: string, fields: Readonly<Record<string, Decoder>>) => {
    const items = JSON.parse((await main(sim, path)).text);
    assert.ok(Array.isArray(items), path);
    return items.map((item) => decoded(item, fields));
  };
  assert.equal((await listed('/pullzone', PULL_ZONE)).length, sim.zones.length);
  assert.equal((await listed('/pullzone?page=0', PULL_ZONE)).length, sim.zones.length);
  assert.ok((await listed('/storagezone', STORAGE_ZONE)).length > 3);
  assert.ok((await listed('/storagezone?page=0', STORAGE_ZONE)).length > 3);
});

const SHIELD_ZONE = {
  shieldZoneId: isWhole,
  pullZoneId: isWhole,
  planType: isByte,
  whitelabelResponsePages: isSwitch,
  dDoSExecutionMode: isByte,
  dDoSShieldSensitivity: isByte,
  dDoSChallengeWindow: isWhole,
  wafEnabled: isSwitch,
  wafExecutionMode: isByte,
  wafRealtimeThreatIntelligenceEnabled: isSwitch,
  wafRequestHeaderLoggingEnabled: isSwitch,
  wafRequestIgnoredHeaders: isTexts,
  wafRequestBodyLimitAction: isByte,
  wafResponseBodyLimitAction: isByte,
} as const satisfies Record<string, Decoder>;

const isNumber: Decoder = (value) => typeof value === 'number' && Number.isFinite(value);

const REGION = {
  Id: isWhole,
  Name: isText,
  PricePerGigabyte: isNumber,
  RegionCode: isText,
  ContinentCode: isText,
  CountryCode: isText,
  Latitude: isNumber,
  Longitude: isNumber,
  AllowLatencyRouting: isSwitch,
} as const satisfies Record<string, Decoder>;

test('the Terraform provider finds a zone by its name, its Shield zone by that id, and a region by its code', async (t) => {
  const sim = await bench(t);
  const read = async (path: string) => JSON.parse((await main(sim, path)).text);
  const { Items } = await read('/pullzone?search=downloads');
  const found = (Items as unknown[]).map((item) => decoded(item, PULL_ZONE));
  assert.deepEqual(
    found.map((zone) => zone['Name']),
    ['downloads'],
  );
  const shielded = sim.zones.find(({ shieldZoneId }) => shieldZoneId !== null);
  const { data: byPullZone } = await read(`/shield/shield-zone/get-by-pullzone/${shielded?.id}`);
  const id = decoded(byPullZone, SHIELD_ZONE)['shieldZoneId'];
  assert.equal(id, shielded?.shieldZoneId);
  const { data: byId } = await read(`/shield/shield-zone/${id}`);
  assert.deepEqual(decoded(byId, SHIELD_ZONE), byPullZone);
  const regions = ((await read('/region')) as unknown[]).map((region) => decoded(region, REGION));
  assert.ok(regions.some((region) => region['RegionCode'] === 'DE'));
});

test('a client that pages decodes pages, whatever it calls the size of one', async (t) => {
  const sim = await bench(t);
  for (const [path, fields] of [
    ['/pullzone?page=1&per_page=1000', PULL_ZONE],
    ['/storagezone?page=1&per_page=1000', STORAGE_ZONE],
  ] as const) {
    const page = JSON.parse((await main(sim, path)).text);
    for (const item of page.Items) decoded(item, fields);
    assert.deepEqual([page.CurrentPage, page.TotalItems, page.HasMoreItems], [1, page.Items.length, false]);
  }
});

test('a client that finds a zone by its name and reads it by its id gets one zone, or an error with a key', async (t) => {
  const sim = await bench(t);
  const found = JSON.parse((await main(sim, '/pullzone')).text).find(
    ({ Name }: { Name: string }) => Name === 'media-video',
  );
  const one = decoded(JSON.parse((await main(sim, `/pullzone/${found.Id}`)).text), PULL_ZONE);
  assert.deepEqual(one, found);
  assert.equal(one['OriginType'], 2);
  for (const path of ['/pullzone/99', '/storagezone/99']) {
    const reply = await main(sim, path);
    assert.equal(reply.status, 404);
    assert.match(JSON.parse(reply.text).ErrorKey, /^\w+\.not_found$/);
  }
});

test('a client of Shield takes 202 without data for a pull zone that has none', async (t) => {
  const sim = await bench(t);
  const path = `/shield/shield-zone/get-by-pullzone/${sim.zone('downloads').id}`;
  const reply = await main(sim, path);
  const { data, error } = JSON.parse(reply.text);
  assert.deepEqual([reply.status, data, error.success], [202, null, false]);
  assert.match(error.errorKey, /^not_found/);
});
