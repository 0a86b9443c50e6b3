import { cacheStatusRow } from '../../domain/log.ts';
import { listHeight } from '../../state/layout.ts';
import type { RecordView, State } from '../../state/model.ts';
import { fieldsOf } from '../../state/record.ts';
import { fit } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { listLine, padLines } from '../row.ts';
import type { Look } from '../theme.ts';

const NAME_WIDTH = 20;

/** Every field of one row. The value under the cursor is shown whole below the list, however long it is. */
export function recordBody(state: State, view: RecordView, look: Look, height: number): string[] {
  const { columns } = state.size;
  const fields = fieldsOf(state, view);
  const chosen = fields[view.cursor];
  const place = fields.length > 0 ? ` ${view.cursor + 1}/${fields.length}` : '';
  const lines = [
    look.paint(
      'header',
      fit(` ${fit('FIELD', NAME_WIDTH)} VALUE`, columns - place.length, 'left', ' ') + place,
    ),
  ];
  fields.slice(view.top, view.top + listHeight(state)).forEach((field, index) => {
    const isCursor = view.top + index === view.cursor;
    const mark = isCursor ? look.paint('accent', look.glyph.cursor) : ' ';
    const name = look.paint('dim', fit(field.name, NAME_WIDTH));
    const left = columns - NAME_WIDTH - 2;
    const value = fit(
      sanitise(meaningOf(field.name, field.value), 'strict', left * 2),
      left,
      'left',
      look.glyph.cut,
    );
    lines.push(`${mark}${name} ${look.paint(isCursor ? 'cursor' : 'text', value)}`);
  });
  if (!chosen) {
    lines.push(listLine('this row left the bounded buffer; Esc goes back', false, columns, look, 'warning'));
    return padLines(lines, columns, height);
  }
  const whole = sanitise(chosen.value, 'strict', 4000);
  const room = height - lines.length - 1;
  if (whole.length > columns - NAME_WIDTH - 2 && room > 0) {
    lines.push(look.paint('dim', fit(` ${chosen.name}, ${whole.length} characters:`, columns)));
    for (let at = 0; at < whole.length && lines.length < height; at += columns - 2) {
      lines.push(fit(`  ${whole.slice(at, at + columns - 2)}`, columns));
    }
  }
  return padLines(lines, columns, height);
}

function meaningOf(name: string, value: string): string {
  return name === 'cacheStatus' ? `${value}  (${cacheStatusRow(value).meaning})` : value;
}
