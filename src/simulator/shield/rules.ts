/** A Shield rule, and a request that would trigger it. */
export type ShieldRule = {
  ruleId: string;
  name: string;
  feature: 'waf' | 'ratelimit' | 'accesslist' | 'bot' | 'ddos';
  ruleset: string;
  group: string;
  groupCode: string;
  severity: 'Critical' | 'High' | 'Medium' | 'Low';
  /** The operator in TriggerMatch.Key. */
  operator: string;
  /** Path (or query) that triggers it in everyday noise; absent = any path of the site. */
  probe?: string;
  matched: string;
};

/** Rules by a name of our own. Numbers follow the OWASP core rule set's ranges; not every id is a number. */
export const RULES = {
  sqli: {
    ...crs('942100', 'Critical', 'SQL Injection', 'sqli'),
    name: 'SQL Injection Attack Detected via libinjection',
    operator: '@detectSQLi',
    probe: '/search?q=1%27%20UNION%20SELECT%20password%20FROM%20users--',
    matched: "1' UNION SELECT password FROM users--",
  },
  xss: {
    ...crs('941100', 'Critical', 'Cross-Site Scripting', 'xss'),
    name: 'XSS Attack Detected via libinjection',
    operator: '@detectXSS',
    probe: '/search?q=%3Cscript%3Ealert(1)%3C/script%3E',
    matched: '<script>alert(1)</script>',
  },
  files: {
    ...crs('930120', 'High', 'Local File Inclusion', 'lfi'),
    name: 'OS File Access Attempt',
    operator: '@pmFromFile lfi-os-files.data',
    probe: '/download?file=../../../../etc/passwd',
    matched: '../../../../etc/passwd',
  },
  restricted: {
    ...crs('930130', 'High', 'Local File Inclusion', 'lfi'),
    name: 'Restricted File Access Attempt',
    operator: '@pmFromFile restricted-files.data',
    probe: '/.env',
    matched: '/.env',
  },
  remote: {
    ...crs('932160', 'Critical', 'Remote Code Execution', 'rce'),
    name: 'Remote Command Execution: Unix Shell Code Found',
    operator: '@pmFromFile unix-shell.data',
    probe: '/cgi-bin/status?x=;cat%20/etc/shadow',
    matched: ';cat /etc/shadow',
  },
  scanner: {
    ...crs('913100', 'Medium', 'Scanner Detection', 'scanner'),
    name: 'Found User-Agent associated with security scanner',
    operator: '@pmFromFile scanners-user-agents.data',
    matched: 'sqlmap',
  },
  protocol: {
    ...crs('920350', 'Low', 'Protocol Enforcement', 'protocol'),
    name: 'Host header is a numeric IP address',
    operator: '@rx ^[\\d.:]+$',
    matched: '198.51.100.7',
  },
  generic: {
    ...ruleset('AGD-U455', 'Medium', 'Adaptive', 'waf', 'Anomaly Detection', 'anomaly'),
    name: 'Anomalous client behaviour',
    operator: '@ge 40',
    matched: 'score 47',
  },
  loginRate: {
    ...ruleset('RL-2041', 'High', 'Rate limits', 'ratelimit'),
    name: 'Login attempts per minute',
    operator: '@gt 20',
    matched: '21 requests in 60 s',
  },
  flood: {
    ...ruleset('DD-7', 'Critical', 'DDoS', 'ddos', 'Layer 7', 'l7'),
    name: 'Request flood from one network',
    operator: '@gt 400',
    matched: 'requests per second',
  },
  blocklist: {
    ...ruleset('AL-17', 'Medium', 'Access lists', 'accesslist'),
    name: 'Blocked networks',
    operator: '@ipMatch',
    matched: '192.0.2.0/24',
  },
  bot: {
    ...ruleset('BOT-3', 'Low', 'Bot detection', 'bot'),
    name: 'Browser challenge',
    operator: '@lt 30',
    matched: 'score 12',
  },
} as const satisfies Record<string, ShieldRule>;

/** Everyday noise: how often rules trigger, and what Shield does then. */
export const NOISE: readonly { rule: ShieldRule; weight: number; blocked: number; challenged: number }[] = [
  { rule: RULES.bot, weight: 30, blocked: 0.05, challenged: 0.8 },
  { rule: RULES.restricted, weight: 16, blocked: 0.97, challenged: 0 },
  { rule: RULES.generic, weight: 14, blocked: 0.1, challenged: 0.2 },
  { rule: RULES.sqli, weight: 9, blocked: 0.95, challenged: 0 },
  { rule: RULES.scanner, weight: 8, blocked: 0.8, challenged: 0.1 },
  { rule: RULES.blocklist, weight: 8, blocked: 1, challenged: 0 },
  { rule: RULES.protocol, weight: 6, blocked: 0.2, challenged: 0 },
  { rule: RULES.xss, weight: 5, blocked: 0.96, challenged: 0 },
  { rule: RULES.files, weight: 4, blocked: 0.97, challenged: 0 },
  { rule: RULES.remote, weight: 3, blocked: 0.98, challenged: 0 },
  { rule: RULES.loginRate, weight: 3, blocked: 0.7, challenged: 0.1 },
];

type RuleSet = Pick<ShieldRule, 'ruleId' | 'severity' | 'feature' | 'ruleset' | 'group' | 'groupCode'>;
type Severity = ShieldRule['severity'];

function crs(ruleId: string, severity: Severity, group: string, groupCode: string): RuleSet {
  return ruleset(ruleId, severity, 'OWASP CRS', 'waf', group, groupCode);
}

function ruleset(
  ruleId: string,
  severity: Severity,
  name: string,
  feature: ShieldRule['feature'],
  group = name,
  groupCode: string = feature,
): RuleSet {
  return { ruleId, severity, feature, ruleset: name, group, groupCode };
}
