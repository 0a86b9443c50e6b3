import { type Exchange, fieldError, json, listed, type ServedAnswer } from '../http/answers.ts';
import { hex, mix } from '../random.ts';
import type { World } from '../world.ts';
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
    OriginUrl: zone.originUrl,
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
    OriginType: zone.originUrl === null ? ORIGIN_STORAGE : ORIGIN_URL,
    Type: 0,
    MonthlyBandwidthUsed: Math.round(zone.rate * 40_000 * 86_400 * 20),
    MonthlyCharges: Math.round(zone.rate * 120) / 10,
    EnableLogging: zone.logging,
    LoggingIPAnonymizationEnabled: zone.anonymity !== 'none',
    LogAnonymizationType: ANONYMISED[zone.anonymity],
    LoggingSaveToStorage: zone.logStorageId !== null,
    LoggingStorageZoneId: zone.logStorageId ?? 0,
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

/** What all pull zones of the account have in common; clients in typed languages decode each of it. */
const PULL_ZONE_SETTINGS = {
  ...each(
    false,
    `
    AddCanonicalHeader AddHostHeader AWSSigningEnabled BlockNoneReferrer BlockPostRequests
    BlockRootPathAccess CacheErrorResponses DisableLetsEncrypt EnableAutoSSL EnableAvifVary
    EnableCacheSlice EnableCookieVary EnableCountryCodeVary EnableCountryStateCodeVary EnableHostnameVary
    EnableMobileVary EnableRequestCoalescing EnableSafeHop EnableSmartCache EnableTLS1 EnableTLS1_1
    EnableWebPVary EnableWebSockets ErrorPageEnableCustomCode ErrorPageEnableStatuspageWidget
    ErrorPageWhitelabel FollowRedirects LogForwardingEnabled OptimizerEnabled OptimizerForceClasses
    OptimizerPrerenderHtml OptimizerTunnelEnabled OptimizerWatermarkEnabled OriginRetry5XXResponses
    OriginShieldEnableConcurrencyLimit ShieldDDosProtectionEnabled UseBackgroundUpdate VerifyOriginSSL
    ZoneSecurityIncludeHashRemoteIP
  `,
  ),
  ...each(
    [],
    `
    AllowedReferrers BlockedCountries BlockedIps BlockedReferrers BudgetRedirectedCountries
    CookieVaryParameters EdgeRules OptimizerClasses QueryStringVaryParameters
  `,
  ),
  ...each(
    null,
    `
    AWSSigningRegionName CacheKeyHeaders DnsRecordValue ErrorPageCustomCode ErrorPageStatuspageCode
    LogForwardingHostname MagicContainersAppId MagicContainersEndpointId MiddlewareScriptId
    OptimizerWatermarkUrl OriginHostHeader
  `,
  ),
  ...each(
    0,
    `
    BurstSize ConnectionLimitPerIPCount DnsRecordId DnsZoneId LimitRateAfter LimitRatePerSecond LogFormat
    LogForwardingFormat LogForwardingPort LogForwardingProtocol MaxWebSocketConnections
    MonthlyBandwidthLimit OptimizerWatermarkPosition OriginRetries OriginRetryDelay PermaCacheStorageZoneId
    PriceOverride RequestLimit ShieldDDosProtectionType
  `,
  ),
  ...each(
    true,
    `
    DisableCookies EnableAccessControlOriginHeader EnableGeoZoneAF EnableGeoZoneASIA EnableGeoZoneEU
    EnableGeoZoneSA EnableGeoZoneUS EnableQueryStringOrdering IgnoreQueryStrings
    OptimizerAutomaticOptimizationEnabled OptimizerEnableManipulationEngine OptimizerEnableWebP
    OptimizerMinifyCSS OptimizerMinifyJavaScript OriginRetryConnectionTimeout OriginRetryResponseTimeout
    UseStaleWhileOffline UseStaleWhileUpdating
  `,
  ),
  AccessControlOriginHeaderExtensions: ['eot', 'ttf', 'woff', 'woff2', 'css'],
  CacheControlMaxAgeOverride: -1,
  CacheControlPublicMaxAgeOverride: -1,
  EdgeScriptId: -1,
  OptimizerDesktopMaxWidth: 1600,
  OptimizerImageQuality: 85,
  OptimizerMobileImageQuality: 70,
  OptimizerMobileMaxWidth: 800,
  OptimizerWatermarkMinImageSize: 300,
  OptimizerWatermarkOffset: 3,
  OriginConnectTimeout: 10,
  OriginResponseTimeout: 60,
  OriginShieldMaxConcurrentRequests: 200,
  OriginShieldMaxQueuedRequests: 5000,
  OriginShieldQueueMaxWaitTime: 30,
  OriginShieldZoneCode: 'FR',
  RequestCoalescingTimeout: 30,
  RoutingFilters: ['all'],
  VideoLibraryId: -1,
};

/** The same value for each of these names. */
function each(value: unknown, names: string): Record<string, unknown> {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, value]),
  );
}
