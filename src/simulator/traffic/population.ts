import { type Sampler, weighted } from '../random.ts';

export type AddressPool = {
  asn: number;
  organization: string;
  country: string;
  edge: string;
  /** First two octets of its IPv4 space. */
  prefix: string;
  weight: number;
};

type Agent = { text: string; ja4: string; weight: number };

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

const WINDOWS = 'Windows NT 10.0; Win64; x64';
const MAC = 'Macintosh; Intel Mac OS X 10_15_7';

/** What visitors and good bots send as User-Agent, each with the TLS fingerprint its client makes. */
export const AGENTS: readonly Agent[] = [
  { text: chrome(WINDOWS), ja4: CHROME, weight: 24 },
  { text: chrome(MAC), ja4: CHROME, weight: 12 },
  { text: chrome('Linux; Android 10; K', 'Mobile Safari/537.36'), ja4: CHROME, weight: 18 },
  { text: chrome(WINDOWS, 'Safari/537.36 Edg/138.0.0.0'), ja4: CHROME, weight: 6 },
  { text: firefox('X11; Linux x86_64'), ja4: FIREFOX, weight: 4 },
  { text: firefox(WINDOWS), ja4: FIREFOX, weight: 5 },
  { text: safari('iPhone; CPU iPhone OS 18_5 like Mac OS X', 'Mobile/15E148 '), ja4: SAFARI, weight: 17 },
  { text: safari(MAC), ja4: SAFARI, weight: 7 },
  { text: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', ja4: GO, weight: 2 },
  { text: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', ja4: GO, weight: 1 },
  { text: 'okhttp/4.12.0', ja4: GO, weight: 3 },
  { text: 'curl/8.14.1', ja4: 't13d4907h2_0d8feac7bc37_7395dae3b2f3', weight: 0.6 },
  { text: 'python-requests/2.32.4', ja4: PYTHON, weight: 0.7 },
  { text: 'UptimeKuma/1.23', ja4: PYTHON, weight: 0.4 },
];

export const networkSampler: Sampler = weighted(NETWORKS.map((n) => n.weight));
export const agentSampler: Sampler = weighted(AGENTS.map((a) => a.weight));

/** Words that names and paths are made of. */
export const NOUNS: readonly string[] = `
  anchor basket beacon birch bottle cable candle canvas cedar chair cloud cobalt copper coral desk ember
  fern flint garnet glass harbor hazel helmet indigo jacket kettle lamp lantern linen maple meadow mirror
  needle ocean olive paper pebble pine plate quartz ribbon river saddle shelf silver spruce stone table
  thread timber tulip velvet walnut willow window winter
`
  .trim()
  .split(/\s+/);

function chrome(system: string, end = 'Safari/537.36'): string {
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 ${end}`;
}

function firefox(system: string): string {
  return `Mozilla/5.0 (${system}; rv:141.0) Gecko/20100101 Firefox/141.0`;
}

function safari(system: string, device = ''): string {
  return `Mozilla/5.0 (${system}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 ${device}Safari/${device ? '604.1' : '605.1.15'}`;
}
