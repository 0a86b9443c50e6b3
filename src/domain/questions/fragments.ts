/** Fragments that a rule matched, with what differs from one to the next put aside. */
export type FragmentGroup = {
  /** The fragment with numbers and ids replaced: see `fragmentShape`. */
  shape: string;
  count: number;
  /** The first one seen, as it was. */
  example: string;
};

/** Longer fragments are compared by their beginning. */
const LONGEST = 200;

/**
 * A fragment without what makes each one different: runs of 8 and more hex digits with a digit among them, UUIDs and
 * numbers become `#`, runs of white space one space, letters small. Two fragments of one shape are one finding.
 */
export function fragmentShape(text: string): string {
  return text
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '#')
    .replace(/(?<![0-9a-z])(?=[a-f]*\d)[0-9a-f]{8,}(?![0-9a-z])/g, '#')
    .replace(/\d+(?:[.,]\d+)*/g, '#')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Groups by shape, most first; equal counts by their shape. */
export function groupFragments(fragments: Iterable<string>): FragmentGroup[] {
  const groups = new Map<string, FragmentGroup>();
  for (const example of fragments) {
    const shape = fragmentShape(example);
    const known = groups.get(shape);
    if (known) known.count++;
    else groups.set(shape, { shape, count: 1, example });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || (a.shape < b.shape ? -1 : 1));
}
