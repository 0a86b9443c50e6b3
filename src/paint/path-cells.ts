import { clamp } from '../state/list.ts';
import { fit } from '../text/fit.ts';
import { sanitise } from '../text/sanitise.ts';
import { cell, type Find } from './row.ts';
import type { Look } from './theme.ts';

/** A URL whose query string does not count; its origin stands before the path. */
const ORIGIN = /^([a-z][a-z\d+.-]*:\/\/)([^/?#]*)/i;
const HTTPS = /^https:\/\//i;

/** How the URLs on screen are written: without their common beginning, which `said` names. */
type UrlStyle = { without: number; said: string };

/**
 * Rows that share scheme and host leave them to the column's title, which has `room` for that; https is left unsaid.
 * A host that was searched for stays where its match shows.
 */
export function urlStyle(
  urls: readonly (string | null | undefined)[],
  room: number,
  needle: string | null,
): UrlStyle {
  const origins = urls.flatMap((url) => (url ? [ORIGIN.exec(url)] : []));
  const [first] = origins;
  const isShared = (part: 0 | 1) => origins.every((each) => each && each[part] === first?.[part]);
  if (!first || !isShared(1)) return { without: 0, said: '' };
  const [origin, scheme = '', host = ''] = first;
  const said = ` on ${sanitise(HTTPS.test(scheme) ? host : origin, 'strict', room)}`;
  const isSought = needle !== null && needle !== '' && origin.toLowerCase().includes(needle.toLowerCase());
  if (isShared(0) && host !== '' && said.length <= room && !isSought) return { without: origin.length, said };
  return { without: HTTPS.test(scheme) && !isSought ? scheme.length : 0, said: '' };
}

/**
 * A URL in exactly `columns` cells. A longer one loses its query string first, then the middle of its path: host and
 * end of path tell URLs apart.
 */
export function urlCell(value: string, { without }: UrlStyle, columns: number, look: Look): string {
  const url = value.slice(without);
  const { cut } = look.glyph;
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  const isCutBehind = path.length < url.length;
  const shown = sanitise(url.slice(0, columns + 1), 'strict');
  const room = columns - cut.length - (isCutBehind ? cut.length : 0);
  if (shown.length <= columns || path.length <= room + cut.length || room < 4)
    return fit(shown, columns, 'left', cut);
  const host = without > 0 ? (/^[^/]*/.exec(path)?.[0].length ?? 0) : (ORIGIN.exec(path)?.[0].length ?? 0);
  const name = path.length - path.lastIndexOf('/');
  const head = clamp(Math.max(host, Math.floor(room / 3)), 1, room - Math.min(name, Math.ceil(room / 2)));
  const tail = room - head;
  const text = `${sanitise(path.slice(0, head + 1), 'strict').slice(0, head)}${cut}${sanitise(path.slice(-tail - 1), 'strict').slice(-tail)}`;
  return fit(isCutBehind ? text + cut : text, columns);
}

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
