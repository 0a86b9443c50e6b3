/** What a line of text at the bottom of the screen is for. */
export type PromptKind =
  | 'narrow'
  | 'zonePattern'
  | 'find'
  | 'query'
  | 'window'
  | 'palette'
  | 'listFind'
  | 'help'
  | 'formPart'
  | 'day'
  | 'exportPath'
  | 'viewName'
  | 'note'
  | 'originUrl'
  | 'notFoundPath'
  | 'regions'
  | 'confirmZone';

/** The pace of the keys since a line was opened. `at`: of the last one, Unix ms. */
export type KeyPace = { at: number; presses: number; strokes: number };

/** Keys closer than this, ms, are one stroke: nobody types fifty a second. */
export const ONE_STROKE = 20;

export const NO_PACE: KeyPace = { at: Number.NEGATIVE_INFINITY, presses: 0, strokes: 0 };

/** The pace of a line that was just opened, or asked for anew. */
export function begun(now: number): KeyPace {
  return { at: now, presses: 0, strokes: 0 };
}

export function pressed({ at, presses, strokes }: KeyPace, now: number): KeyPace {
  return { at: now, presses: presses + 1, strokes: strokes + (now - at >= ONE_STROKE ? 1 : 0) };
}

/**
 * Whether nobody typed that: a paste without its marks, or text meant for another program. A slow link delivers two
 * or three keys at once, a paste many.
 */
export function isBurst({ presses, strokes }: KeyPace): boolean {
  return strokes < presses / 2;
}
