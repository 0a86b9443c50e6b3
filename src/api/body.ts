import { constants, isAscii } from 'node:buffer';
import { gunzip } from 'node:zlib';

/** Largest answer that is looked at, in decoded bytes. */
export const LARGEST_BODY = Math.min(32 * 1024 * 1024, constants.MAX_STRING_LENGTH);

export type BodyFault = { kind: 'tooLarge' | 'unreadable'; detail: string };
export type Decoded = { ok: true; bytes: Buffer } | { ok: false; fault: BodyFault };

type SystemFault = { code?: string };

/** The bytes of a stream, or null as soon as there are more than `cap`; leaving the loop hangs up. */
export async function readUpTo(stream: AsyncIterable<Uint8Array>, cap: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > cap) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Undoes one layer of gzip, the only encoding that was asked for. A second layer stays and is then no text. */
export function decodeBody(bytes: Buffer, encoding: string | null, cap: number): Promise<Decoded> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity' || bytes.byteLength === 0)
    return Promise.resolve({ ok: true, bytes });
  if (name !== 'gzip' && name !== 'x-gzip') {
    const detail = 'compressed in a way that was not asked for';
    return Promise.resolve({ ok: false, fault: { kind: 'unreadable', detail } });
  }
  return new Promise((resolve) => {
    gunzip(bytes, { maxOutputLength: cap }, (error, decoded) => {
      if (error === null) return resolve({ ok: true, bytes: decoded });
      const isBomb = (error as SystemFault).code === 'ERR_BUFFER_TOO_LARGE';
      resolve({
        ok: false,
        fault: isBomb
          ? { kind: 'tooLarge', detail: 'it unpacks to more than 32 MiB' }
          : { kind: 'unreadable', detail: 'the compressed data is damaged' },
      });
    });
  });
}

/** The text of UTF-8 bytes, without a byte order mark; null when they are not UTF-8. */
export function textOfUtf8(bytes: Buffer): string | null {
  if (isAscii(bytes)) return bytes.toString('latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
