import { type Answer, type Call, json, type World } from './call.ts';
import { paged } from './paging.ts';
import { hex, mix } from './random.ts';
import type { SimZone } from './zones.ts';

/** Without `page`, or with page 0, a bare array of all zones; with it the paged object. `search` looks in names and hostnames. */
export function listPullZones(call: Call, world: World): Answer {
  const wanted = call.url.searchParams.get('search')?.toLowerCase() ?? '';
  const found = world.account.zones.filter(
    (z) => z.name.includes(wanted) || z.hostnames.some((host) => host.includes(wanted)),
  );
  return Number(call.url.searchParams.get('page') ?? 0) !== 0
    ? paged(call, found, pullZone)
    : json(found.map(pullZone));
}

/** The fields that clients use, and some of the other 160: secrets among them, so that a leak can be seen. */
function pullZone(zone: SimZone): object {
  const secret = (name: string) => `canary-${name}-${hex(mix(zone.salt, name.length), 24)}`;
  const asWords = zone.index % 2 === 1;
  const type = { none: 0, lastOctet: 0, drop: 1 }[zone.anonymity];
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
    OriginType: asWords
      ? zone.storageZoneId === null
        ? 'OriginUrl'
        : 'StorageZone'
      : zone.storageZoneId === null
        ? 0
        : 2,
    Type: asWords ? 'Premium' : 0,
    MonthlyBandwidthUsed: Math.round(zone.rate * 40_000 * 86_400 * 20),
    MonthlyBandwidthLimit: 0,
    MonthlyCharges: Math.round(zone.rate * 120) / 10,
    EnableLogging: zone.logging,
    LoggingIPAnonymizationEnabled: zone.anonymity !== 'none',
    LogAnonymizationType: asWords ? (type === 0 ? 'OneDigit' : 'Drop') : type,
    LogFormat: 0,
    LogForwardingEnabled: false,
    LogForwardingHostname: null,
    LogForwardingPort: 0,
    LogForwardingToken: secret('forwardingtoken'),
    ZoneSecurityEnabled: zone.site === 'video',
    ZoneSecurityKey: secret('zonekey'),
    AWSSigningEnabled: false,
    AWSSigningKey: secret('awskey'),
    AWSSigningSecret: secret('awssecret'),
    AWSSigningRegionName: null,
    AllowedReferrers: [],
    BlockedReferrers: [],
    BlockedIps: [],
    BlockedCountries: [],
    EnableGeoZoneUS: true,
    EnableGeoZoneEU: true,
    EnableGeoZoneASIA: true,
    EnableGeoZoneSA: true,
    EnableGeoZoneAF: true,
    CacheControlMaxAgeOverride: -1,
    CacheControlPublicMaxAgeOverride: -1,
    QueryStringVaryParameters: [],
    EnableOriginShield: zone.index % 3 === 0,
    OriginShieldZoneCode: 'FR',
    EdgeRules: [],
    CnameDomain: 'b-cdn.example',
    UserId: hex(zone.salt, 32),
    VideoLibraryId: -1,
    PermaCacheStorageZoneId: 0,
    UseStaleWhileOffline: true,
    UseStaleWhileUpdating: true,
    ShieldDDosProtectionType: 0,
    ErrorPageCustomCode: null,
  };
}
