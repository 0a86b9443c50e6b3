import type { LogRecord } from '../log.ts';
import type { ShieldEvent } from '../shield/shield.ts';

/** Events being read. `version` changes with them; `isHeard`: a count may begin; `isWhole`: nothing more will come. */
export type EventSource = {
  readonly events: readonly ShieldEvent[];
  readonly isHeard: boolean;
  readonly isWhole: boolean;
  readonly version: number;
};

export type RowCounter<R> = { add(record: LogRecord): void; result(): R };

/**
 * Counts CDN rows by what the Shield events of the same time say. Answers come in any order, so rows wait until the
 * events were heard; those of further pages begin the count anew, and with the last page the rows are let go.
 */
export class EventsFirst<R> {
  readonly #events: EventSource | null;
  readonly #start: (events: readonly ShieldEvent[]) => RowCounter<R>;
  readonly #rows: LogRecord[] = [];
  #counted = 0;
  #version = -1;
  #counter: RowCounter<R> | null = null;

  /** `events` null: there are none to wait for. */
  constructor(events: EventSource | null, start: (events: readonly ShieldEvent[]) => RowCounter<R>) {
    this.#events = events;
    this.#start = start;
  }

  add(records: readonly LogRecord[]): void {
    for (const record of records) this.#rows.push(record);
  }

  /** Null while the first events are on their way: a count without them would call everybody good. */
  result(): R | null {
    return this.#events !== null && !this.#events.isHeard ? null : this.soFar();
  }

  /** The count by the events that were heard, be it none: whoever shows it says so. */
  soFar(): R {
    const events = this.#events;
    const version = events?.version ?? 0;
    if (this.#counter === null || version !== this.#version) {
      this.#counter = this.#start(events?.events ?? []);
      this.#version = version;
      this.#counted = 0;
    }
    for (; this.#counted < this.#rows.length; this.#counted++) {
      this.#counter.add(this.#rows[this.#counted] as LogRecord);
    }
    if (events === null || events.isWhole) {
      this.#rows.length = 0;
      this.#counted = 0;
    }
    return this.#counter.result();
  }
}
