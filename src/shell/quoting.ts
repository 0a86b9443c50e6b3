/** One word of a shell whatever is in it: bash, zsh and sh read it the same. */
export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** As fish reads it, where a backslash is a sign of its own. */
export function inFishQuotes(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
