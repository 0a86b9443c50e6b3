// Batches: rows that were packed outside, and what is handed out in the end.
import {
  AUTHORIZED,
  BODIES,
  COLUMN_AREA,
  COLUMN_SIZE,
  COLUMNS,
  DERIVED,
  HAS_ID,
  IDS,
  INPUT,
  NO_SPAN,
  PACKED_SPANS,
  REQUEST_ID,
  SPAN_WIDTH,
  SPANS,
  TEXT,
  URL,
} from './layout.ts';
import { packId } from './request-id.ts';
import { forgetTexts, putNone, putText, textsOf } from './texts.ts';

/** Whether a row of a finished batch has the size of a body, or had an authorization header. */
export let hasBody: bool = false;
export let hasAuthorization: bool = false;

/** Begins a batch without rows. */
export function begin(): void {
  forgetTexts();
}

/** Takes the texts of rows of which the spans, from the beginning of the input on, and the numbers were written. */
export function takePacked(from: i32, to: i32): void {
  for (let column = 0; column < COLUMNS; column++) {
    for (let row = from; row < to; row++) {
      const span = PACKED_SPANS + (row * SPAN_WIDTH + column * 2) * 4;
      const start = load<i32>(span);
      const end = load<i32>(span, 4);
      let isLeftOut = start === NO_SPAN;
      if (column === REQUEST_ID) {
        const hasId = !isLeftOut && packId(INPUT + start, INPUT + end, IDS + (row << 4));
        store<u8>(HAS_ID + row, hasId as u8);
        isLeftOut = isLeftOut || hasId;
      } else if (column === URL) isLeftOut = isLeftOut || load<u8>(DERIVED + row) !== 0;
      if (isLeftOut) putNone(column, row);
      else putText(column, row, INPUT + start, INPUT + end);
    }
  }
}

/** Puts the texts of the batch behind each other, once each; returns how many bytes they are. No row may follow. */
export function finish(rows: i32): i32 {
  let to = TEXT;
  for (let column = 0; column < COLUMNS; column++) {
    const texts = textsOf(column);
    let span = COLUMN_AREA + column * COLUMN_SIZE + SPANS + 8;
    for (let n = 0; n < texts; n++, span += 8) {
      const from = load<i32>(span);
      const length = load<i32>(span, 4) - from;
      // What is copied beyond the end is overwritten by the next.
      for (let at = 0; at < length; at += 16) v128.store(to + at, v128.load(from + at));
      store<i32>(span, to - TEXT);
      to += length;
      store<i32>(span, to - TEXT, 4);
    }
  }
  hasBody = false;
  for (let at = BODIES; at < BODIES + (rows << 3); at += 8) hasBody = hasBody || !isNaN(load<f64>(at));
  hasAuthorization = false;
  for (let at = AUTHORIZED; at < AUTHORIZED + rows; at++)
    hasAuthorization = hasAuthorization || load<u8>(at) !== 0;
  return to - TEXT;
}
