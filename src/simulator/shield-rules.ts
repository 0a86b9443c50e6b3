/** A Shield rule, and a request that would trigger it. */
export type ShieldRule = {
  ruleId: string;
  name: string;
  feature: 'waf' | 'ratelimit' | 'accesslist' | 'bot' | 'ddos';
  ruleset: string;
  group: string;
  groupCode: string;
  severity: 'Critical' | 'High' | 'Medium' | 'Low';
  /** Operator as told by TriggerMatch.Key. */
  operator: string;
  /** Path (or query) that brings it up in everyday noise; null = any path of the site. */
  probe: string | null;
  matched: string;
};

/** Rules by a name of our own. Numbers follow the OWASP core rule set's ranges; not every id is a number. */
export const RULES = {
  sqli: rule(
    '942100',
    'SQL Injection Attack Detected via libinjection',
    'waf',
    'OWASP CRS',
    'SQL Injection',
    'sqli',
    'Critical',
    '@detectSQLi',
    '/search?q=1%27%20UNION%20SELECT%20password%20FROM%20users--',
    "1' UNION SELECT password FROM users--",
  ),
  xss: rule(
    '941100',
    'XSS Attack Detected via libinjection',
    'waf',
    'OWASP CRS',
    'Cross-Site Scripting',
    'xss',
    'Critical',
    '@detectXSS',
    '/search?q=%3Cscript%3Ealert(1)%3C/script%3E',
    '<script>alert(1)</script>',
  ),
  files: rule(
    '930120',
    'OS File Access Attempt',
    'waf',
    'OWASP CRS',
    'Local File Inclusion',
    'lfi',
    'High',
    '@pmFromFile lfi-os-files.data',
    '/download?file=../../../../etc/passwd',
    '../../../../etc/passwd',
  ),
  restricted: rule(
    '930130',
    'Restricted File Access Attempt',
    'waf',
    'OWASP CRS',
    'Local File Inclusion',
    'lfi',
    'High',
    '@pmFromFile restricted-files.data',
    '/.env',
    '/.env',
  ),
  remote: rule(
    '932160',
    'Remote Command Execution: Unix Shell Code Found',
    'waf',
    'OWASP CRS',
    'Remote Code Execution',
    'rce',
    'Critical',
    '@pmFromFile unix-shell.data',
    '/cgi-bin/status?x=;cat%20/etc/shadow',
    ';cat /etc/shadow',
  ),
  scanner: rule(
    '913100',
    'Found User-Agent associated with security scanner',
    'waf',
    'OWASP CRS',
    'Scanner Detection',
    'scanner',
    'Medium',
    '@pmFromFile scanners-user-agents.data',
    null,
    'sqlmap',
  ),
  protocol: rule(
    '920350',
    'Host header is a numeric IP address',
    'waf',
    'OWASP CRS',
    'Protocol Enforcement',
    'protocol',
    'Low',
    '@rx ^[\\d.:]+$',
    null,
    '198.51.100.7',
  ),
  generic: rule(
    'AGD-U455',
    'Anomalous client behaviour',
    'waf',
    'Adaptive',
    'Anomaly Detection',
    'anomaly',
    'Medium',
    '@ge 40',
    null,
    'score 47',
  ),
  loginRate: rule(
    'RL-2041',
    'Login attempts per minute',
    'ratelimit',
    'Rate limits',
    'Rate limits',
    'ratelimit',
    'High',
    '@gt 20',
    null,
    '21 requests in 60 s',
  ),
  flood: rule(
    'DD-7',
    'Request flood from one network',
    'ddos',
    'DDoS',
    'Layer 7',
    'l7',
    'Critical',
    '@gt 400',
    null,
    'requests per second',
  ),
  blocklist: rule(
    'AL-17',
    'Blocked networks',
    'accesslist',
    'Access lists',
    'Access lists',
    'accesslist',
    'Medium',
    '@ipMatch',
    null,
    '192.0.2.0/24',
  ),
  bot: rule(
    'BOT-3',
    'Browser challenge',
    'bot',
    'Bot detection',
    'Bot detection',
    'bot',
    'Low',
    '@lt 30',
    null,
    'score 12',
  ),
} as const satisfies Record<string, ShieldRule>;

/** Everyday noise: which rules trigger how often, and what Shield does then. */
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

function rule(
  ruleId: string,
  name: string,
  feature: ShieldRule['feature'],
  ruleset: string,
  group: string,
  groupCode: string,
  severity: ShieldRule['severity'],
  operator: string,
  probe: string | null,
  matched: string,
): ShieldRule {
  return { ruleId, name, feature, ruleset, group, groupCode, severity, operator, probe, matched };
}
