import { sanitise } from '../text/sanitise.ts';
import { cell, type Find } from './row.ts';
import type { Look } from './theme.ts';

/**
 * An untrusted path in exactly `columns` cells, less the directory that its column shares and the title names. It
 * stays whole where it fits, where it lies elsewhere, and where a match in it begins in that directory.
 */
export function pathCell(
  path: string,
  directory: string,
  columns: number,
  finds: readonly Find[],
  look: Look,
): string {
  const isFoundThere = () =>
    finds.some(({ text }) => {
      const at = path.toLowerCase().indexOf(text);
      return at >= 0 && at < directory.length;
    });
  const isWhole = path.length <= columns || directory === '' || !path.startsWith(directory) || isFoundThere();
  if (isWhole) return cell(path, columns, look);
  const sign = `${look.glyph.cut}/`;
  return sign + cell(path.slice(directory.length), columns - sign.length, look);
}

/** What a title says of the directory its column leaves out, in as much room as there is. */
export function directoryWords(directory: string, room: number, look: Look): string {
  if (directory === '') return '';
  return ` ${look.glyph.cut}=${sanitise(directory.slice(0, Math.max(0, room)), 'strict')}`;
}
