/** The busiest zone of the simulated account, which is also the first of the list. */
export const ZONE = 'shop-frontend';

export function isLive(screen: readonly string[]): boolean {
  return /LIVE$/.test(screen[0] ?? '') && logRows(screen).length > 3;
}

/** The rows of the log pane that are on the screen, from the top. */
export function logRows(screen: readonly string[]): string[] {
  return screen.filter((line) => /^[▌~ ](?:\d\d-\d\d | {6})?\d\d:\d\d:\d\d /.test(line));
}
