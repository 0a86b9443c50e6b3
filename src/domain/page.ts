/** A path without its query string. One that is nothing but a query string stays as it is. */
export function pageOf(path: string): string {
  const at = path.indexOf('?');
  return at > 0 ? path.slice(0, at) : path;
}
