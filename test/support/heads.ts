/** The column titles of a list, which are in capitals: they stand under the traffic over time, where that is drawn. */
export function headsOf(screen: readonly string[]): string {
  const titles = screen.find((line, at) => at >= 2 && /^ [A-Z]{2}/.test(line)) ?? '';
  // Top values or a row in full may stand beside the list.
  const [own = ''] = titles.split('│');
  return own.trimEnd();
}
