const MAGIC = Buffer.from('\x7fELF\x02\x01', 'latin1');
const ENTRY = 56;

/**
 * The part of a 64-bit ELF program that the system maps when it starts: without symbols and debug sections, 18 MB of
 * Node's 127. Stack traces of JavaScript need none of them. Throws on anything else.
 */
export function mappedPart(program: Buffer): Buffer {
  if (!program.subarray(0, MAGIC.byteLength).equals(MAGIC)) throw new Error('not a 64-bit ELF program');
  const table = Number(program.readBigUInt64LE(32));
  const count = program.readUInt16LE(56);
  let end = table + count * ENTRY;
  for (let at = table; at < table + count * ENTRY; at += ENTRY)
    end = Math.max(end, Number(program.readBigUInt64LE(at + 8) + program.readBigUInt64LE(at + 32)));
  const mapped = Buffer.from(program.subarray(0, end));
  // The table of sections went with them.
  mapped.writeBigUInt64LE(0n, 40);
  mapped.writeUInt16LE(0, 60);
  mapped.writeUInt16LE(0, 62);
  return mapped;
}
