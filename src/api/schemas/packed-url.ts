const COLON = 0x3a;
const SLASH = 0x2f;

/** Where the first `://` begins, -1 = there is none. */
export function schemeEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let i = start; i < end - 2; i++) {
    if (bytes[i] === COLON && bytes[i + 1] === SLASH && bytes[i + 2] === SLASH) return i;
  }
  return -1;
}

/** Where the path, the query or the fragment begins. */
export function hostEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    if (byte === SLASH || byte === 0x3f || byte === 0x23) return i;
  }
  return end;
}
