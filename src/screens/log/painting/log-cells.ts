import { cacheStatusRow, type LogRecord } from '../../../domain/log.ts';
import { clientName } from '../../../domain/logs/client-name.ts';
import { LOG_COLUMNS, type PlacedColumn } from '../../../domain/logs/pane-columns.ts';
import { pathCell } from '../../../paint/directory-cells.ts';
import { cell, type Find } from '../../../paint/row.ts';
import type { Look } from '../../../paint/theme.ts';
import { fit } from '../../../text/fit.ts';
import { bytes } from '../../../text/units.ts';

/** How a column is written: from which cell on, what is marked in it, and the directory that its paths share. */
type CellStyle = { from: number; finds: readonly Find[]; directory: string };

/** A value of a row in the cells of its column. Scrolled sideways a text is written as it came. */
export function logCell(
  record: LogRecord,
  { id, width }: PlacedColumn,
  style: CellStyle,
  look: Look,
): string {
  const { from, finds } = style;
  const value = LOG_COLUMNS[id].value(record);
  switch (id) {
    case 'cache': {
      const { letter, word } = cacheStatusRow(record.cacheStatus);
      return letter === word ? fit(letter, width) : `${letter} ${cell(word, width - 2, look)}`;
    }
    case 'status':
      return fit(String(record.statusCode), width, 'right');
    case 'bytes':
      return fit(bytes(record.bytesSent), width, 'right');
    case 'ua':
      return value !== null && from === 0
        ? clientCell(value, width, finds, look)
        : cell(value, width, look, 'strict', 'left', from);
    case 'path':
      return from === 0
        ? pathCell(record.path, style.directory, width, finds, look)
        : cell(value, width, look, 'strict', 'left', from);
    default:
      return cell(value, width, look, 'strict', LOG_COLUMNS[id].align, from);
  }
}

/** The name of a client, or the whole text from where what is found in it begins, if the name does not have it. */
function clientCell(userAgent: string, width: number, finds: readonly Find[], look: Look): string {
  const name = clientName(userAgent);
  const at = name === userAgent ? 0 : foundBehind(name, userAgent, finds);
  if (at === null) return cell(name, width, look);
  const before = at === 0 ? '' : look.glyph.cut;
  return before + cell(userAgent.slice(at), width - before.length, look);
}

/** Where in a whole text something is found that its short form does not have; null = nowhere. */
function foundBehind(short: string, whole: string, finds: readonly Find[]): number | null {
  if (finds.length === 0) return null;
  const [inShort, inWhole] = [short.toLowerCase(), whole.toLowerCase()];
  const hidden = finds.find(({ text }) => inWhole.includes(text) && !inShort.includes(text));
  if (!hidden) return null;
  // Some letters have a small one of another length, and places then say nothing.
  return inWhole.length === whole.length ? inWhole.indexOf(hidden.text) : 0;
}
