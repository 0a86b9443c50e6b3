import { type Exchange, fieldError, json, listAnswer, paged, type ServedAnswer } from '../http/answers.ts';
import { hex, mix } from '../random.ts';
import type { World } from '../world.ts';
import type { SimZone } from './account-zones.ts';

/** `search` looks in names and hostnames. */
export function listPullZones(call: Exchange, world: World): ServedAnswer {
  const wanted = call.url.searchParams.get('search')?.toLowerCase() ?? '';
  const found = world.account.zones.filter(
    (z) => z.name.includes(wanted) || z.hostnames.some((host) => host.includes(wanted)),
  );
  // The platform's Terraform provider decodes a search as a page, although it asks for none.
  return wanted === '' ? listAnswer(call, found, pullZone) : paged(call, found, pullZone);
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

/** Every field that a client reads, secrets among them, so that a leak shows. */
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

/** What all pull zones share: a value, and its fields. Clients in typed languages decode each of them. */
const PULL_ZONE_SETTINGS = Object.fromEntries(
  `
    false AddCanonicalHeader AddHostHeader AWSSigningEnabled BlockNoneReferrer BlockPostRequests
    false BlockRootPathAccess CacheErrorResponses DisableLetsEncrypt EnableAutoSSL EnableAvifVary
    false EnableCacheSlice EnableCookieVary EnableCountryCodeVary EnableCountryStateCodeVary
    false EnableHostnameVary EnableMobileVary EnableRequestCoalescing EnableSafeHop EnableSmartCache
    false EnableTLS1 EnableTLS1_1 EnableWebPVary EnableWebSockets ErrorPageEnableCustomCode
    false ErrorPageEnableStatuspageWidget ErrorPageWhitelabel FollowRedirects LogForwardingEnabled
    false OptimizerEnabled OptimizerForceClasses OptimizerPrerenderHtml OptimizerTunnelEnabled
    false OptimizerWatermarkEnabled OriginRetry5XXResponses OriginShieldEnableConcurrencyLimit
    false ShieldDDosProtectionEnabled UseBackgroundUpdate VerifyOriginSSL ZoneSecurityIncludeHashRemoteIP
    [] AllowedReferrers BlockedCountries BlockedIps BlockedReferrers BudgetRedirectedCountries
    [] CookieVaryParameters EdgeRules OptimizerClasses QueryStringVaryParameters
    null AWSSigningRegionName CacheKeyHeaders DnsRecordValue ErrorPageCustomCode ErrorPageStatuspageCode
    null LogForwardingHostname MagicContainersAppId MagicContainersEndpointId MiddlewareScriptId
    null OptimizerWatermarkUrl OriginHostHeader
    0 BurstSize ConnectionLimitPerIPCount DnsRecordId DnsZoneId LimitRateAfter LimitRatePerSecond
    0 LogFormat LogForwardingFormat LogForwardingPort LogForwardingProtocol MaxWebSocketConnections
    0 MonthlyBandwidthLimit OptimizerWatermarkPosition OriginRetries OriginRetryDelay
    0 PermaCacheStorageZoneId PriceOverride RequestLimit ShieldDDosProtectionType
    true DisableCookies EnableAccessControlOriginHeader EnableGeoZoneAF EnableGeoZoneASIA EnableGeoZoneEU
    true EnableGeoZoneSA EnableGeoZoneUS EnableQueryStringOrdering IgnoreQueryStrings
    true OptimizerAutomaticOptimizationEnabled OptimizerEnableManipulationEngine OptimizerEnableWebP
    true OptimizerMinifyCSS OptimizerMinifyJavaScript OriginRetryConnectionTimeout
    true OriginRetryResponseTimeout UseStaleWhileOffline UseStaleWhileUpdating
    ["eot","ttf","woff","woff2","css"] AccessControlOriginHeaderExtensions
    -1 CacheControlMaxAgeOverride CacheControlPublicMaxAgeOverride EdgeScriptId
    1600 OptimizerDesktopMaxWidth
    85 OptimizerImageQuality
    70 OptimizerMobileImageQuality
    800 OptimizerMobileMaxWidth
    300 OptimizerWatermarkMinImageSize
    3 OptimizerWatermarkOffset
    10 OriginConnectTimeout
    60 OriginResponseTimeout
    200 OriginShieldMaxConcurrentRequests
    5000 OriginShieldMaxQueuedRequests
    30 OriginShieldQueueMaxWaitTime
    "FR" OriginShieldZoneCode
    30 RequestCoalescingTimeout
    ["all"] RoutingFilters
    -1 VideoLibraryId
  `
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [value = '', ...names] = line.trim().split(' ');
      return names.map((name) => [name, JSON.parse(value)]);
    }),
);

/** A few of the platform's regions: code, place, country, continent, and where they are. */
const REGIONS: readonly (readonly [string, string, string, string, number, number])[] = [
  ['DE', 'Frankfurt', 'DE', 'EU', 50.11, 8.68],
  ['UK', 'London', 'GB', 'EU', 51.51, -0.13],
  ['NY', 'New York City', 'US', 'NA', 40.71, -74.01],
  ['LA', 'Los Angeles', 'US', 'NA', 34.05, -118.24],
  ['SG', 'Singapore', 'SG', 'ASIA', 1.35, 103.82],
  ['SYD', 'Sydney', 'AU', 'ASIA', -33.87, 151.21],
  ['BR', 'Sao Paulo', 'BR', 'SA', -23.55, -46.63],
  ['JH', 'Johannesburg', 'ZA', 'AF', -26.2, 28.05],
];

/** GET /region: a bare list. */
export function listRegions(_call: Exchange): ServedAnswer {
  return json(
    REGIONS.map(([code, place, country, continent, latitude, longitude], at) => ({
      Id: at + 1,
      Name: place,
      PricePerGigabyte: 0.01,
      RegionCode: code,
      ContinentCode: continent,
      CountryCode: country,
      Latitude: latitude,
      Longitude: longitude,
      AllowLatencyRouting: true,
    })),
  );
}
