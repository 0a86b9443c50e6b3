/** The column titles of a list, which are in capitals: they stand under the traffic over time, where that is drawn. */
export function headsOf(screen: readonly string[]): string {
  return screen.find((line, at) => at >= 2 && /^ [A-Z]{2}/.test(line)) ?? '';
}
