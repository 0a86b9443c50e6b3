/** The parts that say something, with this between them. */
export function joined(parts: readonly string[], between = '; '): string {
  return parts.filter((part) => part !== '').join(between);
}
