/** JSON in printable ASCII: what is not is a \u escape, so no terminal, pipe or editor can be harmed by it. */
export function asciiJson(value: unknown, replacer?: (name: string, each: unknown) => unknown): string {
  const json = JSON.stringify(value, replacer);
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
