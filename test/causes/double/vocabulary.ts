/** The words that the traffic is made of. */

export const COUNTRIES =
  'US DE GB FR NL PL BR IN CA ES IT SE AU JP CZ AT CH BE DK NO FI PT IE RO HU GR TR UA MX AR CL CO PE ZA NG EG KE MA IL AE SA TH VN ID MY SG PH KR TW HK NZ BG HR SI SK RS LT LV EE LU'.split(
    ' ',
  );

export const EDGES =
  'DE NY LA UK SG FR SYD AT BR1 CA2 CHI DAL DK ES FI GA HK HU IL1 IN IT JP1 KR ME1 MX NL1 NO1 PL PT RO SE SE2 SIL TR TX UA WA ZA CZ1 BG1'.split(
    ' ',
  );

const CONSUMER = ['Telecom', 'Broadband', 'Mobile', 'Cable', 'Fibre Net', 'Wireless', 'Online', 'Internet'];
export const HOSTERS = [
  'Northrack Hosting',
  'Cloudbarn',
  'Serverfold Ltd',
  'Hexaquay Cloud',
  'Blueshelf VPS',
  'Datenhafen',
];

export const networkName = (country: string, n: number): string =>
  `${country} ${CONSUMER[n % CONSUMER.length]} ${n + 1}`;

export type Browser = { readonly ua: string; readonly family: string };

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const LIKE = 'AppleWebKit/537.36 (KHTML, like Gecko)';

function browsers(): Browser[] {
  const list: Browser[] = [];
  for (const v of [142, 141, 140, 138, 131, 126, 120, 109]) {
    list.push({ ua: `${WINDOWS} ${LIKE} Chrome/${v}.0.0.0 Safari/537.36`, family: 'chrome' });
    list.push({ ua: `${MAC} ${LIKE} Chrome/${v}.0.0.0 Safari/537.36`, family: 'chrome' });
    list.push({
      ua: `Mozilla/5.0 (Linux; Android 10; K) ${LIKE} Chrome/${v}.0.0.0 Mobile Safari/537.36`,
      family: 'chromeMobile',
    });
  }
  for (const v of ['18_6', '18_5', '17_6_1', '26_0', '16_7']) {
    const version = v.replaceAll('_', '.');
    list.push({
      ua: `Mozilla/5.0 (iPhone; CPU iPhone OS ${v} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Mobile/15E148 Safari/604.1`,
      family: 'safari',
    });
  }
  for (const v of ['18.5', '17.6', '26.0']) {
    list.push({
      ua: `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${v} Safari/605.1.15`,
      family: 'safari',
    });
  }
  for (const v of [144, 143, 140, 128, 115]) {
    list.push({
      ua: `Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:${v}.0) Gecko/20100101 Firefox/${v}.0`,
      family: 'firefox',
    });
    list.push({
      ua: `Mozilla/5.0 (X11; Linux x86_64; rv:${v}.0) Gecko/20100101 Firefox/${v}.0`,
      family: 'firefox',
    });
  }
  for (const v of [142, 141]) {
    list.push({ ua: `${WINDOWS} ${LIKE} Chrome/${v}.0.0.0 Safari/537.36 Edg/${v}.0.0.0`, family: 'chrome' });
  }
  list.push({
    ua: `Mozilla/5.0 (Linux; Android 14; SM-S918B) ${LIKE} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    family: 'chromeMobile',
  });
  list.push({ ua: 'okhttp/4.12.0', family: 'okhttp' });
  list.push({
    ua: 'OurShop/5.21.1 (iPhone; iOS 18.6; Scale/3.00) CFNetwork/1568.300.101 Darwin/24.2.0',
    family: 'cfnetwork',
  });
  list.push({ ua: 'Dalvik/2.1.0 (Linux; U; Android 13; Pixel 7 Build/TQ3A.230901.001)', family: 'okhttp' });
  return list;
}

export const BROWSERS: readonly Browser[] = browsers();
export const FAMILIES: readonly string[] = [...new Set(BROWSERS.map((b) => b.family))];

export const TOOLS = [
  'python-requests/2.32.3',
  'Go-http-client/2.0',
  'curl/8.9.1',
  'Scrapy/2.11.2 (+https://scrapy.org)',
  'Mozilla/5.0 (compatible; PriceHound/1.4; +https://pricehound.example/bot)',
  `Mozilla/5.0 (X11; Linux x86_64) ${LIKE} HeadlessChrome/129.0.0.0 Safari/537.36`,
  'axios/1.7.7',
  'node-fetch',
];

export type Bot = {
  readonly ua: string;
  readonly asn: number;
  readonly org: string;
  readonly country: string;
};

export const BOTS: readonly Bot[] = [
  {
    ua: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    asn: 15169,
    org: 'Google LLC',
    country: 'US',
  },
  {
    ua: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    asn: 8075,
    org: 'Microsoft Corporation',
    country: 'US',
  },
  {
    ua: 'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
    asn: 16276,
    org: 'OVH SAS',
    country: 'FR',
  },
];
export const MONITOR: Bot = {
  ua: 'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
  asn: 63949,
  org: 'Akamai Connected Cloud',
  country: 'US',
};

export type PageKind = 'html' | 'asset' | 'image' | 'media' | 'api' | 'redirect';

export const SECTIONS: readonly {
  readonly prefix: string;
  readonly kind: PageKind;
  readonly tail: string;
}[] = [
  { prefix: '/products/', kind: 'html', tail: '' },
  { prefix: '/assets/js/', kind: 'asset', tail: '.js' },
  { prefix: '/assets/css/', kind: 'asset', tail: '.css' },
  { prefix: '/img/', kind: 'image', tail: '.webp' },
  { prefix: '/api/v1/', kind: 'api', tail: '' },
  { prefix: '/blog/', kind: 'html', tail: '/' },
  { prefix: '/media/', kind: 'media', tail: '.mp4' },
  { prefix: '/docs/', kind: 'html', tail: '.html' },
  { prefix: '/checkout/', kind: 'api', tail: '' },
  { prefix: '/category/', kind: 'html', tail: '' },
  { prefix: '/go/', kind: 'redirect', tail: '' },
  { prefix: '/thumbs/', kind: 'image', tail: '.jpg' },
  { prefix: '/fonts/', kind: 'asset', tail: '.woff2' },
  { prefix: '/graphql/', kind: 'api', tail: '' },
  { prefix: '/downloads/', kind: 'media', tail: '.zip' },
  { prefix: '/en/help/', kind: 'html', tail: '' },
];

export const WORDS =
  'amber atlas basil birch cedar clover copper coral delta ember fern flint garnet harbor hazel indigo iris ivory jade juniper larch lemon lilac linen maple mint moss north oak olive onyx opal orchid pearl pine plum quartz raven reed river rose rowan saffron sage slate spruce stone storm sumac teal thyme topaz umber velvet violet walnut willow winter yarrow zinc'.split(
    ' ',
  );

export const MISSING = [
  '/favicon.ico',
  '/apple-touch-icon.png',
  '/apple-touch-icon-precomposed.png',
  '/ads.txt',
  '/.well-known/assetlinks.json',
  '/wp-login.php',
  '/robots.txt',
  '/sitemap_index.xml',
  '/xmlrpc.php',
  '/browserconfig.xml',
  '/.well-known/traffic-advice',
  '/index.php',
];

export const SCANNED =
  '.env .git/config wp-admin/setup-config.php phpinfo.php actuator/env server-status config.json backup.sql vendor/phpunit/phpunit/src/Util/PHP/eval-stdin.php cgi-bin/luci solr/admin boaform/admin owa/auth/logon.aspx console/login .aws/credentials debug/default/view wp-content/plugins/x.php old.zip dump.sql.gz admin.php'.split(
    ' ',
  );

export const REFERERS = [
  'https://www.google.com/',
  'https://www.bing.com/',
  'https://duckduckgo.com/',
  'https://www.facebook.com/',
  'https://t.co/',
  'https://news.ycombinator.com/',
  'android-app://com.google.android.googlequicksearchbox/',
];

export const ZONE_NAMES =
  'shop-frontend media-main docs-site img-eu app-api downloads landing partner-portal static-assets magazine'.split(
    ' ',
  );
