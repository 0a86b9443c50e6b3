/** A longer text is seldom one that comes again. */
const LONGEST = 256;

/** A function of texts that looks up what it said of those that come again: the last `most` of them at least, and twice as many at most. */
export function lookedUp<T>(of: (text: string) => T, most: number): (text: string) => T {
  let [recent, before] = [new Map<string, T>(), new Map<string, T>()];
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const value = before.get(text) ?? of(text);
    if (text.length > LONGEST) return value;
    if (recent.size === most) [recent, before] = [new Map(), recent];
    recent.set(text, value);
    return value;
  };
}
