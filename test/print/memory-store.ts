import assert from 'node:assert/strict';
import type { Engine } from '../../src/store/engines/engine.ts';
import { StoreFailure } from '../../src/store/engines/store-failure.ts';
import type { MarkedNote, Note } from '../../src/store/noted-coverage.ts';
import { KEY } from '../../src/store/sql/columns.ts';
import { DIALECTS } from '../../src/store/sql/dialect.ts';
import { ABOUT } from '../../src/store/sql/schema.ts';
import { statementOf } from '../../src/store/sql/sql.ts';
import type { StoredRow } from '../../src/store/sql/stored-row.ts';
import { rowsOf } from '../support/stored.ts';

/** A store that remembers rows by their key, and what was noted of time, the longest of notes that differ in their end. `isAway`: it refuses. */
export class MemoryStore {
  readonly rows = new Map<string, StoredRow>();
  readonly notes: MarkedNote[] = [];
  isAway = false;
  /** The clock of the engine. */
  now: () => number = () => 0;
  /** What each write was of. */
  readonly writes: ('rows' | 'notes')[] = [];
  /** Called before a write. */
  onWrite: (what: 'rows' | 'notes', rows: readonly StoredRow[]) => void = () => {};

  readonly open = async (): Promise<Engine> => {
    if (this.isAway) throw new StoreFailure('away', { store: 'main' });
    return {
      place: { dialect: 'duckdb', database: '', cluster: null, days: null },
      store: 'main',
      ask: async (of) => {
        const { text } = statementOf(of, DIALECTS.duckdb.placeholder);
        if (text.includes('FROM about')) return { rows: Object.entries(ABOUT), read: null };
        if (text.includes('FROM requests')) return { rows: [[this.rows.size]], read: null };
        if (text.startsWith('SELECT max(noted)'))
          return { rows: [[Math.max(0, ...this.notes.map(({ mark }) => mark))]], read: null };
        if (text.includes(' AS term')) {
          const leases = this.notes.filter(({ zone }) => zone.startsWith('lease '));
          const rows = leases.map(({ zone, missing, state, to }) => [zone, missing ?? 0, state, to]);
          return { rows: [...rows, ['', 0, '', this.now()]], read: null };
        }
        const isDropped = ({ state }: Note) => Number(state === 'retention');
        const ordered = this.notes.toSorted((a, b) => a.mark - b.mark || isDropped(a) - isDropped(b));
        return {
          rows: ordered.map(({ zone, from, to, state, missing, mark }) => [
            zone,
            from,
            to,
            state,
            missing ?? -1,
            mark,
          ]),
          read: null,
        };
      },
      run: async () => {},
      note: async (notes) => {
        this.#begin('notes', []);
        const written = new Set<string>();
        for (const { pullZoneId: zone, since: from, till: to, state, missing, noted: mark } of notes) {
          const said = { zone, from, state: state as Note['state'], missing, mark };
          written.add(JSON.stringify(said));
          const isSame = (each: MarkedNote) =>
            Object.entries(said).every(([name, value]) => each[name as keyof MarkedNote] === value);
          const before = this.notes.find(isSame);
          if (before === undefined) this.notes.push({ ...said, to });
          else before.to = Math.max(before.to, to);
        }
        // An engine that confirms fewer is asked again for ever.
        assert.equal(written.size, notes.length, 'a write of notes that its engine does not confirm');
      },
      put: async (columns) => {
        const rows = rowsOf(columns);
        this.#begin('rows', rows);
        for (const row of rows) this.rows.set(JSON.stringify(KEY.map((name) => row[name])), row);
      },
      close: async () => {},
    };
  };

  #begin(what: 'rows' | 'notes', rows: readonly StoredRow[]): void {
    this.onWrite(what, rows);
    if (this.isAway) throw new StoreFailure('away', { store: 'main' });
    this.writes.push(what);
  }
}
