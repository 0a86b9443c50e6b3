/** Names further away than this many edits are no typo of the word. */
const FARTHEST = 2;

/**
 * The names that a mistyped word most likely means, best first, at most `limit`: those within two edits (insert,
 * delete, change, swap of neighbours), or that the word begins. Case does not count.
 */
export function nearestNames(word: string, names: readonly string[], limit = 1): string[] {
  const wanted = word.toLowerCase();
  return names
    .map((name) => ({ name, far: farness(wanted, name.toLowerCase()) }))
    .filter(({ far }) => far <= FARTHEST)
    .sort((a, b) => a.far - b.far || startsApart(wanted, a.name) - startsApart(wanted, b.name))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** Edits between two words with neighbours swapped counted as one (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      }
      row.push(least);
    }
    before = above;
    above = row;
  }
  return above[b.length] ?? 0;
}

/** People get the first letter right. */
function startsApart(word: string, name: string): number {
  return word[0] === name[0]?.toLowerCase() ? 0 : 1;
}

function farness(word: string, name: string): number {
  if (word === name) return 0;
  // A beginning of a name counts as one edit however much is missing: people stop typing early.
  if (word.length >= 3 && name.startsWith(word)) return 1;
  const far = editDistance(word, name);
  // In a word of three letters two edits leave nothing of it.
  return far <= (word.length > 3 ? FARTHEST : 1) ? far : FARTHEST + 1;
}
