import type { View } from './catalogue.ts';
import { draw, hash, poisson, unit } from './random.ts';
import type { Row } from './rows.ts';
import type { Stream } from './traffic.ts';

/** One request of a view. Its client is a key that all of a visitor's views have. */
export type Ask = { readonly t: number; readonly client: number; readonly page: number };

/** No view takes longer, in seconds. */
const LONGEST = 3;
/** How long a visitor stays, in seconds, and how many pages he opens meanwhile. */
const STAY = 300;
const OPENED = 4;

/** Visitors that open so many pages are there at once; each stays for some minutes, and then another one comes. */
function visitorOf(seed: number, begun: number, key: number, second: number): number {
  const seats = Math.max(1, Math.round((begun * STAY) / OPENED));
  const seat = hash(seed, Math.floor(seats * unit(key, 2)));
  return hash(seat, Math.floor(second / STAY + unit(seat, 3)));
}

function asksOf(view: View, key: number, client: number, start: number): Ask[] {
  return view.parts.flatMap(({ drawer, least, most, within, again = false }, at) => {
    const own = hash(key, at);
    const count = Math.floor(least + (most - least) * unit(own, 4) + unit(own, 5));
    return Array.from({ length: count }, (_, i) => {
      const each = hash(own, i);
      const page = draw(drawer, unit(again ? own : each, 7));
      return { t: start + Math.floor(within * unit(each, 6) ** 2), client, page };
    });
  });
}

/** A stream of views: a second has what the views of this second and of those just before ask for in it. */
export function inViews(
  seed: number,
  requests: (second: number) => number,
  view: View,
  fill: (row: Row, ask: Ask) => void,
): Pick<Stream, 'count' | 'fill'> {
  let last: { second: number; asks: readonly Ask[] } | null = null;
  const asksIn = (second: number): readonly Ask[] => {
    if (last?.second === second) return last.asks;
    const asks: Ask[] = [];
    for (let from = second - LONGEST; from <= second; from += 1) {
      const begun = requests(from) / view.mean;
      const count = poisson(begun, hash(seed ^ 0x1234567, from));
      for (let n = 0; n < count; n += 1) {
        const key = hash(hash(seed ^ 0x77, from), n);
        const start = Math.floor((from + unit(key, 1)) * 1000);
        const all = asksOf(view, key, visitorOf(seed, begun, key, from), start);
        asks.push(...all.filter(({ t }) => Math.floor(t / 1000) === second));
      }
    }
    asks.sort((a, b) => a.t - b.t);
    last = { second, asks };
    return asks;
  };
  return {
    count: (second) => asksIn(second).length,
    fill: (row) => {
      const ask = asksIn(row.second)[row.index] as Ask;
      row.t = ask.t;
      fill(row, ask);
    },
  };
}
