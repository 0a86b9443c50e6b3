import { listPainting } from '../../../paint/list-columns.ts';
import { cut, type Strip } from '../../../paint/row.ts';
import type { State } from '../../../state/model.ts';
import { sanitise } from '../../../text/sanitise.ts';

/** The value asked for, whole, on as many lines as it takes. */
function shownValue({ keys: { revealed, items }, now }: State, { columns, look }: Strip): string[] {
  const secret = items.find((key) => key.id === revealed?.id)?.secret;
  if (!revealed || !secret) return [];
  const left = Math.max(0, Math.ceil((revealed.until - now) / 1000));
  const text = sanitise(secret.reveal(), 'strict', 1000);
  const lines = [
    look.paint('warning', cut(` value of ${revealed.id}, hidden again in ${left} s:`, columns, look)),
  ];
  for (let at = 0; at < text.length; at += columns - 2) {
    lines.push(` ${text.slice(at, at + columns - 2)}`);
  }
  return lines;
}

/** Below the keys one value at a time, for ten seconds. */
export const KEYS_PAINTING = listPainting('keys', {
  told: () => 'values are hidden, r shows one',
  below: shownValue,
});
