import { TALLY_KERNEL } from '../../../kernel/tally-kernel-code.ts';
import { type KernelExports, startKernel } from '../../../kernel/web-assembly.ts';
import type { LogColumns } from '../columns/log-columns.ts';
import type { Codes } from '../columns/value-columns.ts';

/** No answer is larger: a row that claims more counts as 0 bytes, which keeps the sums of a block exact. */
export const MOST_ROW_BYTES = 2 ** 43;

/** See `kernel/assembly/tally` for the names; places are byte offsets in its memory. */
export type TallyKernel = KernelExports<
  'STATES' | 'GROUPS' | 'TIMES' | 'SIZES' | 'CACHES' | 'STATUSES' | 'TABLES' | 'TRAFFIC'
> & {
  add(
    mask: number,
    bits: number,
    sides: number,
    cacheWidth: number,
    errors: number,
    statusWidth: number,
    isFloat: boolean,
    sums: number,
  ): void;
  sum(
    rows: number,
    bit: number,
    sides: number,
    cacheWidth: number,
    errors: number,
    statusWidth: number,
    isFloat: boolean,
  ): void;
};

export function startTallyKernel(): TallyKernel {
  return startKernel<TallyKernel>(TALLY_KERNEL, { tally: { mostBytes: MOST_ROW_BYTES } });
}

/** Copies a list, or a part of it, into the kernel's memory. */
export function putInto(
  { memory }: TallyKernel,
  place: number,
  list: Codes | Float64Array,
  from = 0,
  count = list.length,
): void {
  const width = list.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(list.buffer, list.byteOffset + from * width, count * width);
  new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
}

/**
 * Copies the summed columns of `count` rows of a chunk. Returns the widths of the codes of cache statuses and of statuses, and
 * whether sizes are floats.
 */
export function putRows(
  kernel: TallyKernel,
  { bytesSent, coded, states }: LogColumns,
  chunk: number,
  from: number,
  count: number,
): [cacheWidth: number, statusWidth: number, isFloat: boolean] {
  const sizes = bytesSent.chunks[chunk] as Uint32Array | Float64Array;
  const caches = coded.cacheStatus.chunks[chunk] as Codes;
  const statuses = coded.statusCode.chunks[chunk] as Codes;
  putInto(kernel, kernel.STATES.value, states[chunk] as Uint8Array, from, count);
  putInto(kernel, kernel.SIZES.value, sizes, from, count);
  putInto(kernel, kernel.CACHES.value, caches, from, count);
  putInto(kernel, kernel.STATUSES.value, statuses, from, count);
  return [widthOf(caches), widthOf(statuses), sizes instanceof Float64Array];
}

/** The width of a code: 0, 1 or 2 for one, two or four bytes. */
function widthOf(codes: Codes): number {
  return Math.log2(codes.BYTES_PER_ELEMENT);
}
