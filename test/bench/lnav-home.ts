import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FIELDS = {
  cache: { kind: 'string', identifier: true },
  status: { kind: 'integer', 'foreign-key': true },
  bytes: { kind: 'integer' },
  ip: { kind: 'string', collate: 'ipaddress' },
  url: { kind: 'string' },
  edge: { kind: 'string', identifier: true },
  ua: { kind: 'string' },
  reqid: { kind: 'string' },
  country: { kind: 'string', identifier: true },
} as const;

/** What lnav has to know to read both files as logs and not as bare lines: the work that the others are held to. */
export function lnavHome(folder: string): string {
  const formats = {
    edge_lines: {
      title: 'CDN log v1',
      description: 'lines with bars',
      regex: {
        std: {
          pattern:
            '^(?<cache>[A-Z-]+)\\|(?<status>\\d+)\\|(?<timestamp>\\d+)\\|(?<bytes>\\d+)\\|\\d+\\|(?<ip>[^|]*)\\|[^|]*\\|(?<url>[^|]*)\\|(?<edge>[^|]*)\\|(?<ua>[^|]*)\\|(?<reqid>[^|]*)\\|(?<country>[^|]*)(?<body>.*)$',
        },
      },
      'timestamp-format': ['%i'],
      'level-field': 'status',
      level: { error: '^5\\d\\d$', warning: '^4\\d\\d$' },
      value: FIELDS,
      sample: [
        {
          line: 'HIT|200|1507167062421|412|390|163.172.53.0|-|https://host/path?x=1|WA|Mozilla/5.0 x|322b688bd63fb63f2babe9de30a5d262|DE',
        },
      ],
    },
    edge_objects: {
      title: 'CDN log v2',
      description: 'JSON lines',
      'file-type': 'json',
      'line-format': [
        { field: '__timestamp__' },
        ' ',
        { field: 'cacheStatus' },
        ' ',
        { field: 'statusCode' },
        ' ',
        { field: 'remoteIp' },
        ' ',
        { field: 'url' },
        ' ',
        { field: 'userAgent' },
      ],
      'timestamp-field': 'timestamp',
      'level-field': 'statusCode',
      level: { error: '^5\\d\\d$', warning: '^4\\d\\d$' },
      'hide-extra': true,
      value: {
        cacheStatus: { kind: 'string', identifier: true },
        statusCode: { kind: 'integer', 'foreign-key': true },
        remoteIp: { kind: 'string' },
        url: { kind: 'string' },
        userAgent: { kind: 'string' },
      },
    },
  };
  const home = join(folder, 'lnav-home');
  for (const root of [join(home, '.lnav'), join(home, '.config', 'lnav')]) {
    const installed = join(root, 'formats', 'installed');
    mkdirSync(installed, { recursive: true });
    for (const [name, format] of Object.entries(formats)) {
      const schema = 'https://lnav.org/schemas/format-v1.schema.json';
      writeFileSync(join(installed, `${name}.json`), JSON.stringify({ $schema: schema, [name]: format }));
    }
  }
  return home;
}
