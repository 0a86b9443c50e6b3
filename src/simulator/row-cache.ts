import type { SimRow } from './rows.ts';

/** Keeps the rows of recently used time units, oldest use out first, bounded by the number of rows. */
export class RowCache {
  private readonly units = new Map<number, readonly SimRow[]>();
  private rows = 0;
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  get(zone: number, unit: number): readonly SimRow[] | undefined {
    const key = keyOf(zone, unit);
    const rows = this.units.get(key);
    if (rows !== undefined && this.rows > this.most / 2) {
      this.units.delete(key);
      this.units.set(key, rows);
    }
    return rows;
  }

  set(zone: number, unit: number, rows: readonly SimRow[]): void {
    this.units.set(keyOf(zone, unit), rows);
    this.rows += weight(rows);
    if (this.rows <= this.most) return;
    // Many at a time: a Map walks over the places of what was deleted before, each time anew.
    const kept = this.most * 0.75;
    for (const [key, oldest] of this.units) {
      if (this.rows <= kept || this.units.size === 1) return;
      this.units.delete(key);
      this.rows -= weight(oldest);
    }
  }
}

/** An empty unit still costs an entry. */
function weight(rows: readonly SimRow[]): number {
  return rows.length + 1;
}

/** Units are epoch seconds or minutes: below 2^33. */
function keyOf(zone: number, unit: number): number {
  return zone * 2 ** 33 + unit;
}
