import { type Exchange, fieldError, json, type ServedAnswer, type World } from './call.ts';
import { listed } from './paging.ts';
import { PULL_ZONE_SETTINGS } from './pull-zone-settings.ts';
import { hex, mix } from './random.ts';
import type { SimZone } from './zones.ts';

/** `search` looks in names and hostnames. */
export function listPullZones(call: Exchange, world: World): ServedAnswer {
  const wanted = call.url.searchParams.get('search')?.toLowerCase() ?? '';
  const found = world.account.zones.filter(
    (z) => z.name.includes(wanted) || z.hostnames.some((host) => host.includes(wanted)),
  );
  return listed(call, found, pullZone);
}

/** GET /pullzone/{id}. */
export function getPullZone(call: Exchange, world: World): ServedAnswer {
  const zone = world.account.zoneById.get(call.params[0] as string);
  return zone === undefined
    ? fieldError('pullzone.not_found', 'Id', 'The requested pull zone was not found.', 404)
    : json(pullZone(zone));
}

const ORIGIN_URL = 0;
const ORIGIN_STORAGE = 2;
const ANONYMISED = { none: 0, lastOctet: 0, drop: 1 } as const;

/** Every field that a client reads; secrets are among them, so that a leak can be seen. */
function pullZone(zone: SimZone): object {
  const secret = (name: string) => `canary-${name}-${hex(mix(zone.salt, name.length), 24)}`;
  return {
    Id: zone.id,
    Name: zone.name,
    OriginUrl: zone.storageZoneId === null ? `https://origin.${zone.name}.example` : null,
    Enabled: zone.enabled,
    Suspended: zone.suspended,
    Hostnames: zone.hostnames.map((value, i) => ({
      Id: zone.id * 10 + i,
      Value: value,
      ForceSSL: true,
      IsSystemHostname: i === zone.hostnames.length - 1,
      IsManagedHostname: false,
      HasCertificate: true,
      Certificate: secret('certificate'),
      CertificateKey: secret('certificatekey'),
    })),
    StorageZoneId: zone.storageZoneId ?? -1,
    OriginType: zone.storageZoneId === null ? ORIGIN_URL : ORIGIN_STORAGE,
    Type: 0,
    MonthlyBandwidthUsed: Math.round(zone.rate * 40_000 * 86_400 * 20),
    MonthlyCharges: Math.round(zone.rate * 120) / 10,
    EnableLogging: zone.logging,
    LoggingIPAnonymizationEnabled: zone.anonymity !== 'none',
    LogAnonymizationType: ANONYMISED[zone.anonymity],
    LogForwardingToken: secret('forwardingtoken'),
    ZoneSecurityEnabled: zone.site === 'video',
    ZoneSecurityKey: secret('zonekey'),
    AWSSigningKey: secret('awskey'),
    AWSSigningSecret: secret('awssecret'),
    EnableOriginShield: zone.index % 3 === 0,
    CnameDomain: 'b-cdn.example',
    UserId: hex(zone.salt, 32),
    ...PULL_ZONE_SETTINGS,
  };
}
