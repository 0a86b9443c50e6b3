import { type Sampler, weighted } from './random.ts';

export type AddressPool = {
  asn: number;
  organization: string;
  country: string;
  edge: string;
  /** First two octets of its IPv4 space. */
  prefix: string;
  weight: number;
};

export type Agent = { text: string; ja4: string; weight: number };

/** Access networks that ordinary visitors come from. Prefixes are plausible, not exact. */
export const NETWORKS: readonly AddressPool[] = [
  { asn: 3320, organization: 'Deutsche Telekom AG', country: 'DE', edge: 'DE', prefix: '84.140', weight: 12 },
  { asn: 3209, organization: 'Vodafone GmbH', country: 'DE', edge: 'DE', prefix: '88.64', weight: 6 },
  { asn: 7922, organization: 'Comcast Cable', country: 'US', edge: 'NY', prefix: '73.112', weight: 10 },
  { asn: 701, organization: 'Verizon Business', country: 'US', edge: 'NY', prefix: '71.182', weight: 6 },
  {
    asn: 20115,
    organization: 'Charter Communications',
    country: 'US',
    edge: 'LA',
    prefix: '66.214',
    weight: 6,
  },
  { asn: 21928, organization: 'T-Mobile USA', country: 'US', edge: 'LA', prefix: '172.58', weight: 5 },
  {
    asn: 2856,
    organization: 'British Telecommunications',
    country: 'GB',
    edge: 'UK',
    prefix: '86.138',
    weight: 7,
  },
  { asn: 5607, organization: 'Sky UK Limited', country: 'GB', edge: 'UK', prefix: '90.194', weight: 4 },
  { asn: 3215, organization: 'Orange S.A.', country: 'FR', edge: 'FR', prefix: '90.92', weight: 6 },
  { asn: 12322, organization: 'Free SAS', country: 'FR', edge: 'FR', prefix: '82.64', weight: 4 },
  { asn: 3352, organization: 'Telefonica de Espana', country: 'ES', edge: 'ES', prefix: '83.44', weight: 4 },
  { asn: 3269, organization: 'Telecom Italia', country: 'IT', edge: 'IT', prefix: '79.18', weight: 4 },
  { asn: 5617, organization: 'Orange Polska', country: 'PL', edge: 'PL', prefix: '83.20', weight: 3 },
  { asn: 1136, organization: 'KPN B.V.', country: 'NL', edge: 'NL', prefix: '77.166', weight: 3 },
  { asn: 3301, organization: 'Telia Company', country: 'SE', edge: 'SE', prefix: '81.224', weight: 3 },
  { asn: 8447, organization: 'A1 Telekom Austria', country: 'AT', edge: 'DE', prefix: '80.108', weight: 2 },
  { asn: 5603, organization: 'Telekom Slovenije', country: 'SI', edge: 'DE', prefix: '86.58', weight: 2 },
  { asn: 9121, organization: 'Turk Telekom', country: 'TR', edge: 'TR', prefix: '85.96', weight: 2 },
  { asn: 28573, organization: 'Claro NXT', country: 'BR', edge: 'BR', prefix: '187.20', weight: 4 },
  { asn: 4713, organization: 'NTT Communications', country: 'JP', edge: 'JP', prefix: '153.160', weight: 4 },
  { asn: 4766, organization: 'Korea Telecom', country: 'KR', edge: 'KR', prefix: '121.130', weight: 2 },
  { asn: 55836, organization: 'Reliance Jio', country: 'IN', edge: 'SG', prefix: '49.36', weight: 4 },
  { asn: 9506, organization: 'Singtel', country: 'SG', edge: 'SG', prefix: '119.74', weight: 2 },
  { asn: 1221, organization: 'Telstra', country: 'AU', edge: 'SYD', prefix: '101.160', weight: 3 },
  { asn: 3741, organization: 'Internet Solutions', country: 'ZA', edge: 'JH', prefix: '105.224', weight: 1 },
  { asn: 15169, organization: 'Google LLC', country: 'US', edge: 'LA', prefix: '66.249', weight: 2 },
];

const CHROME = 't13d1516h2_8daaf6152771_02713d6af862';
const FIREFOX = 't13d1715h2_5b57614c22b0_5c2c66f702b0';
const SAFARI = 't13d2014h2_a09f3c656075_14788d8d241b';
const GO = 't13d1312h2_f57a46bbacb6_ab7e3b40a677';
const PYTHON = 't13d1812h1_85036bcba153_375ca2c5e164';

/** What visitors and good bots send as User-Agent, each with the TLS fingerprint its client makes. */
export const AGENTS: readonly Agent[] = [
  agent(
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
    CHROME,
    24,
  ),
  agent(
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
    CHROME,
    12,
  ),
  agent(
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
    CHROME,
    18,
  ),
  agent(
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0',
    CHROME,
    6,
  ),
  agent('Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0', FIREFOX, 4),
  agent('Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0', FIREFOX, 5),
  agent(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    SAFARI,
    17,
  ),
  agent(
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    SAFARI,
    7,
  ),
  agent('Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', GO, 2),
  agent('Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', GO, 1),
  agent('okhttp/4.12.0', GO, 3),
  agent('curl/8.14.1', 't13d4907h2_0d8feac7bc37_7395dae3b2f3', 0.6),
  agent('python-requests/2.32.4', PYTHON, 0.7),
  agent('UptimeKuma/1.23', PYTHON, 0.4),
];

export const networkSampler: Sampler = weighted(NETWORKS.map((n) => n.weight));
export const agentSampler: Sampler = weighted(AGENTS.map((a) => a.weight));

export const NOUNS = [
  'anchor',
  'basket',
  'beacon',
  'birch',
  'bottle',
  'cable',
  'candle',
  'canvas',
  'cedar',
  'chair',
  'cloud',
  'cobalt',
  'copper',
  'coral',
  'desk',
  'ember',
  'fern',
  'flint',
  'garnet',
  'glass',
  'harbor',
  'hazel',
  'helmet',
  'indigo',
  'jacket',
  'kettle',
  'lamp',
  'lantern',
  'linen',
  'maple',
  'meadow',
  'mirror',
  'needle',
  'ocean',
  'olive',
  'paper',
  'pebble',
  'pine',
  'plate',
  'quartz',
  'ribbon',
  'river',
  'saddle',
  'shelf',
  'silver',
  'spruce',
  'stone',
  'table',
  'thread',
  'timber',
  'tulip',
  'velvet',
  'walnut',
  'willow',
  'window',
  'winter',
] as const;

function agent(text: string, ja4: string, weight: number): Agent {
  return { text, ja4, weight };
}
