/** Kinds of bytes for a reader of log lines that accepts only printable ASCII without escapes. */
export const PLAIN = 0;
/** A URL without any of these holds no secret: see `maskUrlSecrets`. */
export const SUSPICIOUS = 1;
export const QUOTE = 2;
/** A control character, a backslash or a byte beyond ASCII: such a line is left to the schema. */
export const ODD = 3;

export const BYTE_KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20 || byte > 0x7e || byte === 0x5c) return ODD;
  const sign = String.fromCharCode(byte);
  if (sign === '"') return QUOTE;
  return '=%@'.includes(sign) ? SUSPICIOUS : PLAIN;
});
