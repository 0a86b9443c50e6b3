import { TALLY_KERNEL } from '../../../kernel/tally-kernel-code.ts';
import { type KernelExports, startKernel } from '../../../kernel/web-assembly.ts';
import type { Codes } from '../columns/value-columns.ts';

/** No answer is larger; a row that says so counts as 0 bytes, and sums of a block stay exact. */
export const MOST_ROW_BYTES = 2 ** 43;

/** See `kernel/assembly/tally`, from where the names come; places are bytes of its memory. */
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

/** Copies a list, or a part of it, to a place of the kernel's memory. */
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

/** How often a code of one byte is doubled. */
export function widthOf(codes: Codes): number {
  return Math.log2(codes.BYTES_PER_ELEMENT);
}
