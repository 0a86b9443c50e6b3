import { eventFields } from '../../domain/shield-event.ts';
import type { State } from '../../state/model.ts';
import { shieldHeight, shieldTop } from '../../state/shield-ask.ts';
import type { ShieldEventView } from '../../state/shield-model.ts';
import { fit } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { marked, padLines } from '../row.ts';
import type { Look } from '../theme.ts';

/** Everything of one event, the cause first. The value under the cursor is shown whole below, however long it is. */
export function shieldEventBody(state: State, view: ShieldEventView, look: Look, height: number): string[] {
  const { columns } = state.size;
  const names = columns >= 100 ? 28 : columns >= 60 ? 22 : 14;
  const fields = eventFields(view.row, state.shield?.rules ?? null);
  const top = shieldTop(state, view, fields.length);
  const place = fields.length > 0 ? ` ${view.cursor + 1}/${fields.length}` : '';
  const left = columns - names - 2;
  const lines = [
    look.paint('header', fit(` ${fit('FIELD', names)} VALUE`, columns - place.length, 'left', ' ') + place),
  ];
  fields.slice(top, top + shieldHeight(state)).forEach((field, index) => {
    const isCursor = top + index === view.cursor;
    const mark = isCursor ? look.paint('accent', look.glyph.cursor) : ' ';
    const shown = fit(sanitise(field.name, 'strict', names * 2), names, 'left', look.glyph.cut);
    const name = marked(shown, 'dim', view.needle, look);
    const value = fit(sanitise(field.value, 'strict', left * 2), left, 'left', look.glyph.cut);
    lines.push(`${mark}${name} ${marked(value, isCursor ? 'cursor' : 'text', view.needle, look)}`);
  });
  const chosen = fields[view.cursor];
  const whole = chosen ? sanitise(chosen.value, 'strict', 4000) : '';
  const room = height - lines.length - 1;
  if (chosen && whole.length > left && room > 0) {
    const name = sanitise(chosen.name, 'strict', names);
    lines.push(look.paint('dim', fit(` ${name}, ${whole.length} characters:`, columns)));
    for (let at = 0; at < whole.length && lines.length < height; at += columns - 2) {
      lines.push(fit(`  ${whole.slice(at, at + columns - 2)}`, columns));
    }
  }
  return padLines(lines, columns, height);
}
