/** What a row of the log shows, of an entry as the API gives it. */
export type Entry = {
  timestamp: string;
  requestId: string;
  cacheStatus: string;
  statusCode: number;
  bytesSent: number;
  edgeLocation: string;
  countryCode?: string | null;
  remoteIp?: string | null;
  host: string;
  path: string;
  userAgent?: string | null;
};

/** One line of printable ASCII, columns in the order of the log pane. */
export function rowText(entry: Entry): string {
  const parts = [
    entry.cacheStatus.padEnd(8),
    String(entry.statusCode),
    entry.timestamp.slice(11, 23),
    String(entry.bytesSent).padStart(9),
    entry.edgeLocation.padEnd(4),
    (entry.countryCode ?? '-').padEnd(2),
    (entry.remoteIp ?? '-').padEnd(15),
    `${entry.host}${entry.path}`,
    entry.userAgent ?? '-',
  ];
  return parts.join(' ').replace(/[^\x20-\x7e]/g, '?');
}
