/**
 * The first whole number from `from` on for which `isSo` holds, `to` when there is none. It must hold for all after
 * the first.
 */
export function firstWhere(from: number, to: number, isSo: (at: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
